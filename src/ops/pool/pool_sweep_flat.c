#include "ops/pool/pool_sweep_plan.h"

enum {
  SIDES = 4,          /* above, below, before and behind the middle of a window */
  VECTOR = 16,        /* columns; rows of fewer are never worth one of their own */
  LEAST_PLANES = 16,  /* each is a piece of work */
  MOST_VALUES = 4096, /* of a plane */
  LONG_LINE = 2048,   /* of planes that lie in one line: at most so many, */
  SHORT_LINE = 512    /* and if they fit at least so many */
};

/* Whether vectors of single rows have so many lanes to spare that it takes longer to load each of them once than all
 * vectors of a line three times: measured. */
static bool wastes_lanes(int64_t width, int64_t lanes) {
  return width < VECTOR || 3 * (round_up(width, lanes) - width) >= width;
}

bool ir_sweep_can_lie_flat(const ir_sweep *sweep, int most_taps) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *across = &sweep->cross[0];
  const int64_t taps = along->kernel, reach = taps / 2;
  return sweep->n_cross == 1 && along->mode == IR_SWEEP_SLIDE && (taps == 3 || taps == 5) && taps <= most_taps &&
         along->step == 1 && along->stride == 1 && along->pad_begin == reach && along->n_out == along->n_in &&
         across->kernel == taps && across->step == 1 && across->stride == 1 && across->pad_begin == reach &&
         across->n_out == across->n_in && wastes_lanes(along->n_in, sweep->fused.lanes) &&
         sweep->plane_in <= MOST_VALUES && sweep->n_planes >= LEAST_PLANES;
}

bool ir_sweep_lay_flat(ir_plan *plan, ir_sweep *sweep) {
  const int64_t width = sweep->along.n_in, plane = sweep->plane_in, height = plane / width;
  const int n_masks = SIDES * (int)(sweep->along.kernel / 2), lanes = sweep->fused.lanes, bytes = lanes / 8;
  int64_t n = plane;
  while ((n % lanes != 0 || n < SHORT_LINE) && 2 * n <= LONG_LINE)
    n *= 2;
  const int64_t n_bytes = round_up(n, lanes) / lanes * n_masks * bytes;
  uint64_t *there = ir_arena_array(plan->arena, (size_t)(n_bytes + 7) / 8, sizeof *there);
  if (there == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t i = 0; i < n; i++) {
    const int64_t row = i % plane / width, column = i % width;
    for (int m = 0; m < n_masks; m++) {
      const int away = m / SIDES + 1, lane = (int)(i % lanes);
      const bool has[SIDES] = {row >= away, row < height - away, column >= away, column < width - away};
      uint8_t *mask = (uint8_t *)there + (i / lanes * n_masks + m) * bytes;
      mask[lane / 8] = (uint8_t)(mask[lane / 8] | has[m % SIDES] << lane % 8);
    }
  }
  sweep->flat.n_planes = n / plane;
  sweep->flat.there = there;
  return true;
}

#include "ops/pool/pool_sweep_plan.h"

enum {
  SIDES = 4,          /* above, below, before and behind the middle of a window */
  VECTOR = 16,        /* columns; rows of fewer are never worth one of their own */
  LEAST_PLANES = 16,  /* each is a piece of work */
  MOST_VALUES = 4096, /* of a plane */
  LONG_LINE = 2048,   /* of planes that lie in one line: at most so many, */
  SHORT_LINE = 512    /* and if they fit at least so many */
};

/* Whether it takes longer to load the vectors of single rows once each than all vectors of a line three times, because
 * they have lanes to spare: measured. */
static bool wastes_lanes(const ir_sweep *sweep) {
  const int64_t width = sweep->along.n_in, taps = sweep->along.kernel;
  const int lanes = sweep->vectors.lanes;
  if (sweep->vectors.bits == 512)
    return width < VECTOR || 3 * (round_up(width, lanes) - width) >= width;
  if (lanes == 8) /* of averages, which are of 3 taps alone, more */
    return width <= (taps == 5 ? 15 : sweep->vectors.flat_taps == 3 ? 28 : 21);
  return lanes > 16 || taps == 3 || width <= 40;
}

bool ir_sweep_can_lie_flat(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *across = &sweep->cross[0];
  const int64_t taps = along->kernel, reach = taps / 2;
  return sweep->n_cross == 1 && along->mode == IR_SWEEP_SLIDE && (taps == 3 || taps == 5) &&
         taps <= sweep->vectors.flat_taps && along->step == 1 && along->stride == 1 && along->pad_begin == reach &&
         along->n_out == along->n_in && across->kernel == taps && across->step == 1 && across->stride == 1 &&
         across->pad_begin == reach && across->n_out == across->n_in && wastes_lanes(sweep) &&
         sweep->plane_in <= MOST_VALUES && sweep->n_planes >= LEAST_PLANES;
}

/* Bits of a mask. */
static void set_bits(uint8_t *mask, int begin, int n) {
  for (int i = begin; i < begin + n; i++)
    mask[i / 8] = (uint8_t)(mask[i / 8] | 1 << i % 8);
}

bool ir_sweep_lay_flat(ir_plan *plan, ir_sweep *sweep) {
  const int64_t width = sweep->along.n_in, plane = sweep->plane_in, height = plane / width;
  const int n_masks = SIDES * (int)(sweep->along.kernel / 2), lanes = sweep->vectors.lanes;
  const int lane_bits = sweep->vectors.bits == 512 ? 1 : sweep->vectors.bits / lanes, bytes = lanes * lane_bits / 8;
  int64_t n = plane;
  while ((n % lanes != 0 || n < SHORT_LINE) && 2 * n <= LONG_LINE)
    n *= 2;
  uint8_t *there = ir_sweep_take_lines(plan, round_up(n, lanes) / lanes * n_masks * bytes);
  if (there == NULL)
    return false;
  for (int64_t i = 0; i < n; i++) {
    const int64_t row = i % plane / width, column = i % width;
    for (int m = 0; m < n_masks; m++) {
      const int away = m / SIDES + 1;
      const bool has[SIDES] = {row >= away, row < height - away, column >= away, column < width - away};
      if (has[m % SIDES])
        set_bits(there + (i / lanes * n_masks + m) * bytes, (int)(i % lanes) * lane_bits, lane_bits);
    }
  }
  sweep->flat.n_planes = n / plane;
  sweep->flat.there = there;
  return true;
}

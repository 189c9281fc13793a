#include "ops/pool/pool_sweep_plan.h"

enum {
  MOST = 5,          /* rows, and columns at stride 1 */
  MOST_HALVES = 3,   /* at stride 2, and in volumes */
  TOUCHED = 4096,    /* elements' bytes of f32 that are asked for at a time, where lines take rows of their own */
  TOUCHED_LINES = 8, /* where they share rows */
  LANES = IR_SWEEP_LANES
};

/* Whether rows take less as one long row: those of few outputs, or of so few more than a vector has. */
static bool is_better_dense(const ir_sweep_along *along) {
  const int64_t n = along->n_out;
  if (!along->is_dense)
    return false;
  if (along->stride == 2)
    return n <= 9;
  return along->kernel > 4 ? n <= 12 || (n > LANES && n <= LANES + 4) : n <= 10 || n == LANES + 1;
}

bool ir_sweep_can_fuse(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int n = sweep->n_cross;
  if (n > 2 || sweep->is_direct || along->mode != IR_SWEEP_SLIDE || along->step > 1 || along->kernel == 1 ||
      along->stride > 2 || is_better_dense(along))
    return false;
  const ir_sweep_cross *inner = &sweep->cross[n - 1];
  const int64_t most_taps = along->stride == 1 && n == 1 ? MOST : MOST_HALVES;
  return along->kernel <= most_taps && ir_sweep_are_between(inner, 1, most_taps) &&
         (n == 1 || ir_sweep_are_between(&sweep->cross[0], 1, MOST_HALVES));
}

bool ir_sweep_fuse(ir_plan *plan, ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t stride = along->stride, n_vectors = (along->n_out + LANES - 1) / LANES, lead = along->pad_begin;
  const int64_t end =
      least(along->n_in, (along->n_out - 1) * stride + along->kernel - lead); /* of what is in windows */
  uint32_t *there = ir_arena_array(plan->arena, (size_t)n_vectors + 1, sizeof *there);
  if (there == NULL)
    return ir_out_of_memory(plan->diags), false;
  const bool is_centred = stride == 1 && (along->kernel == 3 || along->kernel == 5) && lead == along->kernel / 2;
  const int64_t first = stride == 1                    ? LANES - (is_centred ? 0 : lead)
                        : lead % 2 == 1                ? 1 - lead
                        : along->kernel == MOST_HALVES ? 2 * LANES - lead
                                                       : -lead;
  for (int64_t v = 0; v <= n_vectors; v++) {
    const int64_t column = first + (v - 1) * LANES * stride, n = LANES * stride;
    const int64_t from = least(most(-column, 0), n), to = most(least(end - column, n), from);
    there[v] = (uint32_t)((UINT64_C(1) << to) - (UINT64_C(1) << from));
  }
  const int64_t new_bytes = most(sweep->cross[0].stride, 1) * along->n_in * (int64_t)sizeof(float);
  sweep->fused =
      (ir_sweep_fused){.is_set = true,
                       .is_centred = is_centred,
                       .first = first,
                       .there = there,
                       .n_touched = stride == 1 ? TOUCHED_LINES : most(1, (TOUCHED + new_bytes / 2) / new_bytes)};
  return true;
}

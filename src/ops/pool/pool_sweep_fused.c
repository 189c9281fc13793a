#include "ops/pool/pool_sweep_plan.h"

enum {
  MOST = 5,         /* rows, and columns at stride 1 */
  MOST_HALVES = 3,  /* at stride 2, and in volumes */
  TOUCHED = 4096,   /* elements' bytes of f32 that are asked for at a time, where lines take rows of their own */
  TOUCHED_LINES = 8 /* where they share rows */
};

/* Up to how many outputs of a row something else takes less: measured. */
typedef struct bounds {
  int64_t dense, above; /* one long row; and of so many outputs more than a vector has */
  int64_t abreast;      /* planes side by side */
} bounds;

static const bounds *bounds_of(const ir_sweep *sweep) {
  /* At stride 1, there of more than 4 columns, and at stride 2; of vectors of 16 elements, of 32 and of 64. */
  static const bounds table[3][3] = {
      {{10, 1, 3}, {12, 4, 5}, {9, 0, 6}}, {{14, 0, 12}, {15, 0, 14}, {23, 0, 6}}, {{9, 0, 5}, {8, 0, 7}, {11, 0, 5}}};
  const int lanes = sweep->fused.lanes;
  return &table[lanes / 32][sweep->along.stride == 2 ? 2 : sweep->along.kernel > 4 ? 1 : 0];
}

static bool is_better_dense(const ir_sweep *sweep) {
  const bounds *of = bounds_of(sweep);
  const int64_t n = sweep->along.n_out, lanes = sweep->fused.lanes;
  return sweep->along.is_dense && (n <= of->dense || (n > lanes && n <= lanes + of->above));
}

int64_t ir_sweep_most_abreast(const ir_sweep *sweep) {
  return bounds_of(sweep)->abreast;
}

bool ir_sweep_can_fuse(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int n = sweep->n_cross;
  if (n > 2 || sweep->is_direct || along->mode != IR_SWEEP_SLIDE || along->step > 1 || along->kernel == 1 ||
      along->stride > 2 || is_better_dense(sweep))
    return false;
  const ir_sweep_cross *inner = &sweep->cross[n - 1];
  const int64_t most_taps = along->stride == 1 && n == 1 ? MOST : MOST_HALVES;
  return along->kernel <= most_taps && ir_sweep_are_between(inner, 1, most_taps) &&
         (n == 1 || ir_sweep_are_between(&sweep->cross[0], 1, MOST_HALVES));
}

bool ir_sweep_fuse(ir_plan *plan, ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int lanes = sweep->fused.lanes;
  const int64_t stride = along->stride, n_windows = stride * lanes, lead = along->pad_begin;
  const int64_t n_vectors = stride * ((along->n_out + lanes - 1) / lanes);
  const int64_t end =
      least(along->n_in, (along->n_out - 1) * stride + along->kernel - lead); /* of what is in windows */
  uint64_t *there = ir_arena_array(plan->arena, (size_t)(n_vectors + stride), sizeof *there);
  if (there == NULL)
    return ir_out_of_memory(plan->diags), false;
  const bool is_centred = stride == 1 && (along->kernel == 3 || along->kernel == 5) && lead == along->kernel / 2;
  const int64_t first = stride == 1                    ? lanes - (is_centred ? 0 : lead)
                        : lead % 2 == 1                ? 1 - lead
                        : along->kernel == MOST_HALVES ? n_windows - lead
                                                       : -lead;
  for (int64_t v = 0; v < n_vectors + stride; v++) {
    const int64_t column = first + (v - stride) * lanes;
    for (int64_t j = most(-column, 0); j < least(end - column, lanes); j++)
      there[v] |= UINT64_C(1) << j;
  }
  const int64_t new_bytes = most(sweep->cross[0].stride, 1) * along->n_in * (int64_t)sizeof(float);
  sweep->fused =
      (ir_sweep_fused){.is_set = true,
                       .lanes = lanes,
                       .is_centred = is_centred,
                       .first = first,
                       .there = there,
                       .n_touched = stride == 1 ? TOUCHED_LINES : most(1, (TOUCHED + new_bytes / 2) / new_bytes)};
  return true;
}

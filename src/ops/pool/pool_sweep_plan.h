/* What the parts of a sweep's plan share. */
#ifndef IR_POOL_SWEEP_PLAN_H
#define IR_POOL_SWEEP_PLAN_H

#include "ops/pool/pool_sweep.h"

enum { MOST_OUTPUTS = 1 << 14 }; /* of a plane, where each of them has a mean */

/* Greatest l with 2^l <= n; n > 0. */
static inline int count_levels(int64_t n) {
  int levels = 0;
  while (n >> (levels + 1) > 0)
    levels++;
  return levels;
}

/* Columns that n_out windows take, pads counted. */
static inline int64_t span_of(const ir_sweep_along *along, int64_t n_out) {
  return (n_out - 1) * along->stride + (along->kernel - 1) * along->step + 1;
}

/* n floats of the scratch and IR_SWEEP_SLACK; returns where. */
static inline size_t take_scratch(ir_sweep *sweep, int64_t n) {
  const size_t at = sweep->n_scratch;
  sweep->n_scratch += (size_t)round_up(n + IR_SWEEP_SLACK, 16);
  return at;
}

/* So many bytes of the plan's, all 0, from the begin of a line of the cache on: vectors should not cross one. Reports
 * when memory is out, and returns NULL. */
void *ir_sweep_take_lines(ir_plan *plan, int64_t n_bytes);
/* Whether windows of 9 to 16 rows are too few to share blocks: those of a small plane, which is mostly one of many that
 * go abreast. Whatever their number, so that an order is that of the window alone. */
bool ir_sweep_is_small(const ir_sweep *sweep);

/* Whether each window has so many rows. */
static inline bool ir_sweep_are_between(const ir_sweep_cross *axis, int64_t fewest, int64_t most_rows) {
  return axis->fewest_rows >= fewest && axis->most_rows <= most_rows;
}
/* The most rows from the first to the last that `n` windows one after the other take; at least 1. */
int64_t ir_sweep_most_rows(const ir_sweep_cross *axis, int64_t n);
/* Whether windows are made straight from the rows: of up to 5 elements each way at stride 1 along rows, of up to 3 at
 * stride 2 and in volumes, where rows do not take less as one long row, squares of up to 8 at stride 1 and up to 16 at
 * strides 2 and 3, and those that are apart. */
bool ir_sweep_can_fuse(const ir_sweep *sweep);
/* Whether windows are those of up to 16 elements each way at a stride of 4 or more along rows, that overlap little if
 * they do: these slide, whether they are fused or not. */
bool ir_sweep_is_apart(const ir_sweep *sweep);
/* Of what can be fused: the most outputs of a row for which planes side by side take less. Whether rows are joined
 * first is set. */
int64_t ir_sweep_most_abreast(const ir_sweep *sweep);
/* Sets what they need. Reports when memory is out, and returns false. */
bool ir_sweep_fuse(ir_plan *plan, ir_sweep *sweep);
/* Whether they are many small planes of 3x3 or 5x5 windows, of which vectors can be, at stride 1, as many as elements.
 */
bool ir_sweep_can_lie_flat(const ir_sweep *sweep);
/* Sets what those need. Reports when memory is out, and returns false. */
bool ir_sweep_lay_flat(ir_plan *plan, ir_sweep *sweep);
/* Whether they are bins of up to 16 columns and 8 rows, of rows of a vector at least. */
bool ir_sweep_has_bins(const ir_sweep *sweep);
/* Sets what those need. Reports when memory is out, and returns false. */
bool ir_sweep_make_bins(ir_plan *plan, ir_sweep *sweep);
/* Whether a few windows of a row, that would be picked otherwise, slide: side by side that takes less. */
bool ir_sweep_slides_anyway(const ir_sweep_along *along);
/* Sets what planes that are swept side by side need, and is true, where that is faster. The axes are set. Windows
 * that would be better off so, but for the number of planes, slide from then on in either case. */
bool ir_sweep_goes_abreast(ir_sweep *sweep);

#endif

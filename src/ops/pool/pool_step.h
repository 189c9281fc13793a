/* Steps of a plan for pools: vector kernels if they take the windows and the type, else plain loops. */
#ifndef IR_POOL_STEP_H
#define IR_POOL_STEP_H

#include "ops/pool/pool_repair.h"

typedef struct ir_average {
  ir_windows windows;
  int64_t divisor;   /* for all windows; 0: the number of taps in the input */
  bool nan_if_empty; /* a window without taps gives NaN, in types with NaN; else 0 */
} ir_average;

/* Appends the step that averages input 0 of the node into output 0. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope);

/* Appends the step that writes the maxima of input 0 over `windows` to output 0 and, if the node has an output 1 that
 * is read, their indices to it (i32 or i64, which hold every index). Ties go to the first element in row-major order of
 * the taps. */
ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope);

/* ir_op.takes_channels_last of pools: f32 tensors keep this layout between primitives. */
bool ir_pool_takes_channels_last(const ir_node *node);
/* Appends the step of a pool in that layout; `average` is NULL for a maximum. Sums are computed in f32. */
ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average);

#endif

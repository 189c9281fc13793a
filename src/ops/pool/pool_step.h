/* The steps of a plan that pool: by the kernels of vectors where they do the windows and the type, else in plain loops.
 */
#ifndef IR_POOL_STEP_H
#define IR_POOL_STEP_H

#include "ops/pool/pool_repair.h"

typedef struct ir_average {
  ir_windows windows;
  int64_t divisor;   /* of every window; 0: the number of its taps in the input */
  bool nan_if_empty; /* a window without any tap gives NaN, in types that have one; else 0 */
} ir_average;

/* Appends the step that averages input 0 of the node into its output 0. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope);

/* Appends the step that takes the maxima of input 0 of the node over `windows` into its output 0 and, where the node
 * has an output 1 that is read, their indices into that (i32 or i64, which every index fits). The first of equal
 * elements wins, in row-major order of the taps. */
ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope);

/* ir_op.takes_channels_last of pools: f32 tensors lie as [N, D.., C] between products of the fast module. */
bool ir_pool_takes_channels_last(const ir_node *node);
/* Appends the step of such a pool; of a maximum `average` is NULL. Sums are made in f32. */
ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average);

#endif

/* Appends the steps of pools to a plan: vector kernels if they support the windows and the element type, else plain
 * loops. */
#ifndef IR_POOL_STEP_H
#define IR_POOL_STEP_H

#include "ops/pool/pool_repair.h"

typedef struct ir_average {
  ir_windows windows;
  int64_t divisor;   /* divisor of every window; 0: the window's number of taps in the input */
  bool nan_if_empty; /* average over no taps: NaN if true and the type has NaN; else 0 */
} ir_average;

/* Appends the step that writes the averages of input 0 to output 0. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope);

/* Appends the step that writes the maxima of input 0 over `windows` to output 0. If the node has an output 1 that is
 * read, the step writes their indices there; the type of output 1, i32 or i64, must hold every index. Among equal
 * elements the first in row-major order wins. */
ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope);

/* Implements ir_op.takes_channels_last: true for a pool of f32 whose indices are not read. */
bool ir_pool_takes_channels_last(const ir_node *node);
/* Appends the step of a pool of f32 tensors in channels-last layout. `average` is NULL for a maximum. Sums are computed
 * in f32. */
ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average);

#endif

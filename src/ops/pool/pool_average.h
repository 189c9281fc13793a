/* Averages over windows: a sweep where the element type has one, else a fold. */
#ifndef IR_POOL_AVERAGE_H
#define IR_POOL_AVERAGE_H

#include "ops/pool/pool_windows.h"

typedef struct ir_average {
  ir_windows windows;
  int64_t divisor;   /* of every window; 0: the number of its taps in the input */
  bool nan_if_empty; /* a window without any tap gives NaN, in types that have one; else 0 */
} ir_average;

/* Appends the step that averages input 0 of the node into its output 0. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope);

/* round(sum / n) to nearest, ties to even; n > 0. */
ir_wide ir_round_half_even(ir_wide sum, ir_wide n);

#endif

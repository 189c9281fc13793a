/* Maxima over windows: a sweep where the element type has one, else in plain loops. The first of equal elements wins,
 * in row-major order of the taps. */
#ifndef IR_POOL_MAX_H
#define IR_POOL_MAX_H

#include "ops/pool/pool_windows.h"

/* What a window's maximum begins with. An element takes its place when it is greater, so that a NaN never does. */
typedef enum ir_max_start {
  IR_MAX_FROM_LOWEST, /* the type's lowest finite number, found nowhere: MaxPool. Of -inf and NaN alone nothing comes */
  IR_MAX_FROM_FIRST   /* the window's first element, if it has any: AdaptiveMaxPool, ReduceMax */
} ir_max_start;

/* Appends the step that takes the maxima of input 0 of the node over `windows` into its output 0 and, where the node
 * has an output 1 that is read, their indices into that (i32 or i64, which every index fits). */
ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope);

#endif

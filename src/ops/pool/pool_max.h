/* Maxima over windows: a sweep where the element type has one, else a fold; with indices, of types that have no sweep,
 * row by row. The first of equal elements wins, in row-major order of the taps. */
#ifndef IR_POOL_MAX_H
#define IR_POOL_MAX_H

#include "ops/pool/pool_windows.h"

/* What a window's maximum begins with. An element takes its place when it is greater, so that a NaN never does. */
typedef enum ir_max_start {
  IR_MAX_FROM_LOWEST, /* the type's lowest finite number, found nowhere: MaxPool. Of -inf and NaN alone nothing comes */
  IR_MAX_FROM_FIRST   /* the window's first element, if it has any: AdaptiveMaxPool, ReduceMax */
} ir_max_start;

typedef struct ir_maximum {
  ir_windows windows;
  ir_max_start start;
  /* An index is the position in the input, of a window that found nothing that of its plane's first element, modulo
   * this. */
  int64_t index_modulus;
  /* Rows of which parts of windows are kept, of each axis but the innermost as many as a window takes; 0: none. */
  int64_t n_slots, slots[IR_MAX_RANK];
  int64_t width; /* windows next to each other that are made at once: the fewer, the more slots there are */
} ir_maximum;

/* Appends the step that takes the maxima of input 0 of the node over `windows` into its output 0 and, where the node
 * has an output 1 that is read, their indices into that (i32 or i64, which every index fits). */
ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope);

#endif

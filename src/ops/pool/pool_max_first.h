/* What a maximum that begins with its window's first element has otherwise than one that begins with the lowest number.
 */
#ifndef IR_POOL_MAX_FIRST_H
#define IR_POOL_MAX_FIRST_H

#include "ops/pool/pool_windows.h"

/* The first value of a window's maximum. A greater element replaces it, so in a pool a NaN never does. */
typedef enum ir_max_start {
  IR_MAX_FROM_LOWEST, /* the type's lowest finite number, found nowhere: MaxPool. Of -inf and NaN alone nothing comes */
  IR_MAX_FROM_FIRST,  /* the window's first element, if it has any: AdaptiveMaxPool */
  IR_MAX_OR_NAN       /* the same, and a NaN takes its place wherever it is, and stays: ReduceMax */
} ir_max_start;

/* Places in the input modulo `modulus`. */
typedef struct ir_first_indices {
  void *data;
  bool is_i64; /* or i32 */
  int64_t modulus;
} ir_first_indices;

/* Corrects maxima that were computed from the lowest number, in rows [begin, end) of the output, of all planes, to
 * those of `start`: a window keeps its first NaN, or any; and -inf where it has nothing greater. With `indices`, a
 * maximum that is the lowest number gets its place too; NULL: there are none. */
void ir_max_from_first(const ir_windows *windows, ir_type type, ir_max_start start, const void *in, void *out,
                       const ir_first_indices *indices, int64_t begin, int64_t end);

#endif

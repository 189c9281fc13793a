/* Outputs that are looked at again: what kernels cannot make right, and what is warned of. */
#ifndef IR_POOL_REPAIR_H
#define IR_POOL_REPAIR_H

#include "ops/pool/pool_kernels.h"

/* Makes outputs in rows [begin, end) anew: averages whose sum was too large for a float, in double; and, where the
 * input has zeros of both signs, maxima that are zeros. */
void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end);

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

/* Lets the step that was appended last, of a MaxPool, warn in a run that is watched: IR321. `channels` of each place
 * lie side by side; 1: planes lie one behind the other. Reports when memory is out. */
ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, int64_t channels, ir_scope *scope);

#endif

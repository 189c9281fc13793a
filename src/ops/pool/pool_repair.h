/* Recomputes outputs that kernels cannot get right, and finds those to warn about. */
#ifndef IR_POOL_REPAIR_H
#define IR_POOL_REPAIR_H

#include "ops/pool/pool_kernels.h"

/* Recomputes outputs in rows [begin, end): in double, averages whose sum overflowed a float; and zero maxima, if the
 * input has zeros of both signs. */
void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end);

/* Start value of a window's maximum. Only a greater element replaces it, so in a pool a NaN never does. */
typedef enum ir_max_start {
  IR_MAX_FROM_LOWEST, /* the type's lowest finite number, which has no place: MaxPool. Windows of only -inf and NaN keep
                         it */
  IR_MAX_FROM_FIRST,  /* the window's first element, if it has any: AdaptiveMaxPool */
  IR_MAX_OR_NAN       /* the same, but any NaN replaces the maximum and stays: ReduceMax */
} ir_max_start;

/* Positions in the input modulo `modulus`. */
typedef struct ir_first_indices {
  void *data;
  bool is_i64; /* else i32 */
  int64_t modulus;
} ir_first_indices;

/* Corrects maxima that kernels computed from the lowest number, in rows [begin, end) of the output over all planes, for
 * the given `start`: a window whose first element is NaN, or with any NaN, gives NaN; a window without anything above
 * -inf gives -inf. With `indices`, also sets the place of maxima that are the lowest number; NULL: no indices. */
void ir_max_from_first(const ir_windows *windows, ir_type type, ir_max_start start, const void *in, void *out,
                       const ir_first_indices *indices, int64_t begin, int64_t end);

/* Lets the last appended step, of a MaxPool, report IR321 in watched runs. `channels`: channels that are adjacent in
 * memory; 1 if planes are contiguous. Reports if memory is out. */
ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, int64_t channels, ir_scope *scope);

#endif

/* Corrects outputs of pools that vector kernels compute wrongly, and warns of windows of NaN. */
#ifndef IR_POOL_REPAIR_H
#define IR_POOL_REPAIR_H

#include "ops/pool/pool_kernels.h"

/* Corrects outputs in rows [begin, end). An average that is not finite is computed again in double, in case only the
 * sum overflowed a float. If the input has a -0, each zero maximum gets the sign of the first zero in its window. */
void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end);

/* Start value of a window's maximum. Only a greater element replaces the maximum, so a later NaN is ignored. */
typedef enum ir_max_start {
  IR_MAX_FROM_LOWEST, /* MaxPool: the type's lowest finite number. It stays if all elements are -inf or NaN */
  IR_MAX_FROM_FIRST   /* AdaptiveMaxPool: the window's first element, or the lowest number if the window is empty */
} ir_max_start;

/* Indices of maxima: positions in the input, modulo `modulus`. */
typedef struct ir_first_indices {
  void *data;
  bool is_i64; /* type of data: i64, else i32 */
  int64_t modulus;
} ir_first_indices;

typedef struct ir_first_job {
  const ir_windows *windows;
  ir_type type;
  const void *in;
  void *out;
  const ir_first_indices *indices; /* NULL: none */
  ir_stop *stop;                   /* as in ir_pool_job */
  int worker;
} ir_first_job;

/* Corrects maxima in rows [begin, end), counted over all planes. Kernels started them with the type's lowest finite
 * number, but the op requires IR_MAX_FROM_FIRST: a window whose first element is NaN becomes NaN, and a window without
 * a number above -inf becomes -inf. If there are indices, corrects the indices of these maxima too. */
void ir_max_from_first(const ir_first_job *job, int64_t begin, int64_t end);

/* Wraps the plan's last step, a MaxPool: if ir_exec.is_watched, the step warns of windows that hold NaN and no number
 * (IR321). `channels`: the number of channels if the layout is channels last, else 1. Reports if memory is out. */
ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, int64_t channels, ir_scope *scope);

#endif

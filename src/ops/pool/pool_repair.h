/* Outputs that are looked at again: what kernels cannot make right, and what is warned of. */
#ifndef IR_POOL_REPAIR_H
#define IR_POOL_REPAIR_H

#include "ops/pool/pool_kernels.h"

/* Makes outputs in rows [begin, end) anew: averages whose sum was too large for a float, in double; and, where the
 * input has zeros of both signs, maxima that are zeros. */
void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end);

/* Gives those of the maxima [at, at + n) that are zeros, floats of `size` bytes, the sign of the first zero in their
 * windows: of equal elements the first stays, and kernels meet them in another order. */
void ir_pool_mend_zeros(const ir_windows *windows, const void *in, void *out, int64_t at, int64_t n, size_t size);

/* Lets the step that was appended last, of a MaxPool, warn in a run that is watched: IR321. `channels` of each place
 * lie side by side; 1: planes lie one behind the other. Reports when memory is out. */
ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, int64_t channels, ir_scope *scope);

#endif

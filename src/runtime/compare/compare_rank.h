/* Order statistics of how far apart the elements of two tensors are. */
#ifndef IR_COMPARE_RANK_H
#define IR_COMPARE_RANK_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Fills abs_p99, ulp_p50 and ulp_p99 by nearest rank over the `n_finite` pairs that are finite on both sides, of which
 * `n_equal` are equal. Exact, without memory: the digits of each number are found from the top, one pass over what
 * differs for each. */
void ir_compare_ranks(const ir_tensor *got, const ir_tensor *expected, int64_t n_finite, int64_t n_equal,
                      irrun_comparison *out);

#endif

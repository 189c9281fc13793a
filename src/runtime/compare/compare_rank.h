/* Order statistics of the distances between the elements of two tensors. */
#ifndef IR_COMPARE_RANK_H
#define IR_COMPARE_RANK_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Fills abs_p99, ulp_p50 and ulp_p99 by nearest rank over the `n_finite` pairs that are finite on both sides; `n_equal`
 * of them are equal. Exact, without memory: a radix search finds each number digit by digit from the top, with one pass
 * over the unequal elements for each digit. */
void ir_compare_ranks(const ir_tensor *got, const ir_tensor *expected, int64_t n_finite, int64_t n_equal,
                      irrun_comparison *out);

#endif

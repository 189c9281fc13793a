/* Computes percentiles of the distances between the elements of two tensors. */
#ifndef IR_COMPARE_RANK_H
#define IR_COMPARE_RANK_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Sets the percentiles of `out`, abs_p50 to ulp_p99, by nearest rank over the pairs of elements that are both finite.
 * There are `n_finite` such pairs, and `n_equal` of them are equal. Allocates nothing: a radix search finds the bits of
 * each result from the top, 11 bits in each pass over the tensors. */
void ir_compare_ranks(const ir_tensor *got, const ir_tensor *expected, int64_t n_finite, int64_t n_equal,
                      irrun_comparison *out);

#endif

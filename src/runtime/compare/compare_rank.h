/* Computes percentiles of the distances between the elements of two tensors. */
#ifndef IR_COMPARE_RANK_H
#define IR_COMPARE_RANK_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Sets abs_p99, ulp_p50 and ulp_p99 of `out`, by nearest rank over the pairs of elements that are both finite. There
 * are `n_finite` such pairs, and `n_equal` of them are equal. Allocates nothing: a radix search finds the bits of each
 * result from the top, 11 bits in each pass over the tensors. */
void ir_compare_ranks(const ir_tensor *got, const ir_tensor *expected, int64_t n_finite, int64_t n_equal,
                      irrun_comparison *out);

#endif

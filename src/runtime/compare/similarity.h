/* Measures of how similar two tensors are as a whole. */
#ifndef IR_SIMILARITY_H
#define IR_SIMILARITY_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Sets `cosine`, `snr`, `psnr`, `l2`, `rel_l2` and `max_rel_floored` of two tensors of one type and shape.
 * `out->not_finite` is set. */
void ir_compare_similarity(const ir_tensor *got, const ir_tensor *expected, irrun_comparison *out);

#endif

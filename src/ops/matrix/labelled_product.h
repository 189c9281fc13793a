/* Recognizes matrix products among products of tensors with labelled axes. */
#ifndef IR_LABELLED_PRODUCT_H
#define IR_LABELLED_PRODUCT_H

#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"

/* Describes out = a * b for the fast module. False: the labels are not those of a batch of matrix products, or the
 * matrices lie in an order that the module cannot read. The matrices of `out` lie one after the other. */
bool ir_labelled_product(const ir_labelled *a, const ir_labelled *b, const ir_labelled *out, ir_fast_desc *out_desc);

#endif

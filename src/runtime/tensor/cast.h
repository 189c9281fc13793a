/* Converts numbers to elements of any type, and tensors to another type. */
#ifndef IR_CAST_H
#define IR_CAST_H

#include "base/tensor.h"
#include "diag/diag.h"

typedef enum ir_fit {
  IR_FITS,
  IR_ROUNDED, /* rounded to nearest, ties to even; toward zero for integers */
  IR_NO_FIT   /* out of range, or NaN for an integer: nothing is stored */
} ir_fit;

/* Stores a number as element `index` of a tensor. */
ir_fit ir_tensor_set(ir_tensor *tensor, int64_t index, ir_number number);

/* Converts a tensor to another type. Reports `rule` (IR504 or IR603): an error for a value out of range, a warning for
 * rounded values. */
ir_code ir_tensor_cast(ir_diags *diags, const ir_memory *memory, ir_rule rule, const ir_tensor *from, ir_type to,
                       ir_where where, ir_tensor *out_tensor);

#endif

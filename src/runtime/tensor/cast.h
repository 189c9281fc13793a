/* Converts numbers to elements of any type, and tensors to other types. */
#ifndef IR_CAST_H
#define IR_CAST_H

#include "base/tensor.h"
#include "diag/diag.h"

typedef enum ir_fit {
  IR_FITS,
  IR_ROUNDED, /* rounded: floats to the nearest value, ties to even; integers toward zero */
  IR_NO_FIT   /* nothing was stored: the number is out of range, or a NaN for an integer type */
} ir_fit;

/* Stores a number as element `index`. */
ir_fit ir_tensor_set(ir_tensor *tensor, int64_t index, ir_number number);

/* Converts a tensor to another type. Reports `rule` (IR504 or IR603): a value out of range is an error, rounded values
 * are a warning. */
ir_code ir_tensor_cast(ir_diags *diags, const ir_memory *memory, ir_rule rule, const ir_tensor *from, ir_type to,
                       ir_where where, ir_tensor *out_tensor);

#endif

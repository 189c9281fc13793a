/* Numbers to elements of any type, and tensors to another type. */
#ifndef IR_CAST_H
#define IR_CAST_H

#include "base/tensor.h"
#include "diag/diag.h"

typedef enum ir_fit {
  IR_FITS,
  IR_ROUNDED, /* to nearest, ties to even; to integers toward zero */
  IR_NO_FIT   /* out of the type's range, or NaN for an integer: nothing is stored */
} ir_fit;

/* Stores a number as element `index` of a tensor. */
ir_fit ir_tensor_set(ir_tensor *tensor, int64_t index, ir_number number);

/* Converts to another type. Reported as `rule`, IR504 or IR603: an error for a value that does not fit it, a
 * warning when values were rounded. */
ir_code ir_tensor_cast(ir_diags *diags, const ir_memory *memory, ir_rule rule, const ir_tensor *from, ir_type to,
                       ir_where where, ir_tensor *out_tensor);

#endif

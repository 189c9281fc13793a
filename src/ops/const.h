/* Constants of every dialect. */
#ifndef IR_CONST_H
#define IR_CONST_H

#include "base/tensor.h"
#include "ops/op.h"

typedef struct ir_const_params {
  ir_type element_type;
  ir_shape shape;
  int64_t offset, size; /* of an IR: in the .bin */
} ir_const_params;

/* Says of a .bin that is IR_BIN_UNREADABLE what hinders, once: IR703 or IR701. */
ir_code ir_report_unreadable_bin(ir_weights *weights, ir_diags *diags);

/* The tensor of an `out` of known shape whose elements stand at `bytes`, as many as it takes, row-major: borrowed where
 * they serve as they are, else copied. */
ir_code ir_constant_of_bytes(const ir_value *out, const void *bytes, ir_scope *scope, ir_tensor *out_tensor);

/* IR407 for a constant with an infinity or a NaN in it. What is mapped of it is given back. */
void ir_note_not_finite(const ir_node *node, const ir_tensor *tensor, ir_scope *scope);

#endif

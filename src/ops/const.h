/* Constants of every dialect. */
#ifndef IR_CONST_H
#define IR_CONST_H

#include "base/tensor.h"
#include "ops/op.h"

typedef struct ir_const_params {
  ir_type element_type;
  ir_shape shape;
  int64_t offset, size; /* in an IR: position in the .bin */
} ir_const_params;

/* Reports why a .bin is IR_BIN_UNREADABLE, once: IR703 or IR701. */
ir_code ir_report_unreadable_bin(ir_weights *weights, ir_diags *diags);

/* Makes a tensor of the type and known shape of `out` from row-major elements at `bytes`: borrows them if they fit as
 * they are, else copies them. */
ir_code ir_constant_of_bytes(const ir_value *out, const void *bytes, ir_scope *scope, ir_tensor *out_tensor);

/* Reports IR407 if a constant has an infinity or a NaN. Releases the pages that it maps. */
void ir_note_not_finite(const ir_node *node, const ir_tensor *tensor, ir_scope *scope);

#endif

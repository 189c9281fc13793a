/* Constants of IR and nGraph models. */
#ifndef IR_CONST_H
#define IR_CONST_H

#include "base/tensor.h"
#include "ops/op.h"

typedef struct ir_const_params {
  ir_type element_type;
  ir_shape shape;
  int64_t offset, size; /* only in an IR: place in the .bin */
} ir_const_params;

/* Returns whether no attribute of the constant is at fault, and the .bin has all its bytes. */
bool ir_const_is_whole(const ir_node *node, ir_weights *weights);

/* Whether the layer can have bytes of the .bin that irrun does not know: a Const of an extension, a layer of an
 * extension with `offset` and `size`, or a layer with such a <data> in an element that is passed over. */
bool ir_has_foreign_bytes(const ir_node *node);

/* Reports a .bin that is IR_BIN_UNREADABLE, once for the model: IR703 if memory is out, else IR701. */
ir_code ir_report_unreadable_bin(ir_weights *weights, ir_diags *diags);

/* Makes a tensor of the type and known shape of `out` from row-major elements at `bytes`. It borrows the bytes if
 * they are aligned and not boolean, else copies them. */
ir_code ir_constant_of_bytes(const ir_value *out, const void *bytes, ir_scope *scope, ir_tensor *out_tensor);

/* Reports IR407 if the constant has an infinity or a NaN. */
void ir_note_not_finite(const ir_node *node, const ir_tensor *tensor, ir_scope *scope);

#endif

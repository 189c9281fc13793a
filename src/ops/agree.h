/* What the inputs of an op have in common: sizes and types that its page gives one name. */
#ifndef IR_AGREE_H
#define IR_AGREE_H

#include "ops/op.h"

/* True for an input of a type and rank that are known and allowed: something can be said of its sizes. */
bool ir_input_told(const ir_node *node, const ir_value *const *in, int port);

/* Narrows *common to the sizes that axis `axis` of input `port` may have, too. Reports IR322 when there are none, with
 * `name`, what the size is: "batch_size". An input that tells nothing leaves it as it is. */
bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope);

/* The sizes that inputs `a` and `b` of one shape have in common; of an input that tells nothing the other's. Reports
 * IR322 at input `b` when they have another rank or no size in common. */
bool ir_shapes_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_shape *out_common,
                     ir_scope *scope);

/* Reports IR306 at input `b` when its type is not that of input `a`. Inputs that the file leaves out agree. */
bool ir_types_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_scope *scope);

#endif

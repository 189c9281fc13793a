/* What the inputs of an op have in common: sizes, shapes and types that its page gives one name. */
#ifndef IR_AGREE_H
#define IR_AGREE_H

#include "ops/op.h"

/* Input `port` is there, and its rank is known: something can be said of its sizes. */
bool ir_input_told(const ir_node *node, const ir_value *const *in, int port);
/* Its dim `axis`; an open one when it has no known rank. */
ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis);

/* ---- sizes: each is in all inputs that share it, as [N, T, C] and [N] do, and so in the output ---- */

/* What the inputs gone through tell of a size. */
typedef struct ir_size {
  const char *name; /* "num_boxes" */
  ir_dim dim;
  int port, axis; /* that told it first; -1: none yet */
} ir_size;

static inline ir_size ir_size_of(const char *name) {
  return (ir_size){.name = name, .dim = {0, IR_DIM_MAX}, .port = -1, .axis = -1};
}

/* Dim `axis` of input `port`, if its rank is known, is `size` too. False, and reported (IR322), when it cannot be. */
bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope);
/* The same of a size that no input told first: `name` is what it is, "batch_size"; *common is narrowed. */
bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope);
/* The same of a dim that has to lie in `expected`: `what` says what that is. */
bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope);

/* Of all sizes of a shape; any number when its rank is not known. */
ir_dim ir_size_elements(const ir_shape *shape);

/* ---- elements ---- */

/* The elements of input `port`, as far as they are told, are `least` or more. Reports IR322 of the first that is not.
 */
bool ir_elements_check(const ir_node *node, const ir_value *const *in, int port, int64_t least, ir_scope *scope);

/* ---- shapes and types ---- */

/* The sizes that inputs `a` and `b` of one shape have in common; of an input that tells nothing the other's. Reports
 * IR322 at input `b` when they have another rank or no size in common. */
bool ir_shapes_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_shape *out_common,
                     ir_scope *scope);
/* The type that inputs `first` to `last` have, of those that tell one. */
ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last);

#endif

/* Sizes, shapes and types that several inputs of an op share: its page gives them one name. */
#ifndef IR_AGREE_H
#define IR_AGREE_H

#include "ops/op.h"

/* Whether input `port` is connected and of known rank, so that its sizes can be checked. */
bool ir_input_told(const ir_node *node, const ir_value *const *in, int port);
/* Dim `axis` of input `port`; an open dim if the rank is unknown. */
ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis);

/* ---- sizes: all inputs that have a size agree on it, as [N, T, C] and [N] on N ---- */

/* The interval of a size, narrowed by each input that has it. */
typedef struct ir_size {
  const char *name; /* "num_boxes" */
  ir_dim dim;
  int port, axis; /* the input that gave the size first; -1: none yet */
} ir_size;

static inline ir_size ir_size_of(const char *name) {
  return (ir_size){.name = name, .dim = {0, IR_DIM_MAX}, .port = -1, .axis = -1};
}

/* Narrows `size` by dim `axis` of input `port`, if its rank is known. False, with IR322, if they contradict each
 * other. */
bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope);
/* As ir_size_join, for a size that no input gave first: `name` is its name, such as "batch_size"; narrows *common. */
bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope);
/* As ir_size_join, for a dim that has to lie in the interval `expected`; `what` describes it in the report. */
bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope);

/* Product of all sizes of a shape; an open dim if the rank is unknown. */
ir_dim ir_size_elements(const ir_shape *shape);

/* ---- elements ---- */

/* Checks that all known elements of input `port` are at least `least`. Reports IR322 for the first that is not. */
bool ir_elements_check(const ir_node *node, const ir_value *const *in, int port, int64_t least, ir_scope *scope);

/* ---- shapes and types ---- */

/* Intersects the shapes of inputs `a` and `b`, dim by dim; an input of unknown shape adds nothing. Reports IR322 at
 * input `b` if ranks differ or sizes have nothing in common. */
bool ir_shapes_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_shape *out_common,
                     ir_scope *scope);
/* The type of the inputs `first` to `last` that have a known type. */
ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last);

#endif

/* Checks of sizes, shapes and types that several inputs of an op share. The op's page names such a size, for example
 * "num_boxes". */
#ifndef IR_AGREE_H
#define IR_AGREE_H

#include "ops/op.h"

/* Whether input `port` is present and has a known rank. */
bool ir_input_told(const ir_node *node, const ir_value *const *in, int port);
/* Dim `axis` of input `port`; an open dim if the rank is unknown. */
ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis);

/* ---- sizes: dims with the same name on an op's page, such as N in [N, T, C] and [N], must be equal ---- */

/* A named size: the interval that all inputs with this size have in common so far. */
typedef struct ir_size {
  const char *name; /* "num_boxes" */
  ir_dim dim;
  int port, axis; /* first input with the size, and its axis; -1: none yet */
} ir_size;

static inline ir_size ir_size_of(const char *name) {
  return (ir_size){.name = name, .dim = {0, IR_DIM_MAX}, .port = -1, .axis = -1};
}

/* Intersects `size` with dim `axis` of input `port`, if the input's rank is known. Returns false and reports IR322
 * if the two have no number in common. */
bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope);
/* Same as ir_size_join, but for an interval `*common` that comes from no input. `name` is the size's name in the
 * report, such as "batch_size". */
bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope);
/* Checks that dim `axis` of input `port` can be a number in `expected`, if the input's rank is known. Otherwise
 * returns false and reports IR322; `what` describes `expected` in the report. */
bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope);

/* Product of all dims of a shape. Open if the rank is unknown. */
ir_dim ir_size_elements(const ir_shape *shape);

/* ---- elements ---- */

/* Checks that no element of input `port` is known to be below `least`. Otherwise returns false and reports IR322 for
 * the first such element. */
bool ir_elements_check(const ir_node *node, const ir_value *const *in, int port, int64_t least, ir_scope *scope);

/* ---- shapes and types ---- */

/* Intersects the shapes of inputs `a` and `b`, dim by dim. If the rank of one is unknown, `*out_common` is the
 * other's shape. Returns false and reports IR322 at input `b` if the ranks differ or two dims have no size in
 * common. */
bool ir_shapes_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_shape *out_common,
                     ir_scope *scope);
/* The first known type among the inputs `first` to `last`; IR_DYNAMIC if there is none. */
ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last);

#endif

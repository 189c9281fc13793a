/* Axes that an op is given as the contents of an input: of a reduction, a squeeze, a transposition. */
#ifndef IR_AXES_H
#define IR_AXES_H

#include "ops/op.h"

typedef struct ir_axes {
  int n;
  int items[IR_MAX_RANK]; /* counted from the front, in the order of the file */
} ir_axes;

/* What is made of an axis that stands there twice: an error, or it is taken once. */
typedef enum ir_axes_repeats { IR_REPEATS_REFUSED, IR_REPEATS_WARNED, IR_REPEATS_TAKEN } ir_axes_repeats;

typedef struct ir_axes_rule {
  int rank;        /* of the tensor that the axes are of */
  bool front_only; /* negative ones, which count from the end, are not allowed */
  bool of_scalar; /* rank 0 takes 0 and -1, which then name no axis: OpenVINO does, but not where a dim would be kept */
  ir_axes_repeats repeats;
} ir_axes_rule;

/* The axes, and the rank of input 0 that they are of, were known, and spoken of, when the model was checked. */
bool ir_axes_were_known(const ir_scope *scope);

/* Reads contents [n] or [] of input `port` as axes. Reports, as one fault, those that are outside of the tensor's and
 * those that stand there twice; false then, and for more than IR_MAX_AXES (IR004), which are not read. */
bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, ir_axes_rule rule, ir_scope *scope,
                  ir_axes *out);

/* How many axes the value holds, as far as its shape tells. */
ir_dim ir_axes_count(const ir_value *axes);

/* The attribute `name`, an axis of a tensor of rank `rank`, counted from the front. Reports one outside [-rank, rank -
 * 1]. */
bool ir_axis_attr(const ir_node *node, const char *name, int64_t axis, int rank, int *out_axis, ir_scope *scope);

/* The one axis that input `port`, a scalar or [1], holds for a tensor of rank `rank`; -1 while it is not known. Reports
 * one outside [-rank, rank - 1], and more than one. */
bool ir_axis_input(const ir_node *node, int port, const ir_value *value, int rank, int *out_axis, ir_scope *scope);

/* Whether input `port` holds one element: a scalar, or any tensor of one. Reports that it holds more. */
bool ir_is_single(const ir_node *node, int port, const ir_value *value, ir_scope *scope);

/* Of axes that are not known yet: whether a tensor of rank `rank` has as many as there are. Reports that it has not. */
bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope);

/* An axis of a tensor of rank `rank` that may be negative, counted from the front. */
static inline int ir_axis_from_front(int64_t axis, int rank) {
  return (int)(axis < 0 ? axis + rank : axis);
}

static inline bool ir_axes_hold(const ir_axes *axes, int axis) {
  for (int i = 0; i < axes->n; i++)
    if (axes->items[i] == axis)
      return true;
  return false;
}

#endif

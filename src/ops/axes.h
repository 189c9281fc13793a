/* Axes that an op gets as the contents of an input, such as those of a reduction, Squeeze or Transpose. */
#ifndef IR_AXES_H
#define IR_AXES_H

#include "ops/op.h"

typedef struct ir_axes {
  int n;
  int items[IR_MAX_RANK]; /* counted from the front, in the order of the file */
} ir_axes;

/* How to treat an axis that the list repeats: report an error, report a warning, or accept it. The axis counts once. */
typedef enum ir_axes_repeats { IR_REPEATS_REFUSED, IR_REPEATS_WARNED, IR_REPEATS_TAKEN } ir_axes_repeats;

typedef struct ir_axes_rule {
  int rank;        /* rank of the tensor that the axes belong to */
  bool front_only; /* negative axes, which count from the end, are faults */
  bool of_scalar;  /* a tensor of rank 0 accepts the axes 0 and -1, which then have no effect */
  ir_axes_repeats repeats;
} ir_axes_rule;

/* In a run: whether the check of the model knew the axes (input 1) and the rank of input 0. It reported their faults
 * then. */
bool ir_axes_were_known(const ir_scope *scope);

/* Reads the elements of input `port`, of shape [n] or [], as axes. All axes that are out of range, or all that are
 * repeated, are one fault. Returns false if there is a fault. More than IR_MAX_AXES axes are not read (IR004). */
bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, ir_axes_rule rule, ir_scope *scope,
                  ir_axes *out);

/* Number of axes in the value, computed from its shape. */
ir_dim ir_axes_count(const ir_value *axes);

/* Converts attribute `name`, an axis of a tensor of rank `rank`, to count from the front. Returns false and reports
 * a fault if the axis is outside [-rank, rank - 1]. */
bool ir_axis_attr(const ir_node *node, const char *name, int64_t axis, int rank, int *out_axis, ir_scope *scope);

/* Reads the single axis in input `port`, a scalar or [1], of a tensor of rank `rank`. `*out_axis` is -1 if the axis
 * is unknown. Returns false and reports a fault if the input has several elements, or the axis is outside [-rank,
 * rank - 1]. */
bool ir_axis_input(const ir_node *node, int port, const ir_value *value, int rank, int *out_axis, ir_scope *scope);

/* Whether input `port` can have exactly one element, in any rank. Otherwise reports a fault. */
bool ir_is_single(const ir_node *node, int port, const ir_value *value, ir_scope *scope);

/* Whether a tensor of rank `rank` can have `n_axes` axes; the axes themselves are not known yet. Otherwise reports a
 * fault. */
bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope);

/* Converts an axis of a tensor of rank `rank`, negative or not, to count from the front. */
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

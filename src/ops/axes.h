/* Axes that an op gets as the contents of an input, such as those of a reduction, a squeeze or a transposition. */
#ifndef IR_AXES_H
#define IR_AXES_H

#include "ops/op.h"

typedef struct ir_axes {
  int n;
  int items[IR_MAX_RANK]; /* counted from the front, in the order of the file */
} ir_axes;

/* Treatment of an axis that the list repeats: an error, a warning, or accepted. It counts once. */
typedef enum ir_axes_repeats { IR_REPEATS_REFUSED, IR_REPEATS_WARNED, IR_REPEATS_TAKEN } ir_axes_repeats;

typedef struct ir_axes_rule {
  int rank;        /* rank of the tensor with these axes */
  bool front_only; /* negative axes, which count from the end, are not allowed */
  bool of_scalar;  /* rank 0 accepts 0 and -1, which then name no axis. OpenVINO accepts them unless a dim would be kept
                    */
  ir_axes_repeats repeats;
} ir_axes_rule;

/* Whether the check of the model knew the axes and the rank of input 0, and so reported their faults. */
bool ir_axes_were_known(const ir_scope *scope);

/* Reads contents [n] or [] of input `port` as axes. Reports all that are out of range or repeated as one fault. False
 * for a fault, and for more than IR_MAX_AXES axes (IR004), which are not read. */
bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, ir_axes_rule rule, ir_scope *scope,
                  ir_axes *out);

/* The number of axes in the value, from its shape. */
ir_dim ir_axes_count(const ir_value *axes);

/* Converts attribute `name`, an axis of a tensor of rank `rank`, to count from the front. Reports an axis outside
 * [-rank, rank - 1]. */
bool ir_axis_attr(const ir_node *node, const char *name, int64_t axis, int rank, int *out_axis, ir_scope *scope);

/* Reads the one axis in input `port`, a scalar or [1], for a tensor of rank `rank`; -1 if it is unknown. Reports an
 * axis outside [-rank, rank - 1], and more than one. */
bool ir_axis_input(const ir_node *node, int port, const ir_value *value, int rank, int *out_axis, ir_scope *scope);

/* Whether input `port` has one element, whatever its rank. Reports more. */
bool ir_is_single(const ir_node *node, int port, const ir_value *value, ir_scope *scope);

/* For axes that are not known yet: whether a tensor of rank `rank` can have `n_axes`. Reports that it cannot. */
bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope);

/* Converts an axis, negative or not, of a tensor of rank `rank` to count from the front. */
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

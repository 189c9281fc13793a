/* Axes that an op is given as the contents of an input: of a reduction, a squeeze, a transposition. */
#ifndef IR_AXES_H
#define IR_AXES_H

#include "ops/op.h"

typedef struct ir_axes {
  int n;
  int items[IR_MAX_RANK]; /* counted from the front, in the order of the file */
} ir_axes;

/* Reads contents [n] or [] of input `port` as axes of a tensor of rank `rank`; negative ones count from the end.
 * Reports, as one fault, those outside [-rank, rank - 1] and those that stand there twice; false then. */
bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, int rank, ir_scope *scope, ir_axes *out);

/* Of axes that are not known yet: whether a tensor of rank `rank` has as many as there are. Reports that it has not. */
bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope);

static inline bool ir_axes_hold(const ir_axes *axes, int axis) {
  for (int i = 0; i < axes->n; i++)
    if (axes->items[i] == axis)
      return true;
  return false;
}

#endif

/* Slices start:stop:step of axes, with sizes as intervals: StridedSlice, Slice, SliceScatter. */
#ifndef IR_SLICING_H
#define IR_SLICING_H

#include "ops/movement/movement.h"
#include "ops/prepare.h"

/* Ends of a slice beyond either end of any dim. */
#define IR_SLICE_BEFORE INT64_MIN
#define IR_SLICE_BEHIND INT64_MAX

typedef struct ir_sliced_axis {
  bool is_new;     /* a new axis of size 1 */
  bool is_removed; /* takes one element, at `start`, and drops the axis */
  bool is_whole;
  ir_dim start, stop; /* negative ones count from the end */
  int64_t step;       /* 0: unknown */
} ir_sliced_axis;

/* Axes of the input in order, with new ones between them. */
typedef struct ir_slicing {
  int n;
  ir_sliced_axis axes[2 * IR_MAX_RANK];
} ir_slicing;

/* Length of start:stop:step: the smallest interval with all possible sizes. */
ir_dim ir_slice_dim(ir_dim dim, ir_dim start, ir_dim stop, int64_t step);

/* An element of a list as an end of a slice: the greatest number of its type is beyond any end. */
ir_dim ir_slice_end(const ir_value *list, int64_t i);

/* Reads the step in element i of the list `port`; 0 if unknown. Reports a step of 0. */
bool ir_slice_step(const ir_node *node, int port, const ir_value *list, int64_t i, int64_t *out, ir_scope *scope);

/* Shape of the output; false, after a report, if its rank is more than irrun's tensors can have. */
bool ir_slicing_shape(const ir_node *node, const ir_slicing *slicing, const ir_shape *in, ir_shape *out,
                      ir_scope *scope);

/* Ranges of the output, as ir_op.ranges. */
ir_code ir_slicing_ranges(const ir_slicing *slicing, const ir_value *in, ir_value *out, ir_scope *scope);

/* Appends the step that copies the slice of input 0, `in`, to the output. All is known; reports an element that is out
 * of range. */
ir_code ir_slicing_step(const ir_slicing *slicing, const ir_node *node, const ir_value *in, ir_plan *plan,
                        ir_scope *scope);
/* Appends the step that copies input 0 to the output and input 1 over its slice. All is known, and both have one
 * type. */
ir_code ir_slicing_replace_step(const ir_slicing *slicing, const ir_node *node, const ir_value *const *in,
                                ir_plan *plan, ir_scope *scope);

#endif

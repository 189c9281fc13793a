/* Slices start:stop:step of axes, on intervals: StridedSlice, Slice, SliceScatter. */
#ifndef IR_SLICING_H
#define IR_SLICING_H

#include "ops/movement/movement.h"
#include "ops/plan.h"

/* Ends of a slice that lie behind either end of any dim. */
#define IR_SLICE_BEFORE INT64_MIN
#define IR_SLICE_BEHIND INT64_MAX

typedef struct ir_sliced_axis {
  bool is_new;     /* a dim of 1 that the input has not */
  bool is_removed; /* of one element, at `start`: the output has not the axis */
  bool is_whole;
  ir_dim start, stop; /* negative ones count from the end */
  int64_t step;       /* 0: not known */
} ir_sliced_axis;

/* Axes of the input in order, new ones between them. */
typedef struct ir_slicing {
  int n;
  ir_sliced_axis axes[2 * IR_MAX_RANK];
} ir_slicing;

/* Elements of start:stop:step. The least interval that holds every size there can be. */
ir_dim ir_slice_dim(ir_dim dim, ir_dim start, ir_dim stop, int64_t step);

/* The element of a list `port` as an end of a slice: the greatest number of its type is behind any end. */
ir_dim ir_slice_end(const ir_value *list, int64_t i);

/* The step that element i of the list `port` is; 0 when it is not known. Reports a step of 0. */
bool ir_slice_step(const ir_node *node, int port, const ir_value *list, int64_t i, int64_t *out, ir_scope *scope);

/* The output; false, and reported, when it has more axes than a tensor of irrun. */
bool ir_slicing_shape(const ir_node *node, const ir_slicing *slicing, const ir_shape *in, ir_shape *out,
                      ir_scope *scope);

/* Its elements, as ir_op.ranges. */
ir_code ir_slicing_ranges(const ir_slicing *slicing, const ir_value *in, ir_value *out, ir_scope *scope);

/* Appends the step that makes the output of input 0, `in`. All is known; an element that the input has not is
 * reported. */
ir_code ir_slicing_step(const ir_slicing *slicing, const ir_node *node, const ir_value *in, ir_plan *plan,
                        ir_scope *scope);
/* Appends the step that makes the output of input 0 with input 1 in place of the slice. All is known, and both are of
 * one type. */
ir_code ir_slicing_replace_step(const ir_slicing *slicing, const ir_node *node, const ir_value *const *in,
                                ir_plan *plan, ir_scope *scope);

#endif

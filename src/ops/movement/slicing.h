/* Slices start:stop:step of the axes of a tensor, for StridedSlice, Slice and SliceScatter. Sizes, starts and stops are
 * intervals. */
#ifndef IR_SLICING_H
#define IR_SLICING_H

#include "ops/movement/movement.h"
#include "ops/prepare.h"

/* Values of `start` and `stop` before the first element, and after the last element, of any dim. */
#define IR_SLICE_BEFORE INT64_MIN
#define IR_SLICE_BEHIND INT64_MAX

typedef struct ir_sliced_axis {
  bool is_new;     /* a new axis of size 1 */
  bool is_removed; /* the slice has only the element at `start`; the output lacks the axis */
  bool is_whole;
  ir_dim start, stop; /* a negative number counts from the end of the axis */
  int64_t step;       /* 0: unknown */
} ir_sliced_axis;

/* Axes of the input in order, with the new axes of the output between them. */
typedef struct ir_slicing {
  int n;
  ir_sliced_axis axes[2 * IR_MAX_RANK];
} ir_slicing;

/* Returns the length of the slice start:stop:step of a dim: the smallest interval with all possible lengths. */
ir_dim ir_slice_dim(ir_dim dim, ir_dim start, ir_dim stop, int64_t step);

/* Returns the range of element i of a list of starts or stops. The greatest number of the list's type becomes
 * IR_SLICE_BEHIND. */
ir_dim ir_slice_end(const ir_value *list, int64_t i);

/* Reads the step in element i of `list`, the input `port`. An unknown step becomes 0. Returns false, after a report, if
 * the step is 0. */
bool ir_slice_step(const ir_node *node, int port, const ir_value *list, int64_t i, int64_t *out, ir_scope *scope);

/* Computes the shape of the output from the shape `in` of the input. Returns false, after a report, if the rank is
 * above IR_MAX_RANK. */
bool ir_slicing_shape(const ir_node *node, const ir_slicing *slicing, const ir_shape *in, ir_shape *out,
                      ir_scope *scope);

/* Sets the ranges of the output (see ir_op.ranges). */
ir_code ir_slicing_ranges(const ir_slicing *slicing, const ir_value *in, ir_value *out, ir_scope *scope);

/* Appends the step that copies the slice of input 0, `in`, to the output. All shapes and steps are known. Reports an
 * error if `start` of a removed axis is out of range. */
ir_code ir_slicing_step(const ir_slicing *slicing, const ir_node *node, const ir_value *in, ir_plan *plan,
                        ir_scope *scope);
/* Appends the step that copies input 0 to the output, then copies input 1 over the slice in the output. All shapes and
 * steps are known. Both inputs have the same type. */
ir_code ir_slicing_replace_step(const ir_slicing *slicing, const ir_node *node, const ir_value *const *in,
                                ir_plan *plan, ir_scope *scope);

#endif

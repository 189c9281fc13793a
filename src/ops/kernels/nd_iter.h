/* Iterates over the rows of a block of elements in several tensors at once. */
#ifndef IR_ND_ITER_H
#define IR_ND_ITER_H

#include "ops/op.h"

#define IR_ND_ITER_MOST 8 /* most tensors of an iterator */

/* A block of elements, which lie in several tensors. steps[t] are the distances between neighbours on each axis in
 * tensor t, in elements: step 0 stays on the same element, a negative step goes back. */
typedef struct ir_nd_iter {
  int n_axes; /* at least 1; the last axis is the row */
  int n_tensors;
  int64_t dims[IR_MAX_RANK];
  int64_t steps[IR_ND_ITER_MOST][IR_MAX_RANK];
} ir_nd_iter;

/* Makes an iterator over a block [dims..] from each tensor's steps along the block's axes. Merges axes that are
 * contiguous in all tensors, and drops axes of size 1. A block without elements has one axis of size 0. */
ir_nd_iter ir_nd_iter_of(int rank, const int64_t *dims, int n_tensors, int64_t (*const steps)[IR_MAX_RANK]);
/* Writes the steps of a row-major tensor of known dims for a block of `rank` axes. Axis i of the tensor is axis offset
 * + i of the block. The step is 0 on axes of size 1, and on axes that the tensor lacks. */
void ir_nd_iter_steps(const ir_shape *shape, int offset, int rank, int64_t *steps);
/* Writes the steps of a tensor of shape [N, C, D..] in channels-last layout, in the order of the shape. */
void ir_nd_iter_steps_last(const ir_shape *shape, int64_t *steps);

/* Writes the steps of a tensor in `layout`, in the order of its shape; 0 on axes of size 1. */
void ir_laid_steps(ir_layout layout, const ir_shape *shape, int64_t *steps);

static inline int64_t ir_nd_iter_length(const ir_nd_iter *rows) {
  return rows->dims[rows->n_axes - 1];
}
int64_t ir_nd_iter_count(const ir_nd_iter *rows);

/* Position of a row: its indices on the outer axes, and its offset in each tensor. */
typedef struct ir_nd_iter_place {
  int64_t at[IR_MAX_RANK], offset[IR_ND_ITER_MOST];
} ir_nd_iter_place;

void ir_nd_iter_go(const ir_nd_iter *rows, int64_t row, ir_nd_iter_place *place);
void ir_nd_iter_next(const ir_nd_iter *rows, ir_nd_iter_place *place);

int64_t ir_nd_iter_elements(const ir_nd_iter *rows);
/* Writes the offsets of the block's elements [begin, begin + n) in tensor number `tensor`, plus `base`. */
void ir_nd_iter_offsets(const ir_nd_iter *rows, int tensor, int64_t begin, int64_t n, int64_t base, int64_t *out);

#endif

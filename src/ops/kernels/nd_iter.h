/* A block of elements that lies in some tensors at once, gone through in rows. */
#ifndef IR_ND_ITER_H
#define IR_ND_ITER_H

#include "base/shape.h"

#define IR_ND_ITER_MOST 8 /* tensors that are gone through together */

/* Steps are in elements, and may be 0 (the tensor stays where it is) or negative. */
typedef struct ir_nd_iter {
  int n_axes; /* at least 1; the last is the row */
  int n_tensors;
  int64_t dims[IR_MAX_RANK];
  int64_t steps[IR_ND_ITER_MOST][IR_MAX_RANK];
} ir_nd_iter;

/* Of a block [dims..] with the steps of each tensor along its axes. Axes that all tensors go through alike are one, and
 * those of one element are left out. A block without elements is one row without elements. */
ir_nd_iter ir_nd_iter_of(int rank, const int64_t *dims, int n_tensors, int64_t (*const steps)[IR_MAX_RANK]);
/* Steps of a row-major tensor of known dims along the axes of a block of `rank` axes, of which its own begin at
 * `offset`: 0 where it has one element or no axis. */
void ir_nd_iter_steps(const ir_shape *shape, int offset, int rank, int64_t *steps);
/* Likewise of a tensor [N, C, D..] of these axes whose channels lie last in memory. */
void ir_nd_iter_steps_last(const ir_shape *shape, int64_t *steps);

static inline int64_t ir_nd_iter_length(const ir_nd_iter *rows) {
  return rows->dims[rows->n_axes - 1];
}
int64_t ir_nd_iter_count(const ir_nd_iter *rows);

/* A row: its indices on the outer axes, and where it begins in each tensor. */
typedef struct ir_nd_iter_place {
  int64_t at[IR_MAX_RANK], offset[IR_ND_ITER_MOST];
} ir_nd_iter_place;

void ir_nd_iter_go(const ir_nd_iter *rows, int64_t row, ir_nd_iter_place *place);
void ir_nd_iter_next(const ir_nd_iter *rows, ir_nd_iter_place *place);

int64_t ir_nd_iter_elements(const ir_nd_iter *rows);
/* Where elements [begin, begin + n) of the block lie in a tensor, `base` added. */
void ir_nd_iter_offsets(const ir_nd_iter *rows, int tensor, int64_t begin, int64_t n, int64_t base, int64_t *out);

#endif

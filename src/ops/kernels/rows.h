/* A block of elements that lies in some tensors at once, gone through in rows. */
#ifndef IR_ROWS_H
#define IR_ROWS_H

#include "base/shape.h"

#define IR_ROWS_MOST 8 /* tensors that are gone through together */

/* Steps are in elements, and may be 0 (the tensor stays where it is) or negative. */
typedef struct ir_rows {
  int n_axes; /* at least 1; the last is the row */
  int n_tensors;
  int64_t dims[IR_MAX_RANK];
  int64_t steps[IR_ROWS_MOST][IR_MAX_RANK];
} ir_rows;

/* Of a block [dims..] with the steps of each tensor along its axes. Axes that all tensors go through alike are one, and
 * those of one element are left out. A block without elements is one row without elements. */
ir_rows ir_rows_of(int rank, const int64_t *dims, int n_tensors, int64_t (*const steps)[IR_MAX_RANK]);
/* Steps of a row-major tensor of known dims along the axes of a block of `rank` axes, of which its own begin at
 * `offset`: 0 where it has one element or no axis. */
void ir_rows_steps(const ir_shape *shape, int offset, int rank, int64_t *steps);
/* Likewise of a tensor [N, C, D..] of these axes whose channels lie last in memory. */
void ir_rows_steps_last(const ir_shape *shape, int64_t *steps);

static inline int64_t ir_rows_length(const ir_rows *rows) {
  return rows->dims[rows->n_axes - 1];
}
int64_t ir_rows_count(const ir_rows *rows);

/* A row: its indices on the outer axes, and where it begins in each tensor. */
typedef struct ir_rows_place {
  int64_t at[IR_MAX_RANK], offset[IR_ROWS_MOST];
} ir_rows_place;

void ir_rows_go(const ir_rows *rows, int64_t row, ir_rows_place *place);
void ir_rows_next(const ir_rows *rows, ir_rows_place *place);

int64_t ir_rows_elements(const ir_rows *rows);
/* Where elements [begin, begin + n) of the block lie in a tensor, `base` added. */
void ir_rows_offsets(const ir_rows *rows, int tensor, int64_t begin, int64_t n, int64_t base, int64_t *out);

#endif

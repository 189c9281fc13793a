/* Rows of packed weights: elements of few bits, with a scale and a zero point for each group of neighbours. */
#ifndef IR_PACKED_ROWS_H
#define IR_PACKED_ROWS_H

#include "base/tensor.h"
#include "ops/kernels/element_loads.h"

/* Numbers of the groups of a row: scales or zero points. */
typedef struct ir_group_numbers {
  ir_elements elements;
  int64_t row_step, group_step; /* in elements; group_step is 1, or 0: all groups of a row share a number */
} ir_group_numbers;

/* A matrix [n, k] of rows of k / group groups. Its f32 elements are (element - zero point) * scale; without scales and
 * zero points they are the elements. */
typedef struct ir_packed_rows {
  int64_t n, k, group; /* k is a multiple of `group`. Rows are whole bytes, and groups of integers of 4 bits, too */
  ir_elements weights;
  ir_group_numbers zeros, scales;
  bool has_zeros, has_scales;
} ir_packed_rows;

/* Sets the data: in[0] has the weights; the next ones have the zero points and the scales, if there are any. */
void ir_packed_set_data(ir_packed_rows *rows, const ir_tensor *const *in);
/* Number of floats that ir_packed_row needs as scratch. */
static inline int64_t ir_packed_scratch(const ir_packed_rows *rows) {
  return 2 * (rows->k / rows->group);
}
/* Asks for the bytes of a row that is read soon. Rows are read between products of earlier rows, too seldom for the
 * processor's own prefetching. */
void ir_packed_prefetch(const ir_packed_rows *rows, int64_t row);
/* Whether the rows are f32 as they lie. */
static inline bool ir_packed_are_plain(const ir_packed_rows *rows) {
  return rows->weights.type == IR_F32 && !rows->has_zeros && !rows->has_scales;
}
/* Returns the rows, if they are f32 as they lie, and aligned; else NULL. */
const float *ir_packed_in_place(const ir_packed_rows *rows);
/* Unpacks the row to out[k]. */
void ir_packed_row(const ir_packed_rows *rows, int64_t row, float *scratch, float *out);

/* Loads n elements from `begin` on, which need be neither the first element of a pack nor aligned. */
void ir_packed_load(const ir_elements *elements, int64_t begin, int64_t n, float *out);
/* Loads the zero points and scales of a row's groups: 0 and 1 where there are none. */
void ir_packed_groups(const ir_packed_rows *rows, int64_t row, float *zeros, float *scales);

#endif

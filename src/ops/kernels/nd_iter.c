#include "ops/kernels/nd_iter.h"
#include <assert.h>
#include <string.h>

static void add_axis(ir_nd_iter *rows, int64_t n, int axis, int64_t (*const steps)[IR_MAX_RANK]) {
  bool continues = rows->n_axes > 0;
  const int last = rows->n_axes - 1;
  for (int t = 0; t < rows->n_tensors && continues; t++)
    continues = rows->steps[t][last] == n * steps[t][axis];
  if (continues)
    n *= rows->dims[--rows->n_axes];
  for (int t = 0; t < rows->n_tensors; t++)
    rows->steps[t][rows->n_axes] = steps[t][axis];
  rows->dims[rows->n_axes++] = n;
}

ir_nd_iter ir_nd_iter_of(int rank, const int64_t *dims, int n_tensors, int64_t (*const steps)[IR_MAX_RANK]) {
  ir_nd_iter rows = {.n_tensors = n_tensors};
  assert(rank <= IR_MAX_RANK && n_tensors <= IR_ND_ITER_MOST);
  for (int i = 0; i < rank; i++)
    if (dims[i] == 0)
      return (ir_nd_iter){.n_tensors = n_tensors, .n_axes = 1};
  for (int i = 0; i < rank; i++)
    if (dims[i] != 1)
      add_axis(&rows, dims[i], i, steps);
  if (rows.n_axes == 0)
    rows.dims[rows.n_axes++] = 1;
  return rows;
}

void ir_nd_iter_steps(const ir_shape *shape, int offset, int rank, int64_t *steps) {
  int64_t step = 1, elements;
  for (int i = 0; i < rank; i++)
    steps[i] = 0;
  if (!ir_shape_elements(shape, &elements) || elements == 0)
    return; /* the product of the other dims can overflow */
  for (int i = shape->rank - 1; i >= 0; i--) {
    const int64_t size = shape->dims[i].lo;
    if (size != 1)
      steps[i + offset] = step;
    step *= size;
  }
}

void ir_nd_iter_steps_last(const ir_shape *shape, int64_t *steps) {
  const ir_shape laid = ir_channels_last_shape(shape);
  int64_t laid_steps[IR_MAX_RANK];
  ir_nd_iter_steps(&laid, 0, shape->rank, laid_steps);
  for (int i = 0; i < shape->rank; i++)
    steps[i] = laid_steps[i == 0 ? 0 : i == 1 ? shape->rank - 1 : i - 1];
}

void ir_laid_steps(ir_layout layout, const ir_shape *shape, int64_t *steps) {
  if (layout == IR_LAYOUT_CHANNELS_LAST)
    ir_nd_iter_steps_last(shape, steps);
  else
    ir_nd_iter_steps(shape, 0, shape->rank, steps);
}

int64_t ir_nd_iter_count(const ir_nd_iter *rows) {
  int64_t n = ir_nd_iter_length(rows) > 0;
  for (int i = 0; i < rows->n_axes - 1; i++)
    n *= rows->dims[i];
  return n;
}

void ir_nd_iter_go(const ir_nd_iter *rows, int64_t row, ir_nd_iter_place *place) {
  memset(place, 0, sizeof *place);
  for (int i = rows->n_axes - 2; i >= 0; i--) {
    place->at[i] = row % rows->dims[i];
    row /= rows->dims[i];
    for (int t = 0; t < rows->n_tensors; t++)
      place->offset[t] += place->at[i] * rows->steps[t][i];
  }
}

void ir_nd_iter_next(const ir_nd_iter *rows, ir_nd_iter_place *place) {
  for (int i = rows->n_axes - 2; i >= 0; i--) {
    const bool ends = ++place->at[i] == rows->dims[i];
    const int64_t n = ends ? rows->dims[i] - 1 : -1;
    for (int t = 0; t < rows->n_tensors; t++)
      place->offset[t] -= n * rows->steps[t][i];
    if (!ends)
      return;
    place->at[i] = 0;
  }
}

int64_t ir_nd_iter_elements(const ir_nd_iter *rows) {
  return ir_nd_iter_count(rows) * ir_nd_iter_length(rows);
}

void ir_nd_iter_offsets(const ir_nd_iter *rows, int tensor, int64_t begin, int64_t n, int64_t base, int64_t *out) {
  const int64_t length = ir_nd_iter_length(rows), step = rows->steps[tensor][rows->n_axes - 1];
  ir_nd_iter_place place;
  ir_nd_iter_go(rows, begin / length, &place);
  int64_t at = begin % length;
  for (int64_t i = 0; i < n; i++) {
    out[i] = base + place.offset[tensor] + at * step;
    if (++at < length)
      continue;
    at = 0;
    ir_nd_iter_next(rows, &place);
  }
}

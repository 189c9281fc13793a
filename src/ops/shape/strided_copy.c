#include "ops/shape/strided_copy.h"
#include <string.h>

#define TILE 32 /* rows and columns that are moved together, so that the lines of both sides stay in the cache */

static void add_axis(ir_strided_copy *copy, int64_t n, int64_t from, int64_t to) {
  int last = copy->rank - 1;
  if (n == 1)
    return;
  if (copy->rank > 0 && copy->from[last] == from * n && copy->to[last] == to * n) {
    copy->dims[last] *= n;
    copy->from[last] = from;
    copy->to[last] = to;
    return;
  }
  copy->dims[copy->rank] = n;
  copy->from[copy->rank] = from;
  copy->to[copy->rank++] = to;
}

static void swap(int64_t *values, int a, int b) {
  int64_t value = values[a];
  values[a] = values[b];
  values[b] = value;
}

ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to) {
  ir_strided_copy copy = {.rank = 0};
  for (int i = 0; i < rank; i++)
    if (dims[i] == 0)
      return (ir_strided_copy){.rank = 2};
  for (int i = 0; i < rank; i++)
    add_axis(&copy, dims[i], from[i], to[i]);
  /* Axes of one element in front, where there are fewer than two others. */
  ir_strided_copy out = {.rank = copy.rank < 2 ? 2 : copy.rank};
  int missing = out.rank - copy.rank, least = 0;
  for (int i = 0; i < out.rank; i++) {
    out.dims[i] = i < missing ? 1 : copy.dims[i - missing];
    out.from[i] = i < missing ? 0 : copy.from[i - missing];
    out.to[i] = i < missing ? 0 : copy.to[i - missing];
  }
  for (int i = 1; i < out.rank - 1; i++)
    if (out.from[i] < out.from[least])
      least = i;
  swap(out.dims, least, out.rank - 2);
  swap(out.from, least, out.rank - 2);
  swap(out.to, least, out.rank - 2);
  return out;
}

/* ---- planes ---- */

/* Two axes, strides in bytes. */
typedef struct plane {
  int64_t rows, columns;
  int64_t from_row, from_column, to_row, to_column;
} plane;

static void copy_rows(const plane *p, size_t element, const char *from, char *to) {
  for (int64_t i = 0; i < p->rows; i++)
    memcpy(to + i * p->to_row, from + i * p->from_row, (size_t)p->columns * element);
}

/* `element` is a constant where this is called, so that memcpy is a load and a store. */
static inline void copy_tiles(const plane *p, size_t element, const char *from, char *to) {
  for (int64_t row = 0; row < p->rows; row += TILE)
    for (int64_t column = 0; column < p->columns; column += TILE) {
      int64_t last_row = row + TILE < p->rows ? row + TILE : p->rows;
      int64_t last_column = column + TILE < p->columns ? column + TILE : p->columns;
      for (int64_t i = row; i < last_row; i++)
        for (int64_t j = column; j < last_column; j++)
          memcpy(to + i * p->to_row + j * p->to_column, from + i * p->from_row + j * p->from_column, element);
    }
}

static void copy_plane(const plane *p, size_t element, const char *from, char *to) {
  if (p->from_column == (int64_t)element && p->to_column == (int64_t)element)
    copy_rows(p, element, from, to);
  else if (element == 1)
    copy_tiles(p, 1, from, to);
  else if (element == 2)
    copy_tiles(p, 2, from, to);
  else if (element == 4)
    copy_tiles(p, 4, from, to);
  else
    copy_tiles(p, 8, from, to);
}

void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to) {
  const int row = copy->rank - 2, column = copy->rank - 1;
  const int64_t bytes = (int64_t)element;
  const plane p = {.rows = copy->dims[row],
                   .columns = copy->dims[column],
                   .from_row = copy->from[row] * bytes,
                   .from_column = copy->from[column] * bytes,
                   .to_row = copy->to[row] * bytes,
                   .to_column = copy->to[column] * bytes};
  int64_t at[IR_MAX_RANK + 2] = {0};
  int axis = 0;
  while (axis >= 0 && p.rows > 0) {
    int64_t from_at = 0, to_at = 0;
    for (int i = 0; i < row; i++) {
      from_at += at[i] * copy->from[i];
      to_at += at[i] * copy->to[i];
    }
    copy_plane(&p, element, (const char *)from + from_at * bytes, (char *)to + to_at * bytes);
    for (axis = row - 1; axis >= 0 && at[axis] == copy->dims[axis] - 1; axis--)
      at[axis] = 0;
    if (axis >= 0)
      at[axis]++;
  }
}

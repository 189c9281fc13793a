/* Maxima of bins: first the maxima of columns, by vectors, and then the maxima of the columns of each bin. */
#include "ops/detection/roi_max.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include <math.h>

/* LANES columns are one unit of work. Wider planes than MAX_COLUMNS are computed element by element. */
enum { LANES = 32, MAX_COLUMNS = 16 * LANES };

/* Defines a function that writes the maxima of n_rows rows in n <= LANES columns. */
#define MAX_ROWS(name, type)                                                                                           \
  IR_LOOP void name##_lanes(const type *from, int64_t width, int64_t n_rows, int n, double *to) {                      \
    type largest[LANES];                                                                                               \
    for (int i = 0; i < n; i++)                                                                                        \
      largest[i] = -(type)INFINITY;                                                                                    \
    for (int64_t y = 0; y < n_rows; y++)                                                                               \
      for (int i = 0; i < n; i++)                                                                                      \
        largest[i] = IR_GREATER(from[y * width + i], largest[i]);                                                      \
    for (int i = 0; i < n; i++)                                                                                        \
      to[i] = (double)largest[i];                                                                                      \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const type *from, int64_t width, int64_t n_rows, int n, double *to) {                       \
    if (n == LANES)                                                                                                    \
      name##_lanes(from, width, n_rows, LANES, to);                                                                    \
    else                                                                                                               \
      name##_lanes(from, width, n_rows, n, to);                                                                        \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const type *from, int64_t width, int64_t n_rows, int n, double *to), (from, width, n_rows, n, to))
MAX_ROWS(max_rows_f32, float)
MAX_ROWS(max_rows_f64, double)

/* Writes to columns[x] the maxima of rows `ys`, for columns x in [xs.first, xs.behind) and for more columns of the
 * plane, so that all units have LANES columns if the plane is wide enough. */
static void max_columns(const ir_plane *plane, ir_bin ys, ir_bin xs, double *columns) {
  const int n = plane->width < LANES ? (int)plane->width : LANES;
  for (int64_t x = xs.first; x < xs.behind; x += n) {
    const int64_t begin = x < plane->width - n ? x : plane->width - n;
    const int64_t at = plane->at + ys.first * plane->width + begin, n_rows = ys.behind - ys.first;
    if (plane->tensor->type == IR_F32)
      max_rows_f32((const float *)plane->tensor->data + at, plane->width, n_rows, n, columns + begin);
    else
      max_rows_f64((const double *)plane->tensor->data + at, plane->width, n_rows, n, columns + begin);
  }
}

/* The maximum of a bin in a plane that is too wide for max_columns. */
static double max_of_bin(const ir_plane *plane, ir_bin ys, ir_bin xs) {
  double largest = -INFINITY;
  for (int64_t y = ys.first; y < ys.behind; y++)
    for (int64_t x = xs.first; x < xs.behind; x++)
      largest = IR_GREATER(ir_plane_at(plane, y, x), largest);
  return largest;
}

void ir_roi_max_of_bins(const ir_plane *plane, ir_bin ys, const ir_bin *xs, int64_t n, double *values) {
  double columns[MAX_COLUMNS];
  const bool is_wide = plane->width > MAX_COLUMNS, is_empty = ys.first >= ys.behind;
  if (!is_wide && !is_empty)
    max_columns(plane, ys, (ir_bin){xs[0].first, xs[n - 1].behind}, columns);
  for (int64_t i = 0; i < n; i++) {
    double largest = -INFINITY;
    int has_nan = 0;
    for (int64_t x = xs[i].first; x < xs[i].behind && !is_wide && !is_empty; x++) { /* IR_GREATER would branch */
      largest = columns[x] > largest ? columns[x] : largest;
      has_nan |= columns[x] != columns[x];
    }
    if (is_wide)
      largest = max_of_bin(plane, ys, xs[i]);
    values[i] = is_empty || xs[i].first >= xs[i].behind ? 0 : has_nan ? NAN : largest;
  }
}

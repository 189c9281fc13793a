#include "ops/kernels/plane_taps.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"

/* Returns the index in [0, n) of the last element at or before `place`, and sets the distance from this element to
 * `place`. */
static int64_t before(double place, int64_t n, double *out_part) {
  const int64_t at = !(place > 0) ? 0 : place < (double)(n - 1) ? (int64_t)place : n - 1;
  *out_part = at < n - 1 && place > 0 ? place - (double)at : 0;
  return at;
}

void ir_plane_taps_set_bilinear(ir_plane_taps *taps, int tap, int64_t place, int64_t height, int64_t width, double y,
                                double x, int64_t at) {
  double part_y, part_x;
  const int64_t top = before(y, height, &part_y), left = before(x, width, &part_x);
  const int64_t bottom = top + (top < height - 1), right = left + (left < width - 1);
  ir_plane_taps_set(taps, tap, place, at + top * width + left, (1 - part_y) * (1 - part_x));
  ir_plane_taps_set(taps, tap + 1, place, at + top * width + right, (1 - part_y) * part_x);
  ir_plane_taps_set(taps, tap + 2, place, at + bottom * width + left, part_y * (1 - part_x));
  ir_plane_taps_set(taps, tap + 3, place, at + bottom * width + right, part_y * part_x);
}

/* The function `name`: combines the sum of each four taps with sums[place]. */
#define EACH_FOUR(name, type, weights_of, combine)                                                                     \
  IR_LOOP void name##_loop(const ir_plane_taps *taps, const type *plane, double *sums) {                               \
    for (int t = 0; t < taps->n_taps; t += 4) {                                                                        \
      const int32_t *at = taps->at[t], *is_there = taps->is_there[t];                                                  \
      const type *weights = taps->weights_of[t];                                                                       \
      enum { N = IR_PLANE_TAPS_PLACES };                                                                               \
      for (int64_t i = 0; i < taps->n_places; i++) {                                                                   \
        const type a = plane[at[i]], b = plane[at[i + N]], c = plane[at[i + 2 * N]], d = plane[at[i + 3 * N]];         \
        const type upper = (is_there[i] ? a : 0) * weights[i] + (is_there[i + N] ? b : 0) * weights[i + N];            \
        const type lower =                                                                                             \
            (is_there[i + 2 * N] ? c : 0) * weights[i + 2 * N] + (is_there[i + 3 * N] ? d : 0) * weights[i + 3 * N];   \
        const double sum = (double)(upper + lower);                                                                    \
        sums[i] = combine(sum, sums[i]);                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_plane_taps *taps, const type *plane, double *sums), (taps, plane, sums))

#define SUM(a, b) ((a) + (b))
EACH_FOUR(add_f32, float, weights_f32, SUM)
EACH_FOUR(add_f64, double, weights, SUM)
EACH_FOUR(greatest_f32, float, weights_f32, IR_GREATER)
EACH_FOUR(greatest_f64, double, weights, IR_GREATER)

/* The function `name`: the same for one place of a map with channels last, in a loop over n channels. */
#define EACH_FOUR_LAST(name, type, weights_of, combine)                                                                \
  IR_LOOP void name##_loop(const ir_plane_taps *taps, int64_t i, const type *map, int64_t channels, int64_t n,         \
                           double *sums) {                                                                             \
    for (int t = 0; t < taps->n_taps; t += 4) {                                                                        \
      const type *a = map + taps->at[t][i] * channels, *b = map + taps->at[t + 1][i] * channels;                       \
      const type *c = map + taps->at[t + 2][i] * channels, *d = map + taps->at[t + 3][i] * channels;                   \
      const type w0 = taps->weights_of[t][i], w1 = taps->weights_of[t + 1][i];                                         \
      const type w2 = taps->weights_of[t + 2][i], w3 = taps->weights_of[t + 3][i];                                     \
      const bool has_a = taps->is_there[t][i], has_b = taps->is_there[t + 1][i];                                       \
      const bool has_c = taps->is_there[t + 2][i], has_d = taps->is_there[t + 3][i];                                   \
      for (int64_t k = 0; k < n; k++) {                                                                                \
        const type upper = (has_a ? a[k] : 0) * w0 + (has_b ? b[k] : 0) * w1;                                          \
        const type lower = (has_c ? c[k] : 0) * w2 + (has_d ? d[k] : 0) * w3;                                          \
        const double sum = (double)(upper + lower);                                                                    \
        sums[k] = combine(sum, sums[k]);                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name,                                                                                                    \
              (const ir_plane_taps *taps, int64_t i, const type *map, int64_t channels, int64_t n, double *sums),      \
              (taps, i, map, channels, n, sums))

EACH_FOUR_LAST(add_last_f32, float, weights_f32, SUM)
EACH_FOUR_LAST(add_last_f64, double, weights, SUM)
EACH_FOUR_LAST(greatest_last_f32, float, weights_f32, IR_GREATER)
EACH_FOUR_LAST(greatest_last_f64, double, weights, IR_GREATER)

void ir_plane_taps_add(const ir_plane_taps *taps, const ir_tensor *map, int64_t plane, double *sums) {
  if (map->type == IR_F64)
    add_f64(taps, (const double *)map->data + plane, sums);
  else
    add_f32(taps, (const float *)map->data + plane, sums);
}

void ir_plane_taps_greatest(const ir_plane_taps *taps, const ir_tensor *map, int64_t plane, double *sums) {
  if (map->type == IR_F64)
    greatest_f64(taps, (const double *)map->data + plane, sums);
  else
    greatest_f32(taps, (const float *)map->data + plane, sums);
}

void ir_plane_taps_last(const ir_plane_taps *taps, int64_t place, const ir_tensor *map, int64_t channels, int64_t first,
                        int64_t n, bool is_max, double *sums) {
  if (map->type == IR_F64)
    (is_max ? greatest_last_f64 : add_last_f64)(taps, place, (const double *)map->data + first, channels, n, sums);
  else
    (is_max ? greatest_last_f32 : add_last_f32)(taps, place, (const float *)map->data + first, channels, n, sums);
}

ir_code ir_plane_taps_check(const ir_node *node, int port, const ir_shape *map, ir_scope *scope) {
  int64_t elements, most;
  if (!ir_shape_elements(map, &elements) || !ir_mul(map->dims[0].lo, INT32_MAX, &most) || elements <= most)
    return IR_OK;
  ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, port, -1),
            "an image has %lld elements; irrun samples images of at most %lld", (long long)(elements / map->dims[0].lo),
            (long long)INT32_MAX);
  return IR_UNSUPPORTED;
}

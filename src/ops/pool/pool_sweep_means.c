/* What sums are divided by. A reciprocal 1 / d is kept as high + low, two floats, high towards 0. Of d up to 2^20 and
 * quotients from 2^-104 on fma(a, high, a * low) is a / d rounded once: before that it is off by less than 2^-45 of
 * it, and no quotient is so close to the middle of two floats. Of smaller ones, for which a * low has too few bits,
 * and of greater d it is one of the two floats next to a / d. Zeros, infinities and NaN come out as of a division. */
#include "ops/pool/pool_sweep_plan.h"
#include <math.h>
#include <string.h>

enum {
  MAX_COUNTS = 64,
  MAX_VALUES = 1 << 15, /* of all lines */
  SLACK = 16
};

static void split_reciprocal(double d, float *high, float *low) {
  const double reciprocal = 1 / d;
  float near = (float)reciprocal;
  near = (double)near > reciprocal ? nextafterf(near, 0) : near;
  *high = near;
  *low = (float)(reciprocal - (double)near);
  /* Of an infinity times 0 a NaN would come; so little changes no sum. */
  if (*low == 0)
    *low = near * 0x1p-60f;
}

void ir_sweep_means_line(const ir_sweep *sweep, const ir_sweep_means *means, int64_t n_rows, int64_t begin, int64_t n,
                         float *high, float *low) {
  const ir_sweep_along *along = &sweep->along;
  int64_t last = -1;
  for (int64_t i = 0, column = begin % along->n_out; i < n; i++, column = column + 1 < along->n_out ? column + 1 : 0) {
    const int64_t taps = n_rows * ir_sweep_columns(along, column).count;
    if (taps == last) {
      high[i] = high[i - 1];
      low[i] = low[i - 1];
    } else if (taps == 0 && means->divisor == 0) {
      high[i] = means->nan_if_empty ? NAN : 0;
      low[i] = 0;
    } else {
      split_reciprocal((double)(means->divisor > 0 ? means->divisor : taps), &high[i], &low[i]);
    }
    last = taps;
  }
}

static void add_count(int64_t *counts, int64_t *n, int64_t count) {
  for (int64_t i = 0; i < *n; i++)
    if (counts[i] == count)
      return;
  if (*n < MAX_COUNTS)
    counts[(*n)++] = count;
}

/* The numbers of rows that windows have: first that of a window in the middle, which most have. */
static int64_t find_counts(const ir_sweep *sweep, int64_t counts[MAX_COUNTS]) {
  int64_t n = 1;
  counts[0] = 1;
  for (int c = 0; c < sweep->n_cross; c++) {
    const ir_sweep_cross *axis = &sweep->cross[c];
    int64_t products[MAX_COUNTS], n_products = 0;
    add_count(products, &n_products, counts[0] * ir_sweep_range(axis, axis->n_out / 2).count);
    for (int64_t o = 0, last = -1; o < axis->n_out; o++) {
      const int64_t count = ir_sweep_range(axis, o).count;
      for (int64_t i = 0; i < n && count != last; i++)
        add_count(products, &n_products, counts[i] * count);
      last = count;
    }
    n = n_products;
    for (int64_t i = 0; i < n; i++)
      counts[i] = products[i];
  }
  return n;
}

/* Line `at`, of windows of counts[at] rows. */
static void make_line(const ir_sweep *sweep, const ir_sweep_means *means, int64_t at, float *high, float *low) {
  ir_sweep_means_line(sweep, means, means->counts[at], 0, means->pitch, high + at * means->pitch,
                      low + at * means->pitch);
}

static float *take_lines(ir_plan *plan, int64_t n) {
  return ir_sweep_take_lines(plan, n * (int64_t)sizeof(float));
}

/* Of the columns in the middle of a row, for tiles that have no pads. */
static bool make_even(ir_plan *plan, const ir_sweep *sweep, ir_sweep_means *out) {
  const int64_t n = sweep->along.tile_out + SLACK, middle = sweep->along.n_out / 2;
  float *high = ir_arena_array(plan->arena, (size_t)n, sizeof *high),
        *low = ir_arena_array(plan->arena, (size_t)n, sizeof *low);
  if (high == NULL || low == NULL)
    return ir_out_of_memory(plan->diags), false;
  out->even_count = out->counts[0];
  for (int64_t i = 0; i < n; i++)
    ir_sweep_means_line(sweep, out, out->even_count, middle, 1, high + i, low + i);
  out->even_high = high;
  out->even_low = low;
  return true;
}

/* The rows of the windows that row `row` of a plane's outputs is made of. */
static int64_t rows_at(const ir_sweep *sweep, int64_t row) {
  int64_t n = 1;
  for (int c = sweep->n_cross - 1; c >= 0; row /= sweep->cross[c--].n_out)
    n *= ir_sweep_range(&sweep->cross[c], row % sweep->cross[c].n_out).count;
  return n;
}

/* Of the planes of a group: those of each row of windows. */
static bool make_plane(ir_plan *plan, const ir_sweep *sweep, ir_sweep_means *out) {
  const int64_t n_row = sweep->along.n_out, n_rows = sweep->plane_out / n_row;
  for (out->plane_period = sweep->plane_out;
       out->plane_period < most(IR_SWEEP_MORE, sweep->flat.n_planes * sweep->plane_out);)
    out->plane_period += sweep->plane_out;
  float *high = take_lines(plan, out->plane_period + IR_SWEEP_MORE + n_row),
        *low = take_lines(plan, out->plane_period + IR_SWEEP_MORE + n_row);
  if (high == NULL || low == NULL)
    return false;
  for (int64_t at = 0, row = 0; at < out->plane_period + IR_SWEEP_MORE; at += n_row, row = (row + 1) % n_rows)
    ir_sweep_means_line(sweep, out, rows_at(sweep, row), 0, n_row, high + at, low + at);
  out->plane_high = high;
  out->plane_low = low;
  return true;
}

bool ir_sweep_make_means(ir_plan *plan, const ir_sweep *sweep, int64_t divisor, bool nan_if_empty,
                         ir_sweep_means *out) {
  const ir_sweep_along *along = &sweep->along;
  *out = (ir_sweep_means){.divisor = divisor, .nan_if_empty = nan_if_empty};
  if (sweep->is_abreast)
    return make_plane(plan, sweep, out);
  int64_t counts[MAX_COUNTS], n = find_counts(sweep, counts);
  /* Rows of one window each stand side by side. */
  const int64_t n_values = along->is_dense    ? along->period + IR_SWEEP_MORE
                           : along->n_out > 1 ? along->n_out
                                              : sweep->batch;
  out->pitch = (n_values + 2 * SLACK - 1) / SLACK * SLACK;
  while (n > 1 && n * out->pitch > MAX_VALUES)
    n--;
  out->n_counts = n * out->pitch > MAX_VALUES ? 0 : n;
  int64_t *kept = ir_arena_array(plan->arena, (size_t)n, sizeof *kept);
  float *high = take_lines(plan, out->n_counts * out->pitch), *low = take_lines(plan, out->n_counts * out->pitch);
  if (kept == NULL || high == NULL || low == NULL)
    return ir_out_of_memory(plan->diags), false;
  memcpy(kept, counts, (size_t)n * sizeof *kept);
  out->counts = kept;
  out->high = high;
  out->low = low;
  for (int64_t i = 0; i < out->n_counts; i++)
    make_line(sweep, out, i, high, low);
  return (along->n_tiles == 1 || make_even(plan, sweep, out)) &&
         ((sweep->group == 0 && !sweep->bins.is_set && !sweep->flat.is_set) || make_plane(plan, sweep, out));
}

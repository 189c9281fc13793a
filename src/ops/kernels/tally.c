#include "ops/kernels/tally.h"
#include "ops/kernels/element_loads.h"
#include "ops/kernels/isa.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
  BLOCK = 2048, /* numbers that are tallied together; several loops read them from the L1 cache */
  LANES = 8,    /* numbers of a vector */
  GROUP = 32,   /* bins that are looked at together: most are empty */
  F32_INFINITY = 0x7F800000
};
/* types with numbers that are no floats */
#define WIDE         (IR_SET(IR_F64) | IR_SET(IR_I32) | IR_SET(IR_U32) | IR_SET(IR_I64) | IR_SET(IR_U64))
#define F16_OVERFLOW 65520.0
#define F16_VANISH   0x1p-25

/* With n and m numbers: mean = mean_n + (mean_m - mean_n) * m / (n + m), and squares = squares_n + squares_m +
 * (mean_m - mean_n)^2 * n * m / (n + m). */
void ir_tally_merge(const ir_tally *of, ir_tally *io) {
  if (of->finite > 0) {
    const double n = (double)io->finite, m = (double)of->finite, d = of->mean - io->mean;
    io->min = io->finite == 0 || of->min < io->min ? of->min : io->min;
    io->max = io->finite == 0 || of->max > io->max ? of->max : io->max;
    io->mean += of->mean * (m / (n + m)) - io->mean * (m / (n + m));
    io->squares += of->squares + d * (d * (n * m / (n + m)));
  }
  io->finite += of->finite;
  io->nans += of->nans;
  io->infinities += of->infinities;
  io->negative_infinities += of->negative_infinities;
  io->zeros += of->zeros;
  io->subnormals += of->subnormals;
  io->f16_overflows += of->f16_overflows;
  io->f16_vanishes += of->f16_vanishes;
}

/* ---- floats ---- */

/* Counts of floats by their bits, which without the sign sort like the absolute values. Keys sort like the floats. */
typedef struct float_counts {
  int32_t not_finite, zeros, tiny, large, vanishing; /* zeros are also tiny and vanishing */
  int32_t min_key, max_key;
} float_counts;

static inline int32_t key_of(int32_t bits) {
  return bits ^ (bits >> 31 & INT32_MAX);
}

IR_LOOP void count_loop(const float *x, int32_t n, int32_t least_normal, float_counts *out) {
  const int32_t overflow = (int32_t)ir_f32_bits((float)F16_OVERFLOW), vanish = (int32_t)ir_f32_bits((float)F16_VANISH);
  float_counts c = {.min_key = INT32_MAX, .max_key = INT32_MIN};
  for (int32_t i = 0; i < n; i++) {
    int32_t bits;
    memcpy(&bits, x + i, sizeof bits);
    const int32_t size = bits & INT32_MAX, key = key_of(bits);
    c.not_finite += size >= F32_INFINITY;
    c.zeros += size == 0;
    c.tiny += size < least_normal;
    c.large += size >= overflow;
    c.vanishing += size <= vanish;
    c.min_key = key < c.min_key ? key : c.min_key;
    c.max_key = key > c.max_key ? key : c.max_key;
  }
  *out = c;
}
IR_EACH_ISA(count, (const float *x, int32_t n, int32_t least_normal, float_counts *out), (x, n, least_normal, out))

typedef float float_lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef double double_lanes __attribute__((vector_size(LANES * sizeof(double))));

/* Adds up x - centre and its squares, in two vectors each, because an addition waits for the one before it. */
IR_LOOP void add_up_loop(const float *x, int32_t n, double centre, double *out_sum, double *out_squares) {
  double_lanes sums[2] = {{0}}, squares[2] = {{0}};
  int32_t i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES)
    for (int k = 0; k < 2; k++) {
      float_lanes floats;
      memcpy(&floats, x + i + k * LANES, sizeof floats);
      const double_lanes d = __builtin_convertvector(floats, double_lanes) - centre;
      sums[k] += d;
      squares[k] += d * d;
    }
  *out_sum = *out_squares = 0;
  for (; i < n; i++) {
    const double d = (double)x[i] - centre;
    *out_sum += d;
    *out_squares += d * d;
  }
  for (int l = 0; l < LANES; l++) {
    *out_sum += sums[0][l] + sums[1][l];
    *out_squares += squares[0][l] + squares[1][l];
  }
}
IR_EACH_ISA(add_up, (const float *x, int32_t n, double centre, double *out_sum, double *out_squares),
            (x, n, centre, out_sum, out_squares))

/* Finds the mean m of n > 0 floats and the sum of (x - m)^2, as that of (x - c)^2 less n (m - c)^2. The centre c is any
 * element; if it is so far from the mean that the difference is inexact, the mean found takes its place. */
static void find_mean(const float *x, int32_t n, double *out_mean, double *out_squares) {
  double sum, squares, centre = (double)x[n / 2];
  add_up(x, n, centre, &sum, &squares);
  if (sum * sum / n > 0.99 * squares) {
    centre += sum / n;
    add_up(x, n, centre, &sum, &squares);
  }
  *out_mean = centre + sum / n;
  *out_squares = fmax(squares - sum * sum / n, 0);
}

static void fill_bins(const float *x, int32_t n, ir_tally_bins *bins) {
  int32_t i = 0;
  for (; i + IR_TALLY_TURNS <= n; i += IR_TALLY_TURNS)
    for (int turn = 0; turn < IR_TALLY_TURNS; turn++)
      bins->counts[turn][ir_f32_bits(x[i + turn]) >> IR_TALLY_BIN_SHIFT]++;
  for (; i < n; i++)
    bins->counts[0][ir_f32_bits(x[i]) >> IR_TALLY_BIN_SHIFT]++;
}

/* Copies the finite floats, returns how many they are, and counts the others. */
static int32_t keep_finite(const float *x, int32_t n, float *finite, ir_tally *io_tally) {
  int32_t n_finite = 0;
  for (int32_t i = 0; i < n; i++) {
    const uint32_t bits = ir_f32_bits(x[i]), size = bits & INT32_MAX;
    finite[n_finite] = x[i];
    n_finite += size < F32_INFINITY;
    io_tally->nans += size > F32_INFINITY;
    io_tally->infinities += size == F32_INFINITY;
    io_tally->negative_infinities += size == F32_INFINITY && bits != size;
  }
  return n_finite;
}

/* Tallies up to BLOCK floats. */
static void tally_floats(const float *x, int32_t n, float least_normal, ir_tally *io_tally, ir_tally_bins *io_bins) {
  const int32_t normal = (int32_t)ir_f32_bits(least_normal);
  float finite[BLOCK];
  ir_tally t = {.finite = n};
  float_counts c;
  count(x, n, normal, &c);
  if (c.not_finite > 0) {
    t.finite = n = keep_finite(x, n, finite, &t);
    x = finite;
    count(x, n, normal, &c);
  }
  if (n > 0) {
    t.zeros = c.zeros;
    t.subnormals = c.tiny > c.zeros ? c.tiny - c.zeros : 0;
    t.f16_overflows = c.large;
    t.f16_vanishes = c.vanishing - c.zeros;
    t.min = (double)ir_f32_of_bits((uint32_t)key_of(c.min_key)) + 0.0; /* 0 if it is -0 */
    t.max = (double)ir_f32_of_bits((uint32_t)key_of(c.max_key)) + 0.0;
    find_mean(x, n, &t.mean, &t.squares);
  }
  if (io_bins != NULL)
    fill_bins(x, n, io_bins);
  ir_tally_merge(&t, io_tally);
}

/* ---- doubles ---- */

static void count_double(double x, double least_normal, ir_tally *t) {
  const double size = fabs(x);
  t->min = t->finite == 0 || x < t->min ? x : t->min;
  t->max = t->finite == 0 || x > t->max ? x : t->max;
  t->zeros += size == 0;
  t->subnormals += size > 0 && size < least_normal;
  t->f16_overflows += size >= F16_OVERFLOW;
  t->f16_vanishes += size > 0 && size <= F16_VANISH;
  t->finite++;
}

/* The bin of a finite number. A number that f32 cannot hold is rounded towards 0, so that it stays in its bin. */
static uint32_t bin_of(double x) {
  const float x_f32 = (float)fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX);
  const bool is_beyond = fabs((double)x_f32) > fabs(x);
  return (ir_f32_bits(x_f32) - is_beyond) >> IR_TALLY_BIN_SHIFT;
}

/* Tallies up to IR_PIECE doubles. Those beyond f32 are in the last bins of f32. */
static void tally_doubles(const double *x, int32_t n, double least_normal, ir_tally *io_tally, ir_tally_bins *io_bins) {
  double finite[IR_PIECE];
  ir_tally t = {.finite = 0};
  for (int32_t i = 0; i < n; i++) {
    if (isfinite(x[i])) {
      finite[t.finite] = x[i];
      count_double(x[i], least_normal, &t);
    } else {
      t.nans += isnan(x[i]) != 0;
      t.infinities += !isnan(x[i]);
      t.negative_infinities += x[i] < 0;
    }
  }
  const double scale = t.max > 0x1p1000 || t.min < -0x1p1000 ? 0x1p-20 : 1; /* so that no sum overflows */
  for (int64_t i = 0; i < t.finite; i++)
    t.mean += finite[i] * scale;
  t.mean = t.finite > 0 ? t.mean / (double)t.finite / scale : 0;
  for (int64_t i = 0; i < t.finite; i++) {
    t.squares += (finite[i] - t.mean) * (finite[i] - t.mean);
    if (io_bins != NULL)
      io_bins->counts[i % IR_TALLY_TURNS][bin_of(finite[i])]++;
  }
  ir_tally_merge(&t, io_tally);
}

/* ---- elements ---- */

/* The least number of a type that is not subnormal; 0: the type has none, or nobody asks. */
static double least_normal_of(ir_type type) {
  return type == IR_F16 ? 0x1p-14 : type == IR_F64 ? DBL_MIN : ir_type_in(type, IR_SET_FLOATS) ? (double)FLT_MIN : 0;
}

/* Loads up to BLOCK elements into `room`, unless they are floats already. */
static const float *load_floats(const ir_elements *elements, int64_t begin, int32_t n, float *room) {
  if (elements->type == IR_F32)
    return (const float *)elements->data + begin;
  for (int32_t i = 0; i < n; i += IR_PIECE)
    ir_elements_load(elements, begin + i, n - i < IR_PIECE ? n - i : IR_PIECE, room + i);
  return room;
}

void ir_tally_elements(const ir_tensor *tensor, int64_t begin, int64_t end, ir_tally *io_tally,
                       ir_tally_bins *io_bins) {
  const bool is_wide = ir_type_in(tensor->type, WIDE);
  const ir_elements elements = ir_elements_of(tensor->type, tensor->data, is_wide ? IR_COMPUTE_F64 : IR_COMPUTE_F32);
  const double least_normal = least_normal_of(tensor->type);
  for (int32_t n; begin < end; begin += n) {
    const int32_t most = is_wide ? IR_PIECE : BLOCK;
    double doubles[IR_PIECE];
    float floats[BLOCK];
    n = end - begin < most ? (int32_t)(end - begin) : most;
    if (is_wide)
      tally_doubles(ir_elements_load(&elements, begin, n, doubles), n, least_normal, io_tally, io_bins);
    else
      tally_floats(load_floats(&elements, begin, n, floats), n, (float)least_normal, io_tally, io_bins);
  }
}

/* ---- bins ---- */

IR_LOOP void add_counts_loop(uint32_t *io, const uint32_t *more) {
  for (int32_t i = 0; i < IR_TALLY_BINS; i++)
    io[i] += more[i];
}
IR_EACH_ISA(add_counts, (uint32_t * io, const uint32_t *counts), (io, counts))

/* Lists the bins [begin, begin + GROUP) that are not empty, in ascending or descending order. */
static int32_t list_group(const uint32_t *sums, int32_t begin, bool descends, int32_t *out) {
  int32_t n = 0;
  uint32_t any = 0;
  for (int32_t i = 0; i < GROUP; i++)
    any |= sums[begin + i];
  for (int32_t i = 0; i < GROUP && any != 0; i++) {
    out[n] = begin + (descends ? GROUP - 1 - i : i);
    n += sums[out[n]] > 0;
  }
  return n;
}

int32_t ir_tally_list_bins(ir_tally_bins *bins, int n, int32_t *out) {
  uint32_t *sums = bins[0].counts[0];
  int32_t n_listed = 0;
  for (int i = 1; i < n * IR_TALLY_TURNS; i++)
    add_counts(sums, bins[i / IR_TALLY_TURNS].counts[i % IR_TALLY_TURNS]);
  /* bins of negative numbers stand behind the others, in descending order */
  for (int32_t i = IR_TALLY_BINS - GROUP; i >= IR_TALLY_BINS / 2; i -= GROUP)
    n_listed += list_group(sums, i, true, out + n_listed);
  for (int32_t i = 0; i < IR_TALLY_BINS / 2; i += GROUP)
    n_listed += list_group(sums, i, false, out + n_listed);
  return n_listed;
}

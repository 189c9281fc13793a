#include "ops/kernels/tally.h"
#include "ops/kernels/isa.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
  LANES = 16,
  MOST_FINITE = 0x7F7FFFFF,
  LEAST_NORMAL = 0x00800000,
  F16_LARGE = 0x477FF000,
  F16_SMALL = 0x33000000
};

/* With n and m numbers: mean = mean_n + d * m / (n + m), and squares = squares_n + squares_m + d^2 * n * m / (n + m),
 * where d = mean_m - mean_n. */
void ir_tally_merge(const ir_tally *of, ir_tally *io) {
  if (of->finite > 0) {
    const double n = (double)io->finite, m = (double)of->finite, d = of->mean - io->mean;
    io->min = io->finite == 0 || of->min < io->min ? of->min : io->min;
    io->max = io->finite == 0 || of->max > io->max ? of->max : io->max;
    io->mean += d * (m / (n + m));
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

/* ---- doubles ---- */

/* The bin of a finite number; one beyond f32 is in the last bin of f32. */
static uint32_t bin_of(double x) {
  float narrow = x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : (float)x;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return bits >> IR_TALLY_BIN_SHIFT;
}

static void count_finite(double x, double least_normal, ir_tally *t) {
  const double size = fabs(x);
  t->min = t->finite == 0 || x < t->min ? x : t->min;
  t->max = t->finite == 0 || x > t->max ? x : t->max;
  t->zeros += size == 0;
  t->subnormals += size > 0 && size < least_normal;
  t->f16_overflows += size >= 65520;
  t->f16_vanishes += size > 0 && size <= 0x1p-25;
  t->finite++;
}

void ir_tally_doubles(const double *x, int64_t n, double least_normal, ir_tally *io_tally, ir_tally_bins bins) {
  ir_tally t = {.finite = 0};
  for (int64_t i = 0; i < n; i++) {
    if (isfinite(x[i])) {
      count_finite(x[i], least_normal, &t);
      bins[i % IR_TALLY_TURNS][bin_of(x[i])]++;
    }
    t.nans += isnan(x[i]) != 0;
    t.infinities += isinf(x[i]) != 0;
    t.negative_infinities += isinf(x[i]) && x[i] < 0;
  }
  for (int64_t i = 0; i < n; i++)
    t.mean += isfinite(x[i]) ? x[i] : 0;
  t.mean /= t.finite > 0 ? (double)t.finite : 1;
  const bool overflows = !isfinite(t.mean);
  t.mean = overflows ? 0 : t.mean;
  for (int64_t i = 0; i < n && overflows; i++)
    t.mean += isfinite(x[i]) ? x[i] / (double)t.finite : 0;
  for (int64_t i = 0; i < n; i++)
    t.squares += isfinite(x[i]) ? (x[i] - t.mean) * (x[i] - t.mean) : 0;
  ir_tally_merge(&t, io_tally);
}

/* ---- floats ---- */

typedef struct lanes {
  int32_t not_finite[LANES], zeros[LANES], tiny[LANES], large[LANES], vanishing[LANES];
  float min[LANES], max[LANES];
  double sum[LANES];
} lanes;

/* Counts n floats, a multiple of LANES. Bits without the sign sort like the absolute values. */
IR_LOOP void count_lanes_loop(const float *x, int64_t n, lanes *out) {
  int32_t not_finite[LANES] = {0}, zeros[LANES] = {0}, tiny[LANES] = {0}, large[LANES] = {0}, vanishing[LANES] = {0};
  for (int64_t i = 0; i < n; i += LANES) {
    int32_t sizes[LANES];
    memcpy(sizes, x + i, sizeof sizes);
    for (int l = 0; l < LANES; l++) {
      const int32_t size = sizes[l] & INT32_MAX;
      not_finite[l] += size > MOST_FINITE;
      zeros[l] += size == 0;
      tiny[l] += size < LEAST_NORMAL;
      large[l] += size >= F16_LARGE;
      vanishing[l] += size <= F16_SMALL;
    }
  }
  memcpy(out->not_finite, not_finite, sizeof not_finite);
  memcpy(out->zeros, zeros, sizeof zeros);
  memcpy(out->tiny, tiny, sizeof tiny);
  memcpy(out->large, large, sizeof large);
  memcpy(out->vanishing, vanishing, sizeof vanishing);
}
IR_EACH_ISA(count_lanes, (const float *x, int64_t n, lanes *out), (x, n, out))

/* Finds the range and the sum of n floats, a multiple of LANES. */
IR_LOOP void add_lanes_loop(const float *x, int64_t n, lanes *out) {
  float min[LANES], max[LANES];
  double sum[LANES] = {0};
  for (int l = 0; l < LANES; l++)
    min[l] = max[l] = x[l];
  for (int64_t i = 0; i < n; i += LANES)
    for (int l = 0; l < LANES; l++) {
      min[l] = x[i + l] < min[l] ? x[i + l] : min[l];
      max[l] = x[i + l] > max[l] ? x[i + l] : max[l];
      sum[l] += (double)x[i + l];
    }
  memcpy(out->min, min, sizeof min);
  memcpy(out->max, max, sizeof max);
  memcpy(out->sum, sum, sizeof sum);
}
IR_EACH_ISA(add_lanes, (const float *x, int64_t n, lanes *out), (x, n, out))

/* Adds up (x - mean)^2. */
IR_LOOP void add_squares_loop(const float *x, int64_t n, double mean, double *out) {
  double sums[LANES] = {0}, sum = 0;
  for (int64_t i = 0; i < n; i += LANES)
    for (int l = 0; l < LANES; l++)
      sums[l] += ((double)x[i + l] - mean) * ((double)x[i + l] - mean);
  for (int l = 0; l < LANES; l++)
    sum += sums[l];
  *out = sum;
}
IR_EACH_ISA(add_squares, (const float *x, int64_t n, double mean, double *out), (x, n, mean, out))

static void fill_bins(const float *x, int64_t n, ir_tally_bins bins) {
  for (int64_t i = 0; i < n; i += IR_TALLY_TURNS) {
    uint32_t bits[IR_TALLY_TURNS];
    memcpy(bits, x + i, sizeof bits);
    for (int turn = 0; turn < IR_TALLY_TURNS; turn++)
      bins[turn][bits[turn] >> IR_TALLY_BIN_SHIFT]++;
  }
}

/* Counts n floats, a multiple of LANES. Returns false, and counts nothing, if some are not finite. */
static bool count_finite_floats(const float *x, int64_t n, ir_tally *io_tally, ir_tally_bins bins) {
  lanes found;
  ir_tally t = {.finite = n, .min = x[0], .max = x[0]};
  int64_t n_not_finite = 0;
  count_lanes(x, n, &found);
  add_lanes(x, n, &found);
  for (int l = 0; l < LANES; l++) {
    n_not_finite += found.not_finite[l];
    t.zeros += found.zeros[l];
    t.subnormals += found.tiny[l] - found.zeros[l];
    t.f16_overflows += found.large[l];
    t.f16_vanishes += found.vanishing[l] - found.zeros[l];
    t.min = found.min[l] < t.min ? found.min[l] : t.min;
    t.max = found.max[l] > t.max ? found.max[l] : t.max;
    t.mean += found.sum[l];
  }
  if (n_not_finite > 0)
    return false;
  t.mean /= (double)n;
  add_squares(x, n, t.mean, &t.squares);
  fill_bins(x, n, bins);
  ir_tally_merge(&t, io_tally);
  return true;
}

void ir_tally_floats(const float *x, int64_t n, ir_tally *io_tally, ir_tally_bins bins) {
  const int64_t n_whole = n - n % LANES;
  const int64_t done = n_whole > 0 && count_finite_floats(x, n_whole, io_tally, bins) ? n_whole : 0;
  double rest[IR_TALLY_BLOCK];
  for (int64_t i = done; i < n; i++)
    rest[i - done] = (double)x[i];
  if (done < n)
    ir_tally_doubles(rest, n - done, FLT_MIN, io_tally, bins);
}

#include "ops/kernels/numbers.h"
#include "ops/pool/pool_order.h"
#include "ops/pool/pool_plain.h"
#include "ops/pool/pool_repair.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 64 /* levels of a window: one for each power of two */ };

/* Taps of a window on one axis across rows: taps [lead, end) are in the input, those before `lead` are pads. */
typedef struct plain_across {
  int64_t lead, end, apart; /* apart: input elements between neighbouring taps */
} plain_across;

typedef struct plain_drive plain_drive;

struct ir_plain_kernel {
  /* Converts n columns of n_rows rows (1 to 8) to terms, and reduces these to one row of terms. Element i of row r has
   * position at[r] + i in the plane. */
  void (*load)(const void *const *rows, const int64_t *at, int64_t n_rows, int64_t n, void *terms);
  /* Computes and stores the outputs of a tile that begins at window o; returns their number. */
  int64_t (*tile)(plain_drive *d, int64_t o);
  /* Converts the terms of windows [o, o + n) to elements of the output. */
  void (*store)(plain_drive *d, const void *terms, int64_t o, int64_t n);
  /* For maxima of floats: whether any element is -0 or, if is_any, a zero of any sign. NULL in other kernels. */
  bool (*has_zero)(const void *elements, int64_t n, bool is_any);
  const void *lowest; /* the type's lowest finite element if terms are places, else NULL */
};

struct plain_drive {
  const ir_plain_job *job;
  const ir_plain *plain;
  const ir_plain_kernel *kernel;
  size_t size;                      /* size of an element */
  const char *plane;                /* start of the plane in the input */
  int64_t plane_at, row_at;         /* first element of the plane in the input, and of the row in the output */
  plain_across across[IR_MAX_RANK]; /* axes across rows with more than one tap; at least one entry */
  int n_across;
  int64_t base, first; /* positions in the plane, in column 0: of tap 0 on all axes, which can be a pad; of the first
                          tap in the input */
  int64_t rows;        /* number of rows of each window that are in the input */
  bool has_pads;       /* sums: some taps across rows are pads */
  void *lines;
  double *divisors; /* divisors of windows from number divisors_from on, for windows of divisors_rows rows */
  int64_t divisors_from, divisors_rows;
  char *zeros;
  ir_row_walk walk;
  int64_t since; /* elements that were loaded since the last look at the stop */
};

static bool is_stopped(plain_drive *d, int64_t n) {
  return ir_stop_asked_after(d->job->stop, d->job->worker, n, &d->since);
}

/* ---- windows ---- */

/* Returns the positions of window o along the row. If all windows have one kernel, pads are included. */
static ir_tap_range window_of(const ir_windows_axis *axis, int64_t o) {
  return axis->kernel > 0 ? (ir_tap_range){o * axis->stride - axis->pad_begin, axis->kernel}
                          : ir_windows_range(axis, o);
}

/* Returns the number of windows from number o on that fit a tile, and sets `*columns` to their span. */
static int64_t windows_near(const ir_plain *plain, int64_t o, ir_tap_range *columns) {
  int64_t n = 0, begin = INT64_MAX, behind = INT64_MIN;
  for (; n < plain->tile_out && o + n < plain->along.n_out; n++) {
    const ir_tap_range window = window_of(&plain->along, o + n);
    if (window.count == 0)
      continue;
    const int64_t low = least(begin, window.begin),
                  high = most(behind, window.begin + (window.count - 1) * plain->along.step + 1);
    if (high - low > IR_PLAIN_SPAN)
      break;
    begin = low;
    behind = high;
  }
  *columns = behind > begin ? (ir_tap_range){begin, behind - begin} : (ir_tap_range){0, 0};
  return n;
}

/* Sets the taps across rows for the windows of the output row at d->walk. */
static void enter_row(plain_drive *d) {
  const ir_plain *plain = d->plain;
  const bool is_sum = plain->what.op == IR_PLAIN_AVERAGE || plain->what.op == IR_PLAIN_QUOTIENT;
  d->n_across = 0;
  d->base = d->first = 0;
  d->rows = 1;
  d->has_pads = false;
  for (int a = 0; a < plain->windows.n_axes - 1; a++) {
    const ir_windows_axis *axis = &plain->windows.axes[a];
    const ir_tap_range range = ir_windows_range(axis, d->walk.at[a]);
    const int64_t apart = plain->apart[a] * axis->step;
    int64_t lead = 0;
    if (is_sum && axis->kernel > 0 && range.count < axis->kernel) {
      d->has_pads = true;
      lead = (range.begin - d->walk.at[a] * axis->stride + axis->pad_begin) / axis->step;
    }
    d->first += range.begin * plain->apart[a];
    d->rows *= range.count;
    if (range.count < 2)
      lead = 0;
    else
      d->across[d->n_across++] = (plain_across){lead, lead + range.count, apart};
    d->base += range.begin * plain->apart[a] - lead * apart;
  }
  if (d->n_across == 0)
    d->across[d->n_across++] = (plain_across){0, 1, 0};
}

/* Combines up to 8 taps of axis d->across[0] into `line`, for columns [begin, begin + n): the group of 8 that contains
 * tap[0]. On the other axes the taps are tap[1], tap[2], .. */
static void load_few(const plain_drive *d, const int64_t *tap, int64_t begin, int64_t n, void *line) {
  const plain_across *axis = &d->across[0];
  const void *rows[IR_FEW_TERMS];
  int64_t at[IR_FEW_TERMS], base = d->base + begin;
  const int64_t from = tap[0] / IR_FEW_TERMS * IR_FEW_TERMS, n_rows = least(axis->end - from, IR_FEW_TERMS);
  for (int a = 1; a < d->n_across; a++)
    base += tap[a] * d->across[a].apart;
  for (int64_t r = 0; r < n_rows; r++) {
    at[r] = base + (from + r) * axis->apart;
    rows[r] = from + r < axis->lead ? d->zeros : d->plane + (size_t)at[r] * d->size;
  }
  d->kernel->load(rows, at, n_rows, n, line);
}

/* ---- terms ---- */

#define PLUS(a, b)    ((a) + (b))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))

#define NAME(part) sum_##part
#define TERM       double
#define COMBINE    PLUS
#define NOTHING    0
#include "ops/pool/pool_plain.inc"

#define NAME(part) wide_##part
#define TERM       ir_wide
#define COMBINE    PLUS
#define NOTHING    0
#include "ops/pool/pool_plain.inc"

#define NAME(part) double_##part
#define TERM       double
#define COMBINE    GREATER
#define NOTHING    ((double)-INFINITY)
#include "ops/pool/pool_plain.inc"

#define NAME(part) int16_t_##part
#define TERM       int16_t
#define COMBINE    GREATER
#define NOTHING    INT16_MIN
#include "ops/pool/pool_plain.inc"

#define NAME(part) int32_t_##part
#define TERM       int32_t
#define COMBINE    GREATER
#define NOTHING    INT32_MIN
#include "ops/pool/pool_plain.inc"

#define NAME(part) int64_t_##part
#define TERM       int64_t
#define COMBINE    GREATER
#define NOTHING    INT64_MIN
#include "ops/pool/pool_plain.inc"

#define NAME(part) place_##part
#define TERM       ir_uwide
#define COMBINE    GREATER
#define NOTHING    0
#include "ops/pool/pool_plain.inc"

/* ---- elements to terms ---- */

#define SIGN (UINT64_C(1) << 63)

/* Returns an integer that grows with x. Zeros of both signs have the same one. */
static inline uint64_t key_of_float(double x) {
  const double number = x == 0 ? 0 : x;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
}

static inline ir_uwide place_of(uint64_t key, int64_t at) {
  return (ir_uwide)key << 64 | ~(uint64_t)at;
}

/* Flips the top bit: this maps unsigned integers to signed ones in the same order, and back. */
#define TURNED(x) ((uint64_t)(x) ^ UINT64_C(1) << (8 * sizeof(x) - 1))

/* AS_*(x, at) is the term of element x at position `at`. The term of a NaN is the lowest, so NaN is never the maximum.
 */
#define SAME(x)                  (x)
#define AS_NUMBER(x, at)         (x)
#define AS_FLOAT(x, at)          ((double)(x) > -(double)INFINITY ? (double)(x) : -(double)INFINITY)
#define AS_TURNED(x, at)         TURNED(x)
#define AS_FLOAT_PLACE(x, at)    ((x) == (x) ? place_of(key_of_float(x), at) : 0)
#define AS_SIGNED_PLACE(x, at)   place_of((uint64_t)(int64_t)(x) ^ SIGN, at)
#define AS_UNSIGNED_PLACE(x, at) place_of(x, at)

#define LOAD_CASE(n_few, element, term, AS, NUMBER, COMBINE)                                                           \
  case n_few:                                                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      term t[n_few];                                                                                                   \
      for (int r = 0; r < (n_few); r++)                                                                                \
        t[r] = (term)AS(NUMBER(((const element *)rows[r])[i]), at[r] + i);                                             \
      to[i] = IR_R##n_few(COMBINE, t);                                                                                 \
    }                                                                                                                  \
    return;

#define LOAD(name, element, term, AS, NUMBER, COMBINE)                                                                 \
  static void name(const void *const *rows, const int64_t *at, int64_t n_rows, int64_t n, void *terms) {               \
    term *restrict to = terms;                                                                                         \
    (void)at;                                                                                                          \
    switch (n_rows) {                                                                                                  \
      LOAD_CASE(1, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(2, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(3, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(4, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(5, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(6, element, term, AS, NUMBER, COMBINE)                                                                 \
      LOAD_CASE(7, element, term, AS, NUMBER, COMBINE)                                                                 \
    default:                                                                                                           \
      LOAD_CASE(8, element, term, AS, NUMBER, COMBINE)                                                                 \
    }                                                                                                                  \
  }

/* ---- terms to elements ---- */

/* Returns the number of taps of window o that lie in the input. */
static int64_t taps_of(const plain_drive *d, int64_t o) {
  return d->rows * ir_windows_range(&d->plain->windows.axes[d->plain->windows.n_axes - 1], o).count;
}

static int64_t divisor_of(const plain_drive *d, int64_t o) {
  const int64_t taps = taps_of(d, o);
  return taps > 0 && d->plain->what.divisor > 0 ? d->plain->what.divisor : most(taps, 1);
}

/* Returns the divisors of windows [o, o + n). If a window has no taps and what.nan_if_empty, its divisor is NaN. */
static const double *divisors_of(plain_drive *d, int64_t o, int64_t n) {
  for (int64_t i = 0; i < n && (d->divisors_from != o || d->divisors_rows != d->rows); i++)
    d->divisors[i] = d->plain->what.nan_if_empty && taps_of(d, o + i) == 0 ? (double)NAN : (double)divisor_of(d, o + i);
  d->divisors_from = o;
  d->divisors_rows = d->rows;
  return d->divisors;
}

/* Returns the number that STORE_SUMS adds and subtracts to round an integer mean. A double plus 1.5 * 2^52 has no bits
 * below 1, so it is rounded to an integer, ties to even; with 0, the mean is truncated. Because sums are at most 2^51,
 * the division to a double never creates a tie. */
static double nudge_of(const plain_drive *d) {
  return d->plain->what.op == IR_PLAIN_QUOTIENT ? 0 : 0x1.8p52;
}

#define STORE_SUMS(name, element, FROM_MEAN)                                                                           \
  static void name(plain_drive *d, const void *terms, int64_t o, int64_t n) {                                          \
    const double *sums = terms, *divisors = divisors_of(d, o, n);                                                      \
    const double nudge = nudge_of(d);                                                                                  \
    element *restrict out = (element *)d->job->out + d->row_at + o;                                                    \
    (void)nudge;                                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = FROM_MEAN(sums[i] / divisors[i], element);                                                              \
  }
#define ROUNDED(x, element)  ((element)(int64_t)(((x) + nudge) - nudge))
#define NARROWED(x, element) ((element)(x))
#define F16_OF(x, element)   ir_f64_to_f16(x)
#define BF16_OF(x, element)  ir_f64_to_bf16(x)
#define ANY_OF(x, element)   ((element)((x) != 0))

static bool fits_double(ir_wide sum) {
  return sum >= -(INT64_C(1) << 51) && sum <= INT64_C(1) << 51;
}

static int64_t round_narrow(int64_t sum, int64_t n) {
  int64_t quotient = sum / n, rest = sum % n;
  if (rest < 0) {
    quotient--;
    rest += n;
  }
  return quotient + (rest > n - rest || (rest == n - rest && (quotient & 1) != 0));
}

/* Returns sum / n, rounded to nearest, ties to even; n > 0. */
static ir_wide round_half_even(ir_wide sum, ir_wide n) {
  /* Fast path: a division of 128 bits takes several times as long. In this range round_narrow does not overflow. */
  if (n <= INT64_MAX && sum <= INT64_MAX / 2 && sum >= INT64_MIN / 2)
    return round_narrow((int64_t)sum, (int64_t)n);
  ir_wide quotient = sum / n, rest = sum % n;
  if (rest < 0) {
    quotient--;
    rest += n;
  }
  return quotient + (rest > n - rest || (rest == n - rest && (quotient & 1) != 0));
}

static ir_wide wide_mean(const plain_drive *d, ir_wide sum, int64_t o) {
  return d->plain->what.op == IR_PLAIN_QUOTIENT ? sum / divisor_of(d, o) : round_half_even(sum, divisor_of(d, o));
}

#define STORE_WIDE(name, element)                                                                                      \
  static void name(plain_drive *d, const void *terms, int64_t o, int64_t n) {                                          \
    const ir_wide *sums = terms;                                                                                       \
    const double *divisors = divisors_of(d, o, n), nudge = nudge_of(d);                                                \
    element *out = (element *)d->job->out + d->row_at + o;                                                             \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = fits_double(sums[i]) ? ROUNDED((double)(int64_t)sums[i] / divisors[i], element)                         \
                                    : (element)wide_mean(d, sums[i], o + i);                                           \
  }

#define STORE_MAXIMA(name, element, value, FROM_VALUE, lowest)                                                         \
  static void name(plain_drive *d, const void *terms, int64_t o, int64_t n) {                                          \
    const value *maxima = terms;                                                                                       \
    element *restrict out = (element *)d->job->out + d->row_at + o;                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const value greatest = maxima[i] > (value)(lowest) ? maxima[i] : (value)(lowest);                                \
      out[i] = (element)FROM_VALUE(greatest);                                                                          \
    }                                                                                                                  \
  }

/* Returns the position in the plane of window o's first tap; -1 if the window has no taps. */
static int64_t first_of(const plain_drive *d, int64_t o) {
  const ir_windows *windows = &d->plain->windows;
  return taps_of(d, o) == 0 ? -1 : d->first + ir_windows_range(&windows->axes[windows->n_axes - 1], o).begin;
}

static void put_index(const plain_drive *d, int64_t o, int64_t place) {
  const int64_t modulus = d->plain->what.modulus, at = d->row_at + o;
  const int64_t index = place < modulus ? d->plane_at % modulus + place : place % modulus;
  if (d->job->indices != NULL && d->job->is_i64)
    ((int64_t *)d->job->indices)[at] = index;
  else if (d->job->indices != NULL)
    ((int32_t *)d->job->indices)[at] = (int32_t)index;
}

/* Returns the place term of one element at position `at`; 0 for NaN. */
static ir_uwide place_at(const plain_drive *d, const void *element, int64_t at) {
  ir_uwide term;
  d->kernel->load(&element, &at, 1, 1, &term);
  return term;
}

static void store_places(plain_drive *d, const void *terms, int64_t o, int64_t n) {
  const ir_uwide *places = terms;
  const char *lowest = d->kernel->lowest;
  char *out = d->job->out == NULL ? NULL : (char *)d->job->out + (size_t)(d->row_at + o) * d->size;
  const bool is_from_first = d->plain->what.start == IR_MAX_FROM_FIRST;
  const ir_uwide floor =
      is_from_first ? 0 : place_at(d, lowest, 0); /* terms up to `floor` are no maximum: the window found no element */
  for (int64_t i = 0; i < n; i++) {
    int64_t place = places[i] > floor ? (int64_t) ~(uint64_t)places[i] : -1;
    const int64_t first = is_from_first ? first_of(d, o + i) : -1;
    if (first >= 0 && place_at(d, d->plane + (size_t)first * d->size, first) == 0)
      place = first; /* the first element is NaN, which stays the maximum */
    if (out != NULL)
      memcpy(out + (size_t)i * d->size, place >= 0 ? d->plane + (size_t)place * d->size : lowest, d->size);
    put_index(d, o + i, most(place, 0));
  }
}

#define HAS_ZERO(name, element, NUMBER)                                                                                \
  static bool name(const void *elements, int64_t n, bool is_any) {                                                     \
    int64_t found = 0;                                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const double x = (double)NUMBER(((const element *)elements)[i]);                                                 \
      found |= x == 0 && (is_any || signbit(x) != 0);                                                                  \
    }                                                                                                                  \
    return found != 0;                                                                                                 \
  }

/* ---- kernels of all types ---- */

#define SUMS(name, element, NUMBER, FROM_MEAN)                                                                         \
  LOAD(load_sums_##name, element, double, AS_NUMBER, NUMBER, PLUS)                                                     \
  STORE_SUMS(store_sums_##name, element, FROM_MEAN)                                                                    \
  static const ir_plain_kernel sums_##name = {load_sums_##name, sum_tile, store_sums_##name, NULL, NULL};

#define WIDE_SUMS(name, element)                                                                                       \
  LOAD(load_wide_##name, element, ir_wide, AS_NUMBER, SAME, PLUS)                                                      \
  STORE_WIDE(store_wide_##name, element)                                                                               \
  static const ir_plain_kernel wide_##name = {load_wide_##name, wide_tile, store_wide_##name, NULL, NULL};

#define MAXIMA(name, element, value, NUMBER, AS_MAXIMUM, FROM_VALUE, lowest_value, has_zero)                           \
  LOAD(load_maxima_##name, element, value, AS_MAXIMUM, NUMBER, GREATER)                                                \
  STORE_MAXIMA(store_maxima_##name, element, value, FROM_VALUE, lowest_value)                                          \
  static const ir_plain_kernel maxima_##name = {load_maxima_##name, value##_tile, store_maxima_##name, has_zero, NULL};

#define PLACES(name, element, NUMBER, AS_PLACE, lowest)                                                                \
  LOAD(load_places_##name, element, ir_uwide, AS_PLACE, NUMBER, GREATER)                                               \
  static const element lowest_##name = lowest;                                                                         \
  static const ir_plain_kernel places_##name = {load_places_##name, place_tile, store_places, NULL, &lowest_##name};

#define FLOATS(name, element, NUMBER, FROM_MEAN, FROM_VALUE, lowest_value, lowest)                                     \
  SUMS(name, element, NUMBER, FROM_MEAN)                                                                               \
  HAS_ZERO(has_zero_##name, element, NUMBER)                                                                           \
  MAXIMA(name, element, double, NUMBER, AS_FLOAT, FROM_VALUE, lowest_value, has_zero_##name)                           \
  PLACES(name, element, NUMBER, AS_FLOAT_PLACE, lowest)

/* SIGNED is for types whose numbers all fit `value`; UNSIGNED is for unsigned types of as many bits as `value`. */
#define SIGNED(name, element, value, lowest)                                                                           \
  WIDE_SUMS(name, element)                                                                                             \
  MAXIMA(name, element, value, SAME, AS_NUMBER, SAME, lowest, NULL)                                                    \
  PLACES(name, element, SAME, AS_SIGNED_PLACE, lowest)
#define UNSIGNED(name, element, value, lowest)                                                                         \
  WIDE_SUMS(name, element)                                                                                             \
  MAXIMA(name, element, value, SAME, AS_TURNED, TURNED, lowest, NULL)                                                  \
  PLACES(name, element, SAME, AS_UNSIGNED_PLACE, 0)
#define NARROW(SET, name, element, value, lowest)                                                                      \
  SUMS(name, element, SAME, ROUNDED)                                                                                   \
  SET(name, element, value, lowest)

FLOATS(f64, double, SAME, NARROWED, SAME, -DBL_MAX, -DBL_MAX)
FLOATS(f32, float, SAME, NARROWED, SAME, -FLT_MAX, -FLT_MAX)
FLOATS(f16, uint16_t, ir_f16_to_f32, F16_OF, ir_f64_to_f16, -65504, 0xFBFF)
FLOATS(bf16, uint16_t, ir_bf16_to_f32, BF16_OF, ir_f64_to_bf16, -0x1.fep127, 0xFF7F)
NARROW(SIGNED, i8, int8_t, int16_t, INT8_MIN)
NARROW(SIGNED, u8, uint8_t, int16_t, 0)
NARROW(SIGNED, i16, int16_t, int16_t, INT16_MIN)
NARROW(UNSIGNED, u16, uint16_t, int16_t, INT16_MIN)
NARROW(SIGNED, i32, int32_t, int32_t, INT32_MIN)
NARROW(UNSIGNED, u32, uint32_t, int32_t, INT32_MIN)
SIGNED(i64, int64_t, int64_t, INT64_MIN)
UNSIGNED(u64, uint64_t, int64_t, INT64_MIN)
SUMS(boolean, uint8_t, SAME, ANY_OF)

const ir_plain_kernel *ir_plain_kernel_of(ir_type type, ir_plain_kind kind) {
#define FLOAT(name)                                                                                                    \
  { &sums_##name, NULL, &maxima_##name, &places_##name }
#define INTEGER(name)                                                                                                  \
  { &sums_##name, &wide_##name, &maxima_##name, &places_##name }
#define LONG(name)                                                                                                     \
  { NULL, &wide_##name, &maxima_##name, &places_##name }
  static const ir_plain_kernel *const kernels[IR_TYPE_COUNT][4] = {
      [IR_F64] = FLOAT(f64),
      [IR_F32] = FLOAT(f32),
      [IR_F16] = FLOAT(f16),
      [IR_BF16] = FLOAT(bf16),
      [IR_I8] = INTEGER(i8),
      [IR_U8] = INTEGER(u8),
      [IR_I16] = INTEGER(i16),
      [IR_U16] = INTEGER(u16),
      [IR_I32] = INTEGER(i32),
      [IR_U32] = INTEGER(u32),
      [IR_I64] = LONG(i64),
      [IR_U64] = LONG(u64),
      [IR_BOOLEAN] = {&sums_boolean, NULL, &maxima_u8, &places_u8}}; /* elements are 0 or 1 */
  return kernels[type][kind];
}

/* ---- rows ---- */

static void make_row(plain_drive *d, const ir_plain_kernel *kernel) {
  d->kernel = kernel;
  for (int64_t o = 0; o < d->plain->along.n_out && !is_stopped(d, 1);)
    o += kernel->tile(d, o);
}

/* Whether the row has to be computed again with places: a maximum is zero, and an input row has a -0. The first zero of
 * a window has to win, and only a place shows which zero is first. */
static bool is_of_zeros(plain_drive *d, const ir_plain_kernel *kernel) {
  const ir_windows *windows = &d->plain->windows;
  const int64_t n_in = d->plain->along.n_in, n_out = d->plain->along.n_out;
  bool found = false;
  if (kernel->has_zero == NULL ||
      !kernel->has_zero((const char *)d->job->out + (size_t)d->row_at * d->size, n_out, true))
    return false;
  for (int64_t left = ir_walk_taps(windows, &d->walk); left > 0 && !found && !is_stopped(d, n_in); left--) {
    found = kernel->has_zero(d->plane + (size_t)(ir_walk_row(windows, &d->walk) * n_in) * d->size, n_in, false);
    ir_walk_next_tap(windows, &d->walk);
  }
  return found;
}

void ir_plain_rows(const ir_plain_job *job, void *scratch, int64_t begin, int64_t end) {
  const ir_plain *plain = job->plain;
  const ir_plain_what *what = &plain->what;
  const size_t line = (size_t)plain->pitch * sizeof(double);
  const int64_t plane_in = ir_windows_plane_in(&plain->windows);
  plain_drive d = {.job = job, .plain = plain, .size = ir_type_size(what->type), .divisors_from = -1};
  d.zeros = memset(scratch, 0, line);
  d.divisors = (double *)(void *)(d.zeros + line);
  d.lines = d.zeros + 2 * line;
  for (int64_t a = plain->windows.n_axes - 2, unit = begin; a >= 0; unit /= plain->windows.axes[a--].n_out)
    d.walk.at[a] = unit % plain->windows.axes[a].n_out;
  for (int64_t u = begin; u < end && !is_stopped(&d, 1); u++) {
    d.plane_at = u / plain->plane_rows * plane_in;
    d.plane = (const char *)job->in + (size_t)d.plane_at * d.size;
    d.row_at = u * plain->along.n_out;
    enter_row(&d);
    make_row(&d, plain->kernel);
    if (is_of_zeros(&d, plain->kernel))
      make_row(&d, ir_plain_kernel_of(what->type, IR_PLAIN_PLACES));
    ir_walk_next(&plain->windows, &d.walk);
  }
  if (what->op == IR_PLAIN_MAXIMUM && what->start != IR_MAX_FROM_LOWEST)
    ir_max_from_first(&(ir_first_job){&plain->windows, what->type, job->in, job->out, NULL, job->stop, job->worker},
                      begin, end);
}

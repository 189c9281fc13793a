/* Tests the plain pool kernels in every element type against loops over windows. Integers, maxima and positions must
 * be equal, float averages close. The split of rows must not change the bits. */
#include "draw.h"
#include "naive_number.h"
#include "ops/pool/pool_plain.h"
#include "pool_case.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef __int128 naive_wide;

enum {
  CASES = 120,
  GUARD = 8, /* elements after the output, to detect overruns */
  MOST_ELEMENTS = SWEEP_CASE_BYTES / 4 + GUARD,
  MOST_VISITS = 1 << 14
};

typedef struct plain_outputs {
  _Alignas(64) unsigned char values[8 * MOST_ELEMENTS];
  int64_t indices[MOST_ELEMENTS];
} plain_outputs;

static pool_case c;
static ir_plain plain;
static _Alignas(64) unsigned char input[8 * MOST_ELEMENTS];
static plain_outputs outputs[2];

/* ---- elements ---- */

typedef enum element_kind { SMALL, ANY, FEW_LARGE, SPECIAL, N_KINDS } element_kind;

static long double draw_special(ir_type type) {
  const int64_t which = between(0, 7);
  if (which == 0)
    return naive_lowest(type);
  if (which == 1 || !naive_is_float(type))
    return which == 1 ? naive_greatest(type) : 0;
  return which < 4 ? -0.0L : which < 6 ? 0 : which == 6 ? (long double)NAN : -(long double)INFINITY;
}

static long double draw_any(ir_type type) {
  const uint64_t bits = draw();
  return naive_is_float(type) ? naive_round(type, ldexpl((long double)(int64_t)bits, (int)between(-70, -50)))
         : type == IR_BOOLEAN ? (long double)(bits & 1)
                              : naive_load(type, &bits, 0);
}

static void fill(ir_type type, element_kind kind) {
  const int64_t n = pool_case_inputs(&c);
  for (int64_t i = 0; i < n; i++) {
    const long double small = (long double)between(0, type == IR_BOOLEAN ? 1 : 9);
    naive_store(type, input, i,
                kind == SPECIAL                                     ? draw_special(type)
                : kind == ANY || (kind == FEW_LARGE && one_in(300)) ? draw_any(type)
                                                                    : small);
  }
}

/* ---- a window ---- */

typedef struct window_facts {
  int64_t taps, greatest_at; /* greatest_at: position of the maximum in the plane; -1: not found */
  naive_wide sum;            /* for integer types */
  long double mean, size, greatest;
} window_facts;

/* Adds one tap, at position `at` of the plane that begins at element `plane`. */
static void take(int64_t plane, int64_t at, window_facts *facts) {
  const ir_type type = plain.what.type;
  const long double x = naive_load(type, input, plane + at);
  const bool is_first = facts->taps == 0 && plain.what.start == IR_MAX_FROM_FIRST;
  if (is_first || x > facts->greatest) {
    facts->greatest = x;
    facts->greatest_at = at;
  }
  facts->taps++;
  facts->mean += x;
  facts->size += fabsl(x);
  if (!naive_is_float(type))
    facts->sum += (naive_wide)x;
}

static window_facts facts_of(int64_t at) {
  const ir_windows *w = &c.windows;
  int64_t where[IR_MAX_RANK], tap[IR_MAX_RANK] = {0}, left = 1;
  const int64_t plane = at / ir_windows_plane_out(w) * ir_windows_plane_in(w);
  window_facts facts = {.greatest = naive_lowest(plain.what.type), .greatest_at = -1};
  for (int a = w->n_axes - 1; a >= 0; a--) {
    where[a] = at % w->axes[a].n_out;
    at /= w->axes[a].n_out;
    left *= w->axes[a].ranges[where[a]].count;
  }
  for (; left > 0; left--) {
    int64_t i = 0;
    for (int a = 0; a < w->n_axes; a++)
      i = i * w->axes[a].n_in + w->axes[a].ranges[where[a]].begin + tap[a] * w->axes[a].step;
    take(plane, i, &facts);
    for (int a = w->n_axes - 1; a >= 0 && ++tap[a] == w->axes[a].ranges[where[a]].count; a--)
      tap[a] = 0;
  }
  return facts;
}

/* A window (`where`) and the current tap of each axis. sum_in_order adds the taps of axis a in the order of
 * src/ops/pool/pool_order.h. Each term is the sum over all earlier axes. */
typedef struct order_at {
  int64_t where[IR_MAX_RANK], tap[IR_MAX_RANK], plane;
} order_at;

static ir_tap_range taps_of(int a, const order_at *at) {
  const ir_windows_axis *axis = &c.windows.axes[a];
  const int64_t o = at->where[a];
  return axis->kernel > 0 ? (ir_tap_range){o * axis->stride - axis->pad_begin, axis->kernel} : axis->ranges[o];
}

static double element_of(const order_at *at) {
  int64_t i = at->plane;
  for (int a = 0; a < c.windows.n_axes; a++) {
    const ir_windows_axis *axis = &c.windows.axes[a];
    const int64_t x = taps_of(a, at).begin + at->tap[a] * axis->step;
    if (x < 0 || x >= axis->n_in)
      return 0;
    i = i * axis->n_in + x;
  }
  return (double)naive_load(plain.what.type, input, i);
}

static double sum_in_order(order_at *at, int a, int64_t from, int64_t n) {
  int64_t p = 1;
  if (n == 1) {
    at->tap[a] = from;
    return a == 0 ? element_of(at) : sum_in_order(at, a - 1, 0, taps_of(a - 1, at).count);
  }
  while (2 * p < n)
    p *= 2;
  const double first = sum_in_order(at, a, from, p);
  return first + sum_in_order(at, a, from + p, n - p);
}

/* Compares float averages bit by bit with the sum in the defined order, divided and rounded to the type. */
static bool is_in_order(long double got, int64_t at, const window_facts *facts) {
  order_at order = {.plane = at / ir_windows_plane_out(&c.windows)};
  const int last = c.windows.n_axes - 1;
  if (plain.what.op != IR_PLAIN_AVERAGE || !naive_is_float(plain.what.type) || facts->taps == 0)
    return true;
  for (int a = last; a >= 0; at /= c.windows.axes[a--].n_out)
    order.where[a] = at % c.windows.axes[a].n_out;
  const double sum = sum_in_order(&order, last, 0, taps_of(last, &order).count);
  return naive_equal(got, naive_round(plain.what.type, sum / (double)(c.divisor > 0 ? c.divisor : facts->taps)));
}

/* Returns sum / n, rounded to nearest with ties to even, or truncated if `is_cut`. */
static naive_wide quotient(naive_wide sum, naive_wide n, bool is_cut) {
  const naive_wide floor = sum / n - (sum % n < 0), rest = sum - floor * n;
  return is_cut ? sum / n : floor + (2 * rest > n || (2 * rest == n && floor % 2 != 0));
}

/* Returns whether a mean is within 4 ulp of the mean of |x|. If the sum can overflow f64, any result is accepted. */
static bool mean_is_near(ir_type type, long double got, const window_facts *facts, long double n) {
  const long double mean = facts->mean / n, rounded = naive_round(type, mean);
  if (isnan(mean) || facts->size > naive_greatest(IR_F64))
    return !isnan(mean) || isnan(got);
  return isinf(rounded) ? got == rounded : fabsl(got - mean) <= 4 * naive_ulp(type, facts->size / n);
}

static bool is_right(long double got, const window_facts *facts) {
  const ir_type type = plain.what.type;
  const int64_t n = facts->taps > 0 && c.divisor > 0 ? c.divisor : facts->taps;
  if (plain.what.op == IR_PLAIN_MAXIMUM || plain.what.op == IR_PLAIN_INDICES)
    return naive_equal(got, facts->greatest);
  if (n == 0)
    return naive_is_float(type) && c.nan_if_empty ? isnan(got) != 0 : got == 0;
  if (type == IR_BOOLEAN)
    return got == (facts->sum != 0);
  const bool is_cut = plain.what.op == IR_PLAIN_QUOTIENT;
  return naive_is_float(type) ? mean_is_near(type, got, facts, (long double)n)
                              : got == naive_wrap(type, (naive_bits)quotient(facts->sum, n, is_cut));
}

static bool index_is_right(int64_t got, int64_t at, const window_facts *facts) {
  const int64_t plane = at / ir_windows_plane_out(&c.windows) * ir_windows_plane_in(&c.windows);
  return got == (plane + (facts->greatest_at < 0 ? 0 : facts->greatest_at)) % plain.what.modulus;
}

/* ---- running ---- */

/* Runs all rows at once or, if `is_split`, in pieces of random size. The worker's scratch is full of NaN. */
static void run(plain_outputs *out, bool is_split, bool has_values) {
  const ir_plain_job job = {
      .plain = &plain, .in = input, .out = has_values ? out->values : NULL, .indices = out->indices, .is_i64 = true};
  const size_t n = (size_t)pool_case_outputs(&c) + GUARD, bytes = (ir_plain_scratch(&plain) + 63) / 64 * 64;
  unsigned char *scratch = aligned_alloc(64, bytes + 64);
  assert_non_null(scratch);
  memset(scratch, 0xff, bytes + 64);
  memset(out->values, 0xa5, 8 * n);
  memset(out->indices, 0xa5, n * sizeof *out->indices);
  for (int64_t u = 0, piece; u < plain.n_rows; u += piece) {
    piece = is_split ? between(1, 5) : plain.n_rows;
    ir_plain_rows(&job, scratch, u, u + piece < plain.n_rows ? u + piece : plain.n_rows);
  }
  for (size_t i = ir_plain_scratch(&plain); i < bytes + 64; i++)
    assert_int_equal(scratch[i], 0xff);
  free(scratch);
}

static void describe(const char *what, int64_t at) {
  static const char *const ops[] = {"average", "quotient", "maximum", "maximum with indices"};
  char text[WINDOWS_TEXT];
  fail_msg("%s of %s, %s: output %lld of %s", ops[plain.what.op], ir_type_name(plain.what.type), what, (long long)at,
           windows_text(&c.windows, text, sizeof text));
}

/* Checks the values. In a large case, checks only some of them. */
static void check_values(void) {
  const int64_t n = pool_case_outputs(&c), each = 1 + n * plain.most_taps / MOST_VISITS;
  for (int64_t i = between(0, each - 1); i < n; i += each) {
    const window_facts facts = facts_of(i);
    if (!is_right(naive_load(plain.what.type, outputs[0].values, i), &facts))
      describe("not what its window has", i);
    if (!is_in_order(naive_load(plain.what.type, outputs[0].values, i), i, &facts))
      describe("not added in order", i);
    if (plain.what.op == IR_PLAIN_INDICES && !index_is_right(outputs[0].indices[i], i, &facts))
      describe("not where it is", i);
  }
}

/* Compares the bits of both outputs, and checks that nothing is written after the outputs. */
static void check_bits(const char *what, bool has_values) {
  const size_t size = ir_type_size(plain.what.type);
  const int64_t n = pool_case_outputs(&c);
  for (int64_t i = 0; i < n && has_values; i++)
    if (memcmp(outputs[0].values + (size_t)i * size, outputs[1].values + (size_t)i * size, size) != 0 &&
        !isnan(naive_load(plain.what.type, outputs[0].values, i)))
      describe(what, i);
  assert_memory_equal(outputs[0].indices, outputs[1].indices, (size_t)(n + GUARD) * sizeof *outputs[0].indices);
  for (size_t i = has_values ? (size_t)n * size : 0; i < (size_t)(n + GUARD) * size; i++)
    assert_int_equal(outputs[1].values[i], 0xa5);
}

static void make_plain(ir_plain_op op, ir_type type) {
  ir_plan plan = {.arena = &c.arena, .memory = &c.memory, .diags = &c.diags};
  const int64_t plane = ir_windows_plane_in(&c.windows);
  const ir_plain_what what = {.op = op,
                              .type = type,
                              .divisor = c.divisor,
                              .nan_if_empty = c.nan_if_empty,
                              .start = one_in(2) ? IR_MAX_FROM_FIRST : IR_MAX_FROM_LOWEST,
                              .modulus = one_in(2) ? c.windows.axes[c.windows.n_axes - 1].n_in
                                                   : plane * (one_in(2) ? c.windows.n_planes : 1)};
  assert_true(ir_plain_make(&plan, &c.windows, &what, &plain));
}

static void check_op(ir_plain_op op, ir_type type) {
  const bool has_values = op != IR_PLAIN_INDICES || one_in(2);
  make_plain(op, type);
  assert_non_null(plain.kernel);
  fill(type, (element_kind)between(0, N_KINDS - 1));
  run(&outputs[0], false, true);
  check_values();
  run(&outputs[1], true, has_values);
  check_bits("split", has_values);
}

static void every_kernel_has_what_windows_have(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!pool_case_draw(&c))
      continue;
    for (int type = 0; type < IR_TYPE_COUNT; type++)
      for (int op = IR_PLAIN_AVERAGE; op <= IR_PLAIN_INDICES && ir_type_in((ir_type)type, IR_SET_STORED); op++)
        if (op != IR_PLAIN_QUOTIENT || ir_type_in((ir_type)type, IR_SET_INTEGERS))
          check_op((ir_plain_op)op, (ir_type)type);
  }
}

/* ---- long rows ---- */

static void one_window(ir_plain_op op, ir_type type, int64_t n, int64_t divisor) {
  static ir_tap_range range;
  range = (ir_tap_range){0, n};
  c.windows = (ir_windows){.n_planes = 1, .n_axes = 1};
  c.windows.axes[0] = (ir_windows_axis){.n_in = n, .n_out = 1, .step = 1, .ranges = &range};
  c.divisor = divisor;
  make_plain(op, type);
}

/* Sequential addition of many f64 numbers would lose precision. */
static void a_long_mean_is_near(void **state) {
  (void)state;
  const int64_t n = MOST_ELEMENTS - GUARD;
  one_window(IR_PLAIN_AVERAGE, IR_F64, n, 0);
  for (int64_t i = 0; i < n; i++)
    ((double *)(void *)input)[i] = 0.1;
  run(&outputs[0], false, true);
  const double got = *(double *)(void *)outputs[0].values;
  assert_true(fabs(got - 0.1) <= 4 * 0x1p-56);
}

/* Sums are odd multiples of half the divisor, so quotients are ties. Each case runs with the chosen kernel and with
 * the kernel of 128-bit sums. */
static void halves_go_to_the_even(void **state) {
  (void)state;
  static const ir_type types[] = {IR_I8, IR_U8, IR_I16, IR_U16, IR_I32, IR_U32, IR_I64, IR_U64};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (int n = 0; n < 400; n++) {
      const int64_t taps = between(1, 8), divisor = 2 * between(1, one_in(2) ? 20 : INT64_C(1) << 40);
      one_window(one_in(3) ? IR_PLAIN_QUOTIENT : IR_PLAIN_AVERAGE, types[t], taps, divisor);
      for (int64_t i = 0; i < taps; i++) {
        const naive_wide half = ((naive_wide)between(-1000, 1000) * 2 + 1) * (divisor / 2);
        const long double x = (long double)(i == 0 ? half : divisor * between(-5, 5));
        const bool fits = x >= naive_lowest(types[t]) && x <= naive_greatest(types[t]);
        naive_store(types[t], input, i, fits ? x : 1);
      }
      run(&outputs[0], false, true);
      check_values();
      plain.kernel = ir_plain_kernel_of(types[t], IR_PLAIN_WIDE_SUMS);
      run(&outputs[0], false, true);
      check_values();
    }
}

static void sums_that_doubles_may_not_hold_are_wide(void **state) {
  (void)state;
  static const ir_type types[] = {IR_I16, IR_U16, IR_I32, IR_U32, IR_I64, IR_U64};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
    const long double largest = fmaxl(naive_greatest(types[t]), -naive_lowest(types[t]));
    for (int64_t taps = 1; taps < INT64_C(1) << 46; taps *= 2) {
      one_window(IR_PLAIN_AVERAGE, types[t], taps, 0);
      assert_true(plain.kernel == ir_plain_kernel_of(types[t], IR_PLAIN_WIDE_SUMS) ||
                  largest * (long double)taps <= 0x1p51L);
    }
  }
}

static int set_up(void **state) {
  (void)state;
  pool_case_init(&c);
  return draw_seed(NULL);
}

static int tear_down(void **state) {
  (void)state;
  pool_case_reset(&c);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_has_what_windows_have),
      cmocka_unit_test(a_long_mean_is_near),
      cmocka_unit_test(halves_go_to_the_even),
      cmocka_unit_test(sums_that_doubles_may_not_hold_are_wide),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

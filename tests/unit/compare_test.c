/* Tests the comparison of tensors: the rule and its corner cases, the tolerances needed to pass, and the statistics,
 * against a sorted list. */
#include "element_types.h"
#include "runtime/compare/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const irrun_tolerance by_type = {-1, -1, -1};

typedef struct result {
  irrun_comparison c;
  int64_t got_not_finite;
} result;

static ir_tensor tensor_of(ir_type type, int rank, const int64_t *dims, const void *data) {
  ir_shape shape = ir_shape_of(rank, dims);
  size_t bytes;
  assert_true(ir_tensor_bytes(type, &shape, &bytes));
  return ir_tensor_borrow(type, &shape, (void *)(uintptr_t)data, bytes);
}

static result compare(ir_type type, int rank, const int64_t *dims, const void *got, const void *expected,
                      irrun_tolerance tolerance) {
  ir_tensor a = tensor_of(type, rank, dims, got), b = tensor_of(type, rank, dims, expected);
  result r;
  ir_compare(&a, &b, tolerance, NULL, NULL, &r.c, &r.got_not_finite);
  assert_true(r.c.comparable);
  assert_int_equal(r.c.match, r.c.mismatched == 0);
  return r;
}

static result compare_list(ir_type type, int64_t n, const void *got, const void *expected, irrun_tolerance tolerance) {
  return compare(type, 1, &n, got, expected, tolerance);
}

static result compare_f32(float got, float expected, irrun_tolerance tolerance) {
  return compare_list(IR_F32, 1, &got, &expected, tolerance);
}
static result compare_f64(double got, double expected, irrun_tolerance tolerance) {
  return compare_list(IR_F64, 1, &got, &expected, tolerance);
}
static result compare_i64(int64_t got, int64_t expected, irrun_tolerance tolerance) {
  return compare_list(IR_I64, 1, &got, &expected, tolerance);
}

static void of_no_elements_nothing_differs(void **state) {
  (void)state;
  const int64_t huge = INT64_C(1) << 62, dims[] = {huge, huge, 0};
  result r = compare(IR_F32, 3, dims, NULL, NULL, by_type);
  assert_true(r.c.match);
  assert_int_equal(r.c.count, 0);
}

/* ---- the rule ---- */

static void the_limit_itself_passes(void **state) {
  (void)state;
  assert_true(compare_f64(1.5, 1, (irrun_tolerance){0.5, 0, -1}).c.match);
  assert_false(compare_f64(1.5, 1, (irrun_tolerance){nextafter(0.5, 0), 0, -1}).c.match);
  assert_true(compare_f64(-3, -2, (irrun_tolerance){0, 0.5, -1}).c.match);
  assert_true(compare_f64(-1, -2, (irrun_tolerance){0.5, 0.25, -1}).c.match);
  /* rtol is relative to the expected number, not to the larger one. */
  assert_false(compare_f64(4, 2, (irrun_tolerance){0, 0.5, -1}).c.match);
  assert_true(compare_f64(2, 4, (irrun_tolerance){0, 0.5, -1}).c.match);
}

static void tolerances_come_from_the_type(void **state) {
  (void)state;
  static const struct {
    ir_type type;
    double atol, rtol;
  } rows[] = {{IR_F64, 1e-12, 1e-9}, {IR_F32, 1e-6, 1e-5}, {IR_F16, 1e-3, 1e-3}, {IR_BF16, 1e-2, 1e-2},
              {IR_I8, 0, 0},         {IR_I64, 0, 0},       {IR_U64, 0, 0},       {IR_BOOLEAN, 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const uint64_t zero = 0;
    result r = compare_list(rows[i].type, 1, &zero, &zero, by_type);
    assert_true(r.c.atol == rows[i].atol && r.c.rtol == rows[i].rtol);
    assert_int_equal(r.c.ulp, -1);
    assert_true(r.c.default_tolerance);
    r = compare_list(rows[i].type, 1, &zero, &zero, (irrun_tolerance){rows[i].atol, rows[i].rtol, -1});
    assert_true(r.c.default_tolerance);
    r = compare_list(rows[i].type, 1, &zero, &zero, (irrun_tolerance){0.25, -1, 7});
    assert_true(r.c.atol == 0.25 && r.c.rtol == rows[i].rtol);
    assert_int_equal(r.c.ulp, 7);
    assert_false(r.c.default_tolerance);
  }
}

static void integers_are_exact_until_told_otherwise(void **state) {
  (void)state;
  const int64_t big = INT64_C(1) << 53;
  assert_false(compare_i64(big + 1, big, by_type).c.match);
  assert_true(compare_i64(big + 1, big, (irrun_tolerance){1, -1, -1}).c.match);
  assert_false(compare_i64(2 * big + 1, 0, (irrun_tolerance){(double)(2 * big), 0, -1}).c.match);
  assert_true(compare_i64(110, 100, (irrun_tolerance){-1, 0.1, -1}).c.match);
  assert_false(compare_i64(111, 100, (irrun_tolerance){-1, 0.1, -1}).c.match);
  const uint64_t low = 0, high = UINT64_MAX;
  result r = compare_list(IR_U64, 1, &high, &low, (irrun_tolerance){0x1p64, 0, -1});
  assert_true(r.c.match);
  assert_false(compare_list(IR_U64, 1, &high, &low, (irrun_tolerance){nextafter(0x1p64, 0), 0, -1}).c.match);
  const uint8_t two = 2, one = 1;
  assert_true(compare_list(IR_BOOLEAN, 1, &two, &one, by_type).c.match); /* any nonzero byte is true */
}

static void the_widest_distances_saturate(void **state) {
  (void)state;
  result r = compare_i64(INT64_MIN, INT64_MAX, by_type);
  assert_false(r.c.match);
  assert_true(r.c.worst_ulp == INT64_MAX && r.c.ulp_max == INT64_MAX && r.c.ulp_p50 == INT64_MAX);
  assert_int_equal(r.c.needed_ulp, -1);
  assert_true(compare_i64(INT64_MIN, INT64_MAX, (irrun_tolerance){r.c.needed_atol, 0, -1}).c.match);
  r = compare_f64(-DBL_MAX, DBL_MAX, by_type);
  assert_false(r.c.match);
  assert_true(isinf(r.c.worst_abs) && r.c.needed_atol < 0 && r.c.needed_ulp < 0);
}

/* Both the difference and rtol * |expected| overflow a double. */
static void a_difference_beyond_all_doubles_has_a_ratio(void **state) {
  (void)state;
  result r = compare_f64(-1.7e308, 1.7e308, by_type);
  assert_true(r.c.needed_rtol == 2 && r.c.worst_rel == 2 && r.c.max_rel == 2);
  assert_true(compare_f64(-1.7e308, 1.7e308, (irrun_tolerance){0, 2, -1}).c.match);
  assert_true(compare_f64(-1.7e308, 1.7e308, (irrun_tolerance){0, 3, -1}).c.match);
  r = compare_f64(-1.7e308, 1.7e308, (irrun_tolerance){0, 1.9, -1});
  assert_false(r.c.match);
  assert_true(r.c.needed_atol > 1.69e307 && r.c.needed_atol < 1.71e307);
  assert_true(compare_f64(-1.7e308, 1.7e308, (irrun_tolerance){r.c.needed_atol, 1.9, -1}).c.match);
}

static void only_like_meets_like_beyond_the_numbers(void **state) {
  (void)state;
  static const irrun_tolerance widest = {INFINITY, INFINITY, INT64_MAX};
  const float inf = INFINITY;
  uint32_t other_payload = 0xFFC01234;
  float other_nan;
  memcpy(&other_nan, &other_payload, sizeof other_nan);
  assert_true(compare_f32(NAN, other_nan, by_type).c.match);
  assert_true(compare_f32(inf, inf, by_type).c.match && compare_f32(-inf, -inf, by_type).c.match);
  const float pairs[][2] = {{NAN, 1}, {1, NAN}, {inf, FLT_MAX}, {FLT_MAX, inf}, {inf, -inf}, {NAN, inf}, {-inf, NAN}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    result r = compare_f32(pairs[i][0], pairs[i][1], widest);
    assert_false(r.c.match);
    assert_int_equal(r.c.not_finite, 1);
    assert_int_equal(r.got_not_finite, isfinite(pairs[i][1]));
    assert_true(isinf(r.c.worst_abs) && isinf(r.c.worst_rel) && r.c.worst_ulp == -1);
    assert_true(r.c.needed_atol < 0 && r.c.needed_rtol < 0 && r.c.needed_ulp < 0);
  }
}

static void zeros_are_one_number(void **state) {
  (void)state;
  result r = compare_f32(-0.0F, 0.0F, (irrun_tolerance){0, 0, -1});
  assert_true(r.c.match);
  assert_int_equal(r.c.ulp_max, 0);
  r = compare_f32(-FLT_TRUE_MIN, FLT_TRUE_MIN, (irrun_tolerance){0, 0, -1});
  assert_int_equal(r.c.worst_ulp, 2);
}

static void ulps_are_steps_of_the_type(void **state) {
  (void)state;
  static const irrun_tolerance exact = {0, 0, -1};
  assert_int_equal(compare_f32(1, nextafterf(1, 2), exact).c.worst_ulp, 1);
  assert_int_equal(compare_f32(1, 2, exact).c.worst_ulp, 1 << 23);
  assert_int_equal(compare_f64(-1, -2, exact).c.worst_ulp, INT64_C(1) << 52);
  const uint16_t one_f16 = 0x3C00, two_f16 = 0x4000, one_bf16 = 0x3F80, two_bf16 = 0x4000;
  assert_int_equal(compare_list(IR_F16, 1, &one_f16, &two_f16, exact).c.worst_ulp, 1 << 10);
  assert_int_equal(compare_list(IR_BF16, 1, &two_bf16, &one_bf16, exact).c.worst_ulp, 1 << 7);
  const int8_t a = -100, b = 100;
  assert_int_equal(compare_list(IR_I8, 1, &a, &b, exact).c.worst_ulp, 200);
  assert_true(compare_f32(1, nextafterf(1, 2), (irrun_tolerance){0, 0, 1}).c.match);
  assert_false(compare_f32(1, nextafterf(1, 2), (irrun_tolerance){0, 0, 0}).c.match);
  assert_true(compare_f32(1, 5, (irrun_tolerance){4, 0, 0}).c.match); /* passes by atol alone */
}

/* ---- the report ---- */

static void worst_and_first_are_named(void **state) {
  (void)state;
  const int64_t dims[] = {1, 2, 2, 3};
  float expected[12] = {0}, got[12] = {0};
  for (int i = 0; i < 12; i++)
    got[i] = expected[i] = (float)i;
  expected[1] = 1e6F;
  got[1] = 1e6F + 1; /* a large difference, but within rtol */
  got[5] += 0.125F;
  got[10] -= 0.25F;
  result r = compare(IR_F32, 4, dims, got, expected, by_type);
  assert_int_equal(r.c.mismatched, 2);
  const int64_t first[] = {0, 0, 1, 2}, worst[] = {0, 1, 1, 1};
  assert_memory_equal(r.c.first_index, first, sizeof first);
  assert_memory_equal(r.c.worst_index, worst, sizeof worst);
  assert_string_equal(r.c.worst_got, "9.75");
  assert_string_equal(r.c.worst_expected, "10");
  assert_true(r.c.worst_abs == 0.25 && r.c.worst_rel == 0.025 && r.c.abs_max == 1);
  assert_true(r.c.max_rel == 0.025 && r.c.abs_mean == 1.375 / 12);
}

static void a_value_that_is_not_finite_is_the_worst(void **state) {
  (void)state;
  const float got[] = {1, 9, 3, NAN, INFINITY}, expected[] = {1, 2, NAN, 4, 5};
  result r = compare_list(IR_F32, 5, got, expected, by_type);
  assert_int_equal(r.c.mismatched, 4);
  assert_int_equal(r.c.not_finite, 3);
  assert_int_equal(r.got_not_finite, 2);
  assert_int_equal(r.c.worst_index[0], 3);
  assert_int_equal(r.c.first_index[0], 1);
  assert_string_equal(r.c.worst_got, "nan");
  assert_true(r.c.abs_max == 7 && r.c.abs_mean == 3.5); /* over the two elements where both numbers are finite */
}

static void shared_places_are_found(void **state) {
  (void)state;
  const int64_t dims[] = {1, 2, 4, 4};
  int32_t expected[32] = {0}, got[32] = {0};
  for (int i = 0; i < 4; i++)
    got[12 + i] = got[28 + i] = 1; /* row H = 3 of both channels */
  result r = compare(IR_I32, 4, dims, got, expected, by_type);
  const int64_t last_row[] = {-1, -1, 3, -1};
  assert_memory_equal(r.c.where, last_row, sizeof last_row);
  assert_true(r.c.where_is_border);
  memset(got, 0, sizeof got);
  got[16 + 5] = got[16 + 9] = 1; /* channel 1, W = 1; rows 1 and 2 */
  r = compare(IR_I32, 4, dims, got, expected, by_type);
  const int64_t column[] = {-1, 1, -1, 1};
  assert_memory_equal(r.c.where, column, sizeof column);
  assert_false(r.c.where_is_border);
  got[3] = 1;
  r = compare(IR_I32, 4, dims, got, expected, by_type);
  const int64_t none[] = {-1, -1, -1, -1};
  assert_memory_equal(r.c.where, none, sizeof none);
  r = compare(IR_I32, 4, dims, expected, expected, by_type);
  assert_memory_equal(r.c.where, none, sizeof none);
}

static void no_elements_and_one(void **state) {
  (void)state;
  const int64_t dims[] = {1, 0, 4};
  const float one = 1, two = 2;
  result r = compare(IR_F32, 3, dims, &one, &two, by_type);
  assert_true(r.c.match);
  assert_int_equal(r.c.count, 0);
  r = compare(IR_F32, 0, NULL, &one, &two, by_type);
  assert_int_equal(r.c.count, 1);
  assert_int_equal(r.c.mismatched, 1);
  assert_int_equal(r.c.rank, 0);
}

/* ---- random tensors ---- */

/* xorshift64*, which gives the same numbers on every machine. */
static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return *seed * UINT64_C(0x2545F4914F6CDD1D);
}

#define MOST 1500
typedef union list {
  unsigned char bytes[8 * MOST];
  float f32[MOST];
  double f64[MOST];
  int64_t i64[MOST];
} list;

/* Draws arbitrary bits, which include NaN and infinities. Some pairs differ by a few ulps or one bit. */
static void draw(uint64_t *seed, ir_type type, int64_t n, bool finite, list *got, list *expected) {
  size_t size = ir_type_size(type);
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits = next_random(seed), change = next_random(seed), other = bits;
    if (change % 4 == 1)
      other = bits + (change >> 32) % 64;
    else if (change % 4 == 2)
      other = bits ^ (UINT64_C(1) << (change >> 32) % (8 * size));
    memcpy(got->bytes + (size_t)i * size, &bits, size);
    memcpy(expected->bytes + (size_t)i * size, &other, size);
  }
  if (!finite || !ir_type_in(type, IR_SET_FLOATS))
    return;
  ir_tensor a = tensor_of(type, 1, &n, got), b = tensor_of(type, 1, &n, expected);
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(ir_number_as_double(ir_tensor_get(&a, i))) || !isfinite(ir_number_as_double(ir_tensor_get(&b, i)))) {
      memset(got->bytes + (size_t)i * size, 0, size);
      memset(expected->bytes + (size_t)i * size, 0, size);
    }
}

/* Returns the tolerance as reports print it: two digits, rounded up. */
static double printed(double needed) {
  char text[40];
  snprintf(text, sizeof text, "%.1e", needed);
  double value = strtod(text, NULL);
  if (value < needed) {
    snprintf(text, sizeof text, "%.1e", value * (1 + 1e-9) + pow(10, floor(log10(value)) - 1));
    value = strtod(text, NULL);
  }
  assert_true(value >= needed);
  return value;
}

static void expect_just_enough(ir_type type, int64_t n, const list *got, const list *expected, irrun_tolerance enough,
                               irrun_tolerance less, bool can_be_less) {
  assert_true(compare_list(type, n, got, expected, enough).c.match);
  if (can_be_less)
    assert_false(compare_list(type, n, got, expected, less).c.match);
}

static void what_is_needed_passes_and_less_does_not(void **state) {
  (void)state;
  static list got, expected;
  uint64_t seed = 20;
  for (int round = 0; round < 200; round++)
    for (size_t t = 0; t < N_ELEMENT_TYPES; t++) {
      ir_type type = element_types[t];
      int64_t n = 1 + (int64_t)(next_random(&seed) % 8);
      draw(&seed, type, n, true, &got, &expected);
      irrun_tolerance used = {round % 3 == 0 ? 0 : -1, round % 2 == 0 ? 0 : -1, round % 4 == 0 ? 8 : -1};
      irrun_comparison c = compare_list(type, n, &got, &expected, used).c;
      double atol = c.needed_atol, rtol = c.needed_rtol;
      if (atol >= 0) {
        irrun_tolerance less = {atol * (1 - 1e-6), c.rtol, c.ulp};
        expect_just_enough(type, n, &got, &expected, (irrun_tolerance){atol, c.rtol, c.ulp}, less, atol > 1e-300);
        expect_just_enough(type, n, &got, &expected, (irrun_tolerance){printed(atol), c.rtol, c.ulp}, less, false);
      }
      if (rtol >= 0) {
        irrun_tolerance less = {c.atol, rtol * (1 - 1e-6), c.ulp};
        expect_just_enough(type, n, &got, &expected, (irrun_tolerance){c.atol, rtol, c.ulp}, less, rtol > 1e-300);
      }
      if (c.needed_ulp >= 0)
        expect_just_enough(type, n, &got, &expected, (irrun_tolerance){c.atol, c.rtol, c.needed_ulp},
                           (irrun_tolerance){c.atol, c.rtol, c.needed_ulp - 1}, c.needed_ulp > 0);
      if (c.match)
        assert_true(atol <= c.atol && rtol <= c.rtol && (c.ulp < 0 || c.needed_ulp <= c.ulp));
    }
}

static void no_rtol_helps_beside_an_expected_zero(void **state) {
  (void)state;
  const float got[] = {1, 0.5F}, expected[] = {2, 0};
  irrun_comparison c = compare_list(IR_F32, 2, got, expected, by_type).c;
  assert_true(c.needed_rtol < 0);
  assert_true(c.needed_atol > 0.99 && c.needed_atol <= 1);
  c = compare_list(IR_F32, 2, got, expected, (irrun_tolerance){0.5, -1, -1}).c;
  assert_true(c.needed_rtol == 0.25);
  assert_false(compare_f32(1, 0, (irrun_tolerance){0, INFINITY, -1}).c.match);
  assert_true(compare_f32(1, 1e-38F, (irrun_tolerance){0, INFINITY, -1}).c.match);
  c = compare_f64(1, DBL_TRUE_MIN, (irrun_tolerance){0, 0, -1}).c; /* 1 / DBL_TRUE_MIN overflows a double */
  assert_true(c.needed_rtol < 0 && c.needed_atol == 1);
}

static void the_worst_of_large_integers_is_exact(void **state) {
  (void)state;
  const int64_t got[] = {(INT64_C(1) << 53) + 1, (INT64_C(1) << 53) + 2, 5}, expected[] = {0, 0, 0};
  irrun_comparison c = compare_list(IR_I64, 3, got, expected, by_type).c;
  assert_int_equal(c.worst_index[0], 1);
  assert_true(c.worst_ulp == got[1]);
  assert_string_equal(c.worst_got, "9007199254740994");
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double of_rank(const double *sorted, int64_t n, int64_t percent) {
  return sorted[(n * percent + 99) / 100 - 1];
}

static void percentiles_are_those_of_a_sorted_list(void **state) {
  (void)state;
  static list got, expected;
  static double gaps[MOST], steps[MOST];
  uint64_t seed = 4;
  static const int64_t sizes[] = {1, 2, 3, 99, 100, 101, 511, 512, 513, 1500};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    int64_t n = sizes[s], n_finite = 0;
    draw(&seed, IR_F32, n, false, &got, &expected);
    for (int64_t i = 0; i < n; i++) {
      if (!isfinite(got.f32[i]) || !isfinite(expected.f32[i]))
        continue;
      irrun_comparison one = compare_f32(got.f32[i], expected.f32[i], (irrun_tolerance){0, 0, -1}).c;
      steps[n_finite] = (double)one.worst_ulp;
      gaps[n_finite++] = fabs((double)got.f32[i] - (double)expected.f32[i]);
    }
    qsort(gaps, (size_t)n_finite, sizeof gaps[0], by_size);
    qsort(steps, (size_t)n_finite, sizeof steps[0], by_size);
    irrun_comparison c = compare_list(IR_F32, n, &got, &expected, by_type).c;
    assert_true(c.abs_p50 == of_rank(gaps, n_finite, 50));
    assert_true(c.abs_p90 == of_rank(gaps, n_finite, 90));
    assert_true(c.abs_p99 == of_rank(gaps, n_finite, 99));
    assert_true((double)c.ulp_p50 == of_rank(steps, n_finite, 50));
    assert_true((double)c.ulp_p99 == of_rank(steps, n_finite, 99));
    assert_true(c.abs_max == gaps[n_finite - 1] && (double)c.ulp_max == steps[n_finite - 1]);
  }
}

/* Counts mismatches by an independent loop: integers in 128 bits, floats element by element. */
static void counts_agree_with_a_plain_loop(void **state) {
  (void)state;
  static list got, expected;
  uint64_t seed = 7;
  for (size_t t = 0; t < N_ELEMENT_TYPES; t++) {
    ir_type type = element_types[t];
    int64_t n = 1031, wrong = 0;
    draw(&seed, type, n, false, &got, &expected);
    ir_tensor a = tensor_of(type, 1, &n, &got), b = tensor_of(type, 1, &n, &expected);
    irrun_comparison c = compare_list(type, n, &got, &expected, by_type).c;
    for (int64_t i = 0; i < n; i++) {
      ir_number x = ir_tensor_get(&a, i), y = ir_tensor_get(&b, i);
      double p = ir_number_as_double(x), q = ir_number_as_double(y);
      if (x.kind != IR_NUMBER_FLOAT)
        wrong += x.u != y.u;
      else if (!isfinite(p) || !isfinite(q))
        wrong += !(p == q || (isnan(p) && isnan(q)));
      else
        wrong += fabs(p - q) > c.atol + c.rtol * fabs(q);
    }
    assert_int_equal(c.mismatched, wrong);
  }
}

/* ---- statistics of one tensor ---- */

static irrun_statistics statistics_of(ir_type type, int64_t n, const void *data) {
  ir_tensor tensor = tensor_of(type, 1, &n, data);
  return ir_statistics(&tensor);
}

static void statistics_are_of_the_finite(void **state) {
  (void)state;
  const float some[] = {NAN, 3, -INFINITY, -1, 7, INFINITY, -INFINITY};
  irrun_statistics s = statistics_of(IR_F32, 7, some);
  assert_true(s.finite == 3 && s.nans == 1 && s.infinities == 3 && s.negative_infinities == 2);
  assert_true(s.min == -1 && s.max == 7 && s.mean == 3);
  s = statistics_of(IR_F32, 1, some);
  assert_true(s.finite == 0 && s.nans == 1 && s.min == 0 && s.max == 0 && s.mean == 0);
  s = statistics_of(IR_F32, 0, some);
  assert_true(s.finite == 0 && s.nans == 0 && s.mean == 0);
  const double large[] = {DBL_MAX, DBL_MAX, DBL_MAX / 2, DBL_MAX / 2};
  s = statistics_of(IR_F64, 4, large);
  assert_true(s.mean == DBL_MAX * 0.75);
  const uint64_t whole[] = {0, UINT64_MAX};
  s = statistics_of(IR_U64, 2, whole);
  assert_true(s.max == 0x1p64 && s.mean == 0x1p63);
  const uint8_t truths[] = {0, 1, 255, 0};
  s = statistics_of(IR_BOOLEAN, 4, truths);
  assert_true(s.max == 1 && s.mean == 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_no_elements_nothing_differs),
      cmocka_unit_test(the_limit_itself_passes),
      cmocka_unit_test(tolerances_come_from_the_type),
      cmocka_unit_test(integers_are_exact_until_told_otherwise),
      cmocka_unit_test(the_widest_distances_saturate),
      cmocka_unit_test(a_difference_beyond_all_doubles_has_a_ratio),
      cmocka_unit_test(only_like_meets_like_beyond_the_numbers),
      cmocka_unit_test(zeros_are_one_number),
      cmocka_unit_test(ulps_are_steps_of_the_type),
      cmocka_unit_test(worst_and_first_are_named),
      cmocka_unit_test(a_value_that_is_not_finite_is_the_worst),
      cmocka_unit_test(shared_places_are_found),
      cmocka_unit_test(no_elements_and_one),
      cmocka_unit_test(what_is_needed_passes_and_less_does_not),
      cmocka_unit_test(no_rtol_helps_beside_an_expected_zero),
      cmocka_unit_test(the_worst_of_large_integers_is_exact),
      cmocka_unit_test(percentiles_are_those_of_a_sorted_list),
      cmocka_unit_test(counts_agree_with_a_plain_loop),
      cmocka_unit_test(statistics_are_of_the_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

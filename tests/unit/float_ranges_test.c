/* Tests ranges of float elements. A range of one number gives C's result, a wider range contains the results of all
 * its numbers. */
#include "ops/float_ranges.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const float numbers[] = {-INFINITY, -3e38f, -70000.0f, -2.5f, -1.0f, -1e-40f, 0.0f,  0.1f,
                                0.5f,      1.0f,   1.5f,      3.0f,  17.0f, 2049.0f, 1e30f, INFINITY};
enum { N = sizeof numbers / sizeof numbers[0] };

static ir_dim range(double lo, double hi) {
  return ir_range_of_interval((ir_interval){lo, hi});
}

static void assert_holds(ir_dim made, double number) {
  const ir_interval interval = ir_interval_of_range(made);
  assert_true(isnan(interval.lo) || (interval.lo <= number && number <= interval.hi));
}

static void places_rise_with_numbers(void **state) {
  (void)state;
  for (int i = 0; i < N; i++) {
    const ir_dim at = range(numbers[i], numbers[i]);
    const ir_interval back = ir_interval_of_range(at);
    assert_true(ir_dim_known(at) && back.lo == (double)numbers[i] && back.hi == (double)numbers[i]);
    assert_true(i == 0 || range(numbers[i - 1], numbers[i - 1]).lo < at.lo);
  }
  assert_true(ir_dims_equal(range(-0.0, -0.0), ir_dim_of(0)));
  assert_true(ir_dims_equal(range(NAN, 1), ir_range_any()) && ir_dims_equal(range(1, NAN), ir_range_any()));
  assert_true(isnan(ir_interval_of_range(ir_range_any()).lo));
}

/* ---- arithmetic ---- */

static double sum(double a, double b) {
  return a + b;
}

static double product(double a, double b) {
  return a * b;
}

static void closed_sums_and_products_are_those_of_floats(void **state) {
  (void)state;
  for (int i = 1; i < N - 1; i++)
    for (int k = 1; k < N - 1; k++) {
      const ir_dim a = range(numbers[i], numbers[i]), b = range(numbers[k], numbers[k]);
      const float added = numbers[i] + numbers[k], multiplied = numbers[i] * numbers[k];
      assert_true(ir_dims_equal(ir_range_of_two(IR_F32, sum, a, b), range(added, added)));
      assert_true(ir_dims_equal(ir_range_of_two(IR_F32, product, a, b), range(multiplied, multiplied)));
    }
}

/* Checks products of all finite test numbers in the two ranges. An infinite end is open. */
static void assert_products(int a_lo, int a_hi, int b_lo, int b_hi) {
  const ir_dim made =
      ir_range_of_two(IR_F32, product, range(numbers[a_lo], numbers[a_hi]), range(numbers[b_lo], numbers[b_hi]));
  for (int i = a_lo; i <= a_hi; i++)
    for (int k = b_lo; k <= b_hi; k++)
      if (!isinf(numbers[i]) && !isinf(numbers[k]))
        assert_holds(made, (double)(numbers[i] * numbers[k]));
}

static void intervals_hold_all_products(void **state) {
  (void)state;
  for (int a = 0; a < N * N; a++)
    for (int b = 0; b < N * N; b++)
      if (a / N <= a % N && b / N <= b % N)
        assert_products(a / N, a % N, b / N, b % N);
  /* products of an unbounded size by 0 and by 0.5 */
  assert_true(ir_dims_equal(ir_range_of_two(IR_F32, product, range(1, INFINITY), range(0, 0)), range(0, 0)));
  assert_true(
      ir_dims_equal(ir_range_of_two(IR_F32, product, range(3, INFINITY), range(0.5, 0.5)), range(1.5, INFINITY)));
  /* A range from infinity to infinity is the number infinity, not an open range. */
  assert_true(ir_dims_equal(ir_range_of_two(IR_F32, product, range(INFINITY, INFINITY), range(0, 0)), ir_range_any()));
}

static void roots_of_what_may_be_negative_are_not_told(void **state) {
  (void)state;
  assert_true(ir_dims_equal(ir_range_rising(IR_F32, sqrt, range(4, 9)), range(2, 3)));
  assert_true(ir_dims_equal(ir_range_rising(IR_F32, sqrt, range(-1, 9)), ir_range_any()));
  assert_true(ir_dims_equal(ir_range_rising(IR_F32, floor, range(-1.5, INFINITY)), range(-2, INFINITY)));
}

/* ---- types ---- */

static ir_dim from_whole(int64_t lo, int64_t hi, ir_type to) {
  return ir_range_converted((ir_dim){lo, hi}, IR_I64, to);
}

static void integers_become_floats(void **state) {
  (void)state;
  assert_true(ir_dims_equal(from_whole(3, 16777217, IR_F32), range(3, 16777216)));
  assert_true(ir_dims_equal(from_whole(2049, 2051, IR_F16), range(2048, 2052)));
  assert_true(ir_dims_equal(from_whole(257, 70000, IR_F16), range(257, INFINITY)));
  assert_true(ir_dims_equal(from_whole(257, 259, IR_BF16), range(256, 260)));
  assert_true(ir_dims_equal(from_whole(1, INT64_MAX, IR_F32), range(1, INFINITY)));
  assert_true(ir_dims_equal(from_whole(INT64_MIN, INT64_MAX, IR_F32), range(-INFINITY, INFINITY)));
  /* The integer has to be rounded once. Rounding to f64 first would give 2^60. */
  const int64_t n = (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1;
  assert_true(ir_dims_equal(from_whole(n, n, IR_F32), range((double)(float)n, (double)(float)n)));
}

static void floats_become_integers(void **state) {
  (void)state;
  assert_true(ir_dims_equal(ir_range_converted(range(-2.7, 2.7), IR_F32, IR_I64), (ir_dim){-2, 2}));
  assert_true(ir_dims_equal(ir_range_converted(range(1.5, INFINITY), IR_F32, IR_I64), (ir_dim){1, INT64_MAX}));
  assert_true(ir_dims_equal(ir_range_converted(range(-1e30, 1e30), IR_F32, IR_I64), ir_range_any()));
  assert_true(ir_dims_equal(ir_range_converted(range(1e30, 1e30), IR_F32, IR_I64), ir_range_any()));
  assert_true(ir_dims_equal(ir_range_converted(ir_range_any(), IR_F32, IR_I64), ir_range_any()));
  assert_true(ir_dims_equal(ir_range_converted(range(0.1, 0.1), IR_F32, IR_BOOLEAN), ir_dim_of(1)));
  assert_true(ir_dims_equal(ir_range_converted(range(0, 0), IR_F32, IR_BOOLEAN), ir_dim_of(0)));
  assert_true(ir_dims_equal(ir_range_converted(range(-1, 1), IR_F32, IR_BOOLEAN), (ir_dim){0, 1}));
  assert_true(
      ir_dims_equal(ir_range_converted(range(0.1, 70000), IR_F64, IR_F16), range((double)0.0999755859375, INFINITY)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_rise_with_numbers),    cmocka_unit_test(closed_sums_and_products_are_those_of_floats),
      cmocka_unit_test(intervals_hold_all_products), cmocka_unit_test(roots_of_what_may_be_negative_are_not_told),
      cmocka_unit_test(integers_become_floats),      cmocka_unit_test(floats_become_integers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

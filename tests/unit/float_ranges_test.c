/* Tests ranges of elements. A range of one number gives C's result, a wider range contains the results of all its
 * numbers. */
#include "op_case.h"
#include "ops/float_ranges.h"
#include "ops/ranges.h"
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

/* ---- ops ---- */

static double floor_mod(double a, double b) {
  return b == 0 ? NAN : a - floor(a / b) * b;
}
#define RULE(name, expression)                                                                                         \
  static double name(double a, double b) {                                                                             \
    (void)b;                                                                                                           \
    return expression;                                                                                                 \
  }
RULE(rest, b == 0 ? NAN : fmod(a, b))
RULE(difference, a - b)
RULE(least, fmin(a, b))
RULE(most, fmax(a, b))
RULE(equal, a == b)
RULE(not_equal, a != b)
RULE(less, a < b)
RULE(less_equal, a <= b)
RULE(greater, a > b)
RULE(greater_equal, a >= b)
RULE(both, a != 0 && b != 0)
RULE(either, a != 0 || b != 0)
RULE(size_of, fabs(a))
RULE(up, ceil(a))
RULE(down, floor(a))
RULE(minus, -a)
RULE(logical_not, a == 0)
RULE(above_0, fmax(a, 0))
RULE(away, round(a))
RULE(even, nearbyint(a))
RULE(root, sqrt(a))

/* `holds_one`: the range for operands that are one number each is one number. */
typedef struct rule_case {
  const char *type, *opset, *attrs[3];
  int n_inputs;
  ir_type types[2];
  double (*rule)(double a, double b);
  bool holds_one;
} rule_case;

#define BOTH                                                                                                           \
  { IR_I64, IR_F32 }
#define WHOLE                                                                                                          \
  { IR_I64 }
static const rule_case rule_cases[] = {
    {"Add", "opset1", {NULL}, 2, BOTH, sum, true},
    {"Subtract", "opset1", {NULL}, 2, BOTH, difference, true},
    {"Multiply", "opset1", {NULL}, 2, BOTH, product, true},
    {"Mod", "opset1", {NULL}, 2, WHOLE, rest, false},
    {"FloorMod", "opset1", {NULL}, 2, WHOLE, floor_mod, false},
    {"Minimum", "opset1", {NULL}, 2, BOTH, least, true},
    {"Maximum", "opset1", {NULL}, 2, BOTH, most, true},
    {"Equal", "opset1", {NULL}, 2, BOTH, equal, true},
    {"NotEqual", "opset1", {NULL}, 2, BOTH, not_equal, true},
    {"Less", "opset1", {NULL}, 2, BOTH, less, true},
    {"LessEqual", "opset1", {NULL}, 2, BOTH, less_equal, true},
    {"Greater", "opset1", {NULL}, 2, BOTH, greater, true},
    {"GreaterEqual", "opset1", {NULL}, 2, BOTH, greater_equal, true},
    {"LogicalAnd", "opset1", {NULL}, 2, {IR_BOOLEAN}, both, true},
    {"LogicalOr", "opset1", {NULL}, 2, {IR_BOOLEAN}, either, true},
    {"LogicalNot", "opset1", {NULL}, 1, {IR_BOOLEAN}, logical_not, true},
    {"Abs", "opset1", {NULL}, 1, BOTH, size_of, true},
    {"Ceiling", "opset1", {NULL}, 1, BOTH, up, true},
    {"Floor", "opset1", {NULL}, 1, BOTH, down, true},
    {"Negative", "opset1", {NULL}, 1, BOTH, minus, true},
    {"ReLU", "opset1", {NULL}, 1, BOTH, above_0, true},
    {"Round", "opset5", {"mode", "half_away_from_zero", NULL}, 1, BOTH, away, true},
    {"Round", "opset5", {"mode", "half_to_even", NULL}, 1, BOTH, even, true},
    {"Sqrt", "opset1", {NULL}, 1, BOTH, root, false},
};

/* The numbers of the test. Few of the floats are whole. */
enum { LEAST = -5, MOST = 5 };

static double number_of(ir_type type, int at) {
  return type == IR_F32 ? at * 1.25 : at;
}

static ir_dim range_of(ir_type type, int from, int to) {
  return type == IR_F32 ? range(number_of(type, from), number_of(type, to)) : (ir_dim){from, to};
}

/* Returns the range of the result; ir_range_any() if the op does not tell it. */
static ir_dim infer_range(op_case *c, const rule_case *rule, ir_type type, const int *ends) {
  ir_dim ranges[2];
  for (int i = 0; i < rule->n_inputs; i++) {
    ranges[i] = range_of(type, ends[2 * i], ends[2 * i + 1]);
    c->in[i] = op_case_value(type, ir_shape_of(1, (int64_t[]){1}));
    c->in[i].ranges = &ranges[i];
  }
  op_case_infer(c, rule->n_inputs, false);
  return ir_range_at(&c->out[0], 0);
}

static void check_range(op_case *c, const rule_case *rule, ir_type type, const int *ends) {
  const ir_dim made = infer_range(c, rule, type, ends);
  const bool is_open = ir_dims_equal(made, ir_range_any());
  const bool is_one = ends[0] == ends[1] && (rule->n_inputs == 1 || ends[2] == ends[3]);
  const int b_from = rule->n_inputs == 1 ? 0 : ends[2], b_to = rule->n_inputs == 1 ? 0 : ends[3];
  for (int a = ends[0]; a <= ends[1]; a++)
    for (int b = b_from; b <= b_to; b++) {
      double result = rule->rule(number_of(type, a), number_of(type, b));
      if (type == IR_F32)
        result = (double)(float)result;
      const ir_dim at =
          c->out[0].type == IR_F32 ? range(result, result) : ir_dim_of(isnan(result) ? 0 : (int64_t)result);
      if (!is_open && !isnan(result) && (at.lo < made.lo || at.lo > made.hi))
        fail_msg("%s of %s: %g is not in the range of %d..%d, %d..%d", rule->type, ir_type_name(type), result, ends[0],
                 ends[1], b_from, b_to);
      if (is_one && rule->holds_one && !ir_dims_equal(made, at))
        fail_msg("%s of %s: the range of %d, %d is not %g", rule->type, ir_type_name(type), a, b, result);
    }
}

static void ranges_of_ops_hold_all_results(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rule_cases / sizeof *rule_cases; i++) {
    const rule_case *rule = &rule_cases[i];
    for (int t = 0; t < 2 && rule->types[t] != IR_DYNAMIC; t++) {
      const ir_type type = rule->types[t];
      const int least_end = type == IR_BOOLEAN ? 0 : LEAST, most_end = type == IR_BOOLEAN ? 1 : MOST;
      op_case c;
      op_case_begin(&c, rule->type, rule->opset, rule->attrs);
      for (int a = least_end; a <= most_end; a++)
        for (int b = a; b <= most_end; b++)
          for (int from = least_end; from <= (rule->n_inputs == 1 ? least_end : most_end); from++)
            for (int to = from; to <= (rule->n_inputs == 1 ? from : most_end); to++)
              check_range(&c, rule, type, (int[]){a, b, from, to});
      op_case_end(&c);
    }
  }
}

/* The remainder by a positive number has ends. */
static void remainders_are_bounded(void **state) {
  (void)state;
  static const rule_case cut = {"Mod", "opset1", {NULL}, 2, WHOLE, rest, false};
  static const rule_case floored = {"FloorMod", "opset1", {NULL}, 2, WHOLE, floor_mod, false};
  const struct {
    const rule_case *rule;
    int ends[4];
    ir_dim expected;
  } cases[] = {
      {&cut, {-5, 5, 3, 3}, {-2, 2}},     {&floored, {-5, 5, 3, 3}, {0, 2}}, {&cut, {4, 5, 3, 3}, {1, 2}},
      {&floored, {-2, -1, 3, 3}, {1, 2}}, {&cut, {0, 1, 4, 5}, {0, 1}},      {&cut, {0, 5, 2, 4}, {0, 3}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    op_case c;
    op_case_begin(&c, cases[i].rule->type, cases[i].rule->opset, cases[i].rule->attrs);
    const ir_dim made = infer_range(&c, cases[i].rule, IR_I64, cases[i].ends);
    if (!ir_dims_equal(made, cases[i].expected))
      fail_msg("case %zu: %lld..%lld", i, (long long)made.lo, (long long)made.hi);
    op_case_end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_of_ops_hold_all_results), cmocka_unit_test(remainders_are_bounded),
      cmocka_unit_test(places_rise_with_numbers),       cmocka_unit_test(closed_sums_and_products_are_those_of_floats),
      cmocka_unit_test(intervals_hold_all_products),    cmocka_unit_test(roots_of_what_may_be_negative_are_not_told),
      cmocka_unit_test(integers_become_floats),         cmocka_unit_test(floats_become_integers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests AvgPool and AdaptiveAvgPool in every element type and in ranks 3 to 5: means, divisors, rounding, and
 * results for NaN, infinities and empty windows. */
#include "layer_check.h"
#include "naive_number.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static layer_case pool_1d(int64_t n, naive_window window) {
  return (layer_case){
      .opset = window.dilation > 1 ? 16 : 14,
      .layer = {.op = NAIVE_AVG_POOL, .rank = 3, .in = {1, 1, n}, .windows = {window}, .exclude_pad = true}};
}

static layer_case pool_2d(int64_t height, int64_t width, naive_window window) {
  layer_case c = pool_1d(height, window);
  c.layer.rank = 4;
  c.layer.in[3] = width;
  c.layer.windows[1] = window;
  return c;
}

static layer_case adaptive(int rank, const int64_t *in, const int64_t *sizes) {
  layer_case c = {.opset = 8, .layer = {.op = NAIVE_ADAPTIVE_AVG_POOL, .rank = rank, .in = {1, 1}}};
  for (int a = 0; a < rank - 2; a++) {
    c.layer.in[a + 2] = in[a];
    c.layer.sizes[a] = sizes[a];
  }
  return c;
}

/* ---- taps and divisors ---- */

static const char count_to[] = "1 2 3 4 5 6 7 8 9";

/* The input is 1, 2, .. n. `excluded` and `included` are the means with exclude-pad="true" and "false". */
typedef struct divisor_row {
  int64_t n;
  naive_window window;
  naive_rounding rounding;
  naive_auto_pad auto_pad;
  const char *excluded, *included, *excluded_rules, *included_rules;
} divisor_row;

static const divisor_row divisor_rows[] = {
    {6, {3, 2, 1, 1, 1}, NAIVE_CEIL, NAIVE_EXPLICIT, "1.5 3 5 6", "1 3 5 2", "", "IR312"},
    {6, {3, 2, 1, 1, 1}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "1.5 3 5 6", "1 3 5 2", "", "IR312"},
    {6, {3, 2, 1, 0, 0}, NAIVE_CEIL, NAIVE_EXPLICIT, "2 4 5.5", "2 4 5.5", "", ""},
    {6, {3, 2, 1, 0, 0}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "2 4 5.5", "2 4 5.5", "", ""},
    {6, {3, 2, 1, 0, 1}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "2 4 5.5", "2 4 11/3", "", ""},
    {6, {3, 2, 1, 1, 0}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "1.5 3 5", "1 3 5", "", ""},
    {5, {3, 2, 1, 1, 1}, NAIVE_CEIL, NAIVE_EXPLICIT, "1.5 3 4.5", "1 3 3", "", ""},
    {4, {2, 3, 1, 1, 1}, NAIVE_CEIL, NAIVE_EXPLICIT, "1 3.5 0", "0.5 3.5 0", "IR305 IR310", "IR305 IR310"},
    {4, {2, 3, 1, 1, 1}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "1 3.5", "0.5 3.5", "", ""},
    {4, {1, 2, 1, 0, 0}, NAIVE_CEIL, NAIVE_SAME_UPPER, "1 3 0", "1 3 0", "IR305 IR310", "IR305 IR310"},
    {9, {3, 4, 2, 1, 1}, NAIVE_CEIL_TORCH, NAIVE_EXPLICIT, "3 6 8", "2 6 8/3", "", "IR312"},
};

static void the_divisor_of_each_window(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof divisor_rows / sizeof divisor_rows[0]; i++) {
    const divisor_row *row = &divisor_rows[i];
    layer_case c = pool_1d(row->n, row->window);
    char x[32];
    snprintf(x, sizeof x, "%.*s", (int)(2 * row->n - 1), count_to);
    c.layer.rounding = row->rounding;
    c.layer.auto_pad = row->auto_pad;
    layer_check_ranks(c, FLOAT_TYPES, x, row->excluded, NULL, row->excluded_rules);
    c.layer.exclude_pad = false;
    layer_check_ranks(c, FLOAT_TYPES, x, row->included, NULL, row->included_rules);
  }
}

/* With exclude_pad false, positions past the end padding count if any axis has a pad. */
static void a_pad_on_another_axis_counts_the_overhang(void **state) {
  (void)state;
  layer_case c = pool_2d(6, 5, (naive_window){3, 2, 1, 0, 0});
  c.layer.windows[1] = (naive_window){3, 2, 1, 1, 1};
  c.layer.rounding = NAIVE_CEIL;
  static const char ones[] = "1 1 1 1 1  1 1 1 1 1  1 1 1 1 1  1 1 1 1 1  1 1 1 1 1  1 1 1 1 1";
  layer_check_ranks(c, FLOAT_TYPES, ones, "1 1 1  1 1 1  1 1 1", NULL, "");
  c.layer.exclude_pad = false;
  layer_check_ranks(c, FLOAT_TYPES, ones, "2/3 1 2/3  2/3 1 2/3  4/9 2/3 4/9", NULL, "IR312");
}

static void a_window_with_one_tap_in_the_input(void **state) {
  (void)state;
  layer_case c = pool_1d(2, (naive_window){4, 3, 1, 1, 1});
  c.layer.rounding = NAIVE_CEIL;
  layer_check_ranks(c, FLOAT_TYPES, "3 5", "4", NULL, "");
  c.layer.exclude_pad = false;
  layer_check_ranks(c, FLOAT_TYPES, "3 5", "2", NULL, "");
}

static const char counted_5x5[] = "0 1 2 3 4  5 6 7 8 9  10 11 12 13 14  15 16 17 18 19  20 21 22 23 24";

static void images_with_pads(void **state) {
  (void)state;
  layer_case c = pool_2d(5, 5, (naive_window){2, 2, 1, 1, 1});
  layer_check_ranks(c, FLOAT_TYPES, counted_5x5, "0 1.5 3.5  7.5 9 11  17.5 19 21", NULL, "");
  c.layer.exclude_pad = false;
  layer_check_ranks(c, IR_SET(IR_F32) | IR_SET(IR_F64), counted_5x5, "0 .75 1.75  3.75 9 11  8.75 19 21", NULL, "");
}

static void same_upper_pads_at_the_end(void **state) {
  (void)state;
  layer_case c = pool_2d(5, 5, (naive_window){2, 2, 1, 0, 0});
  c.layer.auto_pad = NAIVE_SAME_UPPER;
  layer_check_ranks(c, FLOAT_TYPES, counted_5x5, "3 5 6.5  13 15 16.5  20.5 22.5 24", NULL, "");
}

static void dilated_windows(void **state) {
  (void)state;
  layer_check_ranks(pool_2d(5, 5, (naive_window){2, 2, 2, 1, 1}), ALL_TYPES, counted_5x5, "6 7 8  11 12 13  16 17 18",
                    NULL, "");
}

/* With exclude-pad, a window must be larger than its pads. Its size includes the gaps of dilation. */
static void a_pad_is_smaller_than_the_dilated_window(void **state) {
  (void)state;
  layer_check(pool_1d(4, (naive_window){2, 1, 2, 2, 2}), FLOAT_TYPES, "1 2 3 4", "1 2 2 3 3 4", NULL, "");
  layer_case c = pool_1d(4, (naive_window){2, 1, 1, 2, 2});
  c.layer.type = IR_F32;
  model_run run = layer_run_begin(&c, NULL);
  assert_string_equal(model_run_rules(&run), "IR311 IR311");
  model_run_end(&run);
}

static void every_version_has_the_same_values(void **state) {
  (void)state;
  for (int opset = 1; opset <= 16; opset++) {
    layer_case c = pool_1d(6, (naive_window){3, 2, 1, 1, 1});
    c.opset = opset;
    c.layer.rounding = NAIVE_CEIL;
    layer_check_ranks(c, FLOAT_TYPES, "1 2 3 4 5 6", "1.5 3 5 6", NULL, "");
    c.layer.exclude_pad = false;
    layer_check_ranks(c, FLOAT_TYPES, "1 2 3 4 5 6", "1 3 5 2", NULL, "IR312");
  }
}

/* ---- NaN and infinities ---- */

static void nan_and_infinities_stay_in_their_windows(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(10, (naive_window){2, 2, 1, 0, 0}), FLOAT_TYPES, "1 nan  inf 1  -inf 2  inf -inf  1 2",
                    "nan inf -inf nan 1.5", NULL, "");
  layer_check_ranks(pool_2d(3, 4, (naive_window){2, 1, 1, 0, 0}), FLOAT_TYPES, "nan 1 1 1  1 1 1 1  1 1 1 -inf",
                    "nan 1 1  1 1 -inf", NULL, "");
}

static void sums_beyond_the_type_do_not_overflow(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(4, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_F32) | IR_SET(IR_F16) | IR_SET_INTEGERS,
                    "G G  L L", "G L", NULL, "");
}

static void windows_of_padding_alone_are_zero(void **state) {
  (void)state;
  layer_case c = pool_1d(1, (naive_window){2, 1, 3, 2, 2});
  layer_check_ranks(c, ALL_TYPES, "5", "0 0", NULL, "IR305");
  c.layer.in[2] = 0;
  layer_check_ranks(c, ALL_TYPES, "", "0", NULL, "IR305");
  c.layer.exclude_pad = false;
  layer_check_ranks(c, ALL_TYPES, "", "0", NULL, "IR305");
}

/* Tests windows of more taps than a kernel reads at once. */
static void long_windows_of_padding_alone_are_zero(void **state) {
  (void)state;
  enum { N = 600 };
  char x[2 * N + 1];
  for (int i = 0; i < N; i++)
    snprintf(x + 2 * i, 3, "2 ");
  layer_case c = pool_1d(N, (naive_window){N, 10 * N, 1, 10 * N, 10 * N});
  c.layer.exclude_pad = false;
  layer_check_ranks(c, ALL_TYPES, x, "0 2 0", NULL, "IR305");
}

/* ---- rounding ---- */

static void integers_are_rounded_half_to_even(void **state) {
  (void)state;
  layer_case c = pool_1d(12, (naive_window){2, 2, 1, 0, 0});
  layer_check_ranks(c, IR_SET_SIGNED, "0 1  1 2  2 3  -1 0  -1 -2  -3 -2", "0 2 2 0 -2 -2", NULL, "");
  layer_check_ranks(c, IR_SET_UNSIGNED, "0 1  1 2  2 3  3 4  4 4  9 0", "0 2 2 4 4 4", NULL, "");
  c = pool_1d(9, (naive_window){3, 3, 1, 0, 0});
  layer_check_ranks(c, IR_SET_SIGNED, "1 0 0  1 1 0  -1 -1 0", "0 1 -1", NULL, "");
}

static void integers_are_exact_to_the_ends_of_their_types(void **state) {
  (void)state;
  static const struct {
    ir_type type;
    const char *middle; /* (L + G) / 2, where L and G are the type's least and greatest number; ties round to even */
  } rows[] = {{IR_I8, "0"},   {IR_I16, "0"},     {IR_I32, "0"},          {IR_I64, "0"},
              {IR_U8, "128"}, {IR_U16, "32768"}, {IR_U32, "2147483648"}, {IR_U64, "9223372036854775808"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char expected[64];
    snprintf(expected, sizeof expected, "G L %s", rows[i].middle);
    layer_check_ranks(pool_1d(6, (naive_window){2, 2, 1, 0, 0}), IR_SET(rows[i].type), "G G  L L  L G", expected, NULL,
                      "");
  }
  layer_check_ranks(pool_1d(2, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_I32) | IR_SET(IR_U32), "16777217 16777217",
                    "16777217", NULL, "");
  layer_check_ranks(pool_1d(4, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_I64) | IR_SET(IR_U64),
                    "9007199254740993 9007199254740993  1099511627777 1099511627777", "9007199254740993 1099511627777",
                    NULL, "");
}

static void half_floats_are_summed_wider_and_rounded_once(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(8, (naive_window){8, 8, 1, 0, 0}), IR_SET(IR_F16), "2048 1 1 1 1 1 1 1", "257", NULL, "");
  layer_check_ranks(pool_1d(8, (naive_window){8, 8, 1, 0, 0}), IR_SET(IR_BF16), "256 1 1 1 1 1 1 1", "33", NULL, "");
  layer_check_ranks(pool_1d(4, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_BF16), "1 1.0078125  1.0078125 1.015625",
                    "1 1.015625", NULL, "");
}

static void doubles_are_computed_as_such(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(6, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_F64),
                    "1e-300 1e-300  1.0000000000009095 1.0000000000009095  "
                    "-1e300 -1e300",
                    "1e-300 1.0000000000009095 -1e300", NULL, "");
}

/* Averages 2^24 and 4095 ones. A sequential f32 sum would stay 2^24. */
static void many_small_numbers_are_not_lost(void **state) {
  (void)state;
  static char x[16384];
  static float numbers[4096] = {16777216};
  layer_case c = pool_1d(4096, (naive_window){4096, 1, 1, 0, 0});
  size_t used = (size_t)snprintf(x, sizeof x, "16777216");
  for (int i = 1; i < 4096; i++) {
    used += (size_t)snprintf(x + used, sizeof x - used, " 1");
    numbers[i] = 1;
  }
  layer_check(c, IR_SET(IR_F64), x, "16781311/4096", NULL, "");
  /* The f32 mean has to be within 4 ulp. */
  c.layer.type = IR_F32;
  model_run run = layer_run_begin(&c, numbers);
  assert_int_equal(run.status, IRRUN_OK);
  const long double exact = 16781311.0L / 4096, got = naive_load(IR_F32, irrun_tensor_get_info(run.values).data, 0);
  assert_true(fabsl(got - exact) <= 4 * naive_ulp(IR_F32, exact));
  model_run_end(&run);
}

/* Divides every number up to 2047 by n. Multiplying by 1/n, or rounding twice, would give other results. */
static void one_division_ends_a_mean(void **state) {
  (void)state;
  static const ir_type types[] = {IR_F32, IR_F64, IR_F16, IR_BF16};
  static uint64_t x[16384];
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (int64_t n = 2; n <= 8; n++) {
      layer_case c = pool_1d(2048 * n, (naive_window){n, n, 1, 0, 0});
      c.layer.type = types[t];
      for (int64_t i = 0; i < 2048 * n; i++)
        naive_store(types[t], x, i, i % n == 0 ? naive_round(types[t], (long double)(i / n)) : 0);
      model_run run = layer_run_begin(&c, x);
      assert_int_equal(run.status, IRRUN_OK);
      for (int64_t i = 0; i < 2048; i++) {
        long double expected = naive_round(types[t], naive_round(types[t], (long double)i) / (long double)n);
        assert_true(naive_equal(naive_load(types[t], irrun_tensor_get_info(run.values).data, i), expected));
      }
      model_run_end(&run);
    }
}

/* ---- adaptive pools ---- */

static const char counted_5x7[] = "0 1 2 3 4 5 6  7 8 9 10 11 12 13  14 15 16 17 18 19 20  21 22 23 24 25 26 27"
                                  "  28 29 30 31 32 33 34";

static void bins_that_overlap(void **state) {
  (void)state;
  layer_check_ranks(adaptive(4, (int64_t[]){5, 7}, (int64_t[]){2, 3}), FLOAT_TYPES, counted_5x7, "8 10 12 22 24 26",
                    NULL, "");
  layer_check_ranks(adaptive(3, (int64_t[]){7}, (int64_t[]){3}), FLOAT_TYPES, "0 1 2 3 4 5 6", "1 3 5", NULL, "");
  layer_check(adaptive(5, (int64_t[]){2, 3, 4}, (int64_t[]){1, 2, 3}), FLOAT_TYPES,
              "0 1 2 3 4 5 6 7 8 9 10 11  12 13 14 15 16 17 18 19 20 21 22 23", "8.5 9.5 10.5 12.5 13.5 14.5", NULL,
              "");
}

static void more_bins_than_elements(void **state) {
  (void)state;
  layer_check_ranks(adaptive(3, (int64_t[]){3}, (int64_t[]){5}), FLOAT_TYPES, "1 3 2", "1 2 3 2.5 2", NULL, "");
}

static void special_numbers_stay_in_their_bins(void **state) {
  (void)state;
  layer_check_ranks(adaptive(3, (int64_t[]){8}, (int64_t[]){4}), FLOAT_TYPES, "nan 1  inf 1  1 2  inf -inf",
                    "nan inf 1.5 nan", NULL, "");
}

static void integers_in_bins_where_they_are_allowed(void **state) {
  (void)state;
  layer_case c = adaptive(3, (int64_t[]){8}, (int64_t[]){4});
  c.allow = "IR306";
  layer_check_ranks(c, IR_SET_INTEGERS, "G G  L L  0 1  1 2", "G L 0 2", NULL, "IR306");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_divisor_of_each_window),
      cmocka_unit_test(a_pad_on_another_axis_counts_the_overhang),
      cmocka_unit_test(a_window_with_one_tap_in_the_input),
      cmocka_unit_test(images_with_pads),
      cmocka_unit_test(same_upper_pads_at_the_end),
      cmocka_unit_test(dilated_windows),
      cmocka_unit_test(a_pad_is_smaller_than_the_dilated_window),
      cmocka_unit_test(every_version_has_the_same_values),
      cmocka_unit_test(nan_and_infinities_stay_in_their_windows),
      cmocka_unit_test(sums_beyond_the_type_do_not_overflow),
      cmocka_unit_test(windows_of_padding_alone_are_zero),
      cmocka_unit_test(long_windows_of_padding_alone_are_zero),
      cmocka_unit_test(integers_are_rounded_half_to_even),
      cmocka_unit_test(integers_are_exact_to_the_ends_of_their_types),
      cmocka_unit_test(half_floats_are_summed_wider_and_rounded_once),
      cmocka_unit_test(doubles_are_computed_as_such),
      cmocka_unit_test(many_small_numbers_are_not_lost),
      cmocka_unit_test(one_division_ends_a_mean),
      cmocka_unit_test(bins_that_overlap),
      cmocka_unit_test(more_bins_than_elements),
      cmocka_unit_test(special_numbers_stay_in_their_bins),
      cmocka_unit_test(integers_in_bins_where_they_are_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

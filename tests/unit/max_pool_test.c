/* Tests MaxPool and AdaptiveMaxPool in every element type, both index types and ranks 3 to 5: maxima, their indices,
 * and results for NaN, infinities, ties, signed zeros and empty windows. */
#include "irrun_debug.h"
#include "layer_check.h"
#include "layer_run.h"
#include "naive_number.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static layer_case pool_1d(int64_t n, naive_window window) {
  return (layer_case){.opset = 8, .layer = {.op = NAIVE_MAX_POOL, .rank = 3, .in = {1, 1, n}, .windows = {window}}};
}

static layer_case pool_2d(int64_t height, int64_t width, naive_window window) {
  return (layer_case){
      .opset = 8, .layer = {.op = NAIVE_MAX_POOL, .rank = 4, .in = {1, 1, height, width}, .windows = {window, window}}};
}

static layer_case adaptive_1d(int64_t n, int64_t bins) {
  return (layer_case){.opset = 8,
                      .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 3, .in = {1, 1, n}, .sizes = {bins}}};
}

/* ---- examples of the specification, and other simple cases ---- */

static const char signed_3x3[] = "-1 2 3  4 5 -6  -7 8 9", counted_3x3[] = "1 2 3  4 5 6  7 8 9";

static void windows_with_explicit_pads(void **state) {
  (void)state;
  layer_check_ranks(pool_2d(3, 3, (naive_window){2, 1, 1, 1, 1}), SIGNED_TYPES, signed_3x3,
                    "-1 2 3 3  4 5 5 3  4 8 9 9  -7 8 9 9", "0 1 2 2  3 4 4 2  3 7 8 8  6 7 8 8", "");
}

static void windows_without_pads(void **state) {
  (void)state;
  layer_case c = pool_1d(7, (naive_window){3, 1, 1, 2, 1});
  c.layer.auto_pad = NAIVE_VALID;
  layer_check_ranks(c, SIGNED_TYPES, "-1 2 3 5 -7 9 1", "3 5 5 9 9", "2 3 3 5 5", "IR209");
}

static void same_lower_pads_at_the_begin(void **state) {
  (void)state;
  layer_case c = pool_2d(3, 3, (naive_window){2, 1, 1, 0, 0});
  c.layer.auto_pad = NAIVE_SAME_LOWER;
  layer_check_ranks(c, SIGNED_TYPES, signed_3x3, "-1 2 3  4 5 5  4 8 9", "0 1 2  3 4 4  3 7 8", "");
  c.layer.auto_pad = NAIVE_SAME_UPPER;
  layer_check_ranks(c, SIGNED_TYPES, signed_3x3, "5 5 3  8 9 9  8 9 9", "4 4 2  7 8 8  7 8 8", "");
}

static void ceil_keeps_a_window_that_overhangs(void **state) {
  (void)state;
  layer_case c = pool_2d(3, 3, (naive_window){2, 2, 1, 0, 0});
  c.layer.auto_pad = NAIVE_VALID;
  c.layer.rounding = NAIVE_CEIL;
  layer_check_ranks(c, SIGNED_TYPES, signed_3x3, "5 3 8 9", "4 2 7 8", "");
}

static void ceil_torch_drops_a_window_of_padding(void **state) {
  (void)state;
  layer_case c = pool_2d(3, 3, (naive_window){2, 2, 1, 1, 1});
  c.opset = 14;
  c.layer.rounding = NAIVE_CEIL_TORCH;
  layer_check_ranks(c, ALL_TYPES, counted_3x3, "1 3 7 9", "0 2 6 8", "");
}

static void dilated_windows(void **state) {
  (void)state;
  layer_check_ranks(pool_2d(3, 3, (naive_window){2, 1, 2, 1, 1}), ALL_TYPES, counted_3x3, "5 6 5  8 9 8  5 6 5",
                    "4 5 4  7 8 7  4 5 4", "");
}

static void every_version_has_the_same_values(void **state) {
  (void)state;
  for (int opset = 1; opset <= 16; opset++) {
    layer_case c = pool_1d(7, (naive_window){3, 2, 1, 1, 1});
    c.opset = opset;
    layer_check_ranks(c, SIGNED_TYPES, "-1 2 3 5 -7 9 1", "2 5 9 9", opset >= 8 ? "1 3 5 5" : NULL, "");
  }
}

/* ---- the initial value of a maximum, which is L (layer_check.h) ---- */

static void nan_and_minus_infinity_never_win(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(10, (naive_window){2, 2, 1, 0, 0}), FLOAT_TYPES, "nan 1 1 nan nan nan nan -inf -inf nan",
                    "1 1 L L L", "1 2 0 0 0", "");
  layer_check_ranks(pool_1d(6, (naive_window){3, 3, 1, 0, 0}), FLOAT_TYPES, "-inf -3 nan  inf nan -inf", "-3 inf",
                    "1 3", "");
}

/* L is not greater than the initial value L, so its index is not recorded: the index stays 0. */
static void the_lowest_number_is_as_nothing(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(6, (naive_window){2, 2, 1, 0, 0}), ALL_TYPES, "1 2  L L  L 1", "2 L 1", "1 0 5", "");
}

static void nothing_found_is_the_first_of_the_plane(void **state) {
  (void)state;
  layer_case c = pool_1d(4, (naive_window){2, 2, 1, 0, 0});
  c.layer.in[0] = c.layer.in[1] = 2;
  layer_check_ranks(c, FLOAT_TYPES, "1 2 3 4  nan nan -inf nan  1 2 nan nan  -inf L L nan", "2 4  L L  2 L  L L",
                    "1 3  4 4  9 8  12 12", "");
}

static void the_first_of_equal_elements_stays(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(8, (naive_window){2, 2, 1, 0, 0}), FLOAT_TYPES, "5 5  -0 0  0 -0  7 7", "5 -0 0 7",
                    "0 2 4 6", "");
  layer_check_ranks(pool_1d(6, (naive_window){3, 3, 1, 0, 0}), ALL_TYPES, "G G G  1 G G", "G G", "0 4", "");
  layer_check_ranks(pool_2d(3, 4, (naive_window){2, 1, 1, 0, 0}), ALL_TYPES, "7 7 7 7  7 7 7 7  7 7 7 7", "7 7 7 7 7 7",
                    "0 1 2 4 5 6", "");
}

/* The first of equal elements is found row by row, from the top. */
static void first_is_meant_row_by_row(void **state) {
  (void)state;
  layer_check_ranks(pool_2d(2, 2, (naive_window){2, 2, 1, 0, 0}), ALL_TYPES, "1 9  9 1", "9", "1", "");
}

static void infinity_wins(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(4, (naive_window){2, 2, 1, 0, 0}), FLOAT_TYPES, "G inf  inf inf", "inf inf", "1 2", "");
}

/* ---- empty windows ---- */

static void a_window_behind_the_input(void **state) {
  (void)state;
  layer_case c = pool_1d(5, (naive_window){2, 2, 1, 1, 1});
  c.layer.rounding = NAIVE_CEIL;
  layer_check_ranks(c, ALL_TYPES, "1 2 3 4 5", "1 3 5 L", "0 2 4 0", "IR305 IR310");
  c.layer.in[1] = 2;
  layer_check_ranks(c, ALL_TYPES, "1 2 3 4 5  6 7 8 9 10", "1 3 5 L  6 8 10 L", "0 2 4 0  5 7 9 5", "IR305 IR310");
}

static void windows_in_the_padding_at_both_ends(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(2, (naive_window){2, 2, 1, 4, 4}), ALL_TYPES, "1 2", "L L 2 L L", "0 0 1 0 0", "IR305");
}

/* Taps lie at -2, 1, 4 and at -1, 2, 5. The second window has no tap in the input of 2 elements. */
static void a_window_that_steps_over_the_input(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(2, (naive_window){3, 1, 3, 2, 4}), ALL_TYPES, "3 5", "5 L", "1 0", "IR305");
}

/* Taps lie at depths -1 and 1 of an input of depth 1. Every window is empty, regardless of the other axes. */
static void a_window_that_steps_over_the_only_slice(void **state) {
  (void)state;
  layer_case c = {.opset = 8,
                  .layer = {.op = NAIVE_MAX_POOL,
                            .rank = 5,
                            .in = {1, 2, 1, 2, 3},
                            .windows = {{2, 5, 2, 1, 1}, {1, 1, 1, 0, 0}, {2, 1, 1, 0, 0}}}};
  layer_check(c, ALL_TYPES, "1 2 3  4 5 6  7 8 9  1 2 3", "L L  L L  L L  L L", "0 0  0 0  6 6  6 6", "IR305");
  c.layer.windows[0] = (naive_window){1, 2, 1, 1, 0};
  layer_check(c, ALL_TYPES, "1 2 3  4 5 6  7 8 9  1 2 3", "L L  L L  L L  L L", "0 0  0 0  6 6  6 6", "IR305");
}

/* Windows with taps in rows -1 and 1 of a single row. The row is so long that it is a piece of work of its own. */
static void a_window_that_steps_over_a_long_row(void **state) {
  (void)state;
  enum { N = 5000 };
  static const float x[N];
  layer_case c = pool_2d(1, N, (naive_window){1, 1, 1, 0, 0});
  c.layer.windows[0] = (naive_window){2, 1, 2, 1, 1};
  c.layer.type = IR_F32;
  c.with_indices = true;
  model_run run = layer_run_begin(&c, x);
  assert_int_equal(run.status, IRRUN_OK);
  for (int64_t i = 0; i < N; i++)
    assert_true(naive_equal(naive_load(IR_F32, irrun_tensor_get_info(run.values).data, i), naive_lowest(IR_F32)));
  model_run_end(&run);
}

/* Sums and products of these window parameters exceed int64_t. */
static void windows_of_any_size(void **state) {
  (void)state;
  const int64_t far = INT64_C(1) << 62;
  layer_check_ranks(pool_1d(4, (naive_window){3, 1, far, far, far}), ALL_TYPES, "3 5 7 9", "3 5 7 9", "0 1 2 3", "");
  layer_check_ranks(pool_1d(4, (naive_window){9, far, 1, far, far + 100}), ALL_TYPES, "3 5 9 7", "L 9 L", "0 2 0",
                    "IR305");
}

static void an_input_of_padding_alone(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(0, (naive_window){2, 1, 1, 1, 2}), ALL_TYPES, "", "L L", "0 0", "IR305");
}

/* ---- booleans ---- */

static void a_maximum_of_booleans_is_their_disjunction(void **state) {
  (void)state;
  layer_check_ranks(pool_1d(8, (naive_window){2, 2, 1, 0, 0}), IR_SET(IR_BOOLEAN), "0 0  0 1  1 0  1 1", "0 1 1 1",
                    "0 3 4 6", "IR306");
}

/* ---- adaptive pools ---- */

static const char counted_5x7[] = "0 1 2 3 4 5 6  7 8 9 10 11 12 13  14 15 16 17 18 19 20  21 22 23 24 25 26 27"
                                  "  28 29 30 31 32 33 34";

static void bins_that_overlap(void **state) {
  (void)state;
  layer_case c = {.opset = 8, .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 4, .in = {1, 1, 5, 7}, .sizes = {2, 3}}};
  layer_check_ranks(c, FLOAT_TYPES, counted_5x7, "16 18 20 30 32 34", "16 18 20 30 32 34", "");
}

static void more_bins_than_elements(void **state) {
  (void)state;
  layer_check_ranks(adaptive_1d(3, 5), FLOAT_TYPES, "1 3 2", "1 3 3 3 2", "0 1 1 1 2", "");
}

static void indices_of_bins_count_within_a_channel(void **state) {
  (void)state;
  layer_case c = adaptive_1d(4, 1);
  c.layer.in[0] = c.layer.in[1] = 2;
  layer_check_ranks(c, FLOAT_TYPES, "1 2 3 4  4 3 2 1  0 9 0 0  7 7 8 7", "4 4 9 8", "3 0 1 2", "");
}

/* The maximum of a bin begins with the bin's first element, so a NaN there stays. */
static void a_nan_that_is_first_stays(void **state) {
  (void)state;
  layer_check_ranks(adaptive_1d(12, 6), FLOAT_TYPES, "nan 1  1 nan  -inf -inf  3 3  nan nan  -0 0",
                    "nan 1 -inf 3 nan -0", "0 2 4 6 8 10", "");
  layer_check_ranks(adaptive_1d(4, 2), FLOAT_TYPES, "L L  0 -0", "L 0", "0 2", "");
}

/* A NaN stays only if it is the first element of the bin, not of a later row. */
static void a_nan_that_begins_a_later_row_is_passed_over(void **state) {
  (void)state;
  layer_case c = {.opset = 8, .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 4, .in = {1, 1, 2, 2}, .sizes = {1, 1}}};
  layer_check_ranks(c, FLOAT_TYPES, "1 2  nan 9", "9", "3", "");
  layer_check_ranks(c, FLOAT_TYPES, "nan 2  3 9", "nan", "0", "");
}

static void integers_in_bins_where_they_are_allowed(void **state) {
  (void)state;
  layer_case c = adaptive_1d(6, 2);
  c.allow = "IR306";
  layer_check_ranks(c, IR_SET_INTEGERS, "L L L  1 G 3", "L G", "0 4", "IR306");
}

/* ---- windows of NaN ---- */

/* Runs the layer with irrun_run_watch. Returns the message of the only diagnostic, or "". */
static const char *watched(layer_case c, ir_type type, const float *x) {
  static char message[256];
  static uint64_t bytes[64];
  c.layer.type = type;
  for (int64_t i = 0; i < naive_count(c.layer.in, c.layer.rank); i++)
    naive_store(type, bytes, i, (long double)x[i]);
  model_run run = layer_run_begin(&c, bytes);
  assert_string_equal(model_run_rules(&run), "");
  irrun_run_watch(run.run, true);
  assert_int_equal(irrun_run_execute(run.run), IRRUN_OK);
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  snprintf(message, sizeof message, "%s",
           irrun_context_get_diagnostic(run.context, 0, &diagnostic) ? diagnostic.message : "");
  assert_false(irrun_context_get_diagnostic(run.context, 1, &diagnostic));
  model_run_end(&run);
  return message;
}

/* The three windows of channel 0 hold only -inf, only NaN, and numbers with a NaN. Those of channel 1 hold NaN with
 * -inf, NaN with a number, and only numbers. */
static void windows_of_nan_are_counted_where_a_run_is_watched(void **state) {
  (void)state;
  static const ir_type types[] = {IR_F32, IR_F64, IR_F16, IR_BF16};
  const float n = NAN, i = -INFINITY;
  const float x[24] = {i, i, n, n, 1, 2, i, i, n, n, 3, n, n, i, n, 5, 6, 7, i, n, n, n, 8, 9};
  layer_case c = pool_2d(2, 6, (naive_window){2, 2, 1, 0, 0});
  c.layer.in[1] = 2;
  static const char expected[] = "2 of 6 windows hold NaN and no number, first the one of output [0,0,0,1];";
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
    c.with_indices = t % 2 == 0;
    assert_memory_equal(watched(c, types[t], x), expected, sizeof expected - 1);
  }
  c.layer.in[3] = 2; /* windows of -inf only, and of NaN and numbers */
  assert_string_equal(watched(c, IR_F32, (const float[]){i, i, i, i, 1, 2, n, 3}), "");
}

/* With dilation 2, two windows hold only NaN. With dilation 4, two windows lie half in the padding and hold NaN in
 * the other half. */
static void windows_of_nan_have_steps_and_pads(void **state) {
  (void)state;
  const float n = NAN, x[5] = {n, 1, n, 2, n};
  static const char apart[] = "2 of 5 windows hold NaN and no number, first the one of output [0,0,1];",
                    padded[] = "3 of 5 windows hold NaN and no number, first the one of output [0,0,0];";
  assert_memory_equal(watched(pool_1d(5, (naive_window){2, 1, 2, 1, 1}), IR_F32, x), apart, sizeof apart - 1);
  assert_memory_equal(watched(pool_1d(5, (naive_window){2, 1, 4, 2, 2}), IR_F32, x), padded, sizeof padded - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(windows_with_explicit_pads),
      cmocka_unit_test(windows_without_pads),
      cmocka_unit_test(same_lower_pads_at_the_begin),
      cmocka_unit_test(ceil_keeps_a_window_that_overhangs),
      cmocka_unit_test(ceil_torch_drops_a_window_of_padding),
      cmocka_unit_test(dilated_windows),
      cmocka_unit_test(every_version_has_the_same_values),
      cmocka_unit_test(nan_and_minus_infinity_never_win),
      cmocka_unit_test(the_lowest_number_is_as_nothing),
      cmocka_unit_test(nothing_found_is_the_first_of_the_plane),
      cmocka_unit_test(the_first_of_equal_elements_stays),
      cmocka_unit_test(first_is_meant_row_by_row),
      cmocka_unit_test(infinity_wins),
      cmocka_unit_test(a_window_behind_the_input),
      cmocka_unit_test(windows_in_the_padding_at_both_ends),
      cmocka_unit_test(a_window_that_steps_over_the_input),
      cmocka_unit_test(a_window_that_steps_over_the_only_slice),
      cmocka_unit_test(a_window_that_steps_over_a_long_row),
      cmocka_unit_test(windows_of_any_size),
      cmocka_unit_test(an_input_of_padding_alone),
      cmocka_unit_test(a_maximum_of_booleans_is_their_disjunction),
      cmocka_unit_test(bins_that_overlap),
      cmocka_unit_test(more_bins_than_elements),
      cmocka_unit_test(indices_of_bins_count_within_a_channel),
      cmocka_unit_test(a_nan_that_is_first_stays),
      cmocka_unit_test(a_nan_that_begins_a_later_row_is_passed_over),
      cmocka_unit_test(integers_in_bins_where_they_are_allowed),
      cmocka_unit_test(windows_of_nan_are_counted_where_a_run_is_watched),
      cmocka_unit_test(windows_of_nan_have_steps_and_pads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests ReduceMean and ReduceMax: axes, kept dims, and values. */
#include "layer_check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Makes a reduction over `axes`. `axes` go to the file as they are, and must be distinct for the reference. */
static layer_case reduction(naive_op op, int rank, const int64_t *dims, int n_axes, const int64_t *axes) {
  layer_case c = {.opset = 1, .n_axes = n_axes, .layer = {.op = op, .rank = rank}};
  for (int i = 0; i < rank; i++)
    c.layer.in[i] = dims[i];
  for (int i = 0; i < n_axes; i++)
    c.axes[i] = axes[i];
  return c;
}

#define DIMS(...)                                                                                                      \
  (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]) {                                             \
    __VA_ARGS__                                                                                                        \
  }

static void expect_shape(layer_case c, int rank, const int64_t *dims) {
  float x[64] = {0};
  c.layer.type = IR_F32;
  model_run run = layer_run_begin(&c, x);
  assert_int_equal(run.status, IRRUN_OK);
  irrun_tensor_info info = irrun_tensor_get_info(run.values);
  assert_int_equal(info.rank, rank);
  for (int i = 0; i < rank; i++)
    assert_int_equal(info.dims[i], dims[i]);
  model_run_end(&run);
}

static void dims_are_dropped_or_kept(void **state) {
  (void)state;
  layer_case c = reduction(NAIVE_REDUCE_MEAN, DIMS(6, 2, 5), DIMS(1));
  expect_shape(c, DIMS(6, 5));
  c.layer.keep_dims = true;
  expect_shape(c, DIMS(6, 1, 5));
  c = reduction(NAIVE_REDUCE_MAX, DIMS(6, 2, 5), DIMS(-1, 0));
  expect_shape(c, DIMS(2));
  c.layer.keep_dims = true;
  expect_shape(c, DIMS(1, 2, 1));
  c = reduction(NAIVE_REDUCE_MAX, DIMS(6, 2, 5), DIMS(0, 1, 2));
  expect_shape(c, 0, NULL);
  c.layer.keep_dims = true;
  expect_shape(c, DIMS(1, 1, 1));
}

/* A global pool in the form that converters write. */
static void global_pools(void **state) {
  (void)state;
  layer_case c = reduction(NAIVE_REDUCE_MEAN, DIMS(1, 2, 2, 3), DIMS(2, 3));
  c.layer.keep_dims = true;
  layer_check(c, ALL_TYPES, "1 2 3 4 5 9  6 6 6 6 6 6", "4 6", NULL, "");
  c.layer.op = NAIVE_REDUCE_MAX;
  layer_check(c, ALL_TYPES, "1 2 3 4 9 5  6 6 6 6 6 6", "9 6", NULL, "");
  c.list_i32 = true;
  layer_check(c, ALL_TYPES, "1 2 3 4 9 5  6 6 6 6 6 6", "9 6", NULL, "");
  c.list_at_run_time = true;
  layer_check(c, ALL_TYPES, "1 2 3 4 9 5  6 6 6 6 6 6", "9 6", NULL, "");
}

/* Neither the order of axes nor the end from which they count changes the result. */
static void axes_in_any_order_from_either_end(void **state) {
  (void)state;
  static const int64_t axes[][2] = {{0, 2}, {2, 0}, {-3, -1}, {-1, 0}, {0, -1}};
  for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
    layer_case c = reduction(NAIVE_REDUCE_MEAN, DIMS(2, 3, 2), 2, axes[i]);
    layer_check(c, ALL_TYPES, "1 2  3 4  5 6  3 6  7 10  8 9", "3 6 7", NULL, "");
    c.layer.op = NAIVE_REDUCE_MAX;
    layer_check(c, ALL_TYPES, "1 2  3 4  5 6  3 6  7 10  8 9", "6 10 9", NULL, "");
  }
}

static void a_scalar_is_one_axis(void **state) {
  (void)state;
  layer_case c = reduction(NAIVE_REDUCE_MAX, DIMS(2, 3), DIMS(-2));
  c.list_shape = "";
  layer_check(c, ALL_TYPES, "1 5 3  4 2 6", "4 5 6", NULL, "");
}

static void no_axes_leave_the_tensor_as_it_is(void **state) {
  (void)state;
  layer_case c = reduction(NAIVE_REDUCE_MAX, 2, (int64_t[]){2, 3}, 0, NULL);
  layer_check(c, FLOAT_TYPES, "1 nan -0  inf -inf L", "1 nan -0 inf -inf L", NULL, "");
  layer_check(c, ALL_TYPES, "1 2 L  4 5 G", "1 2 L 4 5 G", NULL, "");
  c.layer.op = NAIVE_REDUCE_MEAN;
  layer_check(c, FLOAT_TYPES, "1 nan 0  inf -inf L", "1 nan 0 inf -inf L", NULL, "");
  layer_check(c, ALL_TYPES, "1 2 L  4 5 G", "1 2 L 4 5 G", NULL, "");
}

static void a_tensor_of_rank_0(void **state) {
  (void)state;
  layer_check(reduction(NAIVE_REDUCE_MEAN, 0, NULL, 0, NULL), ALL_TYPES, "7", "7", NULL, "");
  layer_check(reduction(NAIVE_REDUCE_MAX, 0, NULL, 0, NULL), ALL_TYPES, "7", "7", NULL, "");
  layer_check(reduction(NAIVE_REDUCE_MEAN, 0, NULL, DIMS(0)), ALL_TYPES, "7", "7", NULL, "IR315");
  layer_check(reduction(NAIVE_REDUCE_MAX, 0, NULL, DIMS(-1, 0)), ALL_TYPES, "7", "7", NULL, "IR315");
}

static void special_numbers_in_a_mean(void **state) {
  (void)state;
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(5, 2), DIMS(1)), FLOAT_TYPES, "1 nan  inf 1  -inf 1  inf -inf  1 2",
              "nan inf -inf nan 1.5", NULL, "");
}

/* A NaN at any position makes the maximum NaN. */
static void special_numbers_in_a_maximum(void **state) {
  (void)state;
  layer_check(reduction(NAIVE_REDUCE_MAX, DIMS(6, 2), DIMS(1)), FLOAT_TYPES,
              "nan 1  1 nan  -inf -inf  nan nan  -0 0  1 inf", "nan nan -inf nan -0 inf", NULL, "");
  layer_check(reduction(NAIVE_REDUCE_MAX, DIMS(2, 2), DIMS(0)), FLOAT_TYPES, "nan 1  1 nan", "nan nan", NULL, "");
}

/* Sums of three elements that are no multiples of 3, and sums that exceed 64 bits. */
static void means_of_integers_are_cut_toward_zero(void **state) {
  (void)state;
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(8, 3), DIMS(1)), IR_SET_SIGNED,
              "1 1 0  -1 -1 0  8 0 0  -11 0 0  4 4 3  2 0 0  G G G  L L L", "0 0 2 -3 3 0 G L", NULL, "");
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(4, 3), DIMS(1)), IR_SET_UNSIGNED, "1 1 0  8 0 0  4 4 3  G G G",
              "0 2 3 G", NULL, "");
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(3, 2, 2), DIMS(0, 2)), IR_SET_SIGNED,
              "1 1  -1 -1  8 0  -11 0  4 -2  0 1", "2 -2", NULL, "");
}

/* A row has more outputs than kernels sum at once. */
static void rows_longer_than_a_tile(void **state) {
  (void)state;
  char x[2048] = "", expected[1024] = "";
  for (int row = 0; row < 2; row++)
    for (int i = 0; i < 100; i++)
      sprintf(x + strlen(x), "%d ", row == 0 ? i : 2);
  for (int i = 0; i < 100; i++)
    sprintf(expected + strlen(expected), "%d ", (i + 2) / 2);
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(2, 100), DIMS(0)), IR_SET_INTEGERS, x, expected, NULL, "");
}

static void a_reduction_of_nothing_is_warned_of(void **state) {
  (void)state;
  layer_check(reduction(NAIVE_REDUCE_MEAN, DIMS(2, 0), DIMS(1)), ALL_TYPES, "", "0 0", NULL, "IR305");
  layer_check(reduction(NAIVE_REDUCE_MAX, DIMS(2, 0), DIMS(1)), ALL_TYPES, "", "L L", NULL, "IR305");
  layer_check(reduction(NAIVE_REDUCE_MAX, DIMS(0), DIMS(0)), ALL_TYPES, "", "L", NULL, "IR305");
  layer_check(reduction(NAIVE_REDUCE_MAX, DIMS(0, 3), DIMS(1)), ALL_TYPES, "", "", NULL, "");
}

/* A tensor of 16 axes, the greatest rank. */
static void sixteen_axes(void **state) {
  (void)state;
  layer_case c = reduction(NAIVE_REDUCE_MEAN, DIMS(2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3), DIMS(0, -1));
  layer_check(c, ALL_TYPES, "1 2 3  4 5 6  5 6 7  8 9 10", "4 7", NULL, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dims_are_dropped_or_kept),
      cmocka_unit_test(global_pools),
      cmocka_unit_test(axes_in_any_order_from_either_end),
      cmocka_unit_test(a_scalar_is_one_axis),
      cmocka_unit_test(no_axes_leave_the_tensor_as_it_is),
      cmocka_unit_test(a_tensor_of_rank_0),
      cmocka_unit_test(special_numbers_in_a_mean),
      cmocka_unit_test(special_numbers_in_a_maximum),
      cmocka_unit_test(means_of_integers_are_cut_toward_zero),
      cmocka_unit_test(rows_longer_than_a_tile),
      cmocka_unit_test(a_reduction_of_nothing_is_warned_of),
      cmocka_unit_test(sixteen_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

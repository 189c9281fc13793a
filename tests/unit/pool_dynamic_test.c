/* Tests pools whose sizes are open until the run. Pads, sizes and faults have to be those of the current input, not
 * of the previous one. */
#include "layer_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const float counted[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25};

static layer_case open_pool(naive_auto_pad auto_pad) {
  return (layer_case){.opset = 14,
                      .shape = "1,1,?,?",
                      .with_indices = true,
                      .layer = {.op = NAIVE_MAX_POOL,
                                .type = IR_F32,
                                .rank = 4,
                                .in = {1, 1, 5, 5},
                                .windows = {{2, 2, 1, 0, 0}, {2, 2, 1, 0, 0}},
                                .auto_pad = auto_pad}};
}

static void expect_outputs(const model_run *run, int64_t n, const float *values, const int64_t *indices) {
  assert_int_equal(run->status, IRRUN_OK);
  irrun_tensor_info got = irrun_tensor_get_info(run->values);
  assert_int_equal(got.elements, n);
  assert_memory_equal(got.data, values, (size_t)n * sizeof *values);
  if (indices != NULL)
    assert_memory_equal(irrun_tensor_get_info(run->indices).data, indices, (size_t)n * sizeof *indices);
}

/* For 5 elements, same_lower adds a pad at the beginning. For 4 elements, it adds none. */
static void same_pads_are_those_of_the_input(void **state) {
  (void)state;
  layer_case c = open_pool(NAIVE_SAME_LOWER);
  model_run run = layer_run_begin(&c, counted);
  expect_outputs(&run, 9, (const float[]){1, 3, 5, 11, 13, 15, 21, 23, 25},
                 (const int64_t[]){0, 2, 4, 10, 12, 14, 20, 22, 24});
  c.layer.in[2] = c.layer.in[3] = 4;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 4, (const float[]){6, 8, 14, 16}, (const int64_t[]){5, 7, 13, 15});
  c.layer.in[2] = 1;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 2, (const float[]){2, 4}, (const int64_t[]){1, 3});
  assert_string_equal(model_run_rules(&run), "");
  model_run_end(&run);
}

static void an_input_below_the_window_leaves_nothing_behind(void **state) {
  (void)state;
  layer_case c = open_pool(NAIVE_EXPLICIT);
  model_run run = layer_run_begin(&c, counted);
  expect_outputs(&run, 4, (const float[]){7, 9, 17, 19}, NULL);
  c.layer.in[3] = 1;
  layer_run_again(&run, &c, counted);
  assert_int_equal(run.status, IRRUN_BAD_DATA);
  assert_null(run.values);
  assert_null(run.indices);
  assert_string_equal(model_run_rules(&run), "IR304");
  c.layer.in[2] = c.layer.in[3] = 2;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 1, (const float[]){4}, (const int64_t[]){3});
  model_run_end(&run);
}

static void a_batch_of_none_is_refused(void **state) {
  (void)state;
  layer_case c = open_pool(NAIVE_EXPLICIT);
  c.shape = "?,1,5,5";
  c.layer.in[0] = 0;
  model_run run = layer_run_begin(&c, counted);
  assert_int_equal(run.status, IRRUN_BAD_DATA);
  assert_string_equal(model_run_rules(&run), "IR307");
  model_run_end(&run);
}

/* If the model leaves sizes open, the warning comes from the run, which knows the sizes. */
static void an_empty_window_is_warned_of_in_its_run(void **state) {
  (void)state;
  layer_case c = open_pool(NAIVE_EXPLICIT);
  c.layer.rounding = NAIVE_CEIL;
  c.layer.windows[1].pad_end = 1;
  c.layer.in[2] = c.layer.in[3] = 2;
  model_run run = layer_run_begin(&c, counted);
  assert_string_equal(model_run_rules(&run), "IR305 IR310");
  expect_outputs(&run, 2, (const float[]){4, -340282346638528859811704183484516925440.0F}, (const int64_t[]){3, 0});
  c.layer.in[3] = 3;
  layer_run_again(&run, &c, counted);
  assert_string_equal(model_run_rules(&run), "IR305 IR310");
  expect_outputs(&run, 2, (const float[]){5, 6}, (const int64_t[]){4, 5});
  model_run_end(&run);
}

/* If the model fixes the sizes, the warning comes from the check, and the run does not repeat the warning. */
static void an_empty_window_beside_open_sizes_is_warned_of_once(void **state) {
  (void)state;
  layer_case c = open_pool(NAIVE_EXPLICIT);
  c.shape = "?,1,2,?";
  c.layer.rounding = NAIVE_CEIL;
  c.layer.windows[0].pad_end = c.layer.windows[1].pad_end = 1;
  c.layer.in[2] = 2;
  c.layer.in[3] = 3;
  const float lowest = -340282346638528859811704183484516925440.0F;
  model_run run = layer_run_begin(&c, counted);
  assert_string_equal(model_run_rules(&run), "IR305 IR310");
  expect_outputs(&run, 4, (const float[]){5, 6, lowest, lowest}, (const int64_t[]){4, 5, 0, 0});
  c.layer.in[3] = 2;
  layer_run_again(&run, &c, counted);
  assert_string_equal(model_run_rules(&run), "IR305 IR305 IR310 IR310");
  model_run_end(&run);
}

/* ---- sizes and axes that are inputs ---- */

static layer_case open_adaptive(int64_t height, int64_t width) {
  return (layer_case){
      .opset = 8,
      .list_at_run_time = true,
      .layer = {
          .op = NAIVE_ADAPTIVE_MAX_POOL, .type = IR_F32, .rank = 4, .in = {1, 1, 5, 5}, .sizes = {height, width}}};
}

static void sizes_are_those_of_the_run(void **state) {
  (void)state;
  layer_case c = open_adaptive(2, 1);
  model_run run = layer_run_begin(&c, counted);
  expect_outputs(&run, 2, (const float[]){15, 25}, NULL);
  c.layer.sizes[0] = 1;
  c.layer.sizes[1] = 5;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 5, (const float[]){21, 22, 23, 24, 25}, NULL);
  model_run_end(&run);
}

/* 2^32 + 2 must not become 2. */
static void sizes_that_cannot_be_are_refused_in_a_run(void **state) {
  (void)state;
  static const int64_t sizes[] = {0, -1, INT64_MIN, INT64_C(4294967298), INT64_C(2147483648)};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    layer_case c = open_adaptive(2, sizes[i]);
    model_run run = layer_run_begin(&c, counted);
    assert_int_equal(run.status, IRRUN_BAD_DATA);
    assert_null(run.values);
    assert_string_equal(model_run_rules(&run), "IR313");
    model_run_end(&run);
  }
}

static void axes_are_those_of_the_run(void **state) {
  (void)state;
  layer_case c = {.opset = 1,
                  .list_at_run_time = true,
                  .list_shape = "?",
                  .n_axes = 1,
                  .axes = {-1},
                  .layer = {.op = NAIVE_REDUCE_MAX, .type = IR_F32, .rank = 2, .in = {2, 3}}};
  model_run run = layer_run_begin(&c, counted);
  expect_outputs(&run, 2, (const float[]){3, 6}, NULL);
  c.axes[0] = 0;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 3, (const float[]){4, 5, 6}, NULL);
  c.n_axes = 2;
  c.axes[1] = -1;
  layer_run_again(&run, &c, counted);
  expect_outputs(&run, 1, (const float[]){6}, NULL);
  assert_string_equal(model_run_rules(&run), "");
  c.axes[1] = -2; /* the same axis as axes[0] */
  layer_run_again(&run, &c, counted);
  assert_int_equal(run.status, IRRUN_BAD_DATA);
  assert_null(run.values);
  assert_string_equal(model_run_rules(&run), "IR315");
  model_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_pads_are_those_of_the_input),
      cmocka_unit_test(an_input_below_the_window_leaves_nothing_behind),
      cmocka_unit_test(a_batch_of_none_is_refused),
      cmocka_unit_test(an_empty_window_is_warned_of_in_its_run),
      cmocka_unit_test(an_empty_window_beside_open_sizes_is_warned_of_once),
      cmocka_unit_test(sizes_are_those_of_the_run),
      cmocka_unit_test(sizes_that_cannot_be_are_refused_in_a_run),
      cmocka_unit_test(axes_are_those_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests empty inputs whose other dims are so large that their product overflows and a loop over them would never
 * end. A file of a hundred bytes can declare such a tensor. */
#include "layer_check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LARGE (INT64_C(1) << 40)

static void windows_that_cover_large_axes(void **state) {
  (void)state;
  naive_window whole = {LARGE, 1, 1, 0, 0}, padding = {1, 1, 1, 0, 1};
  layer_case c = {
      .opset = 16,
      .layer = {.op = NAIVE_MAX_POOL, .rank = 5, .in = {1, 1, LARGE, LARGE, 0}, .windows = {whole, whole, padding}}};
  for (c.layer.axis = 0; c.layer.axis < 5; c.layer.axis++)
    layer_check(c, ALL_TYPES, "", "L", "0", "IR305");
  c.layer.op = NAIVE_AVG_POOL;
  c.layer.in[3] = c.layer.windows[1].kernel = 1024; /* the product of AvgPool's kernel sizes must fit 64 bits */
  layer_check(c, ALL_TYPES, "", "0", NULL, "IR305");
}

static void bins_of_no_batch(void **state) {
  (void)state;
  layer_case c = {.opset = 8,
                  .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 4, .in = {0, 3, LARGE, LARGE}, .sizes = {2, 1}}};
  layer_check(c, FLOAT_TYPES, "", "", "", "");
  c.layer.op = NAIVE_ADAPTIVE_AVG_POOL;
  layer_check(c, FLOAT_TYPES, "", "", NULL, "");
  c.layer.in[0] = LARGE;
  c.layer.in[1] = 0;
  layer_check(c, FLOAT_TYPES, "", "", NULL, "");
}

static void reductions_of_large_axes(void **state) {
  (void)state;
  layer_case c = {.opset = 1, .layer = {.op = NAIVE_REDUCE_MAX, .rank = 3, .in = {LARGE, LARGE, 0}}};
  c.n_axes = 3;
  c.axes[1] = 1;
  c.axes[2] = 2;
  layer_check(c, ALL_TYPES, "", "L", NULL, "IR305");
  c.n_axes = 2;
  layer_check(c, ALL_TYPES, "", "", NULL, "");
  c.layer.op = NAIVE_REDUCE_MEAN;
  layer_check(c, ALL_TYPES, "", "", NULL, "");
  c.n_axes = 3;
  layer_check(c, ALL_TYPES, "", "0", NULL, "IR305");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(windows_that_cover_large_axes),
      cmocka_unit_test(bins_of_no_batch),
      cmocka_unit_test(reductions_of_large_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

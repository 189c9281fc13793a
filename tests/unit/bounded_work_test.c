/* Tests that the work of an op does not grow with attributes or coordinates that have no effect. */
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { TAPS = 801 };

/* At every position the kernel covers the whole input, so most of its taps lie in the padding. */
static void taps_in_the_padding_are_passed_over(void **state) {
  (void)state;
  static double kernel[TAPS * TAPS];
  for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++)
    kernel[i] = (double)(i % 7);
  const double x[4] = {1, 10, 100, 1000};
  op_model c = {.type = "Convolution",
                .data = "strides='1,1' dilations='1,1' pads_begin='800,800' pads_end='800,800'",
                .n_inputs = 2,
                .inputs = {{.type = IR_F64, .rank = 4, .dims = {1, 1, 2, 2}, .data = x},
                           {.type = IR_F64, .rank = 4, .dims = {1, 1, TAPS, TAPS}, .data = kernel}}};
  const clock_t start = clock();
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info y = irrun_tensor_get_info(run.values);
  assert_int_equal(y.dims[2], TAPS + 1);
  for (int64_t at = 0; at < y.elements; at++) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      const int64_t row = i / 2 + TAPS - 1 - at / (TAPS + 1), column = i % 2 + TAPS - 1 - at % (TAPS + 1);
      if (row >= 0 && row < TAPS && column >= 0 && column < TAPS)
        sum += x[i] * kernel[row * TAPS + column];
    }
    if (((const double *)y.data)[at] != sum)
      fail_msg("element %lld is %g, not %g", (long long)at, ((const double *)y.data)[at], sum);
  }
  assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 30); /* visiting all taps would take many minutes */
  model_run_end(&run);
}

static model_run align(const char *data, const float *region) {
  static const float map[4] = {1, 1, 1, 1};
  const op_model c = {.type = "ROIAlign",
                      .opset = 3,
                      .data = data,
                      .n_inputs = 3,
                      .inputs = {{.type = IR_F32, .rank = 4, .dims = {1, 1, 2, 2}, .data = map},
                                 {.type = IR_F32, .rank = 2, .dims = {1, 4}, .data = region},
                                 {.type = IR_I32, .rank = 1, .dims = {1}, .data = (int32_t[]){0}}}};
  return op_model_run(&c);
}

static void samples_are_bounded(void **state) {
  (void)state;
#define DATA(ratio) "pooled_h='1' pooled_w='1' spatial_scale='1' mode='avg' sampling_ratio='" ratio "'"
  model_run run = align(DATA("1025"), (float[]){0, 0, 1, 1});
  assert_int_equal(run.status, IRRUN_IO);
  assert_string_equal(model_run_rules(&run), "IR004");
  model_run_end(&run);
  run = align(DATA("1024"), (float[]){0, 0, 1, 1});
  assert_int_equal(run.status, IRRUN_OK);
  assert_true(*(const float *)irrun_tensor_get_info(run.values).data == 1);
  model_run_end(&run);
  const clock_t start = clock();
  run = align(DATA("0"),
              (float[]){-1e30F, -1e30F, 1e30F, 1e30F}); /* the number of samples is limited by the number of elements */
  assert_int_equal(run.status, IRRUN_OK);
  assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 10);
  model_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(taps_in_the_padding_are_passed_over),
      cmocka_unit_test(samples_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Statistics of tensors, compared with plain sums over all elements. */
#include "irrun_stats.h"
#include "ops/kernels/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

static irrun_context *context;

static void add(irrun_stats *stats, irrun_element_type type, int64_t n, const void *data, size_t bytes) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_create(context, type, 1, &n, data, bytes, &tensor), IRRUN_OK);
  assert_int_equal(irrun_stats_add(stats, tensor), IRRUN_OK);
  irrun_tensor_free(tensor);
}

static irrun_stats *create(void) {
  irrun_stats *stats;
  assert_int_equal(irrun_stats_create(context, &stats), IRRUN_OK);
  return stats;
}

/* Frees the statistics. */
static irrun_stats_info take(irrun_stats *stats) {
  irrun_stats_info info = {.size = sizeof info};
  assert_true(irrun_stats_get(stats, &info));
  irrun_stats_free(stats);
  return info;
}

static irrun_stats_info stats_of(irrun_element_type type, int64_t n, const void *data, size_t bytes) {
  irrun_stats *stats = create();
  add(stats, type, n, data, bytes);
  return take(stats);
}

enum { MANY = 300 * 1000 + 7 };

/* Numbers of many sizes; some are 0, subnormal, too small or too large for f16. */
static void fill_many(float *out) {
  uint32_t state = 1;
  for (int i = 0; i < MANY; i++) {
    state = state * 1664525 + 1013904223;
    const float part = (float)(state >> 8) / (float)(1 << 24) - 0.4F;
    out[i] = i % 10 == 0 ? 0 : i % 1001 == 1 ? part * 1e-40F : i % 1001 == 2 ? part * 1e6F : part;
  }
  out[5] = -0.0F;
}

static void check_sums(const irrun_stats_info *info, const float *x, int n) {
  long double sum = 0, squares = 0;
  int64_t zeros = 0, subnormals = 0, overflows = 0, vanishes = 0;
  float min = x[0], max = x[0];
  for (int i = 0; i < n; i++) {
    const float size = fabsf(x[i]);
    sum += x[i];
    min = fminf(min, x[i]);
    max = fmaxf(max, x[i]);
    zeros += size == 0;
    subnormals += size > 0 && size < FLT_MIN;
    overflows += size >= 65520;
    vanishes += size > 0 && size <= 0x1p-25F;
  }
  const long double mean = sum / n;
  for (int i = 0; i < n; i++)
    squares += (x[i] - mean) * (x[i] - mean);
  assert_int_equal(info->finite, n);
  assert_int_equal(info->zeros, zeros);
  assert_int_equal(info->subnormals, subnormals);
  assert_int_equal(info->f16_overflows, overflows);
  assert_int_equal(info->f16_vanishes, vanishes);
  assert_true(info->min == (double)min && info->max == (double)max);
  assert_true(fabsl((long double)info->mean - mean) <= 1e-12L * fabsl((long double)info->deviation));
  assert_true(fabsl((long double)info->deviation - sqrtl(squares / n)) <= 1e-12L * (long double)info->deviation);
}

/* The same bits with any instruction set and number of threads; nearly the same if the tensor is added in two pieces.
 */
static void many_floats(void **state) {
  (void)state;
  static float x[MANY];
  fill_many(x);
  irrun_stats_info infos[IR_ISA_AVX512 + 2];
  for (int i = 0; i < IR_ISA_AVX512 + 2; i++) {
    ir_isa_limit(i <= IR_ISA_AVX512 ? (ir_isa)i : IR_ISA_AVX512);
    assert_int_equal(irrun_context_set_threads(context, i <= IR_ISA_AVX512 ? 1 : 4), IRRUN_OK);
    infos[i] = stats_of(IRRUN_F32, MANY, x, sizeof x);
    check_sums(&infos[i], x, MANY);
    assert_memory_equal(&infos[0], &infos[i], sizeof infos[0]);
  }
  irrun_stats *stats = create();
  add(stats, IRRUN_F32, 1001, x, 1001 * sizeof *x);
  add(stats, IRRUN_F32, MANY - 1001, x + 1001, sizeof x - 1001 * sizeof *x);
  int64_t sum = 0, count;
  double least, most, last = -INFINITY;
  for (int64_t i = 0; irrun_stats_get_bin(stats, i, &least, &most, &count); i++) {
    assert_true(least >= last && most > least && count > 0);
    last = most;
    sum += count;
  }
  assert_int_equal(sum, MANY);
  const irrun_stats_info info = take(stats);
  check_sums(&info, x, MANY);
  assert_int_equal(info.tensors, 2);
  assert_true(info.low == infos[0].low && info.high == infos[0].high);
}

/* Floats whose mean is far larger than their deviation, with one that is far from all others as the first guess. */
static void a_mean_far_from_zero(void **state) {
  (void)state;
  static float x[2048];
  for (int i = 0; i < 2048; i++)
    x[i] = 1e6F + (float)(i % 7) / 16;
  irrun_stats_info info = stats_of(IRRUN_F32, 2048, x, sizeof x);
  check_sums(&info, x, 2048);
  x[1024] = -1e9F;
  info = stats_of(IRRUN_F32, 2048, x, sizeof x);
  check_sums(&info, x, 2048);
}

static void percentiles(void **state) {
  (void)state;
  static float x[10001];
  for (int i = 0; i <= 10000; i++)
    x[i] = (float)i / 100 - 30;
  const irrun_stats_info info = stats_of(IRRUN_F32, 10001, x, sizeof x);
  assert_true(fabs(info.low - -29.9) < 29.9 / 8); /* element 10 */
  assert_true(fabs(info.high - 69.9) < 69.9 / 8);
  assert_true(info.low > info.min && info.high < info.max);
  const irrun_stats_info two = stats_of(IRRUN_I64, 2, (const int64_t[]){-1, 2}, 16);
  assert_true(fabs(two.low - -0.997) < 1e-12 && fabs(two.high - 1.997) < 1e-12); /* as in numpy */
}

static void elements_that_are_not_finite(void **state) {
  (void)state;
  static float many[3 * 2048];
  for (int i = 0; i < 3 * 2048; i++)
    many[i] = i % 2 == 0 ? -INFINITY : i == 5 ? NAN : (float)i;
  const irrun_stats_info half = stats_of(IRRUN_F32, 3 * 2048, many, sizeof many);
  assert_true(half.finite == 3 * 1024 - 1 && half.negative_infinities == 3 * 1024 && half.nans == 1);
  assert_true(half.min == 1 && half.max == 3 * 2048 - 1 && fabs(half.mean - 9437179.0 / 3071) < 1e-9);
  float x[40] = {NAN, INFINITY, -INFINITY, 3, 5};
  for (int i = 5; i < 40; i++)
    x[i] = 4;
  const irrun_stats_info info = stats_of(IRRUN_F32, 40, x, sizeof x);
  assert_int_equal(info.nans, 1);
  assert_int_equal(info.infinities, 2);
  assert_int_equal(info.negative_infinities, 1);
  assert_int_equal(info.finite, 37);
  assert_true(info.mean == 4 && info.min == 3 && info.max == 5);
  assert_true(fabs(info.deviation - sqrt(2.0 / 37)) < 1e-15);
  const irrun_stats_info none = stats_of(IRRUN_F32, 1, x, sizeof *x);
  assert_true(none.finite == 0 && none.min == 0 && none.mean == 0 && none.deviation == 0 && none.high == 0);
  const irrun_stats_info empty = stats_of(IRRUN_F32, 0, x, 0);
  assert_true(empty.finite == 0 && empty.nans == 0 && empty.tensors == 1 && empty.low == 0);
}

static void other_types(void **state) {
  (void)state;
  irrun_stats_info info = stats_of(IRRUN_I32, 5, (const int32_t[]){-7, 3, 3, 0, 100000}, 20);
  assert_true(info.unique == 4 && info.zeros == 1 && info.min == -7 && info.max == 100000);
  info = stats_of(IRRUN_BOOLEAN, 3, (const uint8_t[]){1, 0, 1}, 3);
  assert_true(info.unique == 2 && info.zeros == 1 && info.max == 1);
  info = stats_of(IRRUN_I4, 3, (const uint8_t[]){0x8F, 0x07}, 2); /* -1, -8, 7 */
  assert_true(info.unique == 3 && info.min == -8 && info.max == 7 && info.finite == 3);
  info = stats_of(IRRUN_F16, 3, (const uint16_t[]){0x0001, 0x7BFF, 0xFC00}, 6);
  assert_true(info.subnormals == 1 && info.negative_infinities == 1 && info.max == 65504 && info.unique == -1);
  info = stats_of(IRRUN_F64, 2, (const double[]){1.5e308, 1.5e308}, 16);
  assert_true(info.mean == 1.5e308 && info.f16_overflows == 2 && info.deviation == 0 && info.high == 1.5e308);
  static int16_t all[20000];
  for (int i = 0; i < 20000; i++)
    all[i] = (int16_t)i;
  info = stats_of(IRRUN_I16, 20000, all, sizeof all);
  assert_true(info.unique == -1 && info.finite == 20000 && info.mean == 9999.5);
}

static int begin(void **state) {
  (void)state;
  context = irrun_context_create(NULL);
  return context == NULL;
}

static int end(void **state) {
  (void)state;
  irrun_context_free(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_floats), cmocka_unit_test(a_mean_far_from_zero),
      cmocka_unit_test(percentiles), cmocka_unit_test(elements_that_are_not_finite),
      cmocka_unit_test(other_types),
  };
  return cmocka_run_group_tests(tests, begin, end);
}

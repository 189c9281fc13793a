/* Tests how kernels divide a sum by the divisor, against true division. Windows have one element, so that the sum
 * can be any float. */
#include "draw.h"
#include "pool_case.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SUMS = 64, EVERY = 4096, LARGE = 2048, MOST_TAPS = 1 << 20 };

static pool_case c;
static float sums[SUMS], means[SUMS];
static uint16_t half_sums[SUMS], half_means[SUMS];

typedef float of_divisor(int64_t divisor);
typedef void check(float sum, int64_t divisor, float mean);

static void run_halves(const ir_pool_kernel *kernel) {
  for (int i = 0; i < SUMS; i++)
    half_sums[i] = ir_f32_to_f16(sums[i]);
  pool_case_run(&c, kernel, half_sums, half_means, 0);
  for (int i = 0; i < SUMS; i++)
    means[i] = ir_f16_to_f32(half_means[i]);
}

/* Divides sums of `draw_sum` with every kernel of the type, f32 or f16. */
static void divide_by(int64_t divisor, ir_type type, of_divisor *draw_sum, check *check_mean) {
  assert_true(pool_case_planes(&c, 1, 1, SUMS, (ir_window_axis){1, 1, 1, 0, 0}, divisor));
  for (int i = 0; i < SUMS; i++)
    sums[i] = draw_sum(divisor);
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++) {
    if (kernel->type != type || kernel->op != IR_POOL_SUM || !kernel->available())
      continue;
    memset(means, 0xa5, sizeof means);
    if (type == IR_F16)
      run_halves(kernel);
    else
      pool_case_run(&c, kernel, sums, means, 0);
    for (int i = 0; i < SUMS; i++)
      check_mean(sums[i], divisor, means[i]);
  }
}

static void try_divisors(of_divisor *draw_sum, check *check_mean) {
  for (int64_t divisor = 1; divisor <= EVERY; divisor++)
    divide_by(divisor, IR_F32, draw_sum, check_mean);
  for (int i = 0; i < LARGE; i++)
    divide_by(i == 0 ? MOST_TAPS : between(EVERY, MOST_TAPS), IR_F32, draw_sum, check_mean);
}

/* ---- sums ---- */

/* Scales a sum by a power of two, so that the quotient's magnitude lies between about 2^low and 2^high. */
static float scaled(double sum, int64_t divisor, int low, int high) {
  int exponent;
  frexp(sum / (double)divisor, &exponent);
  return (float)ldexp(one_in(2) ? sum : -sum, (int)between(low, high) - exponent);
}

static double any_sum(void) {
  return (double)between(1 << 23, (1 << 24) - 1);
}

/* Returns a sum whose quotient is next to the middle of two floats, where rounding is hardest. For odd d and
 * `middle`, sum * 2^s and middle * d differ by 1. Returns 0 if the sum is no float. */
static double hard_sum(int64_t divisor) {
  uint64_t d = (uint64_t)divisor, inverse = 1, middle = (uint64_t)between(1 << 24, (1 << 25) - 1);
  while (d % 2 == 0)
    d /= 2;
  for (int i = 0; i < 5; i++) /* Newton's iteration for 1 / d: each step doubles the number of correct bits */
    inverse *= 2 - d * inverse;
  int s = 0;
  while (middle * d >> s >= 1 << 24)
    s++;
  const uint64_t low_bits = (UINT64_C(1) << s) - 1;
  const uint64_t apart = one_in(2) ? 1 : UINT64_MAX; /* 1 or -1 */
  middle = (middle & ~low_bits) | (apart * inverse & low_bits);
  const uint64_t sum = (middle * d - apart) >> s;
  return sum < 1 << 24 ? (double)sum : 0;
}

static float draw_sum(int64_t divisor) {
  const double hard = one_in(2) ? hard_sum(divisor) : 0;
  return scaled(hard > 0 ? hard : any_sum(), divisor, -103, 100);
}

static float draw_small_sum(int64_t divisor) {
  const double hard = one_in(2) ? hard_sum(divisor) : 0;
  return scaled(hard > 0 ? hard : any_sum(), divisor, -152, -103);
}

static float special_sum(int64_t divisor) {
  static const float specials[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, FLT_MAX};
  (void)divisor;
  return specials[between(0, 5)];
}

static float special_half(int64_t divisor) {
  const float sum = special_sum(divisor);
  return sum == FLT_MAX ? 65504.0f : sum;
}

/* ---- means ---- */

static void is_same(float sum, int64_t divisor, float mean, float quotient) {
  if (memcmp(&mean, &quotient, sizeof mean) != 0 && !(isnan(mean) && isnan(quotient)))
    fail_msg("%a / %lld: %a, not %a", (double)sum, (long long)divisor, (double)mean, (double)quotient);
}

static void is_rounded_once(float sum, int64_t divisor, float mean) {
  is_same(sum, divisor, mean, sum / (float)divisor);
}

static void is_half_of_that(float sum, int64_t divisor, float mean) {
  is_same(sum, divisor, mean, ir_f16_to_f32(ir_f32_to_f16(sum / (float)divisor)));
}

static void is_next_to_quotient(float sum, int64_t divisor, float mean) {
  const double quotient = (double)sum / (double)divisor;
  const float near = fabsf((float)quotient);
  const double step = (double)nextafterf(near, INFINITY) - (double)near;
  if (!(fabs((double)mean - quotient) < step))
    fail_msg("%a / %lld: %a, not next to %a", (double)sum, (long long)divisor, (double)mean, quotient);
}

static void quotients_are_rounded_once(void **state) {
  (void)state;
  try_divisors(draw_sum, is_rounded_once);
}

static void small_quotients_are_next_to_exact(void **state) {
  (void)state;
  try_divisors(draw_small_sum, is_next_to_quotient);
}

static void specials_are_as_of_a_division(void **state) {
  (void)state;
  for (int64_t divisor = 1; divisor <= EVERY; divisor += divisor < 64 ? 1 : 63) {
    divide_by(divisor, IR_F32, special_sum, is_rounded_once);
    divide_by(divisor, IR_F16, special_half, is_half_of_that);
  }
}

static int set_up(void **state) {
  (void)state;
  pool_case_init(&c);
  return draw_seed(NULL);
}

static int tear_down(void **state) {
  (void)state;
  pool_case_reset(&c);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotients_are_rounded_once),
      cmocka_unit_test(small_quotients_are_next_to_exact),
      cmocka_unit_test(specials_are_as_of_a_division),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Compares the functions of floats with the C library's functions of doubles, over floats of all magnitudes. */
#include "ops/kernels/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FUNCTION(name)                                                                                                 \
  static float name##_f32(float x) {                                                                                   \
    return ir_##name##_f32(x);                                                                                         \
  }
FUNCTION(exp)
FUNCTION(expm1)
FUNCTION(log)
FUNCTION(tanh)
FUNCTION(erf)
FUNCTION(gelu)
FUNCTION(sigmoid)
FUNCTION(soft_plus)
FUNCTION(mish)

FUNCTION(gelu_tanh)

static float swish_f32(float x) {
  return ir_sigmoid_times_f32(x, 0, x);
}

static double gelu(double x) {
  return x < -100 ? -0.0 : x * erfc(-x * M_SQRT1_2) / 2;
}

static double gelu_tanh(double x) {
  return x / (1 + exp(-2 * M_2_SQRTPI * M_SQRT1_2 * x * (1 + 0.044715 * x * x)));
}

static double sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

static double soft_plus(double x) {
  return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double mish(double x) {
  return x * tanh(soft_plus(x));
}

static double swish(double x) {
  return x * sigmoid(x);
}

typedef struct function {
  const char *name;
  float (*approximate)(float x);
  double (*exact)(double x);
  double most_ulp; /* documented bound of the error, docs/numbers.md */
} function;

static const function functions[] = {
    {"exp", exp_f32, exp, 1.1},
    {"expm1", expm1_f32, expm1, 1.5},
    {"log", log_f32, log, 1},
    {"tanh", tanh_f32, tanh, 1.5},
    {"erf", erf_f32, erf, 1.5},
    {"gelu", gelu_f32, gelu, 7},
    {"sigmoid", sigmoid_f32, sigmoid, 2},
    {"soft_plus", soft_plus_f32, soft_plus, 2},
    {"gelu_tanh", gelu_tanh_f32, gelu_tanh, 3},
    {"mish", mish_f32, mish, 3.5},
    {"swish", swish_f32, swish, 3},
};

/* Returns the distance of two floats that are next to x. */
static double ulp_of(double x) {
  int exponent;
  frexp(fabs(x) < 0x1p-126 ? 0x1p-126 : x, &exponent);
  return ldexp(1, exponent - 24);
}

static void compare(const function *f, float x) {
  const float found = f->approximate(x);
  const double exact = f->exact(x), most = 0x1.ffffffp127; /* a larger number rounds to infinity */
  bool holds = false;
  if (isnan(exact))
    holds = isnan(found);
  else if (isinf(found))
    holds = (found > 0) == (exact > 0) && fabs(exact) > most - f->most_ulp * 0x1p104;
  else
    holds = fabs(found - exact) <= f->most_ulp * ulp_of(exact) && !signbit(found) == !signbit(exact);
  if (!holds)
    fail_msg("%s(%a) is %a, expected %a", f->name, (double)x, (double)found, exact);
}

static void floats_of_all_magnitudes_have_small_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += 7919) {
      const uint32_t own = (uint32_t)bits;
      float x;
      memcpy(&x, &own, sizeof x);
      compare(&functions[i], x);
    }
}

static void zeros_infinities_denormals_and_nan_are_as_of_the_c_library(void **state) {
  (void)state;
  static const float special[] = {
      0,         -0.0f,      INFINITY,        -INFINITY,       NAN, 1, -1, 0x1p-149f, -0x1p-149f,
      0x1p-126f, -0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (size_t j = 0; j < sizeof special / sizeof *special; j++)
      compare(&functions[i], special[j]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats_of_all_magnitudes_have_small_errors),
      cmocka_unit_test(zeros_infinities_denormals_and_nan_are_as_of_the_c_library),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

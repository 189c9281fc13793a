/* Functions of floats without branches, so that compilers vectorize loops over them. The bits are the same for each
 * instruction set. NaN gives NaN. The errors are in units of the last place (ulp) of the exact result;
 * tests/unit/functions_test.c measures them. Coefficients of polynomials have the least relative error of the result.
 */
#ifndef IR_FUNCTIONS_H
#define IR_FUNCTIONS_H

#include "base/dtype.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Returns 2^n for n in [-127, 128], as bits of the exponent; 2^-127 is 0, 2^128 is infinite. */
static inline float ir_power_of_2(int32_t n) {
  return ir_f32_of_bits((uint32_t)(n + 127) << 23);
}

/* Sets the sign of x if `sign` has one. */
static inline float ir_f32_with_sign(float x, float sign) {
  return ir_f32_of_bits(ir_f32_bits(x) | (ir_f32_bits(sign) & 0x80000000u));
}

/* ---- exp ---- */

/* Returns exp(x) - 1 for x in [-0.35, 0.35]. */
static inline float ir_expm1_near_0(float x) {
  float sum = 0x1.6a2350p-10f * x + 0x1.123a6cp-7f;
  sum = sum * x + 0x1.5558f4p-5f;
  sum = sum * x + 0x1.555490p-3f;
  sum = sum * x + 0x1.fffffcp-2f;
  return sum * x * x + x;
}

/* Returns factor * exp(x - less). `less` holds the digits of the argument that x has no room for: |less| is below
 * 0.06. Results below the normal floats are rounded twice.
 *
 * x = n * log(2) + r with an integer n and |r| <= 0.35. 2^n is two factors, because n lies in [-254, 129]. Adding
 * `to_whole` rounds to the integer n, which is then in the low bits. */
static inline float ir_exp_times_f32(float x, float less, float factor) {
  const float to_whole = 0x1.8p23f, log2_high = 0x1.62e4p-1f, log2_low = 0x1.7f7d1cp-20f;
  const float held = x < -176 ? -176 : x > 89 ? 89 : x;
  const float shifted = held * 0x1.715476p0f + to_whole, n = shifted - to_whole;
  const float r = held - n * log2_high - n * log2_low - less;
  const int32_t whole = (int32_t)(ir_f32_bits(shifted) << 10) >> 10; /* the low 22 bits, with their sign */
  const int32_t half = whole >> 1;
  const float scaled = factor * ir_power_of_2(half);
  return (ir_expm1_near_0(r) * scaled + scaled) * ir_power_of_2(whole - half);
}

/* Returns exp(x). Error: below 1.1 ulp. Large x gives infinity, small x denormals and 0. */
static inline float ir_exp_f32(float x) {
  return ir_exp_times_f32(x, 0, 1);
}

/* Returns exp(x) for x in [-87, 87], with fewer operations than ir_exp_f32. */
static inline float ir_exp_of_bounded_f32(float x) {
  const float to_whole = 0x1.8p23f, log2_high = 0x1.62e4p-1f, log2_low = 0x1.7f7d1cp-20f;
  const float shifted = x * 0x1.715476p0f + to_whole, n = shifted - to_whole;
  const float power = ir_f32_of_bits((ir_f32_bits(shifted) + 127) << 23);
  return ir_expm1_near_0(x - n * log2_high - n * log2_low) * power + power;
}

/* Returns exp(x) - 1.
 *
 * x = n * log(2) + r as for exp. The result is 2 * (2^(n-1) - 1/2 + 2^(n-1) * (exp(r) - 1)). `lost` holds the digits
 * that rounding took from r. */
static inline float ir_expm1_f32(float x) {
  const float to_whole = 0x1.8p23f, log2_high = 0x1.62e4p-1f, log2_low = 0x1.7f7d1cp-20f;
  const float held = x < -25 ? -25 : x > 89 ? 89 : x;
  const float shifted = held * 0x1.715476p0f + to_whole, n = shifted - to_whole;
  const float high = held - n * log2_high, low = n * log2_low, r = high - low, lost = high - r - low;
  const int32_t whole = (int32_t)(ir_f32_bits(shifted) << 10) >> 10;
  const float power = ir_power_of_2(whole - 1);
  float sum = 0x1.6b9c32p-10f * r + 0x1.12253ap-7f;
  sum = sum * r + 0x1.5556f2p-5f;
  sum = sum * r + 0x1.5554b4p-3f;
  sum = sum * r + 0x1.fffffep-2f;
  const float result = (power - 0.5f + power * r + power * (sum * r * r + lost)) * 2;
  return fabsf(x) < 0x1p-24f ? x : result;
}

/* ---- log ---- */

/* Returns log((1 + f) * 2^n) for f in [-0.3, 0.415] and an integer n. */
static inline float ir_log_of_parts(float f, float n) {
  const float log2_high = 0x1.63p-1f, log2_low = -0x1.bd0106p-13f, square = f * f;
  float sum = 0x1.1484e8p-4f * f - 0x1.de1004p-4f;
  sum = sum * f + 0x1.e6c03ep-4f;
  sum = sum * f - 0x1.fc26acp-4f;
  sum = sum * f + 0x1.233b78p-3f;
  sum = sum * f - 0x1.555c4ep-3f;
  sum = sum * f + 0x1.99a478p-3f;
  sum = sum * f - 0x1.000006p-2f;
  sum = sum * f + 0x1.555548p-2f;
  return sum * square * f + n * log2_low - 0.5f * square + f + n * log2_high;
}

/* Returns log(x). Numbers below 0 give NaN, 0 gives -infinity.
 *
 * x = (1 + f) * 2^n with 1 + f in [sqrt(1/2), sqrt(2)). Denormals are multiplied by 2^23 first. */
static inline float ir_log_f32(float x) {
  const uint32_t root = 0x3f3504f3; /* bits of sqrt(1/2) */
  const bool is_denormal = x < 0x1p-126f;
  const uint32_t bits = ir_f32_bits(x * (is_denormal ? 0x1p23f : 1));
  const int32_t n = (int32_t)(bits - root) >> 23;
  const float part = ir_f32_of_bits(bits - ((uint32_t)n << 23));
  const uint32_t own = ir_f32_bits(x), infinity = 0x7f800000;
  const float special = own - 1 < infinity - 1 ? 0 : own == infinity ? INFINITY : own << 1 == 0 ? -INFINITY : NAN;
  return ir_log_of_parts(part - 1, (float)n - (is_denormal ? 23.0f : 0)) + special;
}

/* Returns log(1 + x) for x in [0, 1]. */
static inline float ir_log1p_to_1_f32(float x) {
  const bool halves = x > 0.4142135f;
  return ir_log_of_parts(halves ? (x - 1) * 0.5f : x, halves ? 1 : 0);
}

/* ---- activations ---- */

/* Returns tanh(x): a polynomial near 0, and 1 - 2 / (exp(2|x|) + 1) elsewhere. */
static inline float ir_tanh_f32(float x) {
  const float size = fabsf(x), z = x * x;
  float sum = -0x1.828776p-8f * z + 0x1.54c3c2p-6f;
  sum = sum * z - 0x1.b89abap-5f;
  sum = sum * z + 0x1.1109bep-3f;
  sum = sum * z - 0x1.55553ep-2f;
  const float near_0 = sum * z * size + size, far = 1 - 2 / (ir_exp_of_bounded_f32(size > 10 ? 20 : 2 * size) + 1);
  return ir_f32_with_sign(size < 0.6f ? near_0 : far, x);
}

/* Returns erf(x): t + t * polynomial of t^2 near 0, and 1 - exp(t * polynomial of t) elsewhere, with t = |x|. */
static inline float ir_erf_f32(float x) {
  const float size = fabsf(x), t = size > 4 ? 4 : size;
  const bool near_0 = size < 0.92f;
  const float v = near_0 ? t * t : t;
  float sum = near_0 ? -0x1.3aca56p-11f : 0x1.c20dfcp-13f;
  sum = sum * v + (near_0 ? 0x1.47699cp-8f : -0x1.a60ea0p-9f);
  sum = sum * v + (near_0 ? -0x1.b693bap-6f : 0x1.774bb6p-6f);
  sum = sum * v + (near_0 ? 0x1.ce1b10p-4f : -0x1.af4196p-4f);
  sum = sum * v + (near_0 ? -0x1.8126eap-2f : -0x1.457a5cp-1f);
  sum = sum * v + (near_0 ? 0x1.06eba6p-3f : -0x1.20e6b0p+0f);
  const float product = sum * t;
  return ir_f32_with_sign(near_0 ? product + t : 1 - ir_exp_of_bounded_f32(product), x);
}

/* Returns x * (1 + erf(x / sqrt(2))) / 2, as max(x, 0) - exp(-t^2 / 2) * t * m(t) with t = |x|. The function m(t) =
 * exp(t^2 / 2) * erfc(t / sqrt(2)) / 2 is a quotient of polynomials. `high` is t cut to 12 bits, so that its square is
 * exact. */
static inline float ir_gelu_f32(float x) {
  const float size = fabsf(x), t = size > 15 ? 15 : size;
  const float high = ir_f32_of_bits(ir_f32_bits(t) & 0xfffff000u);
  const float z = t * t;
  const float above = (0x1.0baa18p-8f * z + (0x1.4b4382p-5f * t + 0x1.762366p-3f)) * z + (0x1.c01a0cp-2f * t + 0.5f);
  const float below = ((0x1.4f76b0p-7f * t + 0x1.9f344cp-4f) * z + (0x1.df3d9ap-2f * t + 0x1.33466ap+0f)) * z +
                      (0x1.ac4f34p+0f * t + 1);
  const float tail = ir_exp_times_f32(-0.5f * high * high, 0.5f * (t - high) * (t + high), t * above / below);
  return (x >= 0 ? x : -0.0f) - tail;
}

/* Returns factor / (1 + exp(less - x)). `less` is as for ir_exp_times_f32. With e = exp(-|x|), the result for x < 0 is
 * factor * (e - e * e / (1 + e)), which rounds less than factor * e / (1 + e). */
static inline float ir_sigmoid_times_f32(float x, float less, float factor) {
  const float size = -fabsf(x), rest = x < 0 ? less : -less;
  const float power = ir_exp_times_f32(size, rest, 1), scaled = ir_exp_times_f32(size, rest, factor);
  const float below = x < 0 ? scaled : 0, above = x < 0 ? -power * scaled : factor;
  return ir_f32_with_sign(below + above / (1 + power), factor);
}

/* Returns 1 / (1 + exp(-x)). */
static inline float ir_sigmoid_f32(float x) {
  return ir_sigmoid_times_f32(x, 0, 1);
}

/* Returns factor / (1 + exp(-x)) for a finite float x with more digits than a float holds. */
static inline float ir_sigmoid_times_of_f64(double x, float factor) {
  const float high = (float)x;
  return ir_sigmoid_times_f32(high, (float)(high - x), factor);
}

/* Returns x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2. Below -16 the result is 0, above 16 it is x. */
static inline float ir_gelu_tanh_f32(float x) {
  const double held = x < -16 ? -16 : x > 16 ? 16 : x;
  return ir_sigmoid_times_of_f64(2 * M_2_SQRTPI * M_SQRT1_2 * held * (1 + 0.044715 * held * held), x);
}

/* Returns log(1 + exp(x)). */
static inline float ir_soft_plus_f32(float x) {
  return (x > 0 ? x : 0) + ir_log1p_to_1_f32(ir_exp_f32(-fabsf(x)));
}

/* Returns x * tanh(log(1 + exp(x))), with e = exp(x) and n = e * (e + 2): x * e * (1 - e * (e + 1) / (n + 2)) for x < 0
 * and x - 2 * x / (n + 2) elsewhere. From 40 on, the result is x. */
static inline float ir_mish_f32(float x) {
  const float held = x > 40 ? 40 : x, power = ir_exp_f32(held), scaled = x < 0 ? ir_exp_times_f32(held, 0, x) : x;
  const float part = (x < 0 ? scaled * (power * (power + 1)) : 2 * held) / (power * (power + 2) + 2);
  return ir_f32_with_sign(scaled - part, x);
}

/* ---- pow ---- */

/* Returns log(x) for x >= 0, with a relative error of 2^-44.
 *
 * x = m * 2^n with m in [sqrt(1/2), sqrt(2)), and log(m) = 2 * artanh(s) with s = (m - 1) / (m + 1). */
static inline double ir_log_as_f64(float x) {
  const uint32_t root = 0x3f3504f3; /* bits of sqrt(1/2) */
  const uint32_t infinity = 0x7f800000, own = ir_f32_bits(x);
  const bool is_denormal = x < 0x1p-126f;
  const uint32_t bits = ir_f32_bits(x * (is_denormal ? 0x1p23f : 1));
  const int32_t n = (int32_t)(bits - root) >> 23;
  const float special = own >= infinity ? x : own == 0 ? -INFINITY : 0;
  const double m = ir_f32_of_bits(bits - ((uint32_t)n << 23)), s = (m - 1) / (m + 1), z = s * s,
               whole = (float)n - (is_denormal ? 23.0f : 0);
  double sum = 0x1.91116929e033ap-3 * z + 0x1.c62b5fe2dcadcp-3;
  sum = sum * z + 0x1.24941102f5034p-2;
  sum = sum * z + 0x1.999996ab8cb9ep-2;
  sum = sum * z + 0x1.555555561d683p-1;
  return sum * z * s + 2 * s + whole * M_LN2 + special;
}

/* Returns exp(x) with a relative error of 2^-38; NaN stays NaN. x is held in [-200, 200], where floats are infinite or
 * 0.
 *
 * x = n * log(2) + r as for ir_exp_times_f32. */
static inline double ir_exp_as_f64(double x) {
  const double to_whole = 0x1.8p52, held = x < -200 ? -200 : x > 200 ? 200 : x;
  const double shifted = held * 0x1.71547652b82fep0 + to_whole, n = shifted - to_whole, r = held - n * M_LN2;
  double sum = 0x1.9e88ff80ec81dp-16 * r + 0x1.a185915e87af1p-13;
  sum = sum * r + 0x1.6c18d3c08731cp-10;
  sum = sum * r + 0x1.1110a2414b4e3p-7;
  sum = sum * r + 0x1.5555541dd206dp-5;
  sum = sum * r + 0x1.5555557de3b9ep-3;
  sum = sum * r + 0x1.000000005e21bp-1;
  uint64_t bits;
  memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return (sum * r * r + r + 1) * power;
}

/* Returns pow(a, b), with the special cases of C's pow. The error is below 0.51 ulp, so exact powers are exact. */
static inline float ir_pow_f32(float a, float b) {
  const float size = fabsf(a), half = b * 0.5f;
  const bool is_whole = floorf(b) == b, is_odd = is_whole && floorf(half) != half;
  const float power = (float)ir_exp_as_f64(b * ir_log_as_f64(size));
  const float own = ir_f32_with_sign(power, is_odd ? a : 0);
  const bool is_1 = b == 0 || a == 1 || (a == -1 && fabsf(b) == INFINITY);
  return is_1 ? 1 : a < 0 && a > -INFINITY && !is_whole ? NAN : own;
}

#endif

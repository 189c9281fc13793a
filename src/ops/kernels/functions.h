/* Functions of floats without branches, so that compilers vectorize loops over them. The bits are the same for each
 * instruction set. */
#ifndef IR_FUNCTIONS_H
#define IR_FUNCTIONS_H

#include <stdint.h>
#include <string.h>

/* Returns 2^n for n in [-127, 128], as bits of the exponent; 2^-127 is 0, 2^128 is infinite. */
static inline float ir_power_of_2(int32_t n) {
  const uint32_t bits = (uint32_t)(n + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* Returns exp(x), with an error below 1.1 ulp. NaN stays NaN; large x gives infinity, small x denormals and 0.
 *
 * x = n * log(2) + r with an integer n and |r| <= 0.35. exp(r) is a polynomial that is fitted to have the least
 * relative error. 2^n is two factors, because n lies in [-150, 129]. Adding `to_whole` rounds to the integer n, which
 * is then in the low bits. */
static inline float ir_exp_f32(float x) {
  const float to_whole = 0x1.8p23f, log2_high = 0x1.62e4p-1f, log2_low = 0x1.7f7d1cp-20f;
  const float held = x < -104 ? -104 : x > 89 ? 89 : x;
  const float shifted = held * 0x1.715476p0f + to_whole, n = shifted - to_whole;
  const float r = held - n * log2_high - n * log2_low;
  uint32_t bits;
  memcpy(&bits, &shifted, sizeof bits);
  const int32_t whole = (int32_t)(bits << 10) >> 10, half = whole >> 1; /* the low 22 bits, with their sign */
  float sum = 0x1.6a2350p-10f * r + 0x1.123a6cp-7f;
  sum = sum * r + 0x1.5558f4p-5f;
  sum = sum * r + 0x1.555490p-3f;
  sum = sum * r + 0x1.fffffcp-2f;
  sum = sum * r * r + r;
  return (sum + 1) * ir_power_of_2(half) * ir_power_of_2(whole - half);
}

#endif

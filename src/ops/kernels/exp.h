/* Computes exp of doubles without calls or branches, so that compilers vectorize loops over it. */
#ifndef IR_EXP_H
#define IR_EXP_H

#include <stdint.h>
#include <string.h>

/* Returns exp(x), for x <= 0, with a relative error of 2^-33: exact enough for f32. Below -700 the result is
 * exp(-700), about 1e-304; NaN gives NaN.
 *
 * x log2(e) is split into an integer k and a fraction f in [-1/2, 1/2]; the result is 2^k * 2^f. 2^f is a polynomial
 * that is 1 at f = 0 and interpolates 2^f at the 7 Chebyshev nodes. The low bits of the double k + 1.5 * 2^52 are k,
 * which becomes the exponent of 2^k. */
static inline double ir_exp_of_negative(double x) {
  const double shift = 0x1.8p52, t = (x < -700 ? -700 : x) * 0x1.71547652b82fep0, moved = t + shift;
  const double f = t - (moved - shift);
  double power = 0x1.00a58159a6cc2p-16;
  power = power * f + 0x1.443fffc90db59p-13;
  power = power * f + 0x1.5d879ead06012p-10;
  power = power * f + 0x1.3b2a1b7152befp-7;
  power = power * f + 0x1.c6b08d883dcabp-5;
  power = power * f + 0x1.ebfbe045f4d3cp-3;
  power = power * f + 0x1.62e42fefa39efp-1;
  power = power * f + 1;
  uint64_t bits;
  double whole;
  memcpy(&bits, &moved, sizeof bits);
  bits = (bits << 52) + (UINT64_C(1023) << 52);
  memcpy(&whole, &bits, sizeof whole);
  return power * whole;
}

#endif

/* exp of doubles, written so that compilers vectorize loops over it. */
#ifndef IR_EXP_H
#define IR_EXP_H

#include <stdint.h>
#include <string.h>

/* exp(x) for x <= 0, relative error 2^-33: exact enough for an f32. Below -700 the result is exp(-700), 1e-304; NaN
 * gives NaN.
 *
 * x log2(e) is an integer k plus a fraction f in [-1/2, 1/2]. 2^f is the polynomial that is 1 at 0 and interpolates it
 * at the 7 Chebyshev nodes. k is in the low bits of k + 1.5 * 2^52. */
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

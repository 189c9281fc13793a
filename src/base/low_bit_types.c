#include "base/low_bit_types.h"
#include "base/shape.h"
#include <math.h>

bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out) {
  const int bits = ir_type_bits(type);
  int pack = 8; /* number of elements in a pack */
  while (pack > 1 && pack / 2 * bits % 8 == 0)
    pack /= 2;
  return ir_mul(ir_ceil_div(elements, pack), pack * bits / 8, out);
}

/* Decodes sign, exponent and mantissa. With exponent 0 the number is subnormal. */
static double small_float(unsigned bits, int exponent_bits, int mantissa_bits) {
  const unsigned mantissa = bits & ((1U << mantissa_bits) - 1);
  const int exponent = (int)(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1, scale = (exponent > 0 ? exponent : 1) - bias - mantissa_bits;
  const double magnitude = ldexp((double)(mantissa + (exponent > 0 ? 1U << mantissa_bits : 0)), scale);
  return bits >> (exponent_bits + mantissa_bits) != 0 ? -magnitude : magnitude;
}

double ir_narrow_number(ir_type type, unsigned bits) {
  switch (type) {
  case IR_I4:
    return bits < 8 ? (double)bits : (double)bits - 16;
  case IR_NF4:
    return (double)ir_nf4_numbers[bits];
  case IR_F4E2M1:
    return small_float(bits, 2, 1);
  case IR_F8E4M3: /* NaN has either sign; there is no infinity */
    return (bits & 0x7F) == 0x7F ? (double)NAN : small_float(bits, 4, 3);
  case IR_F8E5M2: /* the bits are the upper byte of an f16 */
    return (double)ir_f16_to_f32((uint16_t)(bits << 8));
  case IR_F8E8M0: /* a power of 2, or NaN */
    return bits == 0xFF ? (double)NAN : ldexp(1, (int)bits - 127);
  default:
    return (double)bits;
  }
}

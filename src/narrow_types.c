#include "narrow_types.h"
#include "shape.h"
#include <math.h>

bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out) {
  const int bits = ir_type_bits(type);
  int pack = 8; /* elements */
  while (pack > 1 && pack / 2 * bits % 8 == 0)
    pack /= 2;
  return ir_mul(ir_ceil_div(elements, pack), pack * bits / 8, out);
}

/* ---- packs ---- */

/* Of u3 and u6: the low bits of the elements fill two bytes from the top, the high ones the third. */
static unsigned split_bits(const unsigned char *pack, int at, int low_bits, int high_bits) {
  const int in_byte = 8 / low_bits;
  const unsigned low = (unsigned)pack[at / in_byte] >> (8 - low_bits * (at % in_byte + 1)) & ((1U << low_bits) - 1);
  const unsigned high = (unsigned)pack[2] >> (8 - high_bits * (at + 1)) & ((1U << high_bits) - 1);
  return high << low_bits | low;
}

unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index) {
  const unsigned char *bytes = data;
  const int bits = ir_type_bits(type), in_byte = 8 / bits;
  switch (type) {
  case IR_U1: /* from the top; the others from the bottom */
    return (unsigned)bytes[index / 8] >> (7 - index % 8) & 1;
  case IR_U3:
    return split_bits(bytes + index / 8 * 3, (int)(index % 8), 2, 1);
  case IR_U6:
    return split_bits(bytes + index / 4 * 3, (int)(index % 4), 4, 2);
  default:
    return (unsigned)bytes[index / in_byte] >> (index % in_byte * bits) & ((1U << bits) - 1);
  }
}

/* ---- numbers ---- */

/* The quantiles of a normal distribution that the type was made of: Dettmers et al., "QLoRA", 2023, appendix E. */
static const float nf4_numbers[16] = {-1.0f,
                                      -0.6961928009986877f,
                                      -0.5250730514526367f,
                                      -0.39491748809814453f,
                                      -0.28444138169288635f,
                                      -0.18477343022823334f,
                                      -0.09105003625154495f,
                                      0.0f,
                                      0.07958029955625534f,
                                      0.16093020141124725f,
                                      0.24611230194568634f,
                                      0.33791524171829224f,
                                      0.44070982933044434f,
                                      0.5626170039176941f,
                                      0.7229568362236023f,
                                      1.0f};

/* A sign, an exponent and a mantissa; of exponent 0 the number has no leading 1. */
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
    return (double)nf4_numbers[bits];
  case IR_F4E2M1:
    return small_float(bits, 2, 1);
  case IR_F8E4M3: /* one NaN of either sign, nothing infinite */
    return (bits & 0x7F) == 0x7F ? (double)NAN : small_float(bits, 4, 3);
  case IR_F8E5M2: /* the upper byte of an f16 */
    return (double)ir_f16_to_f32((uint16_t)(bits << 8));
  case IR_F8E8M0: /* powers of 2 */
    return bits == 0xFF ? (double)NAN : ldexp(1, (int)bits - 127);
  default:
    return (double)bits;
  }
}

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

/* ---- packs of elements ---- */

/* `n` bits of byte `byte`, starting at bit `shift`; bit 0 is the lowest. */
typedef struct bit_range {
  int64_t byte;
  int shift, n;
} bit_range;

/* The places of an element's bits. Most types have only `low`, from the lowest bit of a byte; u1 begins at the
 * highest bit. In a pack of u3 or u6, two bytes have the low bits of all elements, and a third byte has their high
 * bits. Both begin at the highest bit of a byte. */
typedef struct bit_places {
  bit_range low, high;
} bit_places;

static bit_places places_of(ir_type type, int64_t index) {
  const int bits = ir_type_bits(type), in_byte = 8 / bits;
  switch (type) {
  case IR_U1:
    return (bit_places){.low = {index / 8, (int)(7 - index % 8), 1}};
  case IR_U3:
    return (bit_places){{index / 8 * 3 + index % 8 / 4, (int)(6 - index % 4 * 2), 2},
                        {index / 8 * 3 + 2, (int)(7 - index % 8), 1}};
  case IR_U6:
    return (bit_places){{index / 4 * 3 + index % 4 / 2, (int)(4 - index % 2 * 4), 4},
                        {index / 4 * 3 + 2, (int)(6 - index % 4 * 2), 2}};
  default:
    return (bit_places){.low = {index / in_byte, (int)(index % in_byte * bits), bits}};
  }
}

static unsigned get(const unsigned char *bytes, bit_range range) {
  return (unsigned)bytes[range.byte] >> range.shift & ((1U << range.n) - 1);
}

static void put(unsigned char *bytes, bit_range range, unsigned bits) {
  const unsigned mask = ((1U << range.n) - 1) << range.shift;
  bytes[range.byte] = (unsigned char)((bytes[range.byte] & ~mask) | (bits << range.shift & mask));
}

unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index) {
  const bit_places at = places_of(type, index);
  return get(data, at.low) | (at.high.n > 0 ? get(data, at.high) << at.low.n : 0);
}

void ir_narrow_set_bits(ir_type type, void *data, int64_t index, unsigned bits) {
  const bit_places at = places_of(type, index);
  put(data, at.low, bits);
  if (at.high.n > 0)
    put(data, at.high, bits >> at.low.n);
}

/* ---- numbers ---- */

/* The 16 numbers of nf4: quantiles of a normal distribution. Source: Dettmers et al., "QLoRA", 2023, appendix E. */
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

/* Decodes sign, exponent and mantissa. With exponent 0 the number is subnormal. */
static double small_float(unsigned bits, int exponent_bits, int mantissa_bits) {
  const unsigned mantissa = bits & ((1U << mantissa_bits) - 1);
  const int exponent = (int)(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1, scale = (exponent > 0 ? exponent : 1) - bias - mantissa_bits;
  const double magnitude = ldexp((double)(mantissa + (exponent > 0 ? 1U << mantissa_bits : 0)), scale);
  return bits >> (exponent_bits + mantissa_bits) != 0 ? -magnitude : magnitude;
}

/* Decodes bits. Codes of NaN and infinity are decoded as finite numbers above the largest one. */
static double number_of(ir_type type, unsigned bits) {
  switch (type) {
  case IR_I4:
    return bits < 8 ? (double)bits : (double)bits - 16;
  case IR_NF4:
    return (double)nf4_numbers[bits];
  case IR_F4E2M1:
    return small_float(bits, 2, 1);
  case IR_F8E4M3:
    return small_float(bits, 4, 3);
  case IR_F8E5M2:
    return small_float(bits, 5, 2);
  case IR_F8E8M0: /* a power of 2 */
    return ldexp(1, (int)bits - 127);
  default:
    return (double)bits;
  }
}

double ir_narrow_number(ir_type type, unsigned bits) {
  if (type == IR_F8E5M2) /* the bits are the upper byte of an f16 */
    return (double)ir_f16_to_f32((uint16_t)(bits << 8));
  /* f8e4m3 has NaN with either sign, f8e8m0 has one NaN; neither has infinity */
  const bool is_nan = (type == IR_F8E4M3 && (bits & 0x7F) == 0x7F) || (type == IR_F8E8M0 && bits == 0xFF);
  return is_nan ? (double)NAN : number_of(type, bits);
}

/* The code of the number nearest to `number`, ties to even. Codes 0 to n - 1 are considered; their numbers ascend. */
static unsigned nearest(ir_type type, unsigned n, double number) {
  unsigned low = 0, high = n - 1;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    *(number_of(type, middle) <= number ? &low : &high) = middle;
  }
  const double below = number - number_of(type, low), above = number_of(type, high) - number;
  return above < below || (above == below && low % 2 == 1) ? high : low;
}

unsigned ir_narrow_of(ir_type type, double number) {
  const unsigned sign = signbit(number) ? 1U << (ir_type_bits(type) - 1) : 0;
  const uint16_t half = ir_f64_to_f16(number);
  const double magnitude = fabs((double)ir_f16_to_f32(half));
  switch (type) {
  case IR_F8E4M3:
    return sign | (isnan(number) ? 0x7F : nearest(type, 0x80, magnitude));
  case IR_F8E5M2:
    return sign | (isnan(number) ? 0x7E : nearest(type, 0x7D, magnitude));
  case IR_F8E8M0:
    return isnan(number) ? 0xFF : nearest(type, 0xFF, number);
  case IR_F4E2M1:
    return sign | (isnan(number) ? 7 : nearest(type, 8, fabs(number)));
  default: /* IR_NF4 */
    return isnan(number) ? 7 : nearest(type, 16, number);
  }
}

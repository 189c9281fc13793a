/* Elements of the low-bit types (IR_SET_NARROW): integers and floats of 1 to 8 bits, packed into bytes in the order
 * of OpenVINO's .bin. */
#ifndef IR_NARROW_TYPES_H
#define IR_NARROW_TYPES_H

#include "base/dtype.h"

/* Number of bytes of `elements` elements of any type; false if it exceeds 64 bits. Elements are stored in packs. A
 * pack has the fewest elements that fill whole bytes: 8 of u3 or 4 of u6 in 3 bytes, 2 of u4 in one byte, 1 of f32
 * in 4 bytes. The last pack can have unused bits. */
bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out);

/* `n` bits of byte `byte`, starting at bit `shift`; bit 0 is the lowest. */
typedef struct ir_bit_range {
  int64_t byte;
  int shift, n;
} ir_bit_range;

/* The places of an element's bits. Most types have only `low`, from the lowest bit of a byte; u1 begins at the
 * highest bit. In a pack of u3 or u6, two bytes have the low bits of all elements, and a third byte has their high
 * bits. Both begin at the highest bit of a byte. */
typedef struct ir_bit_places {
  ir_bit_range low, high;
} ir_bit_places;

static inline ir_bit_places ir_bit_places_of(ir_type type, int64_t index) {
  const int bits = type == IR_U2 ? 2 : ir_type_in(type, IR_SET_NARROW_BYTES) ? 8 : 4, in_byte = 8 / bits;
  switch (type) {
  case IR_U1:
    return (ir_bit_places){.low = {index / 8, (int)(7 - index % 8), 1}};
  case IR_U3:
    return (ir_bit_places){{index / 8 * 3 + index % 8 / 4, (int)(6 - index % 4 * 2), 2},
                           {index / 8 * 3 + 2, (int)(7 - index % 8), 1}};
  case IR_U6:
    return (ir_bit_places){{index / 4 * 3 + index % 4 / 2, (int)(4 - index % 2 * 4), 4},
                           {index / 4 * 3 + 2, (int)(6 - index % 4 * 2), 2}};
  default:
    return (ir_bit_places){.low = {index / in_byte, (int)(index % in_byte * bits), bits}};
  }
}

static inline unsigned ir_bits_get(const unsigned char *bytes, ir_bit_range range) {
  return (unsigned)bytes[range.byte] >> range.shift & ((1U << range.n) - 1);
}

static inline void ir_bits_put(unsigned char *bytes, ir_bit_range range, unsigned bits) {
  const unsigned mask = ((1U << range.n) - 1) << range.shift;
  bytes[range.byte] = (unsigned char)((bytes[range.byte] & ~mask) | (bits << range.shift & mask));
}

/* Get or set the bits of element `index`, in the lowest bits of an unsigned. ir_narrow_set_bits ignores higher bits.
 * They are inline, so that loops of a constant type have constant shifts. */
static inline unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index) {
  const ir_bit_places at = ir_bit_places_of(type, index);
  return ir_bits_get(data, at.low) | (at.high.n > 0 ? ir_bits_get(data, at.high) << at.low.n : 0);
}

static inline void ir_narrow_set_bits(ir_type type, void *data, int64_t index, unsigned bits) {
  const ir_bit_places at = ir_bit_places_of(type, index);
  ir_bits_put(data, at.low, bits);
  if (at.high.n > 0)
    ir_bits_put(data, at.high, bits >> at.low.n);
}

/* The number that the bits represent. */
double ir_narrow_number(ir_type type, unsigned bits);
/* The 16 numbers of nf4: quantiles of a normal distribution. Source: Dettmers et al., "QLoRA", 2023, appendix E. */
static const float ir_nf4_numbers[16] = {-1.0f,
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

/* Returns the code of the nearest number of nf4, ties to the even code. The code of NaN is 7, the code of 0. */
static inline unsigned ir_f64_to_nf4(double number) {
  unsigned code = 0;
  for (unsigned i = 0; i < 15; i++) {
    const double middle = ((double)ir_nf4_numbers[i] + (double)ir_nf4_numbers[i + 1]) / 2;
    code += i % 2 == 0 ? number > middle : number >= middle;
  }
  return number != number ? 7 : code;
}

/* Returns the code of the power of 2 that is nearest to an f32, ties to the even code. Code 0 is 2^-127, a subnormal
 * f32 of bits 2^22; the other codes are the exponents of f32. */
static inline unsigned ir_f32_to_f8e8m0(int32_t bits) {
  const int32_t least = 1 << 23, middle = 3 << 21; /* 2^-126; between 2^-127 and 2^-126 */
  const int32_t rounded = (int32_t)(((uint32_t)bits + (1u << 22) - 1 + ((uint32_t)bits >> 23 & 1)) >> 23);
  const int32_t code = bits < least ? bits > middle : rounded < 0xFE ? rounded : 0xFE;
  return (bits & 0x7fffffff) > 0x7f800000 ? 0xFFu : (unsigned)code;
}

/* Encodes a number as a type of IR_SET_NARROW_FLOATS, with OpenVINO's rules. Rounds to the nearest number, ties to
 * even; f8e4m3 and f8e5m2 round to f16 first.
 * Too large numbers become NaN in f8e4m3, infinity in f8e5m2, and the largest number in the other types. NaN becomes
 * the largest number in f4e2m1, 0 in nf4, and NaN in the other types. 0 and negative numbers become the least number
 * in f8e8m0. */
static inline unsigned ir_narrow_of(ir_type type, double number) {
  const float odd = ir_f64_to_odd_f32(number);
  const int32_t bits = (int32_t)ir_f32_bits(odd);
  const bool is_nan = number != number;
  const float half = ir_f16_to_f32(ir_f32_to_f16(odd));
  switch (type) {
  case IR_F8E4M3: /* the code after the one of the largest number, 448, is NaN */
    return (bits < 0 ? 0x80u : 0) | (unsigned)ir_f32_to_small_float(half, 3, -6, 480);
  case IR_F8E5M2: /* the code after the one of the largest number, 57344, is infinity */
    return (bits < 0 ? 0x80u : 0) | (is_nan ? 0x7Eu : (unsigned)ir_f32_to_small_float(half, 2, -14, 0x1p16f));
  case IR_F8E8M0:
    return ir_f32_to_f8e8m0(bits);
  case IR_F4E2M1:
    return (bits < 0 ? 8u : 0) | (unsigned)ir_f32_to_small_float(odd, 1, 0, 6);
  default:
    return ir_f64_to_nf4(number);
  }
}

#endif

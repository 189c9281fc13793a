/* Element types: names in IR and nGraph files, sizes, and conversions of numbers that C leaves undefined. */
#ifndef IR_DTYPE_H
#define IR_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum ir_type {
  IR_DYNAMIC, /* not known before a run */
  IR_F32,
  IR_F64,
  IR_F16,
  IR_BF16,
  IR_I8,
  IR_I16,
  IR_I32,
  IR_I64,
  IR_U8,
  IR_U16,
  IR_U32,
  IR_U64,
  IR_BOOLEAN,
  /* Low-bit types and strings. A run copies low-bit types, and only conversions compute with their numbers
   * (low_bit_types.h). No tensor has strings. */
  IR_I4,
  IR_U1,
  IR_U2,
  IR_U3,
  IR_U4,
  IR_U6,
  IR_NF4,
  IR_F8E4M3,
  IR_F8E5M2,
  IR_F8E8M0,
  IR_F4E2M1,
  IR_STRING,
  IR_TYPE_COUNT
} ir_type;

/* Sets of types, for rows of the op table. */
#define IR_SET(type)    (UINT64_C(1) << (type))
#define IR_SET_FLOATS   (IR_SET(IR_F32) | IR_SET(IR_F64) | IR_SET(IR_F16) | IR_SET(IR_BF16))
#define IR_SET_SIGNED   (IR_SET(IR_I8) | IR_SET(IR_I16) | IR_SET(IR_I32) | IR_SET(IR_I64))
#define IR_SET_UNSIGNED (IR_SET(IR_U8) | IR_SET(IR_U16) | IR_SET(IR_U32) | IR_SET(IR_U64))
#define IR_SET_INTEGERS (IR_SET_SIGNED | IR_SET_UNSIGNED)
#define IR_SET_NUMBERS  (IR_SET_FLOATS | IR_SET_INTEGERS)
#define IR_SET_STORED   (IR_SET_NUMBERS | IR_SET(IR_BOOLEAN)) /* types that .npy files can have */
#define IR_SET_ANY      ((UINT64_C(1) << IR_TYPE_COUNT) - 1)
/* Low-bit types and strings: no kernel computes with them. */
#define IR_SET_CARRIED      (IR_SET_ANY & ~IR_SET_STORED & ~IR_SET(IR_DYNAMIC))
#define IR_SET_SMALL_FLOATS (IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F8E8M0) | IR_SET(IR_F4E2M1))
#define IR_SET_SMALL_INTEGERS                                                                                          \
  (IR_SET(IR_I4) | IR_SET(IR_U1) | IR_SET(IR_U2) | IR_SET(IR_U3) | IR_SET(IR_U4) | IR_SET(IR_U6))
/* The low-bit types: 1 to 8 bits, floats or integers. Types in IR_SET_NARROW_BYTES fill whole bytes. */
#define IR_SET_NARROW_FLOATS (IR_SET_SMALL_FLOATS | IR_SET(IR_NF4))
#define IR_SET_ALL_FLOATS    (IR_SET_FLOATS | IR_SET_NARROW_FLOATS)
#define IR_SET_NARROW        (IR_SET_NARROW_FLOATS | IR_SET_SMALL_INTEGERS)
#define IR_SET_NARROW_BYTES  (IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F8E8M0))
#define IR_SET_HELD          (IR_SET_STORED | IR_SET_NARROW) /* types that a tensor can have */

/* The short name of a type, such as "f32". */
const char *ir_type_name(ir_type type);
/* The name of a type in a port's `precision`, such as "FP32". */
const char *ir_type_precision(ir_type type);
int ir_type_bits(ir_type type);
/* Bytes of an element. 0 for types below 8 bits, strings and IR_DYNAMIC. */
size_t ir_type_size(ir_type type);
/* Alignment of elements: ir_type_size, or 1 if that is 0. */
size_t ir_type_alignment(ir_type type);
static inline bool ir_type_in(ir_type type, uint64_t set) {
  return (set >> type & 1) != 0;
}

/* Parses an `element_type` attribute: a short name, in any case. False if the text is no type. */
bool ir_type_from_name(const char *text, size_t length, ir_type *out_type);
/* Parses a type of nGraph: "float", "int8_t", or the exact short name of such a type. False if the text is no type. */
bool ir_type_from_c_name(const char *text, size_t length, ir_type *out_type);
/* Parses a port's `precision`: a name such as "FP32", or a short name. False if the text is no type. */
bool ir_type_from_precision(const char *text, size_t length, ir_type *out_type);
/* Lists the types of a set for a message: "f16, bf16 or f32". Writes at most `size` bytes including the NUL, and
 * returns `buffer`. */
const char *ir_type_set_text(uint64_t set, char *buffer, size_t size);

static inline uint32_t ir_f32_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline float ir_f32_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Convert between f32 and the bits of f16 (IEEE binary16) or bf16. They round to nearest, ties to even; a NaN
 * becomes quiet. They have no branches and compare integers only, so compilers vectorize them. */
static inline float ir_f16_to_f32(uint16_t bits) {
  /* Moved to the places of an f32's exponent and mantissa, the bits are an f32 that is 2^112 times too small. The
   * product with 2^112 is exact, for subnormals too. Infinity and NaN are set afterwards. */
  uint32_t wide = ir_f32_bits(ir_f32_of_bits((uint32_t)(bits & 0x7fffu) << 13) * 0x1p112f);
  wide |= (bits & 0x7fffu) >= 0x7c00u ? 0x7f800000u : 0;
  wide |= (bits & 0x7fffu) > 0x7c00u ? 0x400000u : 0;
  return ir_f32_of_bits(wide | (uint32_t)(bits & 0x8000u) << 16);
}
/* Returns the bits, without the sign, of |value| as a float with `mantissa` bits of mantissa, whose least normal number
 * is 2^least_exponent. `most` limits |value|; a NaN becomes `most`. */
static inline int32_t ir_f32_to_small_float(float value, int mantissa, int least_exponent, float most) {
  /* In [2^e, 2^(e + 1)) the last bit of the result is worth 2^(e - mantissa); below 2^least_exponent, as much as at
   * 2^least_exponent. The last bit of an f32 in [2^f, 2^(f + 1)), f = e + 23 - mantissa, is worth the same. So adding
   * 2^f rounds the number, and the sum's bits count multiples of the last bit. */
  const int32_t least = (127 + least_exponent) << 23, infinity = 0x7f800000, bound = (int32_t)ir_f32_bits(most);
  const int32_t magnitude = (int32_t)(ir_f32_bits(value) & 0x7fffffffu);
  const int32_t bounded = magnitude < bound ? magnitude : bound, exponent = bounded & infinity;
  const int32_t scale = exponent > least ? exponent : least, added = scale + ((23 - mantissa) << 23);
  const float sum = ir_f32_of_bits((uint32_t)bounded) + ir_f32_of_bits((uint32_t)added);
  return (int32_t)ir_f32_bits(sum) - added + ((scale - least) >> (23 - mantissa));
}
static inline uint16_t ir_f32_to_f16(float value) {
  const int32_t bits = (int32_t)ir_f32_bits(value);
  const int32_t quiet = (bits & 0x7fffffff) > 0x7f800000 ? 0x200 : 0;
  /* The bits after those of the largest number, those of 2^16, are infinity. */
  return (uint16_t)((bits >> 16 & 0x8000) | quiet | ir_f32_to_small_float(value, 10, -14, 0x1p16f));
}
static inline float ir_bf16_to_f32(uint16_t bits) {
  return ir_f32_of_bits((uint32_t)bits << 16);
}
static inline uint16_t ir_f32_to_bf16(float value) {
  const uint32_t bits = ir_f32_bits(value), rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (uint16_t)((int32_t)(bits & 0x7fffffffu) > 0x7f800000 ? bits >> 16 | 0x40u : rounded);
}

/* Rounds to odd: cuts bits that an f32 lacks, and sets the last bit if any bit that was cut is 1. Rounding the result
 * to a float of up to 22 bits gives the same number as rounding `value` once. */
static inline float ir_f64_to_odd_f32(double value) {
  const float nearest = (float)value;
  const double magnitude = value < 0 ? -value : value;
  const double kept = nearest < 0 ? -(double)nearest : (double)nearest;
  const uint32_t cut = ir_f32_bits(nearest) - (kept > magnitude ? 1u : 0u);
  return ir_f32_of_bits(cut | (kept != magnitude ? 1u : 0u)); /* sets a bit of NaN, too, which stays NaN */
}
/* Round once, directly from double. */
static inline uint16_t ir_f64_to_f16(double value) {
  return ir_f32_to_f16(ir_f64_to_odd_f32(value));
}
static inline uint16_t ir_f64_to_bf16(double value) {
  return ir_f32_to_bf16(ir_f64_to_odd_f32(value));
}
/* Convert an integer to a double so that rounding the double to a narrower float gives the same result as rounding the
 * integer: integers of more than 53 bits lose the last 11, and a 1 among those sets the bit before them. */
static inline uint64_t ir_odd_of_long(uint64_t bits, bool is_long) {
  const uint64_t cut = (bits & ~UINT64_C(0x7ff)) | (((bits & 0x7ffu) + 0x7ffu) & 0x800u);
  return bits ^ ((bits ^ cut) & (0 - (uint64_t)is_long)); /* without a branch, so that compilers vectorize it */
}
static inline double ir_u64_to_odd_f64(uint64_t value) {
  return (double)ir_odd_of_long(value, value >> 53 != 0);
}
static inline double ir_i64_to_odd_f64(int64_t value) {
  const bool is_long = (uint64_t)value + (UINT64_C(1) << 53) > UINT64_C(1) << 54;
  return (double)(int64_t)ir_odd_of_long((uint64_t)value, is_long);
}
/* Truncate toward zero. NaN and numbers out of range become the lowest integer, as on x86. Without branches, so that
 * compilers vectorize them. */
static inline int32_t ir_f32_to_i32(float value) {
  return (int32_t)((value < 0 ? -value : value) < 0x1p31f ? value : -0x1p31f);
}
static inline int64_t ir_f32_to_i64(float value) {
  return (int64_t)((value < 0 ? -value : value) < 0x1p63f ? value : -0x1p63f);
}
static inline int32_t ir_f64_to_i32(double value) {
  return (int32_t)((value < 0 ? -value : value) < 0x1p31 ? value : -0x1p31);
}
static inline int64_t ir_f64_to_i64(double value) {
  return (int64_t)((value < 0 ? -value : value) < 0x1p63 ? value : -0x1p63);
}

#endif

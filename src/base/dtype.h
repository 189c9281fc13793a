/* Element types: their names in an IR and in .npy, their sizes, and number conversions that C leaves undefined. */
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
  /* stored and copied in a run, except strings; only Convert computes with them (narrow_types.h) */
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

/* A set of types, for the rows of the op table. */
#define IR_SET(type)    (UINT64_C(1) << (type))
#define IR_SET_FLOATS   (IR_SET(IR_F32) | IR_SET(IR_F64) | IR_SET(IR_F16) | IR_SET(IR_BF16))
#define IR_SET_SIGNED   (IR_SET(IR_I8) | IR_SET(IR_I16) | IR_SET(IR_I32) | IR_SET(IR_I64))
#define IR_SET_UNSIGNED (IR_SET(IR_U8) | IR_SET(IR_U16) | IR_SET(IR_U32) | IR_SET(IR_U64))
#define IR_SET_INTEGERS (IR_SET_SIGNED | IR_SET_UNSIGNED)
#define IR_SET_NUMBERS  (IR_SET_FLOATS | IR_SET_INTEGERS)
#define IR_SET_STORED   (IR_SET_NUMBERS | IR_SET(IR_BOOLEAN)) /* types that .npy can store */
#define IR_SET_ANY      ((UINT64_C(1) << IR_TYPE_COUNT) - 1)
/* Types that no kernel computes with. */
#define IR_SET_CARRIED      (IR_SET_ANY & ~IR_SET_STORED & ~IR_SET(IR_DYNAMIC))
#define IR_SET_SMALL_FLOATS (IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F8E8M0) | IR_SET(IR_F4E2M1))
#define IR_SET_SMALL_INTEGERS                                                                                          \
  (IR_SET(IR_I4) | IR_SET(IR_U1) | IR_SET(IR_U2) | IR_SET(IR_U3) | IR_SET(IR_U4) | IR_SET(IR_U6))
/* Numbers of 1 to 8 bits that are in no other set; and the subset that fills whole bytes. */
#define IR_SET_NARROW_FLOATS (IR_SET_SMALL_FLOATS | IR_SET(IR_NF4))
#define IR_SET_ALL_FLOATS    (IR_SET_FLOATS | IR_SET_NARROW_FLOATS)
#define IR_SET_NARROW        (IR_SET_NARROW_FLOATS | IR_SET_SMALL_INTEGERS)
#define IR_SET_NARROW_BYTES  (IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F8E8M0))
#define IR_SET_HELD          (IR_SET_STORED | IR_SET_NARROW) /* types that a tensor can have */

/* The short name, such as "f32". */
const char *ir_type_name(ir_type type);
/* The name in a port's `precision`, such as "FP32". */
const char *ir_type_precision(ir_type type);
int ir_type_bits(ir_type type);
/* Bytes of an element; 0 for types below 8 bits, strings and IR_DYNAMIC. */
size_t ir_type_size(ir_type type);
/* Alignment of elements: their size, or 1. */
size_t ir_type_alignment(ir_type type);
static inline bool ir_type_in(ir_type type, uint64_t set) {
  return (set >> type & 1) != 0;
}

/* Parses an `element_type` attribute: short names in any case. False if unknown. */
bool ir_type_from_name(const char *text, size_t length, ir_type *out_type);
/* Parses nGraph's names: "float", "int8_t", and the exact short names of the same types. False if unknown. */
bool ir_type_from_c_name(const char *text, size_t length, ir_type *out_type);
/* Parses a port's `precision`: legacy and short names. False if unknown. */
bool ir_type_from_precision(const char *text, size_t length, ir_type *out_type);
/* Lists a set for messages: "f16, bf16 or f32". Writes at most `size` bytes, returns `buffer`. */
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

/* Converts IEEE binary16 and bfloat16, given as bits. Rounds to nearest, ties to even; NaN becomes quiet. Branch-free
 * and with integer comparisons only, so that compilers vectorize it. */
static inline float ir_f16_to_f32(uint16_t bits) {
  /* Reinterpreted as an f32, the magnitude has an exponent that is 112 too low, for subnormals too; infinity and NaN
   * are restored. */
  uint32_t wide = ir_f32_bits(ir_f32_of_bits((uint32_t)(bits & 0x7fffu) << 13) * 0x1p112f);
  wide |= (bits & 0x7fffu) >= 0x7c00u ? 0x7f800000u : 0;
  wide |= (bits & 0x7fffu) > 0x7c00u ? 0x400000u : 0;
  return ir_f32_of_bits(wide | (uint32_t)(bits & 0x8000u) << 16);
}
static inline uint16_t ir_f32_to_f16(float value) {
  /* In [2^e, 2^(e + 1)) the unit in the last place is 2^(e - 10), below 2^-14 it is 2^-24. An f32 of 2^(e + 13) has the
   * same unit: adding it rounds, and the bits of the sum count units. From 2^16 on the result is infinite. */
  const int32_t least = (127 - 14) << 23, bound = (127 + 16) << 23, infinity = 0x7f800000;
  const int32_t bits = (int32_t)ir_f32_bits(value), magnitude = bits & 0x7fffffff;
  const int32_t bounded = magnitude < bound ? magnitude : bound, exponent = bounded & infinity;
  const int32_t scale = exponent > least ? exponent : least, added = scale + (13 << 23);
  const float sum = ir_f32_of_bits((uint32_t)bounded) + ir_f32_of_bits((uint32_t)added);
  const int32_t places = (int32_t)ir_f32_bits(sum) - added;
  return (uint16_t)((bits >> 16 & 0x8000) | (magnitude > infinity ? 0x200 : 0) | (places + ((scale - least) >> 13)));
}
static inline float ir_bf16_to_f32(uint16_t bits) {
  return ir_f32_of_bits((uint32_t)bits << 16);
}
static inline uint16_t ir_f32_to_bf16(float value) {
  const uint32_t bits = ir_f32_bits(value), rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (uint16_t)((int32_t)(bits & 0x7fffffffu) > 0x7f800000 ? bits >> 16 | 0x40u : rounded);
}
/* Rounds once, directly from double. */
uint16_t ir_f64_to_f16(double value);
uint16_t ir_f64_to_bf16(double value);
/* A double that rounds to every narrower float as the integer of this sign and magnitude does. */
double ir_odd_double(bool negative, uint64_t magnitude);
/* Truncates toward zero; NaN and numbers out of range give the lowest integer, as on x86. */
int32_t ir_f64_to_i32(double value);
int64_t ir_f64_to_i64(double value);

#endif

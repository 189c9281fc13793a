/* Keys of 8 and of 16 bits: what vectors compare in the place of elements of a type, in the same order. A key of 8 bits
 * has no sign, one of 16 bits has. */
#ifndef IR_POOL_KEYS_H
#define IR_POOL_KEYS_H

#include "ops/pool/pool_lanes.h"

typedef uint8_t element_8;
typedef uint16_t element_16;
typedef element_8 vector_8 __attribute__((vector_size(VECTOR_BYTES)));
typedef element_16 vector_16 __attribute__((vector_size(VECTOR_BYTES)));
typedef int16_t signed_16 __attribute__((vector_size(VECTOR_BYTES)));

enum { HIGHEST_8 = 0xff, HIGHEST_16 = 0x7fff };

#if VECTOR_BYTES == 64
#define BOTH(op, a, b) _mm512_##op((__m512i)(a), (__m512i)(b))
#define OTHER_OF_8     OTHER_64(0)
#define OTHER_OF_16    OTHER_32(0)
#elif VECTOR_BYTES == 32
#define BOTH(op, a, b) _mm256_##op((__m256i)(a), (__m256i)(b))
#define OTHER_OF_8     OTHER_32(0)
#define OTHER_OF_16    OTHER_16(0)
#else
#define BOTH(op, a, b) _mm_##op((__m128i)(a), (__m128i)(b))
#define OTHER_OF_8     OTHER_16(0)
#define OTHER_OF_16    OTHER_8(0)
#endif

#if defined __SSE2__
#define PICK(op, type, a, b, is_a) (type) BOTH(op, a, b)
#else
#define PICK(op, type, a, b, is_a) (((type)(is_a) & (a)) | (~(type)(is_a) & (b)))
#endif

INLINE vector_8 greater_8(vector_8 a, vector_8 b) {
  return PICK(max_epu8, vector_8, a, b, a > b);
}

INLINE vector_8 lesser_8(vector_8 a, vector_8 b) {
  return PICK(min_epu8, vector_8, a, b, a < b);
}

INLINE vector_16 greater_16(vector_16 a, vector_16 b) {
  return PICK(max_epi16, vector_16, a, b, (signed_16)a > (signed_16)b);
}

INLINE vector_16 lesser_16(vector_16 a, vector_16 b) {
  return PICK(min_epi16, vector_16, a, b, (signed_16)a < (signed_16)b);
}

/* Of two vectors every second element, from the first on. */
INLINE vector_8 other_8(vector_8 a, vector_8 b) {
  return __builtin_shufflevector(a, b, OTHER_OF_8);
}

INLINE vector_16 other_16(vector_16 a, vector_16 b) {
  return __builtin_shufflevector(a, b, OTHER_OF_16);
}

/* ---- 8 bits: the sign is turned over ---- */

static element_8 code_8(ir_type type) {
  return type == IR_I8 ? 0x80 : 0;
}

static element_8 lowest_8(ir_type type) {
  return code_8(type);
}

INLINE vector_8 key_8(vector_8 x, vector_8 code) {
  return x ^ code;
}

INLINE vector_8 element_of_8(vector_8 key, vector_8 code) {
  return key ^ code;
}

static element_8 is_zero_8(element_8 x) {
  (void)x;
  return 0; /* there is no -0 */
}

/* ---- 16 bits: floats below 0 are turned round; then the highest becomes that of infinity, and NaN wraps round to the
 * lowest ones ---- */

static element_16 code_16(ir_type type) {
  return HIGHEST_16 - (type == IR_F16 ? 0x7c00 : 0x7f80);
}

/* The lowest number that is not infinite. */
static element_16 lowest_16(ir_type type) {
  return type == IR_F16 ? 0xfbff : 0xff7f;
}

INLINE vector_16 turned_16(vector_16 x) {
  return x ^ ((vector_16)((signed_16)x >> 15) & HIGHEST_16);
}

INLINE vector_16 key_16(vector_16 x, vector_16 code) {
  return turned_16(x) + code;
}

INLINE vector_16 element_of_16(vector_16 key, vector_16 code) {
  return turned_16(key - code);
}

static element_16 is_zero_16(element_16 x) {
  return (element_16)(x << 1) == 0;
}

#undef BOTH
#undef PICK

#endif

/* Narrow elements as integers in their order: maxima of as many at once as a vector has. Floats of 16 bits have NaN
 * below all numbers, whatever its sign. For AVX-512. */
#ifndef IR_POOL_VECTOR_ORDERED_H
#define IR_POOL_VECTOR_ORDERED_H

#include "ops/pool/pool_vector_avx512.h"

typedef __m512i vo;

enum { lanes_ordered_f16 = 32, lanes_ordered_bf16 = 32, lanes_ordered_i8 = 64, lanes_ordered_u8 = 64 };

/* ---- the integers of bits ---- */

/* Of sign and magnitude, and back. */
static inline vo signed_words(vo bits) {
  return _mm512_ternarylogic_epi32(bits, _mm512_srai_epi16(bits, 15), _mm512_set1_epi16(0x7fff), 0x78);
}

/* What is above infinity is added, so that NaN comes out at the other end. Zeros are found by the least distance to
 * them. */
#define ORDERED_WORDS(name, infinity, lowest)                                                                          \
  enum { above_##name = 0x7fff - (infinity) };                                                                         \
  static inline vo integers_##name(vo bits) {                                                                          \
    return _mm512_add_epi16(signed_words(bits), _mm512_set1_epi16(above_##name));                                      \
  }                                                                                                                    \
  static inline vo bits_##name(vo v) {                                                                                 \
    return signed_words(_mm512_sub_epi16(v, _mm512_set1_epi16(above_##name)));                                         \
  }                                                                                                                    \
  static inline vo lowest_bits_##name(void) {                                                                          \
    return _mm512_set1_epi16((int16_t)(lowest));                                                                       \
  }                                                                                                                    \
  static inline vo with_zeros_##name(vo before, vo v) {                                                                \
    return _mm512_min_epu16(before, _mm512_sub_epi16(v, _mm512_set1_epi16(above_##name - 1)));                         \
  }                                                                                                                    \
  static inline vo both_zeros_##name(vo a, vo b) {                                                                     \
    return _mm512_min_epu16(a, b);                                                                                     \
  }                                                                                                                    \
  /* Of +0 it is 1, of -0 it is 0. */                                                                                  \
  static inline bool has_zeros_##name(vo found) {                                                                      \
    return _mm512_cmple_epu16_mask(found, _mm512_set1_epi16(1)) != 0;                                                  \
  }                                                                                                                    \
  /* The lowest instead of what was -inf, or not there. */                                                             \
  static inline vo number_##name(vo v) {                                                                               \
    return _mm512_max_epi16(v, integers_##name(lowest_bits_##name()));                                                 \
  }
ORDERED_WORDS(ordered_f16, 0x7c00, 0xfbff)
ORDERED_WORDS(ordered_bf16, 0x7f80, 0xff7f)

/* Integers have zeros of one kind. */
#define ORDERED_BYTES(name, lowest)                                                                                    \
  static inline vo integers_##name(vo bits) {                                                                          \
    return bits;                                                                                                       \
  }                                                                                                                    \
  static inline vo bits_##name(vo v) {                                                                                 \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline vo lowest_bits_##name(void) {                                                                          \
    return _mm512_set1_epi8(lowest);                                                                                   \
  }                                                                                                                    \
  static inline vo with_zeros_##name(vo before, vo v) {                                                                \
    (void)v;                                                                                                           \
    return before;                                                                                                     \
  }                                                                                                                    \
  static inline vo both_zeros_##name(vo a, vo b) {                                                                     \
    (void)b;                                                                                                           \
    return a;                                                                                                          \
  }                                                                                                                    \
  static inline bool has_zeros_##name(vo found) {                                                                      \
    (void)found;                                                                                                       \
    return false;                                                                                                      \
  }                                                                                                                    \
  static inline vo number_##name(vo v) {                                                                               \
    return v;                                                                                                          \
  }
ORDERED_BYTES(ordered_i8, INT8_MIN)
ORDERED_BYTES(ordered_u8, 0)

/* ---- elements ---- */

/* first_lanes, of n < 64. */
static inline uint64_t first_of_many(int64_t n) {
  return (UINT64_C(1) << n) - 1;
}

#define ORDERED_AS(name, element, lanes_of, bits_of, order_of)                                                         \
  static inline vo take_##name(const element *p) {                                                                     \
    return integers_##name(_mm512_loadu_si512(p));                                                                     \
  }                                                                                                                    \
  /* Those that are not there are the lowest number, and their memory is not touched. */                               \
  static inline vo take_masked_##name(const element *p, uint64_t there) {                                              \
    return integers_##name(_mm512_mask_loadu_##bits_of(lowest_bits_##name(), (__mmask##lanes_of)there, p));            \
  }                                                                                                                    \
  static inline void put_##name(element *p, vo v) {                                                                    \
    _mm512_storeu_si512(p, bits_##name(v));                                                                            \
  }                                                                                                                    \
  static inline void put_far_##name(element *p, vo v) {                                                                \
    _mm512_stream_si512((void *)p, bits_##name(v));                                                                    \
  }                                                                                                                    \
  static inline void put_part_##name(element *p, vo v, int64_t n) {                                                    \
    _mm512_mask_storeu_##bits_of(p, (__mmask##lanes_of)first_of_many(n), bits_##name(v));                              \
  }                                                                                                                    \
  static inline vo lowest_##name(void) {                                                                               \
    return integers_##name(lowest_bits_##name());                                                                      \
  }                                                                                                                    \
  static inline vo greater_##name(vo first, vo second) {                                                               \
    return _mm512_max_##order_of(first, second);                                                                       \
  }                                                                                                                    \
  typedef __mmask##lanes_of mask_##name;                                                                               \
  static inline mask_##name load_mask_##name(const mask_##name *p) {                                                   \
    return load_mask_##lanes_of(p);                                                                                    \
  }                                                                                                                    \
  /* The greater one where x is `there`, else v. */                                                                    \
  static inline vo greater_there_##name(vo v, vo x, mask_##name there) {                                               \
    return _mm512_mask_max_##order_of(v, there, v, x);                                                                 \
  }                                                                                                                    \
  /* Lanes n < lanes and on are the lowest. */                                                                         \
  static inline vo but_##name(vo v, int64_t n) {                                                                       \
    return _mm512_mask_mov_##bits_of(lowest_##name(), (__mmask##lanes_of)first_of_many(n), v);                         \
  }
ORDERED_AS(ordered_f16, uint16_t, 32, epi16, epi16)
ORDERED_AS(ordered_bf16, uint16_t, 32, epi16, epi16)
ORDERED_AS(ordered_i8, int8_t, 64, epi8, epi8)
ORDERED_AS(ordered_u8, uint8_t, 64, epi8, epu8)

/* ---- lanes ---- */

/* The 64 bytes that stand `n` < 16 or n > 48 behind those of `a`, of which `b` are the next. */
#define BYTES_BEHIND(a, b, n)                                                                                          \
  ((n) < 16 ? _mm512_alignr_epi8(_mm512_alignr_epi64(b, a, 2), a, (n) % 16)                                            \
            : _mm512_alignr_epi8(b, _mm512_alignr_epi64(b, a, 6), (n) % 16))

/* Of two vectors the values at even places, and those at odd ones. */
static inline vo even_words(vo a, vo b) {
  static const uint16_t from[32] = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                    32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
  return _mm512_permutex2var_epi16(a, _mm512_loadu_si512(from), b);
}

static inline vo odd_words(vo a, vo b) {
  static const uint16_t from[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                    33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  return _mm512_permutex2var_epi16(a, _mm512_loadu_si512(from), b);
}

/* Lower bytes of words, of which the upper ones are 0. */
static inline vo packed_words(vo a, vo b) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packus_epi16(a, b));
}

static inline vo even_bytes(vo a, vo b) {
  const vo lower = _mm512_set1_epi16(0xff);
  return packed_words(_mm512_and_si512(a, lower), _mm512_and_si512(b, lower));
}

static inline vo odd_bytes(vo a, vo b) {
  return packed_words(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8));
}

/* Of three vectors the values at place `part` of each three. */
static ALWAYS_INLINE vo third_words(vo a, vo b, vo c, const int part) {
  static const uint16_t thrice[32] = {0,  3,  6,  9,  12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45,
                                      48, 51, 54, 57, 60, 63, 66, 69, 72, 75, 78, 81, 84, 87, 90, 93};
  const vo at = _mm512_add_epi16(_mm512_loadu_si512(thrice), _mm512_set1_epi16((int16_t)part));
  const __mmask32 is_of_last = UINT32_MAX << (part == 0 ? 22 : 21);
  return _mm512_mask_permutexvar_epi16(_mm512_permutex2var_epi16(a, at, b), is_of_last, at, c);
}

static ALWAYS_INLINE vo words_of_bytes(vo v, const int half) {
  return _mm512_cvtepu8_epi16(half == 0 ? _mm512_castsi512_si256(v) : _mm512_extracti64x4_epi64(v, 1));
}

static ALWAYS_INLINE vo third_bytes(vo a, vo b, vo c, const int part) {
  return packed_words(third_words(words_of_bytes(a, 0), words_of_bytes(a, 1), words_of_bytes(b, 0), part),
                      third_words(words_of_bytes(b, 1), words_of_bytes(c, 0), words_of_bytes(c, 1), part));
}

#endif

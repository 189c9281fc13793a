/* What maxima of narrow elements as integers are made of, of 64 bytes. For AVX-512. */
#ifndef IR_POOL_VECTOR_ORDERED_AVX512_H
#define IR_POOL_VECTOR_ORDERED_AVX512_H

#include "ops/pool/pool_vector_avx512.h"

typedef __m512i vo;

/* The same operation of as many bytes. */
#define VO(name) _mm512_##name

/* Integers of sign and magnitude, and back. */
static inline vo signed_words(vo bits) {
  return _mm512_ternarylogic_epi32(bits, _mm512_srai_epi16(bits, 15), _mm512_set1_epi16(0x7fff), 0x78);
}

/* Whether a word is 0 or 1. */
static inline bool has_least_words(vo v) {
  return _mm512_cmple_epu16_mask(v, _mm512_set1_epi16(1)) != 0;
}

/* ---- memory ---- */

static inline vo load_all(const void *p) {
  return _mm512_loadu_si512(p);
}

static inline void store_all(void *p, vo v) {
  _mm512_storeu_si512(p, v);
}

static inline void stream_all(void *p, vo v) {
  _mm512_stream_si512(p, v);
}

/* first_lanes, of n < 64. */
static inline uint64_t first_of_many(int64_t n) {
  return (UINT64_C(1) << n) - 1;
}

/* Elements that are `there`, else `rest`: their memory is not touched. The first n; those and `rest`. Greater ones
 * where x is there, else v. */
#define SOME_OF(name, element, lanes)                                                                                  \
  static inline vo load_some_##name(const void *p, uint64_t there, vo rest, const readable *in) {                      \
    (void)in;                                                                                                          \
    return _mm512_mask_loadu_##element(rest, (__mmask##lanes)there, p);                                                \
  }                                                                                                                    \
  static inline void store_some_##name(void *p, vo v, int64_t n) {                                                     \
    _mm512_mask_storeu_##element(p, (__mmask##lanes)first_of_many(n), v);                                              \
  }                                                                                                                    \
  static inline vo but_##name(vo v, int64_t n, vo rest) {                                                              \
    return _mm512_mask_mov_##element(rest, (__mmask##lanes)first_of_many(n), v);                                       \
  }
SOME_OF(words, epi16, 32)
SOME_OF(bytes, epi8, 64)
#undef SOME_OF

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

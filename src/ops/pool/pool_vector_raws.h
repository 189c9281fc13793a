/* Rows of narrow elements added up or compared as they are, before they become floats: 16 integers at a time, of which
 * sums and maxima are exact. For AVX-512. */
#ifndef IR_POOL_VECTOR_RAWS_H
#define IR_POOL_VECTOR_RAWS_H

#include "ops/pool/pool_vector_avx512.h"

/* Sums of up to 8 rows of 8 bits. */
typedef __m256i raws_average_i8, raws_average_u8;

static inline __m256i take_average_i8(const int8_t *p) {
  return _mm256_cvtepi8_epi16((__m128i)load_i8(p));
}

static inline __m256i take_average_u8(const uint8_t *p) {
  return _mm256_cvtepu8_epi16((__m128i)load_u8(p));
}

/* Those that are `there`; the others are 0. */
static inline __m256i take_masked_average_i8(const int8_t *p, __mmask16 there) {
  return _mm256_cvtepi8_epi16((__m128i)masked_i8(p, there));
}

static inline __m256i take_masked_average_u8(const uint8_t *p, __mmask16 there) {
  return _mm256_cvtepu8_epi16((__m128i)masked_u8(p, there));
}

#define join_average_i8 _mm256_add_epi16
#define join_average_u8 _mm256_add_epi16

static inline vf floats_average_i8(__m256i v) {
  return (vf)_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(v));
}

#define floats_average_u8 floats_average_i8

/* Maxima of 8 bits. */
typedef __m128i raws_maximum_i8, raws_maximum_u8;

static inline __m128i take_maximum_i8(const int8_t *p) {
  return (__m128i)load_i8(p);
}

static inline __m128i take_maximum_u8(const uint8_t *p) {
  return (__m128i)load_u8(p);
}

#define join_maximum_i8 _mm_max_epi8
#define join_maximum_u8 _mm_max_epu8

static inline vf floats_maximum_i8(__m128i v) {
  return widen_i8((vi8)v);
}

static inline vf floats_maximum_u8(__m128i v) {
  return widen_u8((vu8)v);
}

#endif

/* Vectors of AVX-512. */
#ifndef IR_POOL_VECTOR_AVX512_H
#define IR_POOL_VECTOR_AVX512_H

#include <immintrin.h>
#define VL 16
/* Windows are fused, as there are masks. */
#define FUSES 1
#include "ops/pool/pool_vector.h"

/* A bit for each lane. */
typedef __mmask16 vbits;
typedef __mmask32 vbits_of_pairs;

/* Of two equal ones the first; a NaN is as if it were not there if it is the second. */
static inline vf greater(vf first, vf second) {
  return (vf)_mm512_max_ps((__m512)second, (__m512)first);
}

/* a * b + c, rounded once. */
static inline vf multiply_add(vf a, vf b, vf c) {
  return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

/* NaN where there is one, or an infinity, in either. */
static inline vf spoilt(vf before, vf v) {
  return multiply_add(v, all(0), before);
}

/* What zeros are looked for with: the least magnitude of vectors without a NaN. */
static inline vf without_zeros(void) {
  return all(1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion" /* it is, unless optimized, a macro that warns */
static inline vf with_zeros(vf before, vf v) {
  return (vf)_mm512_range_ps((__m512)before, (__m512)v, 0x0a);
}
#pragma GCC diagnostic pop

static inline vf both_zeros(vf a, vf b) {
  return with_zeros(a, b);
}

static inline bool has_zeros(vf v) {
  return _mm512_cmp_ps_mask((__m512)v, _mm512_setzero_ps(), _CMP_EQ_OQ) != 0;
}

/* All lanes are 0. */
static inline bool is_clean(vf v) {
  return _mm512_cmp_ps_mask((__m512)v, _mm512_setzero_ps(), _CMP_NEQ_UQ) == 0;
}

static inline vf widen_f16(vu16 v) {
  return (vf)_mm512_cvtph_ps((__m256i)v);
}

static inline vu16 narrow_f16(vf v) {
  /* Without a mask it is, unless optimized, a macro that warns. */
  return (vu16)_mm512_maskz_cvtps_ph(0xffff, (__m512)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vf widen_bf16(vu16 v) {
  return (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)v), 16);
}

static inline vu16 upper_halves(vu v) {
  static const uint16_t from[32] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
  return (vu16)_mm512_castsi512_si256(_mm512_permutexvar_epi16(_mm512_loadu_si512(from), (__m512i)v));
}

/* bf16_bits, of which the last bit that stays is asked for as a mask. */
static inline vu16 narrow_bf16(vf v) {
  const __m512i bits = (__m512i)v, rounded = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
  const __mmask16 is_odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
  return upper_halves((vu)_mm512_mask_add_epi32(rounded, is_odd, rounded, _mm512_set1_epi32(1)));
}

/* Of floats that bf16 holds. */
static inline vu16 narrow_whole_bf16(vf v) {
  return upper_halves((vu)v);
}

static inline vf widen_i8(vi8 v) {
  return (vf)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32((__m128i)v));
}

static inline vf widen_u8(vu8 v) {
  return (vf)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32((__m128i)v));
}

static inline vu8 narrow_u8(vf v) {
  return (vu8)_mm512_cvtepi32_epi8((__m512i)integer_bits(v));
}

static inline vi8 narrow_i8(vf v) {
  return (vi8)narrow_u8(v);
}

static inline __mmask16 first_lanes(int64_t n) {
  return (__mmask16)first_bits(n);
}

/* Lanes that are not `there` are 0, and their memory is not touched. */
static inline vf masked_f32(const float *p, __mmask16 there) {
  return (vf)_mm512_maskz_loadu_ps(there, p);
}

/* Those that are not there are `rest`. */
static inline vf present_f32(const float *p, __mmask16 there, vf rest) {
  return (vf)_mm512_mask_loadu_ps((__m512)rest, there, p);
}

static inline vu16 present_u16(const uint16_t *p, __mmask16 there, vu16 rest) {
  return (vu16)_mm256_mask_loadu_epi16((__m256i)rest, there, p);
}

static inline vu8 present_u8(const uint8_t *p, __mmask16 there, vu8 rest) {
  return (vu8)_mm_mask_loadu_epi8((__m128i)rest, there, p);
}

static inline vi8 present_i8(const int8_t *p, __mmask16 there, vi8 rest) {
  return (vi8)_mm_mask_loadu_epi8((__m128i)rest, there, p);
}

static inline vf part_f32(const float *p, int64_t n) {
  return masked_f32(p, first_lanes(n));
}

static inline void store_part_f32(float *p, vf v, int64_t n) {
  _mm512_mask_storeu_ps(p, first_lanes(n), (__m512)v);
}

static inline vu16 masked_u16(const uint16_t *p, __mmask16 there) {
  return (vu16)_mm256_maskz_loadu_epi16(there, p);
}

static inline vu16 part_u16(const uint16_t *p, int64_t n) {
  return masked_u16(p, first_lanes(n));
}

static inline void store_part_u16(uint16_t *p, vu16 v, int64_t n) {
  _mm256_mask_storeu_epi16(p, first_lanes(n), (__m256i)v);
}

static inline vu8 masked_u8(const uint8_t *p, __mmask16 there) {
  return (vu8)_mm_maskz_loadu_epi8(there, p);
}

static inline vu8 part_u8(const uint8_t *p, int64_t n) {
  return masked_u8(p, first_lanes(n));
}

static inline void store_part_u8(uint8_t *p, vu8 v, int64_t n) {
  _mm_mask_storeu_epi8(p, first_lanes(n), (__m128i)v);
}

static inline vi8 masked_i8(const int8_t *p, __mmask16 there) {
  return (vi8)_mm_maskz_loadu_epi8(there, p);
}

static inline vi8 part_i8(const int8_t *p, int64_t n) {
  return masked_i8(p, first_lanes(n));
}

static inline void store_part_i8(int8_t *p, vi8 v, int64_t n) {
  _mm_mask_storeu_epi8(p, first_lanes(n), (__m128i)v);
}

static inline void store_part_i32(int32_t *p, vi v, int64_t n) {
  _mm512_mask_storeu_epi32(p, first_lanes(n), (__m512i)v);
}

/* 32 elements of which the bits are the upper half of floats, and of those the even (part 0) or the odd ones. */
static inline vu load_pairs(const uint16_t *p) {
  return (vu)_mm512_loadu_si512(p);
}

static inline vu masked_pairs(const uint16_t *p, vbits_of_pairs there, const readable *in) {
  (void)in;
  return (vu)_mm512_maskz_loadu_epi16(there, p);
}

static inline vf part_of_pairs(vu v, const int part) {
  return (vf)(part == 0 ? v << 16 : v & 0xffff0000u);
}

/* `rest` where bits of `there` are 0. */
static inline vf where(vf v, __mmask16 there, vf rest) {
  return (vf)_mm512_mask_mov_ps((__m512)rest, there, (__m512)v);
}

/* Masks from memory, and of the first n lanes. GCC loads them to where they are not wanted first, which takes an
 * instruction more. */
#define MASKS_OF(name, lanes, move)                                                                                    \
  typedef __mmask##lanes mask_##name;                                                                                  \
  static inline mask_##name load_mask_##name(const mask_##name *p) {                                                   \
    mask_##name mask;                                                                                                  \
    __asm__(move " %1, %0" : "=Yk"(mask) : "m"(*p));                                                                   \
    return mask;                                                                                                       \
  }                                                                                                                    \
  static inline mask_##name first_mask_##name(int64_t n) {                                                             \
    return (mask_##name)(n < lanes ? (UINT64_C(1) << n) - 1 : UINT64_MAX);                                             \
  }
MASKS_OF(floats, 16, "kmovw")
MASKS_OF(words, 32, "kmovd")
MASKS_OF(bytes, 64, "kmovq")
#undef MASKS_OF

/* The sum and the greater one where x is `there`, else v. */
static inline vf add_there(vf v, vf x, __mmask16 there) {
  return (vf)_mm512_mask_add_ps((__m512)v, there, (__m512)v, (__m512)x);
}

static inline vf greater_there(vf v, vf x, __mmask16 there) {
  return (vf)_mm512_mask_max_ps((__m512)v, there, (__m512)x, (__m512)v);
}

/* Lanes n and on are `rest`. */
static inline vf but(vf v, int64_t n, vf rest) {
  return where(v, first_lanes(n), rest);
}

/* Those that are `there` one behind the other, then 0. */
static inline vf squeezed(vf v, __mmask16 there) {
  return (vf)_mm512_maskz_compress_ps(there, (__m512)v);
}

/* v, but lanes of which `at` is a lane of `from` have that. */
static inline vf with_lanes(vf v, vi at, vf from) {
  const __mmask16 there = _mm512_cmplt_epu32_mask((__m512i)at, _mm512_set1_epi32(VL));
  return (vf)_mm512_mask_permutexvar_ps((__m512)v, there, (__m512i)at, (__m512)from);
}

/* Fours that stand `apart`, one behind the other. */
static inline vf load_fours(const float *p, int64_t apart) {
  __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p));
  v = _mm512_insertf32x4(v, _mm_loadu_ps(p + apart), 1);
  v = _mm512_insertf32x4(v, _mm_loadu_ps(p + 2 * apart), 2);
  return (vf)_mm512_insertf32x4(v, _mm_loadu_ps(p + 3 * apart), 3);
}

/* What a comparison finds. */
typedef __mmask16 vm;

/* Where the second is greater; a NaN neither is nor has one. */
static inline vm is_greater(vf first, vf second) {
  return _mm512_cmp_ps_mask((__m512)second, (__m512)first, _CMP_GT_OQ);
}

/* The second where it `takes`. */
static inline vi choose(vm takes, vi first, vi second) {
  return (vi)_mm512_mask_mov_epi32((__m512i)first, takes, (__m512i)second);
}

/* A bit for each lane of four vectors. They are joined as masks: GCC 12 may widen a mask that it spilled with what lay
 * behind it. */
static inline uint64_t equal_lanes(const vf v[4], vf x) {
  __mmask16 equal[4];
  for (int i = 0; i < 4; i++)
    equal[i] = _mm512_cmp_ps_mask((__m512)v[i], (__m512)x, _CMP_EQ_OQ);
  return _mm512_kunpackd(_mm512_kunpackw(equal[3], equal[2]), _mm512_kunpackw(equal[1], equal[0]));
}

/* Past the caches, to aligned memory: a line that is not in them is not read first. What follows is ordered by
 * end_stream(). */
static inline void stream_f32(float *p, vf v) {
  _mm512_stream_ps(p, (__m512)v);
}

static inline void stream_u16(uint16_t *p, vu16 v) {
  _mm256_stream_si256((void *)p, (__m256i)v);
}

static inline void stream_i32(int32_t *p, vi v) {
  _mm512_stream_si512((void *)p, (__m512i)v);
}

static inline void end_stream(void) {
  _mm_sfence();
}

/* The lanes and `above`. */
static inline __m512i low_i64(vi v, int64_t above) {
  return _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256((__m512i)v)), _mm512_set1_epi64(above));
}

static inline __m512i high_i64(vi v, int64_t above) {
  return _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64((__m512i)v, 1)), _mm512_set1_epi64(above));
}

static ALWAYS_INLINE void store_i64(int64_t *p, vi v, int64_t above) {
  _mm512_storeu_si512(p, low_i64(v, above));
  _mm512_storeu_si512(p + 8, high_i64(v, above));
}

static ALWAYS_INLINE void stream_i64(int64_t *p, vi v, int64_t above) {
  _mm512_stream_si512((void *)p, low_i64(v, above));
  _mm512_stream_si512((void *)(p + 8), high_i64(v, above));
}

static inline void store_part_i64(int64_t *p, vi v, int64_t n, int64_t above) {
  _mm512_mask_storeu_epi64(p, (__mmask8)first_lanes(n < 8 ? n : 8), low_i64(v, above));
  if (n > 8)
    _mm512_mask_storeu_epi64(p + 8, (__mmask8)first_lanes(n - 8), high_i64(v, above));
}

/* The lanes that stand j behind those of `a`, of which `b` are the next. */
#define BEHIND(a, b, j) ((j) == 0 ? (a) : (__typeof__(a))_mm512_alignr_epi32((__m512i)(b), (__m512i)(a), j))
/* The same, j standing in each lane of `from` on top of its number. */
#define BEHIND_ANY(a, b, from) ((vf)_mm512_permutex2var_ps((__m512)(a), (__m512i)(from), (__m512)(b)))
/* `rest` where bits of `present` are 0; without `rest` 0. */
#define PRESENT_BEHIND(a, b, j, present, rest)                                                                         \
  ((vf)_mm512_mask_alignr_epi32((__m512i)(rest), present, (__m512i)(b), (__m512i)(a), j))
#define THOSE_BEHIND(a, b, j, present) ((vf)_mm512_maskz_alignr_epi32(present, (__m512i)(b), (__m512i)(a), j))

/* In each fourth of a vector: of two vectors the values at even places, and those at odd ones. */
#define PAIRS_EVEN 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define PAIRS_ODD  1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define LOW_8      0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_8     8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define LOW_4      0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define HIGH_4     4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define LOW_2      0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define HIGH_2     2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define LOW_1      0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define HIGH_1     1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
/* Of three vectors every third value: of the first two, and of those and the last. */
#define THIRD_0      0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0
#define THIRD_0_MORE 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29
#define THIRD_1      1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0
#define THIRD_1_MORE 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30
#define THIRD_2      2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0
#define THIRD_2_MORE 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31
#define JOINS(J)     J(2, 1, 8) J(4, 2, 4) J(8, 4, 2) J(16, 8, 1)

/* Lanes stay in order. */
#define LOW_OF_8(a, b)  PICKED(a, b, LOW_8)
#define HIGH_OF_8(a, b) PICKED(a, b, HIGH_8)
#define LOW_OF_4(a, b)  PICKED(a, b, LOW_4)
#define HIGH_OF_4(a, b) PICKED(a, b, HIGH_4)
#define LOW_OF_2(a, b)  PICKED(a, b, LOW_2)
#define HIGH_OF_2(a, b) PICKED(a, b, HIGH_2)
#define LOW_OF_1(a, b)  PICKED(a, b, LOW_1)
#define HIGH_OF_1(a, b) PICKED(a, b, HIGH_1)
#define IN_ORDER(v)     v

#endif

/* Vectors of AVX2, with FMA and F16C. */
#ifndef IR_POOL_VECTOR_AVX2_H
#define IR_POOL_VECTOR_AVX2_H

#include <immintrin.h>
#define VL 8
/* Windows are fused, as there are masks. */
#define FUSES 1
#include "ops/pool/pool_vector.h"

/* A bit for each lane. */
typedef uint8_t vbits;
typedef uint16_t vbits_of_pairs;

static inline vf greater(vf first, vf second) {
  return (vf)_mm256_max_ps((__m256)second, (__m256)first);
}

static inline vf multiply_add(vf a, vf b, vf c) {
  return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

/* NaN where there is one, or an infinity, in either. */
static inline vf spoilt(vf before, vf v) {
  return multiply_add(v, all(0), before);
}

/* All lanes are 0. */
static inline bool is_clean(vf v) {
  return _mm256_movemask_ps(_mm256_cmp_ps((__m256)v, _mm256_setzero_ps(), _CMP_NEQ_UQ)) == 0;
}

/* What zeros are looked for with: not 0 in lanes that had one. */
static inline vf without_zeros(void) {
  return all(0);
}

static inline vf with_zeros(vf before, vf v) {
  return (vf)_mm256_or_ps((__m256)before, _mm256_cmp_ps((__m256)v, _mm256_setzero_ps(), _CMP_EQ_OQ));
}

static inline vf both_zeros(vf a, vf b) {
  return (vf)_mm256_or_ps((__m256)a, (__m256)b);
}

static inline bool has_zeros(vf v) {
  return !is_clean(v);
}

static inline vf widen_f16(vu16 v) {
  return (vf)_mm256_cvtph_ps((__m128i)v);
}

static inline vu16 narrow_f16(vf v) {
  return (vu16)_mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vf widen_bf16(vu16 v) {
  return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32((__m128i)v), 16);
}

static inline vu16 narrow_bf16(vf v) {
  const __m256i bits = (__m256i)(bf16_bits(v) >> 16);
  return (vu16)_mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
}

static inline vf widen_i8(vi8 v) {
  return (vf)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128((int64_t)v)));
}

static inline vf widen_u8(vu8 v) {
  return (vf)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)v)));
}

/* The lowest byte of each. */
static inline vu8 narrow_u8(vf v) {
  const __m256i lowest = _mm256_set1_epi32(0x0c080400), bytes = _mm256_shuffle_epi8((__m256i)integer_bits(v), lowest);
  return (vu8)_mm_cvtsi128_si64(_mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
}

static inline vi8 narrow_i8(vf v) {
  return (vi8)narrow_u8(v);
}

static inline __m256i first_lanes(int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* All bits of the lanes that are `there`: of floats, and of words. */
static inline __m256i floats_of(uint32_t there) {
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int32_t)there), bits), bits);
}

static inline __m256i words_of(uint32_t there) {
  const __m256i bits =
      _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, INT16_MIN);
  return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((int16_t)there), bits), bits);
}

/* Masks from memory, aligned, and of the first n lanes; those of bytes are pool_vector_ordered_avx2.h's. */
#define MASKS_OF(name, lanes)                                                                                          \
  typedef __m256i mask_##name;                                                                                         \
  static inline mask_##name load_mask_##name(const mask_##name *p) {                                                   \
    return _mm256_load_si256(p);                                                                                       \
  }                                                                                                                    \
  static inline mask_##name first_mask_##name(int64_t n) {                                                             \
    return name##_of(n < lanes ? (UINT32_C(1) << n) - 1 : UINT32_MAX);                                                 \
  }
MASKS_OF(floats, 8)
MASKS_OF(words, 16)

/* Lanes that are not `there` are 0, and their memory is not touched. */
static inline vf masked_f32(const float *p, mask_floats there) {
  return (vf)_mm256_maskload_ps(p, there);
}

/* `rest` where bits of `there` are 0. */
static inline vf where(vf v, vbits there, vf rest) {
  return (vf)_mm256_blendv_ps((__m256)rest, (__m256)v, (__m256)floats_of(there));
}

/* Those that are not there are `rest`. */
static inline vf present_f32(const float *p, vbits there, vf rest) {
  return where(masked_f32(p, floats_of(there)), there, rest);
}

/* Those that are not there are 0. */
static inline vf those_there(vf v, mask_floats there) {
  return (vf)_mm256_and_si256((__m256i)v, there);
}

/* v where it is `there`, else `rest`. GCC would compare masks from memory with 0 before it blends by them. */
static inline vf floats_there(vf rest, vf v, mask_floats there) {
  vf chosen;
  __asm__("vblendvps %3, %2, %1, %0" : "=x"(chosen) : "x"(rest), "x"(v), "x"(there));
  return chosen;
}

static inline __m256i bytes_there(__m256i rest, __m256i v, __m256i there) {
  __m256i chosen;
  __asm__("vpblendvb %3, %2, %1, %0" : "=x"(chosen) : "x"(rest), "x"(v), "x"(there));
  return chosen;
}

/* The sum and the greater one where x is `there`, else v. */
static inline vf add_there(vf v, vf x, mask_floats there) {
  return floats_there(v, v + x, there);
}

static inline vf greater_there(vf v, vf x, mask_floats there) {
  return floats_there(v, greater(v, x), there);
}

static inline vf part_f32(const float *p, int64_t n) {
  return (vf)_mm256_maskload_ps(p, first_lanes(n));
}

/* A store with a mask takes as long as a dozen others on many machines. */
static inline void store_part_f32(float *p, vf v, int64_t n) {
  __m128 left = _mm256_castps256_ps128((__m256)v);
  if ((n & 4) != 0) {
    _mm_storeu_ps(p, left);
    left = _mm256_extractf128_ps((__m256)v, 1);
    p += 4;
  }
  if ((n & 2) != 0) {
    _mm_storel_pi((__m64 *)(void *)p, left);
    left = _mm_movehl_ps(left, left);
    p += 2;
  }
  if ((n & 1) != 0)
    _mm_store_ss(p, left);
}

/* The first n < 16 bytes. */
static inline void store_bytes(void *to, __m128i v, int64_t n) {
  char *p = to;
  uint64_t left = (uint64_t)_mm_cvtsi128_si64(v);
  if ((n & 8) != 0) {
    memcpy(p, &left, 8);
    left = (uint64_t)_mm_extract_epi64(v, 1);
    p += 8;
  }
  if ((n & 4) != 0) {
    memcpy(p, &left, 4);
    left >>= 32;
    p += 4;
  }
  if ((n & 2) != 0) {
    memcpy(p, &left, 2);
    left >>= 16;
    p += 2;
  }
  if ((n & 1) != 0)
    *p = (char)left;
}

PART_OF(u16, vu16, uint16_t)
PART_OF(u8, vu8, uint8_t)
PART_OF(i8, vi8, int8_t)
PART_OF_INDICES

static inline void store_part_u16(uint16_t *p, vu16 v, int64_t n) {
  store_bytes(p, (__m128i)v, 2 * n);
}

static inline void store_part_u8(uint8_t *p, vu8 v, int64_t n) {
  store_bytes(p, _mm_cvtsi64_si128((int64_t)v), n);
}

static inline void store_part_i8(int8_t *p, vi8 v, int64_t n) {
  store_bytes(p, _mm_cvtsi64_si128((int64_t)v), n);
}

/* masked_f32 of narrow elements, which no instruction has. */
#define MASKED_OF(name, vector, element)                                                                               \
  static __attribute__((noinline)) vector masked_##name(const element *p, mask_floats there) {                         \
    vector v = {0};                                                                                                    \
    for (int i = 0; i < VL; i++)                                                                                       \
      if (((vi)there)[i] != 0)                                                                                         \
        v[i] = p[i];                                                                                                   \
    return v;                                                                                                          \
  }
MASKED_OF(u16, vu16, uint16_t)
MASKED_OF(u8, vu8, uint8_t)
MASKED_OF(i8, vi8, int8_t)
#undef MASKED_OF

/* 16 elements of which the bits are the upper half of floats, and of those the even (part 0) or the odd ones. */
static inline vu load_pairs(const uint16_t *p) {
  vu pairs;
  memcpy(&pairs, p, sizeof pairs);
  return pairs;
}

static ALWAYS_INLINE vu masked_pairs(const uint16_t *p, vbits_of_pairs there, const readable *in) {
  if (is_readable(in, p, 4 * VL))
    return (vu)_mm256_and_si256((__m256i)load_pairs(p), words_of(there));
  const vu16 low = masked_u16(p, floats_of(there)), high = masked_u16(p + VL, floats_of((uint32_t)there >> VL));
  return (vu)_mm256_set_m128i((__m128i)high, (__m128i)low);
}

static inline vf part_of_pairs(vu v, const int part) {
  return (vf)(part == 0 ? v << 16 : v & 0xffff0000u);
}

/* `rest` where lanes of `absent` are all ones. */
static inline vf those(vf v, const uint32_t *absent, vf rest) {
  const vu out = load_u32(absent);
  return (vf)(((vu)v & ~out) | ((vu)rest & out));
}

static inline vf but(vf v, int64_t n, vf rest) {
  return (vf)_mm256_blendv_ps((__m256)rest, (__m256)v, (__m256)first_lanes(n));
}

/* Fours that stand `apart`, one behind the other. */
static inline vf load_fours(const float *p, int64_t apart) {
  return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + apart), 1);
}

/* What a comparison finds: all bits of a lane or none. */
typedef vf vm;

static inline vm is_greater(vf first, vf second) {
  return (vm)_mm256_cmp_ps((__m256)second, (__m256)first, _CMP_GT_OQ);
}

static inline vi choose(vm takes, vi first, vi second) {
  return (vi)_mm256_blendv_ps((__m256)first, (__m256)second, (__m256)takes);
}

/* A bit for each lane of four vectors. */
static inline uint64_t equal_lanes(const vf v[4], vf x) {
  uint64_t bits = 0;
  for (int i = 0; i < 4; i++)
    bits |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)v[i], (__m256)x, _CMP_EQ_OQ)) << (i * VL);
  return bits;
}

static inline __m256i low_i64(vi v, int64_t above) {
  return _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128((__m256i)v)), _mm256_set1_epi64x(above));
}

static inline __m256i high_i64(vi v, int64_t above) {
  return _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_extracti128_si256((__m256i)v, 1)), _mm256_set1_epi64x(above));
}

static ALWAYS_INLINE void store_i64(int64_t *p, vi v, int64_t above) {
  _mm256_storeu_si256((__m256i *)(void *)p, low_i64(v, above));
  _mm256_storeu_si256((__m256i *)(void *)(p + 4), high_i64(v, above));
}

/* As those of AVX-512. */
static inline void stream_f32(float *p, vf v) {
  _mm256_stream_ps(p, (__m256)v);
}

static inline void stream_u16(uint16_t *p, vu16 v) {
  _mm_stream_si128((__m128i *)(void *)p, (__m128i)v);
}

static inline void stream_i32(int32_t *p, vi v) {
  _mm256_stream_si256((__m256i *)(void *)p, (__m256i)v);
}

static ALWAYS_INLINE void stream_i64(int64_t *p, vi v, int64_t above) {
  _mm256_stream_si256((__m256i *)(void *)p, low_i64(v, above));
  _mm256_stream_si256((__m256i *)(void *)(p + 4), high_i64(v, above));
}

static inline void end_stream(void) {
  _mm_sfence();
}

/* The lanes that stand j behind those of `a`, of which `b` are the next. */
#define BEHIND(a, b, j)                                                                                                \
  ((__typeof__(a))((j) == 0   ? (__m256i)(a)                                                                           \
                   : (j) == 4 ? NEXT_HALF(a, b)                                                                        \
                   : (j) == 8 ? (__m256i)(b)                                                                           \
                   : (j) < 4  ? _mm256_alignr_epi8(NEXT_HALF(a, b), (__m256i)(a), 4 * (j) % 16)                        \
                              : _mm256_alignr_epi8((__m256i)(b), NEXT_HALF(a, b), 4 * (j) % 16)))
#define NEXT_HALF(a, b) _mm256_permute2x128_si256((__m256i)(a), (__m256i)(b), 0x21)
/* Those that are not there are 0. */
#define THOSE_BEHIND(a, b, j, there) those_there(BEHIND(a, b, j), there)

#define PAIRS_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define PAIRS_ODD  1, 3, 9, 11, 5, 7, 13, 15
#define LOW_4      0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_4     4, 5, 6, 7, 12, 13, 14, 15
#define JOINS(J)   J(2, 1, 4) J(4, 2, 2) J(8, 4, 1)

/* Halves come of halves of vectors as these are, which is cheaper than to cross their middles; lanes get out of order.
 */
#define LOW_OF_4(a, b)  ((vf)_mm256_permute2f128_ps((__m256)(a), (__m256)(b), 0x20))
#define HIGH_OF_4(a, b) ((vf)_mm256_permute2f128_ps((__m256)(a), (__m256)(b), 0x31))
#define LOW_OF_2(a, b)  ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x44))
#define HIGH_OF_2(a, b) ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0xee))
#define LOW_OF_1(a, b)  ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x88))
#define HIGH_OF_1(a, b) ((vf)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0xdd))
#define IN_ORDER(v)     ((vf)_mm256_permutevar8x32_ps((__m256)(v), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)))

/* Of two vectors the values at even places, and those at odd ones. */
static inline vf even_of(vf a, vf b) {
  return LOW_OF_1(LOW_OF_4(a, b), HIGH_OF_4(a, b));
}

static inline vf odd_of(vf a, vf b) {
  return HIGH_OF_1(LOW_OF_4(a, b), HIGH_OF_4(a, b));
}

/* Of four vectors every fourth value, from place `part` on. */
static ALWAYS_INLINE vf fourth_of(vf a, vf b, vf c, vf d, const int part) {
  const __m256 first = (__m256)LOW_OF_4(a, c), second = (__m256)HIGH_OF_4(a, c), third = (__m256)LOW_OF_4(b, d),
               last = (__m256)HIGH_OF_4(b, d);
  const __m256 pair = part < 2 ? _mm256_unpacklo_ps(first, second) : _mm256_unpackhi_ps(first, second),
               next = part < 2 ? _mm256_unpacklo_ps(third, last) : _mm256_unpackhi_ps(third, last);
  return part % 2 == 0 ? LOW_OF_2(pair, next) : HIGH_OF_2(pair, next);
}

/* Of three vectors every third value, from place `part` on. Halves are brought together first, so that both halves of
 * what comes out take the same places of theirs: these differ in four, so that three vectors become one by blending. */
static ALWAYS_INLINE vf third_of(vf a, vf b, vf c, const int part) {
  const __m256 first = _mm256_blend_ps((__m256)a, (__m256)b, 0xf0), third = _mm256_blend_ps((__m256)b, (__m256)c, 0xf0),
               second = _mm256_permute2f128_ps((__m256)a, (__m256)c, 0x21);
  if (part == 0)
    return (vf)_mm256_permute_ps(_mm256_blend_ps(_mm256_blend_ps(first, second, 0x44), third, 0x22), 0x6c);
  if (part == 1)
    return (vf)_mm256_permute_ps(_mm256_blend_ps(_mm256_blend_ps(first, second, 0x99), third, 0x44), 0xb1);
  return (vf)_mm256_permute_ps(_mm256_blend_ps(_mm256_blend_ps(first, second, 0x22), third, 0x99), 0xc6);
}

#endif

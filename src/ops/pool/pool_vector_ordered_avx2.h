/* What maxima of narrow elements as integers are made of, of 32 bytes. For AVX2. */
#ifndef IR_POOL_VECTOR_ORDERED_AVX2_H
#define IR_POOL_VECTOR_ORDERED_AVX2_H

#include "ops/pool/pool_vector_avx2.h"

typedef __m256i vo;

/* The same operation of as many bytes. */
#define VO(name) _mm256_##name

/* Integers of sign and magnitude, and back. */
static inline vo signed_words(vo bits) {
  return _mm256_xor_si256(bits, _mm256_srli_epi16(_mm256_srai_epi16(bits, 15), 1));
}

/* Whether a word is 0 or 1. */
static inline bool has_least_words(vo v) {
  return _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_min_epu16(v, _mm256_set1_epi16(1)), v)) != 0;
}

/* ---- memory ---- */

static inline vo load_all(const void *p) {
  return _mm256_loadu_si256(p);
}

static inline void store_all(void *p, vo v) {
  _mm256_storeu_si256(p, v);
}

static inline void stream_all(void *p, vo v) {
  _mm256_stream_si256(p, v);
}

static inline vo bytes_of(uint32_t there) {
  const vo from = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303),
           bits = _mm256_set1_epi64x((int64_t)0x8040201008040201);
  return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int32_t)there), from), bits), bits);
}

MASKS_OF(bytes, 32)
#undef MASKS_OF

static inline void store_some_bytes(void *p, vo v, int64_t n) {
  __m128i left = _mm256_castsi256_si128(v);
  if ((n & 16) != 0) {
    _mm_storeu_si128(p, left);
    left = _mm256_extracti128_si256(v, 1);
    p = (char *)p + 16;
  }
  store_bytes(p, left, n & 15);
}

static inline void store_some_words(void *p, vo v, int64_t n) {
  store_some_bytes(p, v, 2 * n);
}

/* Elements that are `there`, else `rest`; where not all may be read, one by one. The first n, and `rest`. */
#define SOME_OF(name, element, lanes)                                                                                  \
  static __attribute__((noinline)) vo load_few_##name(const element *p, mask_##name there) {                           \
    element few[lanes] = {0}, is_there[lanes];                                                                         \
    store_all(is_there, there);                                                                                        \
    for (int i = 0; i < (lanes); i++)                                                                                  \
      if (is_there[i] != 0)                                                                                            \
        few[i] = p[i];                                                                                                 \
    return load_all(few);                                                                                              \
  }                                                                                                                    \
  static ALWAYS_INLINE vo load_there_##name(const void *p, mask_##name there, vo rest, const readable *in) {           \
    const vo v = is_readable(in, p, 32) ? load_all(p) : load_few_##name(p, there);                                     \
    return bytes_there(rest, v, there);                                                                                \
  }                                                                                                                    \
  static ALWAYS_INLINE vo load_some_##name(const void *p, uint64_t there, vo rest, const readable *in) {               \
    return load_there_##name(p, name##_of((uint32_t)there), rest, in);                                                 \
  }                                                                                                                    \
  static inline vo but_##name(vo v, int64_t n, vo rest) {                                                              \
    return _mm256_blendv_epi8(rest, v, first_mask_##name(n));                                                          \
  }
SOME_OF(words, uint16_t, 16)
SOME_OF(bytes, uint8_t, 32)
#undef SOME_OF

/* ---- lanes ---- */

/* The 32 bytes that stand `n` behind those of `a`, of which `b` are the next. */
#define BYTES_BEHIND(a, b, n)                                                                                          \
  ((n) < 16 ? _mm256_alignr_epi8(NEXT_HALF(a, b), a, (n) % 16) : _mm256_alignr_epi8(b, NEXT_HALF(a, b), (n) % 16))

/* Fourths in the order in which packing leaves them. */
static inline vo unpacked(vo v) {
  return _mm256_permute4x64_epi64(v, 0xd8);
}

/* Of two vectors the values at even places, and those at odd ones. */
static inline vo even_words(vo a, vo b) {
  const vo lower = _mm256_set1_epi32(0xffff);
  return unpacked(_mm256_packus_epi32(_mm256_and_si256(a, lower), _mm256_and_si256(b, lower)));
}

static inline vo odd_words(vo a, vo b) {
  return unpacked(_mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16)));
}

static inline vo even_bytes(vo a, vo b) {
  const vo lower = _mm256_set1_epi16(0xff);
  return unpacked(_mm256_packus_epi16(_mm256_and_si256(a, lower), _mm256_and_si256(b, lower)));
}

static inline vo odd_bytes(vo a, vo b) {
  return unpacked(_mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8)));
}

/* Of three vectors the values at place `part` of each three. Halves are brought together first, so that both halves of
 * what comes out take the same bytes of theirs: places of these differ in sixteen, so that three vectors become one by
 * blending. */
#define TWICE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define HALVES_TOGETHER                                                                                                \
  const vo first = _mm256_blend_epi32(a, b, 0xf0), second = _mm256_permute2x128_si256(a, c, 0x21),                     \
           third = _mm256_blend_epi32(b, c, 0xf0)

static ALWAYS_INLINE vo third_words(vo a, vo b, vo c, const int part) {
  HALVES_TOGETHER;
  if (part == 0)
    return _mm256_shuffle_epi8(_mm256_blend_epi16(_mm256_blend_epi16(first, second, 0x92), third, 0x24),
                               TWICE(0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15, 4, 5, 10, 11));
  if (part == 1)
    return _mm256_shuffle_epi8(_mm256_blend_epi16(_mm256_blend_epi16(first, second, 0x24), third, 0x49),
                               TWICE(2, 3, 8, 9, 14, 15, 4, 5, 10, 11, 0, 1, 6, 7, 12, 13));
  return _mm256_shuffle_epi8(_mm256_blend_epi16(_mm256_blend_epi16(first, second, 0x49), third, 0x92),
                             TWICE(4, 5, 10, 11, 0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15));
}

static inline vo blended(vo first, vo second, vo third, vo of_second, vo of_third, vo from) {
  const vo two = _mm256_blendv_epi8(first, second, of_second);
  return _mm256_shuffle_epi8(_mm256_blendv_epi8(two, third, of_third), from);
}

static ALWAYS_INLINE vo third_bytes(vo a, vo b, vo c, const int part) {
  HALVES_TOGETHER;
  if (part == 0)
    return blended(first, second, third, TWICE(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0),
                   TWICE(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
                   TWICE(0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13));
  if (part == 1)
    return blended(first, second, third, TWICE(-1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1),
                   TWICE(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0),
                   TWICE(1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14));
  return blended(first, second, third, TWICE(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
                 TWICE(-1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1),
                 TWICE(2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15));
}
#undef HALVES_TOGETHER
#undef TWICE

#endif

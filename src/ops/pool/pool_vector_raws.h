/* Rows of narrow elements added up or compared as they are, before they become floats: VL integers at a time, of which
 * sums and maxima are exact. Included behind the vectors of an instruction set that fuses windows. */
#ifndef IR_POOL_VECTOR_RAWS_H
#define IR_POOL_VECTOR_RAWS_H

/* Sums of up to 8 rows of 8 bits are words. */
#if VL == 16
typedef __m256i raws_average_i8, raws_average_u8;
#define SUM_OF(name)     _mm256_##name
#define BYTES_OF(v)      ((__m128i)(v))
#define FLOATS_OF(words) ((vf)_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(words)))
#else
typedef __m128i raws_average_i8, raws_average_u8;
#define SUM_OF(name)     _mm_##name
#define BYTES_OF(v)      _mm_cvtsi64_si128((int64_t)(v))
#define FLOATS_OF(words) ((vf)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words)))
#endif

#define SUMS_OF(name, bits, element)                                                                                   \
  static inline raws_average_##name take_average_##name(const element *p) {                                            \
    return SUM_OF(cvtep##bits##_epi16)(BYTES_OF(load_##name(p)));                                                      \
  }                                                                                                                    \
  static inline raws_average_##name join_average_##name(raws_average_##name a, raws_average_##name b) {                \
    return SUM_OF(add_epi16)(a, b);                                                                                    \
  }                                                                                                                    \
  static inline vf floats_average_##name(raws_average_##name v) {                                                      \
    return FLOATS_OF(v);                                                                                               \
  }
/* Those that are `there`; the others are 0. Vectors of 256 bits add up whole windows instead: pool_vector_summed.h. */
#if VL == 16
#define SOME_SUMS_OF(name, bits, element)                                                                              \
  static inline raws_average_##name take_masked_average_##name(const element *p, vbits there, const readable *in) {    \
    (void)in;                                                                                                          \
    return SUM_OF(cvtep##bits##_epi16)(BYTES_OF(masked_##name(p, there)));                                             \
  }
SOME_SUMS_OF(i8, i8, int8_t)
SOME_SUMS_OF(u8, u8, uint8_t)
#undef SOME_SUMS_OF
#endif
SUMS_OF(i8, i8, int8_t)
SUMS_OF(u8, u8, uint8_t)
#undef SUMS_OF
#undef SUM_OF
#undef FLOATS_OF

/* Maxima of 8 bits. */
#define MAXIMA_OF(name, bits, element)                                                                                 \
  typedef __m128i raws_maximum_##name;                                                                                 \
  static inline __m128i take_maximum_##name(const element *p) {                                                        \
    return BYTES_OF(load_##name(p));                                                                                   \
  }                                                                                                                    \
  static inline __m128i join_maximum_##name(__m128i a, __m128i b) {                                                    \
    return _mm_max_ep##bits(a, b);                                                                                     \
  }                                                                                                                    \
  static inline vf floats_maximum_##name(__m128i v) {                                                                  \
    return widen_##name(bytes_##name(v));                                                                              \
  }
#if VL == 16
#define bytes_i8(v) ((vi8)(v))
#define bytes_u8(v) ((vu8)(v))
#else
#define bytes_i8(v) ((vi8)_mm_cvtsi128_si64(v))
#define bytes_u8(v) ((vu8)_mm_cvtsi128_si64(v))
#endif
MAXIMA_OF(i8, i8, int8_t)
MAXIMA_OF(u8, u8, uint8_t)
#undef MAXIMA_OF
#undef bytes_i8
#undef bytes_u8
#undef BYTES_OF

#endif

/* Bytes as 16-bit integers of which windows are added up, 16 at a time: sums of up to 256 are exact, in any order. What
 * ORDERED names for maxima, for averages; included behind mean_of_sum. For AVX2. */
#ifndef IR_POOL_VECTOR_SUMMED_H
#define IR_POOL_VECTOR_SUMMED_H

enum { lanes_summed_i8 = 16, lanes_summed_u8 = 16 };

/* Of what result_ returns the bytes in order. */
static inline __m128i in_order(vo bytes) {
  return _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
}

/* The lowest byte of each, as that of integer_bits. */
static inline __m256i rounded_mean(__m256i sum, const float *high, const float *low) {
  const vf mean = mean_of_sum((vf)_mm256_cvtepi32_ps(sum), load_f32(high), load_f32(low));
  return _mm256_and_si256(_mm256_cvtps_epi32((__m256)mean), _mm256_set1_epi32(0xff));
}

/* Of the mask of words that of the same lanes as bytes. */
static inline mask_bytes mask_of_bytes(mask_words there) {
  return _mm256_zextsi128_si256(_mm_packs_epi16(_mm256_castsi256_si128(there), _mm256_extracti128_si256(there, 1)));
}

#define SUMMED_AS(name, element, widen, words_widen)                                                                   \
  static inline vo take_##name(const element *p) {                                                                     \
    return widen(_mm_loadu_si128((const __m128i *)(const void *)p));                                                   \
  }                                                                                                                    \
  /* Those that are not there are 0. */                                                                                \
  static ALWAYS_INLINE vo take_there_##name(const element *p, mask_words there, const readable *in) {                  \
    const vo v = is_readable(in, p, 16)                                                                                \
                     ? take_##name(p)                                                                                  \
                     : widen(_mm256_castsi256_si128(load_few_bytes((const void *)p, mask_of_bytes(there))));           \
    return _mm256_and_si256(v, there);                                                                                 \
  }                                                                                                                    \
  static ALWAYS_INLINE vo take_masked_##name(const element *p, uint64_t there, const readable *in) {                   \
    return take_there_##name(p, words_of((uint32_t)there), in);                                                        \
  }                                                                                                                    \
  static inline void put_##name(element *p, vo v) {                                                                    \
    _mm_storeu_si128((__m128i *)(void *)p, in_order(_mm256_packus_epi16(v, v)));                                       \
  }                                                                                                                    \
  static inline void put_far_##name(element *p, vo v) {                                                                \
    _mm_stream_si128((__m128i *)(void *)p, in_order(_mm256_packus_epi16(v, v)));                                       \
  }                                                                                                                    \
  static inline void put_part_##name(element *p, vo v, int64_t n) {                                                    \
    store_bytes(p, in_order(_mm256_packus_epi16(v, v)), n);                                                            \
  }                                                                                                                    \
  static inline vo lowest_##name(void) {                                                                               \
    return _mm256_setzero_si256();                                                                                     \
  }                                                                                                                    \
  static inline vo join_##name(vo first, vo second) {                                                                  \
    return _mm256_add_epi16(first, second);                                                                            \
  }                                                                                                                    \
  static inline vo join_there_##name(vo v, vo x, mask_words there) {                                                   \
    return _mm256_add_epi16(v, _mm256_and_si256(x, there));                                                            \
  }                                                                                                                    \
  static inline vo but_##name(vo v, int64_t n) {                                                                       \
    return _mm256_and_si256(v, first_mask_words(n));                                                                   \
  }                                                                                                                    \
  NOTES_NOTHING(name)                                                                                                  \
  /* Means as words, of each half of a vector those of the halves of sums. */                                          \
  static ALWAYS_INLINE vo result_##name(vo v, const float *high, const float *low) {                                   \
    const vo first = rounded_mean(words_widen(_mm256_castsi256_si128(v)), high, low),                                  \
             second = rounded_mean(words_widen(_mm256_extracti128_si256(v, 1)), high + VL, low + VL);                  \
    return _mm256_packus_epi32(first, second);                                                                         \
  }
MASKS_AS(summed_i8, words)
MASKS_AS(summed_u8, words)
#undef MASKS_AS
SUMMED_AS(summed_i8, int8_t, _mm256_cvtepi8_epi16, _mm256_cvtepi16_epi32)
SUMMED_AS(summed_u8, uint8_t, _mm256_cvtepu8_epi16, _mm256_cvtepu16_epi32)
#undef SUMMED_AS

#endif

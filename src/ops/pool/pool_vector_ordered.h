/* Narrow elements as integers in their order: maxima of as many at once as a vector has. Floats of 16 bits have NaN
 * below all numbers, whatever its sign. Included behind the vectors of an instruction set that fuses windows. */
#ifndef IR_POOL_VECTOR_ORDERED_H
#define IR_POOL_VECTOR_ORDERED_H

#if VL == 16
#include "ops/pool/pool_vector_ordered_avx512.h"
#else
#include "ops/pool/pool_vector_ordered_avx2.h"
#endif

enum { lanes_ordered_f16 = 2 * VL, lanes_ordered_bf16 = 2 * VL, lanes_ordered_i8 = 4 * VL, lanes_ordered_u8 = 4 * VL };

/* ---- the integers of bits ---- */

/* What is above infinity is added, so that NaN comes out at the other end. Zeros are found by the least distance to
 * them. */
#define ORDERED_WORDS(name, infinity, lowest)                                                                          \
  enum { above_##name = 0x7fff - (infinity) };                                                                         \
  static inline vo integers_##name(vo bits) {                                                                          \
    return VO(add_epi16)(signed_words(bits), VO(set1_epi16)(above_##name));                                            \
  }                                                                                                                    \
  static inline vo bits_##name(vo v) {                                                                                 \
    return signed_words(VO(sub_epi16)(v, VO(set1_epi16)(above_##name)));                                               \
  }                                                                                                                    \
  static inline vo lowest_bits_##name(void) {                                                                          \
    return VO(set1_epi16)((int16_t)(lowest));                                                                          \
  }                                                                                                                    \
  static inline vo with_zeros_##name(vo before, vo v) {                                                                \
    return VO(min_epu16)(before, VO(sub_epi16)(v, VO(set1_epi16)(above_##name - 1)));                                  \
  }                                                                                                                    \
  static inline vo both_zeros_##name(vo a, vo b) {                                                                     \
    return VO(min_epu16)(a, b);                                                                                        \
  }                                                                                                                    \
  /* Of +0 it is 1, of -0 it is 0. */                                                                                  \
  static inline bool has_zeros_##name(vo found) {                                                                      \
    return has_least_words(found);                                                                                     \
  }                                                                                                                    \
  /* The lowest instead of what was -inf, or not there. */                                                             \
  static inline vo result_##name(vo v, const float *high, const float *low) {                                          \
    (void)high, (void)low;                                                                                             \
    return VO(max_epi16)(v, integers_##name(lowest_bits_##name()));                                                    \
  }
ORDERED_WORDS(ordered_f16, 0x7c00, 0xfbff)
ORDERED_WORDS(ordered_bf16, 0x7f80, 0xff7f)

/* Integers have zeros of one kind. */
#define NOTES_NOTHING(name)                                                                                            \
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
  }

#define ORDERED_BYTES(name, lowest)                                                                                    \
  static inline vo integers_##name(vo bits) {                                                                          \
    return bits;                                                                                                       \
  }                                                                                                                    \
  static inline vo bits_##name(vo v) {                                                                                 \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline vo lowest_bits_##name(void) {                                                                          \
    return VO(set1_epi8)(lowest);                                                                                      \
  }                                                                                                                    \
  NOTES_NOTHING(name)                                                                                                  \
  static inline vo result_##name(vo v, const float *high, const float *low) {                                          \
    (void)high, (void)low;                                                                                             \
    return v;                                                                                                          \
  }
ORDERED_BYTES(ordered_i8, INT8_MIN)
ORDERED_BYTES(ordered_u8, 0)

/* ---- elements ---- */

#define ORDERED_AS(name, element, some, order_of)                                                                      \
  static inline vo take_##name(const element *p) {                                                                     \
    return integers_##name(load_all(p));                                                                               \
  }                                                                                                                    \
  /* Those that are not there are the lowest number. */                                                                \
  static ALWAYS_INLINE vo take_masked_##name(const element *p, uint64_t there, const readable *in) {                   \
    return integers_##name(load_some_##some(p, there, lowest_bits_##name(), in));                                      \
  }                                                                                                                    \
  static inline void put_##name(element *p, vo v) {                                                                    \
    store_all(p, bits_##name(v));                                                                                      \
  }                                                                                                                    \
  static inline void put_far_##name(element *p, vo v) {                                                                \
    stream_all(p, bits_##name(v));                                                                                     \
  }                                                                                                                    \
  static inline void put_part_##name(element *p, vo v, int64_t n) {                                                    \
    store_some_##some(p, bits_##name(v), n);                                                                           \
  }                                                                                                                    \
  static inline vo lowest_##name(void) {                                                                               \
    return integers_##name(lowest_bits_##name());                                                                      \
  }                                                                                                                    \
  static inline vo join_##name(vo first, vo second) {                                                                  \
    return VO(max_##order_of)(first, second);                                                                          \
  }                                                                                                                    \
  /* Lanes n < lanes and on are the lowest. */                                                                         \
  static inline vo but_##name(vo v, int64_t n) {                                                                       \
    return but_##some(v, n, lowest_##name());                                                                          \
  }
ORDERED_AS(ordered_f16, uint16_t, words, epi16)
ORDERED_AS(ordered_bf16, uint16_t, words, epi16)
ORDERED_AS(ordered_i8, int8_t, bytes, epi8)
ORDERED_AS(ordered_u8, uint8_t, bytes, epu8)
#undef ORDERED_AS

/* Those that are `there`, as take_masked_ has them; and join_ where x is there, else v. */
#if VL == 16
#define THERE_AS(name, element, some, order_of)                                                                        \
  static inline vo take_there_##name(const element *p, mask_##some there, const readable *in) {                        \
    return take_masked_##name(p, there, in);                                                                           \
  }                                                                                                                    \
  static inline vo join_there_##name(vo v, vo x, mask_##some there) {                                                  \
    return _mm512_mask_max_##order_of(v, there, v, x);                                                                 \
  }
#else
#define THERE_AS(name, element, some, order_of)                                                                        \
  static ALWAYS_INLINE vo take_there_##name(const element *p, mask_##some there, const readable *in) {                 \
    return integers_##name(load_there_##some(p, there, lowest_bits_##name(), in));                                     \
  }                                                                                                                    \
  static inline vo join_there_##name(vo v, vo x, mask_##some there) {                                                  \
    return bytes_there(v, join_##name(v, x), there);                                                                   \
  }
#endif
#define MASKS_AS(name, some)                                                                                           \
  typedef mask_##some mask_##name;                                                                                     \
  static inline mask_##name load_mask_##name(const mask_##name *p) {                                                   \
    return load_mask_##some(p);                                                                                        \
  }                                                                                                                    \
  static inline mask_##name first_mask_##name(int64_t n) {                                                             \
    return first_mask_##some(n);                                                                                       \
  }
THERE_AS(ordered_f16, uint16_t, words, epi16)
THERE_AS(ordered_bf16, uint16_t, words, epi16)
THERE_AS(ordered_i8, int8_t, bytes, epi8)
THERE_AS(ordered_u8, uint8_t, bytes, epu8)
#undef THERE_AS
MASKS_AS(ordered_f16, words)
MASKS_AS(ordered_bf16, words)
MASKS_AS(ordered_i8, bytes)
MASKS_AS(ordered_u8, bytes)

#endif

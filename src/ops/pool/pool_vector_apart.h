/* Values at a stride, brought together. Included behind the vectors of an instruction set. */
#ifndef IR_POOL_VECTOR_APART_H
#define IR_POOL_VECTOR_APART_H

#include "ops/pool/pool_vector_turn.h"

enum { MOST_PARTS = 4 };

/* Of two vectors the values at even places, and those at odd ones; of three and four every third and fourth from place
 * `part` on. AVX2 has its own. */
#if VL != 8
static inline vf even_of(vf a, vf b) {
  return PICKED(a, b, LOW_1);
}

static inline vf odd_of(vf a, vf b) {
  return PICKED(a, b, HIGH_1);
}

static ALWAYS_INLINE vf fourth_of(vf a, vf b, vf c, vf d, const int part) {
  const vf first = part % 2 == 0 ? even_of(a, b) : odd_of(a, b), second = part % 2 == 0 ? even_of(c, d) : odd_of(c, d);
  return part < 2 ? even_of(first, second) : odd_of(first, second);
}

static ALWAYS_INLINE vf third_of(vf a, vf b, vf c, const int part) {
#define EVERY_THIRD(part) PICKED(PICKED(a, b, THIRD_##part), c, THIRD_##part##_MORE)
  return part == 0 ? EVERY_THIRD(0) : part == 1 ? EVERY_THIRD(1) : EVERY_THIRD(2);
#undef EVERY_THIRD
}
#endif

/* Of `stride` vectors the values that stand at place `part` of each `stride`: of up to MOST_PARTS. */
static ALWAYS_INLINE vf part_of(const vf v[MOST_PARTS], const int part, const int stride) {
  return stride == 1   ? v[0]
         : stride == 3 ? third_of(v[0], v[1], v[2], part)
         : stride == 4 ? fourth_of(v[0], v[1], v[2], v[3], part)
         : part == 0   ? even_of(v[0], v[1])
                       : odd_of(v[0], v[1]);
}

/* Every `stride`-th of the values, n of them. Up to 15 behind the last are read. */
static inline void bring_together(const float *restrict from, int64_t stride, int64_t n, float *restrict to) {
#if VL == 16
  if (stride <= VL) {
    const vi at = lanes() * (int32_t)stride;
    for (int64_t i = 0; i < n; i += VL, from += VL * stride) {
      const int64_t behind = (n - i < VL ? n - i - 1 : VL - 1) * stride + 1;
      vf v = all(0);
      for (int64_t j = 0; j < behind; j += VL)
        v = with_lanes(v, at - all_i32((int32_t)j), load_f32(from + j));
      store_f32(to + i, v);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < n; i++)
    to[i] = from[i * stride];
}

/* VL windows from p on: v[j] gets what each has at place j. */
static ALWAYS_INLINE void take_fours(const float *p, int64_t stride, vf v[4]) {
  for (int i = 0; i < 4; i++)
    v[i] = load_fours(p + i * stride, 4 * stride);
  EXCHANGE(v, 4, 1, PAIRS_EVEN, PAIRS_ODD)
  EXCHANGE(v, 4, 2, PAIRS_EVEN, PAIRS_ODD)
}

/* The same as lines, the first n_lines of them. */
static ALWAYS_INLINE void bring_fours(const float *p, int64_t stride, float *to, int64_t pitch, const int n_lines) {
  vf v[4];
  take_fours(p, stride, v);
  for (int j = 0; j < n_lines; j++)
    store_f32(to + j * pitch, v[j]);
}

/* Lines of what stands at places 0, 1, .. of windows `stride` apart, of n >= VL values each, up to 8. */
static inline void bring_apart(const float *restrict from, int64_t stride, int64_t n, int64_t n_lines,
                               float *restrict to, int64_t pitch) {
  for (int64_t i = 0; i < n; i = next_vector(i, n)) {
    const float *p = from + i * stride;
    switch (n_lines) {
#define LINES(few, many)                                                                                               \
  case few:                                                                                                            \
    bring_fours(p, stride, to + i, pitch, few);                                                                        \
    break;                                                                                                             \
  case many:                                                                                                           \
    bring_fours(p, stride, to + i, pitch, 4);                                                                          \
    bring_fours(p + 4, stride, to + 4 * pitch + i, pitch, few);                                                        \
    break;
      LINES(1, 5)
      LINES(2, 6)
      LINES(3, 7)
      LINES(4, 8)
#undef LINES
    }
  }
}

#endif

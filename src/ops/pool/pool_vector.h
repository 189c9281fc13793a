/* Vectors of VL floats, by GCC's vector extension: arithmetic is that of the elements. Included by the header of an
 * instruction set, which defines VL before and the rest behind. */
#ifndef IR_POOL_VECTOR_H
#define IR_POOL_VECTOR_H

#include "dtype.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef float vf __attribute__((vector_size(4 * VL)));
typedef uint32_t vu __attribute__((vector_size(4 * VL)));
typedef int32_t vi __attribute__((vector_size(4 * VL)));
typedef uint16_t vu16 __attribute__((vector_size(2 * VL)));
typedef uint8_t vu8 __attribute__((vector_size(VL)));
typedef int8_t vi8 __attribute__((vector_size(VL)));

/* What is too much for the compiler to repeat in every pass by itself. Not without optimization: it would stand there
 * with all of the cases that its constants leave out. */
#ifdef __OPTIMIZE__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* Of unaligned memory. */
#define VECTOR_OF(name, vector, element)                                                                               \
  static inline vector load_##name(const element *p) {                                                                 \
    vector v;                                                                                                          \
    memcpy(&v, p, sizeof v);                                                                                           \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline void store_##name(element *p, vector v) {                                                              \
    memcpy(p, &v, sizeof v);                                                                                           \
  }
VECTOR_OF(f32, vf, float)
VECTOR_OF(u32, vu, uint32_t)
VECTOR_OF(u16, vu16, uint16_t)
VECTOR_OF(u8, vu8, uint8_t)
VECTOR_OF(i8, vi8, int8_t)
VECTOR_OF(i32, vi, int32_t)
#undef VECTOR_OF

/* The first n of them, n < VL; what is behind is 0. */
#define PART_OF(name, vector, element)                                                                                 \
  static inline vector part_##name(const element *p, int64_t n) {                                                      \
    vector v = {0};                                                                                                    \
    for (int i = 0; i < VL - 1; i++)                                                                                   \
      if (i < n)                                                                                                       \
        v[i] = p[i];                                                                                                   \
    return v;                                                                                                          \
  }

#define STORE_PART_OF(name, vector, element)                                                                           \
  static inline void store_part_##name(element *p, vector v, int64_t n) {                                              \
    for (int i = 0; i < VL - 1; i++)                                                                                   \
      if (i < n)                                                                                                       \
        p[i] = v[i];                                                                                                   \
  }

#define PART_OF_INDICES                                                                                                \
  STORE_PART_OF(i32, vi, int32_t)                                                                                      \
  static inline void store_part_i64(int64_t *p, vi v, int64_t n, int64_t above) {                                      \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      p[i] = v[i] + above;                                                                                             \
  }

static inline vf all(float x) {
  return x - (vf){0};
}

static inline vi all_i32(int32_t x) {
  return x - (vi){0};
}

/* Memory that may be read. Where no instruction leaves out lanes of narrow elements, vectors are loaded whole if all of
 * them lies in it. */
typedef struct readable {
  const char *begin, *end;
} readable;

static inline bool is_readable(const readable *in, const void *p, int64_t bytes) {
  return (const char *)p >= in->begin && (const char *)p + bytes <= in->end;
}

/* Reads a byte of each line of the cache, one after the other: a machine foresees that better than rows read side by
 * side, and prefetches asked for by hand do not come up to it. */
static inline void touch_lines(const void *from, int64_t bytes) {
  const volatile char *p = from;
  for (int64_t i = 0; i < bytes; i += 64)
    (void)p[i];
}

/* Asks for lines of the cache that are needed soon, and does not wait; they may be behind a tensor. */
static inline void ask_lines(uintptr_t from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 64)
    __builtin_prefetch((const char *)(from + (uintptr_t)i));
}

/* What a loop is laid out for. */
#define MOSTLY(condition) __builtin_expect(condition, 1)

/* What is made of `x` is made here, and not before a loop or a switch: of all its multiples there are not registers
 * enough. */
#define MADE_HERE(x) __asm__("" : "+r"(x))

/* The lower halves of vectors with h lanes of a window each, and the upper ones: of two vectors one of half as many. Of
 * those with a lane of each IN_ORDER puts them one behind the other. */
#define HALVED(op, a, b, h) op(LOW_OF_##h(a, b), HIGH_OF_##h(a, b))
#define PICKED(a, b, from)  __builtin_shuffle(a, b, (vi){from})

/* Where the vector behind that at i begins, of n >= VL values: the last one ends with them. */
static inline int64_t next_vector(int64_t i, int64_t n) {
  return i + VL < n && i + 2 * VL > n ? n - VL : i + VL;
}

/* A bit for each of the first n <= 16 lanes. */
static inline uint32_t first_bits(int64_t n) {
  return (UINT32_C(1) << n) - 1;
}

/* 0, 1, 2, ... */
static inline vi lanes(void) {
  static const int32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return load_i32(numbers);
}

/* The upper half is bf16: to nearest, ties to even. A NaN that comes of bf16 has nothing in its lower half, and stays
 * one. */
static inline vu bf16_bits(vf v) {
  const vu bits = (vu)v;
  return bits + 0x7fffu + (bits >> 16 & 1);
}

/* Of floats that hold integers: 1.5 * 2^23 leaves no bits behind the point, and those before it last. */
static inline vu integer_bits(vf v) {
  return (vu)(v + 0x1.8p23f);
}

#endif

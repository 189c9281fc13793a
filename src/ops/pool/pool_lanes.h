/* Vector operations for pooling kernels, by the vector extension of GCC and clang. A file is compiled for each
 * instruction set, and its vectors are as long as the set's registers. Type `lanes` always has 16 floats, in one or
 * several vectors. */
#ifndef IR_POOL_LANES_H
#define IR_POOL_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined __SSE2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

#if defined __AVX512BW__
#define VECTOR_BYTES 64
#elif defined __AVX2__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

enum { LANES = 16, VL = VECTOR_BYTES / 4, PARTS = LANES / VL };

typedef float f32_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t i32_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef struct lanes {
  f32_vector part[PARTS];
} lanes;

/* ---- lists of lane numbers for shuffles: NEXT is k, k + 1, ..; OTHER is k, k + 2, .. ---- */

#define NEXT_4(k)   (k), (k) + 1, (k) + 2, (k) + 3
#define NEXT_8(k)   NEXT_4(k), NEXT_4((k) + 4)
#define NEXT_16(k)  NEXT_8(k), NEXT_8((k) + 8)
#define OTHER_4(k)  (k), (k) + 2, (k) + 4, (k) + 6
#define OTHER_8(k)  OTHER_4(k), OTHER_4((k) + 8)
#define OTHER_16(k) OTHER_8(k), OTHER_8((k) + 16)
/* Interleaves two vectors of n lanes, from lane k on: lane k of both, lane k + 1 of both, .. */
#define ZIP_2(k, n) (k), (k) + (n), (k) + 1, (k) + 1 + (n)
#define ZIP_4(k)    ZIP_2(k, 4)
#define ZIP_8(k)    ZIP_2(k, 8), ZIP_2((k) + 2, 8)
#define ZIP_16(k)   ZIP_2(k, 16), ZIP_2((k) + 2, 16), ZIP_2((k) + 4, 16), ZIP_2((k) + 6, 16)

/* Select lanes k, k + 3, .. of three vectors by two shuffles: IN_TWO takes lanes of the first two vectors, and IN_LAST
 * adds those of the third. */
#define IN_TWO(k, i)     ((k) + 3 * (i) < 2 * VL ? (k) + 3 * (i) : 0)
#define IN_LAST(k, i)    ((k) + 3 * (i) < 2 * VL ? (i) : (k) + 3 * (i)-VL)
#define EACH_4(F, k, i)  F(k, i), F(k, (i) + 1), F(k, (i) + 2), F(k, (i) + 3)
#define EACH_8(F, k, i)  EACH_4(F, k, i), EACH_4(F, k, (i) + 4)
#define EACH_16(F, k, i) EACH_8(F, k, i), EACH_8(F, k, (i) + 8)

#if VECTOR_BYTES == 64
#define EACH_F32(F, k) EACH_16(F, k, 0)
#define NEXT_F32(k)    NEXT_16(k)
#define OTHER_F32(k)   OTHER_16(k)
#define ZIP_F32(k)     ZIP_16(k)
#elif VECTOR_BYTES == 32
#define EACH_F32(F, k) EACH_8(F, k, 0)
#define NEXT_F32(k)    NEXT_8(k)
#define OTHER_F32(k)   OTHER_8(k)
#define ZIP_F32(k)     ZIP_8(k)
#else
#define EACH_F32(F, k) EACH_4(F, k, 0)
#define NEXT_F32(k)    NEXT_4(k)
#define OTHER_F32(k)   OTHER_4(k)
#define ZIP_F32(k)     ZIP_4(k)
#endif

/* ---- vectors of floats ---- */

INLINE f32_vector load_vector(const float *from) {
  f32_vector v;
  memcpy(&v, from, sizeof v);
  return v;
}

INLINE void store_vector(float *to, f32_vector v) {
  memcpy(to, &v, sizeof v);
}

/* Lane-wise max; keeps `best` where `later` is NaN. */
INLINE f32_vector greater_vector(f32_vector best, f32_vector later) {
#if defined __AVX512BW__
  return _mm512_max_ps(later, best);
#elif defined __AVX2__
  return _mm256_max_ps(later, best);
#elif defined __SSE2__
  return _mm_max_ps(later, best);
#else
  const i32_vector is_greater = later > best;
  return (f32_vector)((is_greater & (i32_vector)later) | (~is_greater & (i32_vector)best));
#endif
}

/* ---- 16 lanes ---- */

/* Unrolls the next loop completely, so that arrays stay in registers. */
#define UNROLL       _Pragma("GCC unroll 16")
#define EACH_PART(i) UNROLL for (int i = 0; i < PARTS; i++)

INLINE lanes load_lanes(const float *from) {
  lanes x;
  EACH_PART(i) x.part[i] = load_vector(from + i * VL);
  return x;
}

INLINE void store_lanes(float *to, lanes x) {
  EACH_PART(i) store_vector(to + i * VL, x.part[i]);
}

INLINE lanes fill_lanes(float value) {
  lanes x;
  EACH_PART(i) x.part[i] = (f32_vector){0} + value;
  return x;
}

INLINE lanes add_lanes(lanes a, lanes b) {
  EACH_PART(i) a.part[i] += b.part[i];
  return a;
}

INLINE lanes greater_lanes(lanes best, lanes later) {
  EACH_PART(i) best.part[i] = greater_vector(best.part[i], later.part[i]);
  return best;
}

/* Returns lanes k, k + 1, .. of the concatenation of a and b; k is 0 to 6 and less than VL. */
INLINE f32_vector shift_vectors(f32_vector a, f32_vector b, int k) {
#define SHIFT_CASE(k)                                                                                                  \
  case k:                                                                                                              \
    return __builtin_shufflevector(a, b, NEXT_F32(k));
  switch (k) {
    SHIFT_CASE(1)
    SHIFT_CASE(2)
    SHIFT_CASE(3)
#if VECTOR_BYTES > 16
    SHIFT_CASE(4)
    SHIFT_CASE(5)
    SHIFT_CASE(6)
#endif
  default:
    return a;
  }
#undef SHIFT_CASE
}

/* Returns lanes k, k + 1, .. of the concatenation of a and b; k is a power of two up to 8. */
INLINE lanes shift_two(lanes a, lanes b, const int k) {
  lanes y;
  EACH_PART(i) {
    const int at = i + k / VL, next = at + 1;
    const f32_vector x0 = at < PARTS ? a.part[at % PARTS] : b.part[at % PARTS];
    const f32_vector x1 = next < PARTS ? a.part[next % PARTS] : b.part[next % PARTS];
    y.part[i] = k % VL == 8 ? __builtin_shufflevector(x0, x1, NEXT_F32(VL > 8 ? 8 : 0)) : shift_vectors(x0, x1, k % VL);
  }
  return y;
}

/* Shifts lanes to the left by k, 0 to 6; the last k lanes are undefined. */
INLINE lanes shift_lanes(lanes x, int k) {
  lanes y;
  EACH_PART(i) {
    const int at = i + k / VL, next = at + 1;
    y.part[i] = shift_vectors(x.part[at < PARTS ? at : 0], x.part[next < PARTS ? next : 0], k % VL);
  }
  return y;
}

/* Returns every second one of the 32 lanes of a and b, from lane k on; k is 0 or 1. */
INLINE lanes other_lanes(lanes a, lanes b, int k) {
  lanes y;
  EACH_PART(i) {
    const int at = 2 * i;
    const f32_vector x0 = at < PARTS ? a.part[at] : b.part[at % PARTS];
    const f32_vector x1 = at + 1 < PARTS ? a.part[at + 1] : b.part[(at + 1) % PARTS];
    y.part[i] = k == 0 ? __builtin_shufflevector(x0, x1, OTHER_F32(0)) : __builtin_shufflevector(x0, x1, OTHER_F32(1));
  }
  return y;
}

/* Returns every third one of the 48 lanes of x[0], x[1] and x[2], from lane k on; k is 0 to 2. */
INLINE lanes third_lanes(const lanes *x, int k) {
  lanes y;
  EACH_PART(i) {
    const f32_vector a = x[3 * i / PARTS].part[3 * i % PARTS], b = x[(3 * i + 1) / PARTS].part[(3 * i + 1) % PARTS],
                     c = x[(3 * i + 2) / PARTS].part[(3 * i + 2) % PARTS];
#define THIRD(k) __builtin_shufflevector(__builtin_shufflevector(a, b, EACH_F32(IN_TWO, k)), c, EACH_F32(IN_LAST, k))
    y.part[i] = k == 0 ? THIRD(0) : k == 1 ? THIRD(1) : THIRD(2);
#undef THIRD
  }
  return y;
}

/* Transposes a square of VL by VL floats. Its rows are `pitch` floats apart in `from`, and `to_pitch` in `to`. */
INLINE void turn_square(const float *from, int64_t pitch, float *to, int64_t to_pitch) {
  f32_vector x[VL], y[VL];
  for (int i = 0; i < VL; i++)
    x[i] = load_vector(from + i * pitch);
  /* Each step interleaves vector i with vector i + VL / 2. After log2(VL) steps the square is transposed. */
  for (int step = 1; step < VL; step *= 2) {
    for (int i = 0; i < VL / 2; i++) {
      y[2 * i] = __builtin_shufflevector(x[i], x[i + VL / 2], ZIP_F32(0));
      y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + VL / 2], ZIP_F32(VL / 2));
    }
    for (int i = 0; i < VL; i++)
      x[i] = y[i];
  }
  for (int i = 0; i < VL; i++)
    store_vector(to + i * to_pitch, x[i]);
}

/* Transposes a square of 16 by 16 floats. */
INLINE void turn_lanes(const float *from, int64_t pitch, float *to, int64_t to_pitch) {
  EACH_PART(i)
  EACH_PART(j) turn_square(from + i * VL * pitch + j * VL, pitch, to + j * VL * to_pitch + i * VL, to_pitch);
}

/* Returns a mask: all bits are set in lanes [begin, end), and none in the other lanes. */
INLINE lanes mask_lanes(int64_t begin, int64_t end) {
  const int32_t first = begin < 0 ? 0 : begin > LANES ? LANES : (int32_t)begin;
  const int32_t behind = end < 0 ? 0 : end > LANES ? LANES : (int32_t)end;
  static const int32_t numbers[LANES] = {NEXT_16(0)};
  lanes x;
  EACH_PART(i) {
    i32_vector lane;
    memcpy(&lane, numbers + i * VL, sizeof lane);
    x.part[i] = (f32_vector)((lane >= first) & (lane < behind));
  }
  return x;
}

INLINE lanes select_lanes(lanes mask, lanes a, lanes b) {
  EACH_PART(i)
  a.part[i] = (f32_vector)(((i32_vector)a.part[i] & (i32_vector)mask.part[i]) |
                           ((i32_vector)b.part[i] & ~(i32_vector)mask.part[i]));
  return a;
}

/* Lane-wise a > b ? x : y. */
INLINE lanes where_greater_lanes(lanes a, lanes b, lanes x, lanes y) {
  EACH_PART(i) {
#if defined __AVX512BW__
    x.part[i] = _mm512_mask_mov_ps(y.part[i], _mm512_cmp_ps_mask(a.part[i], b.part[i], _CMP_GT_OQ), x.part[i]);
#elif defined __AVX2__
    x.part[i] = _mm256_blendv_ps(y.part[i], x.part[i], _mm256_cmp_ps(a.part[i], b.part[i], _CMP_GT_OQ));
#else
    const i32_vector is_greater = a.part[i] > b.part[i];
    x.part[i] = (f32_vector)((is_greater & (i32_vector)x.part[i]) | (~is_greater & (i32_vector)y.part[i]));
#endif
  }
  return x;
}

/* Returns 16 lanes with the bits of the int32_t first, first + step, .. */
INLINE lanes count_lanes(int32_t first, int32_t step) {
  static const int32_t numbers[LANES] = {NEXT_16(0)};
  lanes x;
  EACH_PART(i) {
    i32_vector lane;
    memcpy(&lane, numbers + i * VL, sizeof lane);
    x.part[i] = (f32_vector)(lane * step + first);
  }
  return x;
}

/* Adds n to each lane; a lane has the bits of an int32_t. */
INLINE lanes move_lanes(lanes a, int32_t n) {
  EACH_PART(i) a.part[i] = (f32_vector)((i32_vector)a.part[i] + n);
  return a;
}

INLINE lanes scale_lanes(lanes a, float b) {
  EACH_PART(i) a.part[i] *= b;
  return a;
}

INLINE lanes or_lanes(lanes a, lanes b) {
  EACH_PART(i) a.part[i] = (f32_vector)((i32_vector)a.part[i] | (i32_vector)b.part[i]);
  return a;
}

/* Returns a - b. So x - x is 0 if x is finite, else NaN. */
INLINE lanes difference_lanes(lanes a, lanes b) {
  EACH_PART(i) a.part[i] -= b.part[i];
  return a;
}

/* Returns a mask: all bits are set in lanes that are zero. */
INLINE lanes zeros_lanes(lanes a) {
  EACH_PART(i) a.part[i] = (f32_vector)(a.part[i] == 0);
  return a;
}

INLINE bool has_bits(lanes a) {
  int32_t bits[LANES], any = 0;
  memcpy(bits, &a, sizeof bits);
  for (int i = 0; i < LANES; i++)
    any |= bits[i];
  return any != 0;
}

INLINE lanes divide_lanes(lanes a, lanes b, float c) {
  EACH_PART(i) a.part[i] /= b.part[i] * c;
  return a;
}

/* Stores the first n lanes. */
INLINE void store_part(float *to, lanes x, int64_t n) {
#if VECTOR_BYTES == 64
  _mm512_mask_storeu_ps(to, (__mmask16)((1u << n) - 1), x.part[0]);
#else
  if (n == LANES)
    store_lanes(to, x);
  else
    memcpy(to, &x, (size_t)n * sizeof *to);
#endif
}

/* ---- 8 lanes, for rows of up to 8 floats: half of the loads of 16 lanes would cross a cache line ---- */

enum { FEW_LANES = 8, FEW_BYTES = VECTOR_BYTES < 32 ? VECTOR_BYTES : 32, FEW_PARTS = 4 * FEW_LANES / FEW_BYTES };
typedef float few_vector __attribute__((vector_size(FEW_BYTES)));
typedef int32_t few_bits __attribute__((vector_size(FEW_BYTES)));
typedef struct few_lanes {
  few_vector part[FEW_PARTS];
} few_lanes;

INLINE few_lanes load_few(const float *from) {
  few_lanes x;
  memcpy(&x, from, sizeof x);
  return x;
}

INLINE few_lanes fill_few(float value) {
  few_lanes x;
  for (int i = 0; i < FEW_PARTS; i++)
    x.part[i] = (few_vector){0} + value;
  return x;
}

INLINE few_lanes add_few(few_lanes a, few_lanes b) {
  for (int i = 0; i < FEW_PARTS; i++)
    a.part[i] += b.part[i];
  return a;
}

/* Lane-wise max; keeps `best` where `later` is NaN. */
INLINE few_lanes greater_few(few_lanes best, few_lanes later) {
  for (int i = 0; i < FEW_PARTS; i++) {
#if defined __AVX2__
    best.part[i] = _mm256_max_ps(later.part[i], best.part[i]);
#else
    const few_bits is_greater = later.part[i] > best.part[i];
    best.part[i] = (few_vector)((is_greater & (few_bits)later.part[i]) | (~is_greater & (few_bits)best.part[i]));
#endif
  }
  return best;
}

/* Reads a float of each cache line of n floats, in ascending order: the hardware prefetches only in this order. */
INLINE void touch(const float *from, int64_t n) {
  for (int64_t i = 0; i < n; i += 64 / (int64_t)sizeof *from)
    (void)*(const volatile float *)(from + i);
}

/* Copies n floats. With SSE2, stores whole cache lines that bypass the caches. */
INLINE void stream(float *to, const float *from, int64_t n) {
  int64_t i = 0;
#if defined __SSE2__
  for (; i < n && ((uintptr_t)(to + i) & 63) != 0; i++)
    to[i] = from[i];
  for (; i + LANES <= n; i += LANES) {
    const lanes x = load_lanes(from + i);
    EACH_PART(j) {
#if VECTOR_BYTES == 64
      _mm512_stream_ps(to + i + j * VL, x.part[j]);
#elif VECTOR_BYTES == 32
      _mm256_stream_ps(to + i + j * VL, x.part[j]);
#else
      _mm_stream_ps(to + i + j * VL, x.part[j]);
#endif
    }
  }
#endif
  for (; i < n; i++)
    to[i] = from[i];
}

#endif

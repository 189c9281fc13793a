/* Conversions of f16 by F16C, to nearest, ties to even. */
#ifndef IR_POOL_SWEEP_F16C_H
#define IR_POOL_SWEEP_F16C_H

#include "dtype.h"
#include <immintrin.h>

static void load_f16(float *restrict to, const uint16_t *restrict from, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + i))));
  for (; i < n; i++)
    to[i] = ir_f16_to_f32(from[i]);
}

static void store_f16(uint16_t *restrict to, const float *restrict from, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128((__m128i *)(void *)(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  for (; i < n; i++)
    to[i] = ir_f32_to_f16(from[i]);
}

#define LOAD_F16  load_f16
#define STORE_F16 store_f16

#endif

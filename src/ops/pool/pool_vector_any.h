/* Vectors that every machine has; on aarch64 NEON's, which has more than the vector extension says. */
#ifndef IR_POOL_VECTOR_ANY_H
#define IR_POOL_VECTOR_ANY_H

#define VL 4
/* There are no masks, and windows are not fused. */
#define FUSES 0
#include "ops/pool/pool_vector.h"
#include <math.h>

static inline vf greater(vf first, vf second) {
  const vu takes = (vu)(second > first);
  return (vf)((takes & (vu)second) | (~takes & (vu)first));
}

#if defined(__aarch64__)
#include <arm_neon.h>

static inline vf multiply_add(vf a, vf b, vf c) {
  return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}

static inline vf spoilt(vf before, vf v) {
  return multiply_add(v, all(0), before);
}

/* All lanes are 0. */
static inline bool is_clean(vf v) {
  return vmaxvq_u32((uint32x4_t)(v != 0)) == 0;
}

static inline vf widen_f16(vu16 v) {
  return (vf)vcvt_f32_f16((float16x4_t)v);
}

static inline vu16 narrow_f16(vf v) {
  return (vu16)vcvt_f16_f32((float32x4_t)v);
}

static inline vu16 narrow_bf16(vf v) {
  return (vu16)vshrn_n_u32((uint32x4_t)bf16_bits(v), 16);
}

static inline vf widen_bf16(vu16 v) {
  return (vf)vshll_n_u16((uint16x4_t)v, 16);
}

/* 4 bytes, twice. */
static inline uint32x2_t of_bytes(vu8 v) {
  return vdup_n_u32((uint32_t)v);
}

static inline vf widen_u8(vu8 v) {
  return (vf)vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(of_bytes(v))))));
}

static inline vf widen_i8(vi8 v) {
  return (vf)vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u32(of_bytes((vu8)v))))));
}

static inline vu8 narrow_u8(vf v) {
  const uint16x4_t halves = vmovn_u32((uint32x4_t)integer_bits(v));
  return (vu8)vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(halves, halves))), 0);
}

static inline vi8 narrow_i8(vf v) {
  return (vi8)narrow_u8(v);
}
#else
/* A product of floats is exact in double. What the sum loses is left in its last bit, so that the second rounding is
 * the only one that counts (round to odd). */
static inline float multiply_add_one(float a, float b, float c) {
  const double product = (double)a * b, sum = product + c;
  const double of_c = sum - product, lost = (product - (sum - of_c)) + (c - of_c);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (lost != 0 && (bits & 1) == 0 && isfinite(sum)) {
    bits += (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
  }
  return (float)sum;
}

static inline vf multiply_add(vf a, vf b, vf c) {
  vf v;
  for (int i = 0; i < VL; i++)
    v[i] = multiply_add_one(a[i], b[i], c[i]);
  return v;
}

static inline vf spoilt(vf before, vf v) {
  return before + (v - v);
}

static inline bool is_clean(vf v) {
  const vi other = v != 0;
  return (other[0] | other[1] | other[2] | other[3]) == 0;
}

static inline vf widen_f16(vu16 v) {
  vf wide;
  for (int i = 0; i < VL; i++)
    wide[i] = ir_f16_to_f32(v[i]);
  return wide;
}

static inline vu16 narrow_f16(vf v) {
  vu16 narrow;
  for (int i = 0; i < VL; i++)
    narrow[i] = ir_f32_to_f16(v[i]);
  return narrow;
}

static inline vf widen_bf16(vu16 v) {
  return (vf)(__builtin_convertvector(v, vu) << 16);
}

static inline vu16 narrow_bf16(vf v) {
  return __builtin_convertvector(bf16_bits(v) >> 16, vu16);
}

static inline vf widen_i8(vi8 v) {
  return __builtin_convertvector(__builtin_convertvector(v, vi), vf);
}

static inline vf widen_u8(vu8 v) {
  return __builtin_convertvector(__builtin_convertvector(v, vi), vf);
}

static inline vu8 narrow_u8(vf v) {
  return __builtin_convertvector(integer_bits(v), vu8);
}

static inline vi8 narrow_i8(vf v) {
  return (vi8)narrow_u8(v);
}
#endif

/* What zeros are looked for with: not 0 in lanes that had one. */
static inline vf without_zeros(void) {
  return all(0);
}

static inline vf with_zeros(vf before, vf v) {
  return (vf)((vi)before | (v == 0));
}

static inline bool has_zeros(vf v) {
  return !is_clean(v);
}

PART_OF(f32, vf, float)
PART_OF(u16, vu16, uint16_t)
PART_OF(u8, vu8, uint8_t)
PART_OF(i8, vi8, int8_t)
STORE_PART_OF(f32, vf, float)
STORE_PART_OF(u16, vu16, uint16_t)
STORE_PART_OF(u8, vu8, uint8_t)
STORE_PART_OF(i8, vi8, int8_t)
PART_OF_INDICES

/* `rest` where lanes of `absent` are all ones. */
static inline vf those(vf v, const uint32_t *absent, vf rest) {
  const vu out = load_u32(absent);
  return (vf)(((vu)v & ~out) | ((vu)rest & out));
}

static inline vf but(vf v, int64_t n, vf rest) {
  for (int i = 0; i < VL; i++)
    v[i] = i < n ? v[i] : rest[i];
  return v;
}

/* Fours that stand `apart`: of a vector there is one. */
static inline vf load_fours(const float *p, int64_t apart) {
  (void)apart;
  return load_f32(p);
}

/* What a comparison finds: all bits of a lane or none. */
typedef vi vm;

static inline vm is_greater(vf first, vf second) {
  return second > first;
}

static inline vi choose(vm takes, vi first, vi second) {
  return (takes & second) | (~takes & first);
}

/* A bit for each lane of four vectors. */
static inline uint64_t equal_lanes(const vf v[4], vf x) {
  uint64_t bits = 0;
  for (int i = 0; i < 4 * VL; i++)
    bits |= (uint64_t)(v[i / VL][i % VL] == x[i % VL]) << i;
  return bits;
}

static ALWAYS_INLINE void store_i64(int64_t *p, vi v, int64_t above) {
  for (int i = 0; i < VL; i++)
    p[i] = v[i] + above;
}

/* There is no such thing as a store past the caches. */
static inline void stream_f32(float *p, vf v) {
  store_f32(p, v);
}

static inline void stream_u16(uint16_t *p, vu16 v) {
  store_u16(p, v);
}

static inline void stream_i32(int32_t *p, vi v) {
  store_i32(p, v);
}

static ALWAYS_INLINE void stream_i64(int64_t *p, vi v, int64_t above) {
  store_i64(p, v, above);
}

static inline void end_stream(void) {}

/* The lanes that stand j behind those of `a`, of which `b` are the next. */
#define BEHIND(a, b, j) BEHIND_##j(a, b)
#define BEHIND_0(a, b)  a
#define BEHIND_1(a, b)  __builtin_shuffle(a, b, (vi){1, 2, 3, 4})
#define BEHIND_2(a, b)  __builtin_shuffle(a, b, (vi){2, 3, 4, 5})
#define BEHIND_3(a, b)  __builtin_shuffle(a, b, (vi){3, 4, 5, 6})

#define PAIRS_EVEN 0, 2, 4, 6
#define PAIRS_ODD  1, 3, 5, 7
#define LOW_2      0, 1, 4, 5
#define HIGH_2     2, 3, 6, 7
#define LOW_1      0, 2, 4, 6
#define HIGH_1     1, 3, 5, 7
/* Of three vectors every third value: of the first two, and of those and the last. */
#define THIRD_0      0, 3, 6, 0
#define THIRD_0_MORE 0, 1, 2, 5
#define THIRD_1      1, 4, 7, 0
#define THIRD_1_MORE 0, 1, 2, 6
#define THIRD_2      2, 5, 0, 0
#define THIRD_2_MORE 0, 1, 4, 7
#define JOINS(J)     J(2, 1, 2) J(4, 2, 1)

/* Lanes stay in order. */
#define LOW_OF_2(a, b)  PICKED(a, b, LOW_2)
#define HIGH_OF_2(a, b) PICKED(a, b, HIGH_2)
#define LOW_OF_1(a, b)  PICKED(a, b, LOW_1)
#define HIGH_OF_1(a, b) PICKED(a, b, HIGH_1)
#define IN_ORDER(v)     v

#endif

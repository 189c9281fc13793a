/* Elements as vectors of floats, for every type that is swept. Included behind the vectors of an instruction set. */
#ifndef IR_POOL_VECTOR_ELEMENTS_H
#define IR_POOL_VECTOR_ELEMENTS_H

#if VL == 16
#define MASKED_AS(name, raw, element)                                                                                  \
  static inline vf take_masked_##name(const element *p, vbits there, const readable *in) {                             \
    (void)in;                                                                                                          \
    return widen_##name(masked_##raw(p, there));                                                                       \
  }                                                                                                                    \
  static inline vf take_there_##name(const element *p, mask_floats there, const readable *in) {                        \
    return take_masked_##name(p, there, in);                                                                           \
  }
#elif FUSES
#define MASKED_AS(name, raw, element)                                                                                  \
  static ALWAYS_INLINE vf take_there_##name(const element *p, mask_floats there, const readable *in) {                 \
    if (sizeof(element) == sizeof(float) || !is_readable(in, p, VL * (int64_t)sizeof(element)))                        \
      return widen_##name(masked_##raw(p, there));                                                                     \
    return those_there(widen_##name(load_##raw(p)), there);                                                            \
  }                                                                                                                    \
  static ALWAYS_INLINE vf take_masked_##name(const element *p, vbits there, const readable *in) {                      \
    return take_there_##name(p, floats_of(there), in);                                                                 \
  }
#else
#define MASKED_AS(name, raw, element)
#endif

#if VL == 16
#define PRESENT_AS(name, raw, element)                                                                                 \
  /* Those that are not there are `rest`. */                                                                           \
  static inline vf take_present_##name(const element *p, vbits there, vf rest) {                                       \
    return widen_##name(present_##raw(p, there, narrow_##name(rest)));                                                 \
  }
#else
#define PRESENT_AS(name, raw, element)
#endif

#define ELEMENTS_AS(name, raw, element)                                                                                \
  static inline vf take_##name(const element *p) {                                                                     \
    return widen_##name(load_##raw(p));                                                                                \
  }                                                                                                                    \
  static inline vf take_part_##name(const element *p, int64_t n) {                                                     \
    return widen_##name(part_##raw(p, n));                                                                             \
  }                                                                                                                    \
  static inline void put_##name(element *p, vf v) {                                                                    \
    store_##raw(p, narrow_##name(v));                                                                                  \
  }                                                                                                                    \
  /* As stores past the caches are: aligned. */                                                                        \
  static inline void put_far_##name(element *p, vf v) {                                                                \
    stream_##raw(p, narrow_##name(v));                                                                                 \
  }                                                                                                                    \
  static inline void put_part_##name(element *p, vf v, int64_t n) {                                                    \
    store_part_##raw(p, narrow_##name(v), n);                                                                          \
  }                                                                                                                    \
  MASKED_AS(name, raw, element)                                                                                        \
  PRESENT_AS(name, raw, element)

static inline vf widen_f32(vf v) {
  return v;
}

static inline vf narrow_f32(vf v) {
  return v;
}

/* So few that it does not matter. */
static inline void stream_i8(int8_t *p, vi8 v) {
  store_i8(p, v);
}

static inline void stream_u8(uint8_t *p, vu8 v) {
  store_u8(p, v);
}

static inline vf widen_whole_bf16(vu16 v) {
  return widen_bf16(v);
}

#if VL != 16
static inline vu16 narrow_whole_bf16(vf v) {
  return narrow_bf16(v);
}
#endif

ELEMENTS_AS(f32, f32, float)
ELEMENTS_AS(f16, u16, uint16_t)
ELEMENTS_AS(bf16, u16, uint16_t)
ELEMENTS_AS(whole_bf16, u16, uint16_t)
ELEMENTS_AS(i8, i8, int8_t)
ELEMENTS_AS(u8, u8, uint8_t)

#endif

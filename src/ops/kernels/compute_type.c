#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Converts n elements from one type to another. The elements in `from` need not be aligned. */
typedef void row(const void *from, void *to, int64_t n);

#define ROW(name, from_type, to_type, value)                                                                           \
  IR_LOOP void name##_loop(const void *from, void *to, int64_t n) {                                                    \
    to_type *y = to;                                                                                                   \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      from_type x;                                                                                                     \
      memcpy(&x, (const char *)from + (size_t)i * sizeof x, sizeof x);                                                 \
      y[i] = (to_type)value(x);                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const void *from, void *to, int64_t n), (from, to, n))

ir_compute_type ir_compute_type_of(ir_type type) {
  if (ir_type_in(type, IR_SET_FLOATS))
    return type == IR_F64 ? IR_COMPUTE_F64 : IR_COMPUTE_F32;
  return ir_type_in(type, IR_SET_SIGNED) ? IR_COMPUTE_I64 : IR_COMPUTE_U64;
}

size_t ir_compute_size(ir_compute_type compute) {
  return compute == IR_COMPUTE_F32 ? sizeof(float) : sizeof(double);
}

bool ir_compute_type_is(ir_compute_type compute, ir_type type) {
  static const ir_type types[] = {
      [IR_COMPUTE_F32] = IR_F32, [IR_COMPUTE_F64] = IR_F64, [IR_COMPUTE_I64] = IR_I64, [IR_COMPUTE_U64] = IR_U64};
  return types[compute] == type;
}

#define AS_IT_IS(x)  (x)
#define FROM_F16(x)  ir_f16_to_f32(x)
#define FROM_BF16(x) ir_bf16_to_f32(x)
#define IS_NOT_0(x)  ((x) != 0)
#define AT_MOST_1(x) ((x) < 1 ? (x) : 1) /* IS_NOT_0 of a byte, which compilers vectorize better */

/* ---- loading ---- */

ROW(f32_as_f32, float, float, AS_IT_IS)
ROW(f16_as_f32_by_integers, uint16_t, float, FROM_F16)
ROW(bf16_as_f32, uint16_t, float, FROM_BF16)

#if defined(__x86_64__) && defined(__OPTIMIZE__)
/* One instruction converts eight elements to the same bits. Compilers do not use it in loops. */
__attribute__((target("avx,f16c"))) static void f16_as_f32_by_instruction(const void *from, void *to, int64_t n) {
  enum { LANES = 8 };
  const int64_t whole = n / LANES * LANES;
  for (int64_t i = 0; i < whole; i += LANES) {
    const __m128i x = _mm_loadu_si128((const __m128i *)((const uint16_t *)from + i));
    _mm256_storeu_ps((float *)to + i, _mm256_cvtph_ps(x));
  }
  f16_as_f32_by_integers((const uint16_t *)from + whole, (float *)to + whole, n - whole);
}

static void f16_as_f32(const void *from, void *to, int64_t n) {
  (ir_isa_of_processor() >= IR_ISA_AVX2 ? f16_as_f32_by_instruction : f16_as_f32_by_integers)(from, to, n);
}
#else
#define f16_as_f32 f16_as_f32_by_integers
#endif

ROW(f32_as_f64, float, double, AS_IT_IS)
ROW(f64_as_f64, double, double, AS_IT_IS)
ROW(f16_as_f64, uint16_t, double, FROM_F16)
ROW(bf16_as_f64, uint16_t, double, FROM_BF16)

#define INTEGER_ROWS(name, type, compute)                                                                              \
  ROW(name##_as_f64, type, double, AS_IT_IS)                                                                           \
  ROW(name##_as_computed, type, compute, AS_IT_IS)
#define SHORT_ROWS(name, type, compute)                                                                                \
  ROW(name##_as_f32, type, float, AS_IT_IS)                                                                            \
  INTEGER_ROWS(name, type, compute)

SHORT_ROWS(i8, int8_t, int64_t)
SHORT_ROWS(i16, int16_t, int64_t)
INTEGER_ROWS(i32, int32_t, int64_t)
INTEGER_ROWS(i64, int64_t, int64_t)
SHORT_ROWS(u8, uint8_t, uint64_t)
SHORT_ROWS(u16, uint16_t, uint64_t)
INTEGER_ROWS(u32, uint32_t, uint64_t)
INTEGER_ROWS(u64, uint64_t, uint64_t)
ROW(boolean_as_f32, uint8_t, float, AT_MOST_1)
ROW(boolean_as_f64, uint8_t, double, AT_MOST_1)
ROW(boolean_as_u64, uint8_t, uint64_t, AT_MOST_1)

/* ---- storing ---- */

/* Numbers from 2^63 on lose the highest bit before they are truncated, and get it back. */
static inline uint64_t f64_to_u64(double value) {
  const bool is_high = (value >= 0x1p63) & (value < 0x1p64);
  return (uint64_t)ir_f64_to_i64(is_high ? value - 0x1p63 : value) + (is_high ? UINT64_C(1) << 63 : 0);
}

static inline uint64_t f32_to_u64(float value) {
  return f64_to_u64((double)value);
}

#define FLOAT_ROWS(name, type, to_i32, to_i64, to_u64)                                                                 \
  ROW(name##_to_8, type, uint8_t, to_i32)                                                                              \
  ROW(name##_to_16, type, uint16_t, to_i32)                                                                            \
  ROW(name##_to_32, type, int32_t, to_i32)                                                                             \
  ROW(name##_to_u32, type, uint32_t, to_i64)                                                                           \
  ROW(name##_to_64, type, int64_t, to_i64)                                                                             \
  ROW(name##_to_unsigned, type, uint64_t, to_u64)                                                                      \
  ROW(name##_to_boolean, type, uint8_t, IS_NOT_0)

ROW(f32_to_f16, float, uint16_t, ir_f32_to_f16)
ROW(f32_to_bf16, float, uint16_t, ir_f32_to_bf16)
ROW(f64_to_f32, double, float, AS_IT_IS)
ROW(f64_to_f16, double, uint16_t, ir_f64_to_f16)
ROW(f64_to_bf16, double, uint16_t, ir_f64_to_bf16)
FLOAT_ROWS(f32, float, ir_f32_to_i32, ir_f32_to_i64, f32_to_u64)
FLOAT_ROWS(f64, double, ir_f64_to_i32, ir_f64_to_i64, f64_to_u64)

#define I64_TO_F16(x)  ir_f64_to_f16(ir_i64_to_odd_f64(x))
#define I64_TO_BF16(x) ir_f64_to_bf16(ir_i64_to_odd_f64(x))
#define U64_TO_F16(x)  ir_f64_to_f16(ir_u64_to_odd_f64(x))
#define U64_TO_BF16(x) ir_f64_to_bf16(ir_u64_to_odd_f64(x))

ROW(i64_to_f32, int64_t, float, AS_IT_IS)
ROW(i64_to_f64, int64_t, double, AS_IT_IS)
ROW(i64_to_f16, int64_t, uint16_t, I64_TO_F16)
ROW(i64_to_bf16, int64_t, uint16_t, I64_TO_BF16)
ROW(u64_to_f32, uint64_t, float, AS_IT_IS)
ROW(u64_to_f64, uint64_t, double, AS_IT_IS)
ROW(u64_to_f16, uint64_t, uint16_t, U64_TO_F16)
ROW(u64_to_bf16, uint64_t, uint16_t, U64_TO_BF16)
ROW(bits_to_8, uint64_t, uint8_t, AS_IT_IS)
ROW(bits_to_16, uint64_t, uint16_t, AS_IT_IS)
ROW(bits_to_32, uint64_t, uint32_t, AS_IT_IS)
ROW(bits_to_64, uint64_t, uint64_t, AS_IT_IS)
ROW(bits_to_boolean, uint64_t, uint8_t, IS_NOT_0)

/* ---- the table ---- */

typedef struct type_rows {
  row *load[IR_N_COMPUTE_TYPES], *store[IR_N_COMPUTE_TYPES];
} type_rows;

#define TO_INTEGER(name)                                                                                               \
  { f32_to_##name, f64_to_##name, bits_to_##name, bits_to_##name }

static const type_rows types[IR_TYPE_COUNT] = {
    [IR_F32] = {{f32_as_f32, f32_as_f64}, {f32_as_f32, f64_to_f32, i64_to_f32, u64_to_f32}},
    [IR_F64] = {{[IR_COMPUTE_F64] = f64_as_f64}, {f32_as_f64, f64_as_f64, i64_to_f64, u64_to_f64}},
    [IR_F16] = {{f16_as_f32, f16_as_f64}, {f32_to_f16, f64_to_f16, i64_to_f16, u64_to_f16}},
    [IR_BF16] = {{bf16_as_f32, bf16_as_f64}, {f32_to_bf16, f64_to_bf16, i64_to_bf16, u64_to_bf16}},
    [IR_I8] = {{i8_as_f32, i8_as_f64, i8_as_computed}, TO_INTEGER(8)},
    [IR_I16] = {{i16_as_f32, i16_as_f64, i16_as_computed}, TO_INTEGER(16)},
    [IR_I32] = {{[IR_COMPUTE_F64] = i32_as_f64, i32_as_computed}, TO_INTEGER(32)},
    [IR_I64] = {{[IR_COMPUTE_F64] = i64_as_f64, i64_as_computed}, TO_INTEGER(64)},
    [IR_U8] = {{u8_as_f32, u8_as_f64, [IR_COMPUTE_U64] = u8_as_computed}, TO_INTEGER(8)},
    [IR_U16] = {{u16_as_f32, u16_as_f64, [IR_COMPUTE_U64] = u16_as_computed}, TO_INTEGER(16)},
    [IR_U32] = {{[IR_COMPUTE_F64] = u32_as_f64, [IR_COMPUTE_U64] = u32_as_computed},
                {f32_to_u32, f64_to_u32, bits_to_32, bits_to_32}},
    [IR_U64] = {{[IR_COMPUTE_F64] = u64_as_f64, [IR_COMPUTE_U64] = u64_as_computed},
                {f32_to_unsigned, f64_to_unsigned, bits_to_64, bits_to_64}},
    [IR_BOOLEAN] = {{boolean_as_f32, boolean_as_f64, [IR_COMPUTE_U64] = boolean_as_u64}, TO_INTEGER(boolean)},
};

void ir_compute_load(ir_type from, const void *elements, ir_compute_type to, void *compute, int64_t n) {
  types[from].load[to](elements, compute, n);
}

void ir_compute_store(ir_compute_type from, const void *compute, ir_type to, void *elements, int64_t n) {
  types[to].store[from](compute, elements, n);
}

int64_t ir_integer_of_infinity(ir_type type) {
  return ir_type_in(type, IR_SET(IR_U32) | IR_SET(IR_I64) | IR_SET(IR_U64)) ? ir_f64_to_i64(INFINITY)
                                                                            : ir_f64_to_i32(INFINITY);
}

double ir_lowest_number(ir_type type) {
  static const double lowest[IR_TYPE_COUNT] = {
      [IR_F32] = -0x1.fffffep127, [IR_F64] = -0x1.fffffffffffffp1023, [IR_F16] = -65504, [IR_BF16] = -0x1.fep127};
  return lowest[type];
}

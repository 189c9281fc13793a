#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include <math.h>
#include <string.h>

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

/* ---- loading ---- */

#define AS_IT_IS(x)  (x)
#define FROM_F16(x)  ir_f16_to_f32(x)
#define FROM_BF16(x) ir_bf16_to_f32(x)
#define IS_NOT_0(x)  ((x) != 0)

ROW(f32_as_f32, float, float, AS_IT_IS)
ROW(f16_as_f32, uint16_t, float, FROM_F16)
ROW(bf16_as_f32, uint16_t, float, FROM_BF16)
ROW(f32_as_f64, float, double, AS_IT_IS)
ROW(f64_as_f64, double, double, AS_IT_IS)
ROW(f16_as_f64, uint16_t, double, FROM_F16)
ROW(bf16_as_f64, uint16_t, double, FROM_BF16)

#define INTEGER_ROWS(name, type, compute)                                                                              \
  ROW(name##_as_f64, type, double, AS_IT_IS)                                                                           \
  ROW(name##_as_computed, type, compute, AS_IT_IS)

INTEGER_ROWS(i8, int8_t, int64_t)
INTEGER_ROWS(i16, int16_t, int64_t)
INTEGER_ROWS(i32, int32_t, int64_t)
INTEGER_ROWS(i64, int64_t, int64_t)
INTEGER_ROWS(u8, uint8_t, uint64_t)
INTEGER_ROWS(u16, uint16_t, uint64_t)
INTEGER_ROWS(u32, uint32_t, uint64_t)
INTEGER_ROWS(u64, uint64_t, uint64_t)
ROW(boolean_as_f64, uint8_t, double, IS_NOT_0)
ROW(boolean_as_u64, uint8_t, uint64_t, IS_NOT_0)

/* ---- storing ---- */

static uint64_t f64_to_u64(double value) {
  return value >= 0x1p63 && value < 0x1p64 ? (uint64_t)value : (uint64_t)ir_f64_to_i64(value);
}

ROW(f32_to_f16, float, uint16_t, ir_f32_to_f16)
ROW(f32_to_bf16, float, uint16_t, ir_f32_to_bf16)
ROW(f64_to_f32, double, float, AS_IT_IS)
ROW(f64_to_f16, double, uint16_t, ir_f64_to_f16)
ROW(f64_to_bf16, double, uint16_t, ir_f64_to_bf16)
ROW(f64_to_8, double, uint8_t, ir_f64_to_i32)
ROW(f64_to_16, double, uint16_t, ir_f64_to_i32)
ROW(f64_to_32, double, int32_t, ir_f64_to_i32)
ROW(f64_to_u32, double, uint32_t, ir_f64_to_i64)
ROW(f64_to_64, double, int64_t, ir_f64_to_i64)
ROW(f64_to_unsigned, double, uint64_t, f64_to_u64)
ROW(f64_to_boolean, double, uint8_t, IS_NOT_0)

static double odd_of_i64(int64_t value) {
  return ir_odd_double(value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

#define I64_TO_F16(x)  ir_f64_to_f16(odd_of_i64(x))
#define I64_TO_BF16(x) ir_f64_to_bf16(odd_of_i64(x))
#define U64_TO_F16(x)  ir_f64_to_f16(ir_odd_double(false, x))
#define U64_TO_BF16(x) ir_f64_to_bf16(ir_odd_double(false, x))

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
  row *load, *load_f64; /* load as ir_compute_type_of(type); load as IR_COMPUTE_F64 */
  row *store[IR_N_COMPUTE_TYPES];
} type_rows;

#define FROM_INTEGERS(bits) [IR_COMPUTE_I64] = bits_to_##bits, [IR_COMPUTE_U64] = bits_to_##bits

static const type_rows types[IR_TYPE_COUNT] = {
    [IR_F32] = {f32_as_f32, f32_as_f64, {f32_as_f32, f64_to_f32, i64_to_f32, u64_to_f32}},
    [IR_F64] = {f64_as_f64, f64_as_f64, {f32_as_f64, f64_as_f64, i64_to_f64, u64_to_f64}},
    [IR_F16] = {f16_as_f32, f16_as_f64, {f32_to_f16, f64_to_f16, i64_to_f16, u64_to_f16}},
    [IR_BF16] = {bf16_as_f32, bf16_as_f64, {f32_to_bf16, f64_to_bf16, i64_to_bf16, u64_to_bf16}},
    [IR_I8] = {i8_as_computed, i8_as_f64, {[IR_COMPUTE_F64] = f64_to_8, FROM_INTEGERS(8)}},
    [IR_I16] = {i16_as_computed, i16_as_f64, {[IR_COMPUTE_F64] = f64_to_16, FROM_INTEGERS(16)}},
    [IR_I32] = {i32_as_computed, i32_as_f64, {[IR_COMPUTE_F64] = f64_to_32, FROM_INTEGERS(32)}},
    [IR_I64] = {i64_as_computed, i64_as_f64, {[IR_COMPUTE_F64] = f64_to_64, FROM_INTEGERS(64)}},
    [IR_U8] = {u8_as_computed, u8_as_f64, {[IR_COMPUTE_F64] = f64_to_8, FROM_INTEGERS(8)}},
    [IR_U16] = {u16_as_computed, u16_as_f64, {[IR_COMPUTE_F64] = f64_to_16, FROM_INTEGERS(16)}},
    [IR_U32] = {u32_as_computed, u32_as_f64, {[IR_COMPUTE_F64] = f64_to_u32, FROM_INTEGERS(32)}},
    [IR_U64] = {u64_as_computed, u64_as_f64, {[IR_COMPUTE_F64] = f64_to_unsigned, FROM_INTEGERS(64)}},
    [IR_BOOLEAN] = {boolean_as_u64, boolean_as_f64, {[IR_COMPUTE_F64] = f64_to_boolean, FROM_INTEGERS(boolean)}},
};

void ir_compute_load(ir_type from, const void *elements, ir_compute_type to, void *compute, int64_t n) {
  (to == IR_COMPUTE_F64 ? types[from].load_f64 : types[from].load)(elements, compute, n);
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

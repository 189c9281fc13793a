/* Power-1: a to the power of b, of equal shapes or broadcast.
 *
 * Floats: the C library's pow on doubles, and one rounding for f32, f16 and bf16. A pow is off by less than a unit of
 * its last place; that moves a result of at most 24 bits only when the power lies that near the middle between two of
 * them, so that libraries agree in every bit but for one result in 10^8. Of f64 the last bit is the library's.
 *
 * Integers: exact, modulo 2^bits. To a negative power it is 1 / a^-b cut toward zero: 1 or -1 for a = 1 and -1, 0 for
 * others; of a = 0 it is infinite, and what Convert makes of infinity. (OpenVINO's CPU plugin computes integers as
 * floats: the same where the power fits both the type and an f32.) */
#include "ops/math/binary.h"
#include <math.h>

/* ---- floats ---- */

#define SAME(x)      (x)
#define FROM_F16(x)  ((double)ir_f16_to_f32(x))
#define FROM_BF16(x) ((double)ir_bf16_to_f32(x))

#define OP pow

#define NAME(part) f32_##part
#define ELEMENT    float
#define LOAD       (double)
#define STORE      (float)
#include "ops/math/binary_rows.inc"

#define NAME(part) f64_##part
#define ELEMENT    double
#define LOAD       SAME
#define STORE      SAME
#include "ops/math/binary_rows.inc"

#define NAME(part) f16_##part
#define ELEMENT    uint16_t
#define LOAD       FROM_F16
#define STORE      ir_f64_to_f16
#include "ops/math/binary_rows.inc"

#define NAME(part) bf16_##part
#define ELEMENT    uint16_t
#define LOAD       FROM_BF16
#define STORE      ir_f64_to_bf16
#include "ops/math/binary_rows.inc"

#undef OP

/* ---- integers ---- */

/* Modulo 2^64, of which the low bits are the power modulo any smaller 2^bits. */
static uint64_t whole_power(uint64_t base, uint64_t exponent) {
  uint64_t power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0)
      power *= base;
    base *= base;
  }
  return power;
}

static int64_t signed_power(int64_t base, int64_t exponent, int64_t infinity) {
  if (exponent >= 0)
    return (int64_t)whole_power((uint64_t)base, (uint64_t)exponent);
  if (base == 0)
    return infinity;
  if (base == -1)
    return exponent % 2 == 0 ? 1 : -1;
  return base == 1;
}

#define POWER_TO_32(a, b) signed_power(a, b, ir_f64_to_i32(INFINITY))
#define POWER_TO_64(a, b) signed_power(a, b, ir_f64_to_i64(INFINITY))

#define OP POWER_TO_32

#define NAME(part) i8_##part
#define ELEMENT    int8_t
#define LOAD       SAME
#define STORE      (int8_t)
#include "ops/math/binary_rows.inc"

#define NAME(part) i16_##part
#define ELEMENT    int16_t
#define LOAD       SAME
#define STORE      (int16_t)
#include "ops/math/binary_rows.inc"

#define NAME(part) i32_##part
#define ELEMENT    int32_t
#define LOAD       SAME
#define STORE      (int32_t)
#include "ops/math/binary_rows.inc"

#undef OP
#define OP POWER_TO_64

#define NAME(part) i64_##part
#define ELEMENT    int64_t
#define LOAD       SAME
#define STORE      SAME
#include "ops/math/binary_rows.inc"

#undef OP
#define OP whole_power

#define NAME(part) u8_##part
#define ELEMENT    uint8_t
#define LOAD       SAME
#define STORE      (uint8_t)
#include "ops/math/binary_rows.inc"

#define NAME(part) u16_##part
#define ELEMENT    uint16_t
#define LOAD       SAME
#define STORE      (uint16_t)
#include "ops/math/binary_rows.inc"

#define NAME(part) u32_##part
#define ELEMENT    uint32_t
#define LOAD       SAME
#define STORE      (uint32_t)
#include "ops/math/binary_rows.inc"

#define NAME(part) u64_##part
#define ELEMENT    uint64_t
#define LOAD       SAME
#define STORE      SAME
#include "ops/math/binary_rows.inc"

static const ir_binary_kernel kernels[] = {
    {{.types = IR_SET(IR_F32), .name = "power_f32", .isa = "any", .run = ir_binary_run}, f32_row},
    {{.types = IR_SET(IR_F64), .name = "power_f64", .isa = "any", .run = ir_binary_run}, f64_row},
    {{.types = IR_SET(IR_F16), .name = "power_f16", .isa = "any", .run = ir_binary_run}, f16_row},
    {{.types = IR_SET(IR_BF16), .name = "power_bf16", .isa = "any", .run = ir_binary_run}, bf16_row},
    {{.types = IR_SET(IR_I8), .name = "power_i8", .isa = "any", .run = ir_binary_run}, i8_row},
    {{.types = IR_SET(IR_I16), .name = "power_i16", .isa = "any", .run = ir_binary_run}, i16_row},
    {{.types = IR_SET(IR_I32), .name = "power_i32", .isa = "any", .run = ir_binary_run}, i32_row},
    {{.types = IR_SET(IR_I64), .name = "power_i64", .isa = "any", .run = ir_binary_run}, i64_row},
    {{.types = IR_SET(IR_U8), .name = "power_u8", .isa = "any", .run = ir_binary_run}, u8_row},
    {{.types = IR_SET(IR_U16), .name = "power_u16", .isa = "any", .run = ir_binary_run}, u16_row},
    {{.types = IR_SET(IR_U32), .name = "power_u32", .isa = "any", .run = ir_binary_run}, u32_row},
    {{.types = IR_SET(IR_U64), .name = "power_u64", .isa = "any", .run = ir_binary_run}, u64_row},
    {{.types = 0}, NULL},
};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return ir_binary_step(plan, node, in, kernels, scope);
}

IR_BINARY_ROW(power_1, "Power", 1, "arithmetic/power-1", ir_binary_params, ir_binary_attrs,
              .inputs = {IR_PORT_OF_NUMBERS("a"), IR_PORT_OF_NUMBERS("b")},
              .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)}, .infer = ir_binary_infer,
              .prepare = prepare)

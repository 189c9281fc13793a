/* Abs-1: |a|. The lowest number of a signed type has no counterpart and stays as it is, two's complement. (OpenVINO's
 * CPU plugin gives 127 for the i8 -128, and the same as here for wider types.) */
#include "ops/math/elementwise.h"
#include "ops/math/unary_parts.h"
#include <math.h>

#define CLEAR_SIGN(x) ((uint16_t)((x)&0x7FFF))
/* Negated without sign, where nothing overflows. */
#define ABS_I8(x)  ((int8_t)((x) < 0 ? 0 - (uint32_t)(x) : (uint32_t)(x)))
#define ABS_I16(x) ((int16_t)((x) < 0 ? 0 - (uint32_t)(x) : (uint32_t)(x)))
#define ABS_I32(x) ((int32_t)((x) < 0 ? 0 - (uint32_t)(x) : (uint32_t)(x)))
#define ABS_I64(x) ((int64_t)((x) < 0 ? 0 - (uint64_t)(x) : (uint64_t)(x)))

IR_ELEMENTWISE_ROW(f32_row, float, float, fabsf)
IR_ELEMENTWISE_ROW(f64_row, double, double, fabs)
IR_ELEMENTWISE_ROW(half_row, uint16_t, uint16_t, CLEAR_SIGN)
IR_ELEMENTWISE_ROW(i8_row, int8_t, int8_t, ABS_I8)
IR_ELEMENTWISE_ROW(i16_row, int16_t, int16_t, ABS_I16)
IR_ELEMENTWISE_ROW(i32_row, int32_t, int32_t, ABS_I32)
IR_ELEMENTWISE_ROW(i64_row, int64_t, int64_t, ABS_I64)

static const ir_elementwise_kernel kernels[] = {
    {{.types = IR_SET(IR_F32), .name = "abs_f32", .isa = "any", .run = ir_elementwise_run}, f32_row},
    {{.types = IR_SET(IR_F64), .name = "abs_f64", .isa = "any", .run = ir_elementwise_run}, f64_row},
    {{.types = IR_SET(IR_F16) | IR_SET(IR_BF16), .name = "abs_half", .isa = "any", .run = ir_elementwise_run},
     half_row},
    {{.types = IR_SET(IR_I8), .name = "abs_i8", .isa = "any", .run = ir_elementwise_run}, i8_row},
    {{.types = IR_SET(IR_I16), .name = "abs_i16", .isa = "any", .run = ir_elementwise_run}, i16_row},
    {{.types = IR_SET(IR_I32), .name = "abs_i32", .isa = "any", .run = ir_elementwise_run}, i32_row},
    {{.types = IR_SET(IR_I64), .name = "abs_i64", .isa = "any", .run = ir_elementwise_run}, i64_row},
    {{.types = IR_SET_UNSIGNED}, NULL},
    {{.types = 0}, NULL},
};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  return ir_elementwise_step(plan, node, kernels, scope);
}

const ir_op ir_op_abs_1 = {
    .dialect = IR_OPENVINO,
    .type = "Abs",
    .version = 1,
    .spec = IR_SPEC_PAGE("arithmetic/abs-1"),
    .inputs = {IR_PORT_WITH_PARTS("a", "T", IR_SET_NUMBERS)},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)},
    .infer = ir_elementwise_infer,
    .parts = ir_abs_parts,
    .prepare = prepare,
    .cost = ir_elementwise_cost,
};

/* ReLU-1: max(0, x). What is not above 0 gives 0: -0 and NaN too, as OpenVINO's CPU plugin has it; MaxPool passes over
 * NaN in the same way. */
#include "ops/math/elementwise.h"
#include "ops/math/unary_parts.h"

#define POSITIVE(x)  ((x) > 0 ? (x) : 0)
#define F16_RELU(x)  (ir_f16_to_f32(x) > 0 ? (x) : (uint16_t)0)
#define BF16_RELU(x) (ir_bf16_to_f32(x) > 0 ? (x) : (uint16_t)0)

IR_ELEMENTWISE_ROW(f32_row, float, float, POSITIVE)
IR_ELEMENTWISE_ROW(f64_row, double, double, POSITIVE)
IR_ELEMENTWISE_ROW(f16_row, uint16_t, uint16_t, F16_RELU)
IR_ELEMENTWISE_ROW(bf16_row, uint16_t, uint16_t, BF16_RELU)
IR_ELEMENTWISE_ROW(i8_row, int8_t, int8_t, POSITIVE)
IR_ELEMENTWISE_ROW(i16_row, int16_t, int16_t, POSITIVE)
IR_ELEMENTWISE_ROW(i32_row, int32_t, int32_t, POSITIVE)
IR_ELEMENTWISE_ROW(i64_row, int64_t, int64_t, POSITIVE)

static const ir_elementwise_kernel kernels[] = {
    {{.types = IR_SET(IR_F32), .name = "relu_f32", .isa = "any", .run = ir_elementwise_run}, f32_row},
    {{.types = IR_SET(IR_F64), .name = "relu_f64", .isa = "any", .run = ir_elementwise_run}, f64_row},
    {{.types = IR_SET(IR_F16), .name = "relu_f16", .isa = "any", .run = ir_elementwise_run}, f16_row},
    {{.types = IR_SET(IR_BF16), .name = "relu_bf16", .isa = "any", .run = ir_elementwise_run}, bf16_row},
    {{.types = IR_SET(IR_I8), .name = "relu_i8", .isa = "any", .run = ir_elementwise_run}, i8_row},
    {{.types = IR_SET(IR_I16), .name = "relu_i16", .isa = "any", .run = ir_elementwise_run}, i16_row},
    {{.types = IR_SET(IR_I32), .name = "relu_i32", .isa = "any", .run = ir_elementwise_run}, i32_row},
    {{.types = IR_SET(IR_I64), .name = "relu_i64", .isa = "any", .run = ir_elementwise_run}, i64_row},
    {{.types = IR_SET_UNSIGNED}, NULL},
    {{.types = 0}, NULL},
};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  return ir_elementwise_step(plan, node, kernels, scope);
}

const ir_op ir_op_relu_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReLU",
    .version = 1,
    .spec = IR_SPEC_PAGE("activation/relu-1"),
    .inputs = {IR_PORT_WITH_PARTS("x", "T", IR_SET_NUMBERS)},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)},
    .infer = ir_elementwise_infer,
    .parts = ir_relu_parts,
    .prepare = prepare,
    .cost = ir_elementwise_cost,
};

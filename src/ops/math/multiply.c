/* Multiply-1: a * b, of equal shapes or broadcast. Integers wrap around: the product modulo 2^bits, two's complement.
 * (OpenVINO's CPU plugin saturates i8 and u8, and computes i64 and u64 in 32 bits.) */
#include "ops/math/binary.h"

#define OP(a, b) ((a) * (b))
#define OP_NAME  "multiply"
#include "ops/math/binary_types.inc"

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return ir_binary_step(plan, node, in, kernels, scope);
}

IR_BINARY_ROW(multiply_1, "Multiply", 1, "arithmetic/multiply-1", ir_binary_params, ir_binary_attrs,
              .inputs = {IR_PORT_WITH_PARTS("a", "T", IR_SET_NUMBERS), IR_PORT_WITH_PARTS("b", "T", IR_SET_NUMBERS)},
              .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)}, .infer = ir_binary_infer,
              .parts = ir_binary_parts, .choices = &ir_rule_of_multiply, .prepare = prepare)

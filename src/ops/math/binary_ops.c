/* Arithmetic, comparisons, logic and bits of two inputs that are broadcast. Pages: operation-specs/arithmetic,
 * comparison, logical, bitwise. They are checked and not run. */
#include "ops/math/binary.h"
#include "ops/parts.h"

/* Booleans, of the shape of both. */
static ir_code infer_comparison(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_code code = ir_binary_infer(node, in, out, scope);
  out->type = IR_BOOLEAN;
  return code;
}

typedef struct divide_params {
  ir_binary_params binary;
  bool floors;
} divide_params;

static double quotient(double a, double b) {
  return a / b;
}

/* Integers are rounded down as Python does, or cut toward zero. */
static ir_code divide_parts(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_binary_rule rule = {.part = ((const divide_params *)node->params)->floors ? ir_part_floor_divide
                                                                                     : ir_part_divide,
                               .floats = IR_FLOATS_BY_RULE,
                               .of_floats = quotient,
                               .is_quotient = true};
  return ir_binary_parts_by(&rule, node, in, out, scope);
}

static const ir_attr_spec divide_attrs[] = {
    IR_BROADCAST_ROWS,
    {.name = "m_pythondiv", .kind = IR_ATTR_BOOL, .offset = offsetof(divide_params, floors), .fallback = "true"},
    {.name = NULL}};

/* ---- the rows ---- */

#define BOTH(var, set)                                                                                                 \
  { IR_PORT_WITH_PARTS("a", var, set), IR_PORT_WITH_PARTS("b", var, set) }
#define RESULT(var, set)                                                                                               \
  { IR_PORT_OF_ANY_RANK("output", var, set) }
#define BOOLEAN IR_SET(IR_BOOLEAN)
#define BITS    (IR_SET_INTEGERS | BOOLEAN)

#define BINARY(name, text, number, page, set, ...)                                                                     \
  IR_BINARY_ROW(name, text, number, page, ir_binary_params, ir_binary_attrs, .inputs = BOTH("T", set),                 \
                .outputs = RESULT("T", set), .infer = ir_binary_infer, __VA_ARGS__)
#define LOGIC(name, text, page, part)                                                                                  \
  IR_BINARY_ROW(name, text, 1, page, ir_binary_params, ir_binary_attrs, .inputs = BOTH("T_BOOL", BOOLEAN),             \
                .outputs = RESULT("T_BOOL", BOOLEAN), .infer = ir_binary_infer, WITH_PARTS(part))
#define COMPARISON(name, text, page, part)                                                                             \
  IR_BINARY_ROW(name, text, 1, page, ir_binary_params, ir_binary_attrs, .inputs = BOTH("T", IR_SET_ANY),               \
                .outputs = RESULT("T_BOOL", BOOLEAN), .infer = infer_comparison, WITH_PARTS(part))
#define WITH_PARTS(part) .parts = ir_binary_parts, .choices = &ir_rule_of_##part
#define WITHOUT_PARTS    .parts = NULL

BINARY(subtract_1, "Subtract", 1, "arithmetic/subtract-1", IR_SET_NUMBERS, WITH_PARTS(subtract))
BINARY(mod_1, "Mod", 1, "arithmetic/mod-1", IR_SET_NUMBERS, WITH_PARTS(mod))
BINARY(floor_mod_1, "FloorMod", 1, "arithmetic/floormod-1", IR_SET_NUMBERS, WITH_PARTS(floor_mod))
BINARY(maximum_1, "Maximum", 1, "arithmetic/maximum-1", IR_SET_NUMBERS, WITH_PARTS(maximum))
BINARY(minimum_1, "Minimum", 1, "arithmetic/minimum-1", IR_SET_NUMBERS, WITH_PARTS(minimum))
BINARY(squared_difference_1, "SquaredDifference", 1, "arithmetic/squared-difference-1", IR_SET_NUMBERS, WITHOUT_PARTS)
IR_BINARY_ROW(divide_1, "Divide", 1, "arithmetic/divide-1", divide_params, divide_attrs,
              .inputs = BOTH("T", IR_SET_NUMBERS), .outputs = RESULT("T", IR_SET_NUMBERS), .infer = ir_binary_infer,
              .parts = divide_parts)

COMPARISON(equal_1, "Equal", "comparison/equal-1", equal)
COMPARISON(not_equal_1, "NotEqual", "comparison/notequal-1", not_equal)
COMPARISON(less_1, "Less", "comparison/less-1", less)
COMPARISON(less_equal_1, "LessEqual", "comparison/lessequal-1", less_equal)
COMPARISON(greater_1, "Greater", "comparison/greater-1", greater)
COMPARISON(greater_equal_1, "GreaterEqual", "comparison/greater-equal-1", greater_equal)

LOGIC(logical_and_1, "LogicalAnd", "logical/logical-and-1", and)
LOGIC(logical_or_1, "LogicalOr", "logical/logical-or-1", or)
LOGIC(logical_xor_1, "LogicalXor", "logical/logical-xor-1", not_equal)
LOGIC(xor_1, "Xor", "logical/logical-xor-1", not_equal)

BINARY(bitwise_and_13, "BitwiseAnd", 13, "bitwise/bitwise-and-13", BITS, WITHOUT_PARTS)
BINARY(bitwise_or_13, "BitwiseOr", 13, "bitwise/bitwise-or-13", BITS, WITHOUT_PARTS)
BINARY(bitwise_xor_13, "BitwiseXor", 13, "bitwise/bitwise-xor-13", BITS, WITHOUT_PARTS)
BINARY(bitwise_left_shift_15, "BitwiseLeftShift", 15, "bitwise/bitwise-left-shift-15", IR_SET_INTEGERS, WITHOUT_PARTS)
BINARY(bitwise_right_shift_15, "BitwiseRightShift", 15, "bitwise/bitwise-right-shift-15", IR_SET_INTEGERS,
       WITHOUT_PARTS)

/* Implements arithmetic, comparisons, logic and bit operations on two broadcast inputs. Specification:
 * operation-specs/arithmetic, comparison, logical, bitwise. */
#include "ops/kernels/functions.h"
#include "ops/math/binary.h"
#include "ops/ranges.h"
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

/* Infers a boolean output of the broadcast shape. */
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

/* If m_pythondiv is true, integer quotients are rounded down. Otherwise they are truncated toward zero. */
static ir_code divide_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_binary_rule rule = {.range = ((const divide_params *)node->params)->floors ? ir_range_floor_divide
                                                                                      : ir_range_divide,
                               .floats = IR_FLOATS_BY_RULE,
                               .of_floats = quotient,
                               .is_quotient = true};
  return ir_binary_ranges_by(&rule, node, in, out, scope);
}

static const ir_attr_spec divide_attrs[] = {
    IR_BROADCAST_ROWS,
    {.name = "m_pythondiv", .kind = IR_ATTR_BOOL, .offset = offsetof(divide_params, floors), .fallback = "true"},
    {.name = NULL}};

/* ---- formulas ---- */

#define ELEMENTWISE(kernel, ...)                                                                                       \
  static const ir_elementwise kernel##_elementwise = {.name = #kernel, .rows = __VA_ARGS__};
#define FLOAT_ROWS(name, ...)                                                                                          \
  IR_ELEMENTWISE_2(name##_f32, float, float, __VA_ARGS__) IR_ELEMENTWISE_2(name##_f64, double, double, __VA_ARGS__)
#define SIGNED_ROW(name, ...)   IR_ELEMENTWISE_2(name##_i64, int64_t, int64_t, __VA_ARGS__)
#define UNSIGNED_ROW(name, ...) IR_ELEMENTWISE_2(name##_u64, uint64_t, uint64_t, __VA_ARGS__)
#define ALL_ROWS(name)          ELEMENTWISE(name, {name##_f32, name##_f64, name##_i64, name##_u64})

/* Defines a formula of +, - and *. Integers are computed as unsigned: modulo 2^bits, the bits of the result are the
 * same as for signed integers, and unsigned overflow is defined in C. OpenVINO's CPU plugin saturates products of i8
 * and u8, and computes products of i64 in 32 bits. */
#define WRAPPING(name, ...)                                                                                            \
  FLOAT_ROWS(name, __VA_ARGS__)                                                                                        \
  UNSIGNED_ROW(name, __VA_ARGS__) ELEMENTWISE(name, {name##_f32, name##_f64, name##_u64, name##_u64})
/* Defines a formula of Maximum or Minimum. Floats have the results of IR_GREATER or IR_LESSER, in a form that compilers
 * vectorize. A comparison with NaN is false and selects b. If a is NaN, the result gets all bits set, and such a float
 * is NaN. */
#define OR_NAN(name, type, bits, order)                                                                                \
  static inline type name(type a, type b) {                                                                            \
    type found = a order b ? a : b;                                                                                    \
    bits pattern;                                                                                                      \
    memcpy(&pattern, &found, sizeof pattern);                                                                          \
    pattern |= 0 - (bits)(a != a);                                                                                     \
    memcpy(&found, &pattern, sizeof found);                                                                            \
    return found;                                                                                                      \
  }
#define ORDERED(name, order)                                                                                           \
  OR_NAN(name##_or_nan_f32, float, uint32_t, order)                                                                    \
  OR_NAN(name##_or_nan_f64, double, uint64_t, order)                                                                   \
  FLOAT_ROWS(name, _Generic(a, float : name##_or_nan_f32, default : name##_or_nan_f64)(a, b))                          \
  SIGNED_ROW(name, a order b ? a : b) UNSIGNED_ROW(name, a order b ? a : b) ALL_ROWS(name)
#define TRUTHS(name, ...)                                                                                              \
  IR_ELEMENTWISE_2(name##_f32, float, bool, __VA_ARGS__)                                                               \
  IR_ELEMENTWISE_2(name##_f64, double, bool, __VA_ARGS__)                                                              \
  IR_ELEMENTWISE_2(name##_i64, int64_t, bool, __VA_ARGS__)                                                             \
  IR_ELEMENTWISE_2(name##_u64, uint64_t, bool, __VA_ARGS__)                                                            \
  ELEMENTWISE(name, {name##_f32, name##_f64, name##_i64, name##_u64}, .of_truths = true)
/* Defines a formula of truths, which reads booleans as bytes. */
#define LOGICAL(name, ...)                                                                                             \
  IR_ELEMENTWISE_2(name, uint8_t, bool, __VA_ARGS__)                                                                   \
  ELEMENTWISE(name, {[IR_ELEMENTWISE_TRUTHS] = name}, .of_truths = true)
#define BITS_ROW(name, ...)                                                                                            \
  UNSIGNED_ROW(name, __VA_ARGS__) ELEMENTWISE(name, {[IR_COMPUTE_I64] = name##_u64, name##_u64})

WRAPPING(add, a + b)
WRAPPING(subtract, a - b)
WRAPPING(multiply, a *b)
WRAPPING(squared_difference, (a - b) * (a - b))
ORDERED(maximum, >)
ORDERED(minimum, <)
TRUTHS(equal, a == b)
TRUTHS(not_equal, a != b)
TRUTHS(less, a < b)
TRUTHS(less_equal, a <= b)
TRUTHS(greater, a > b)
TRUTHS(greater_equal, a >= b)
LOGICAL(logical_and, (a != 0) & (b != 0))
LOGICAL(logical_or, (a | b) != 0)
LOGICAL(logical_xor, (a != 0) != (b != 0))
BITS_ROW(bitwise_and, a &b)
BITS_ROW(bitwise_or, a | b)
BITS_ROW(bitwise_xor, a ^ b)
/* Shifts by 64 or more: a left shift and an unsigned right shift give 0, a signed right shift gives -1 or 0. */
BITS_ROW(left_shift, b < 64 ? a << b : 0)
SIGNED_ROW(right_shift, a >> (b < 0 || b > 63 ? 63 : b))
UNSIGNED_ROW(right_shift, b < 64 ? a >> b : 0)
ELEMENTWISE(right_shift, {[IR_COMPUTE_I64] = right_shift_i64, right_shift_u64})

/* ---- quotients ---- */

/* If the divisor b is 0, quotients and remainders are ir_integer_of_infinity. The lowest integer divided by -1 wraps
 * around. */
#define UNLESS_BY_0(compute, ...) (b == 0 ? (compute)ir_integer_of_infinity(call->type) : (__VA_ARGS__))

static int64_t cut_quotient(int64_t a, int64_t b) {
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t cut_rest(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  return cut_quotient(a, b) - (cut_rest(a, b) != 0 && (a < 0) != (b < 0));
}

static int64_t floor_rest(int64_t a, int64_t b) {
  const int64_t rest = cut_rest(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

#define DIVIDING(name, floats, integers, naturals)                                                                     \
  FLOAT_ROWS(name, floats)                                                                                             \
  SIGNED_ROW(name, UNLESS_BY_0(int64_t, integers(a, b)))                                                               \
  UNSIGNED_ROW(name, UNLESS_BY_0(uint64_t, naturals)) ALL_ROWS(name)

DIVIDING(divide_cut, a / b, cut_quotient, a / b)
DIVIDING(divide_floor, a / b, floor_quotient, a / b)

/* Computes remainders as fmod does, which are exact. The product of b and a quotient below 2^28 is exact in double.
 * Sets *are_small to whether all quotients are below it. */
IR_LOOP void small_quotients_loop(const ir_elementwise_call *call, bool *are_small) {
  const float *as = call->in[0], *bs = call->in[1];
  float *out = call->out;
  const int64_t n = call->n;
  int n_large = 0;
  for (int64_t i = 0; i < n; i++) {
    const float a = as[i], b = bs[i];
    const double quotient = trunc((double)a / b);
    out[i] = ir_f32_with_sign((float)fabs(a - quotient * b), a);
    n_large += !(fabs(quotient) < 0x1p28) | !(fabsf(b) < INFINITY);
  }
  *are_small = n_large == 0;
}
IR_EACH_ISA(small_quotients, (const ir_elementwise_call *call, bool *are_small), (call, are_small))
IR_ELEMENTWISE_2(any_quotients, float, float, fmod(a, b))

static void mod_f32(const ir_elementwise_call *call) {
  bool are_small;
  small_quotients(call, &are_small);
  if (!are_small)
    any_quotients(call);
}
IR_ELEMENTWISE_2(mod_f64, double, double, fmod(a, b))
SIGNED_ROW(mod, UNLESS_BY_0(int64_t, cut_rest(a, b)))
UNSIGNED_ROW(mod, UNLESS_BY_0(uint64_t, a % b))
ALL_ROWS(mod)
DIVIDING(floor_mod, a - b * floor(a / b), floor_rest, a % b)

static ir_code prepare_divide(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool floors = ((const divide_params *)node->params)->floors;
  return ir_binary_step(floors ? &divide_floor_elementwise : &divide_cut_elementwise, node, in, plan, scope);
}

/* ---- powers ---- */

/* f64: the last bit depends on the C library. f32, f16 and bf16: ir_pow_f32. If one exponent holds for a row, powers
 * with 2, 3, 1/2, -1, -1/2 and small integers need no logarithm. All but those with -1/2 are the exact power, rounded
 * once, or differ from that in one of 10^8 elements.
 *
 * Integers: exact modulo 2^bits. A power with a negative exponent b is 1 / a^-b, truncated toward zero: 1 or -1 if a is
 * 1 or -1, otherwise 0. If a is 0, the power is ir_integer_of_infinity. OpenVINO's CPU plugin computes integers as
 * floats: its result is the same if the power fits the type and an f32. */

/* Computes base^exponent modulo 2^64. The low n bits of the result are base^exponent modulo 2^n. */
static uint64_t whole_power(uint64_t base, uint64_t exponent) {
  uint64_t power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0)
      power *= base;
    base *= base;
  }
  return power;
}

static int64_t signed_power(int64_t base, int64_t exponent, ir_type type) {
  if (exponent >= 0)
    return (int64_t)whole_power((uint64_t)base, (uint64_t)exponent);
  if (base == 0)
    return ir_integer_of_infinity(type);
  if (base == -1)
    return exponent % 2 == 0 ? 1 : -1;
  return base == 1;
}

/* pow(-0, 1/2) is 0 and pow(-infinity, 1/2) is infinity, unlike the square roots. */
#define ROOT(a) ((a) == -INFINITY ? INFINITY : sqrtf((a) + 0.0f))

IR_ELEMENTWISE_1(square, float, float, x *x)
IR_ELEMENTWISE_1(cube, float, float, (double)x *x *x)
IR_ELEMENTWISE_1(root, float, float, ROOT(x))
IR_ELEMENTWISE_1(inverse, float, float, 1 / x)
IR_ELEMENTWISE_1(inverse_root, float, float, 1 / ROOT(x))
IR_ELEMENTWISE_2(general_power, float, float, ir_pow_f32(a, b))

/* Computes powers with the whole exponent `call->in[1][0]` in double, where squares of squares lose nothing that floats
 * can hold. */
IR_LOOP void whole_powers_loop(const ir_elementwise_call *call) {
  const float *bases = call->in[0], exponent = *(const float *)call->in[1];
  float *out = call->out;
  const int64_t n = call->n;
  double squares[IR_PIECE], powers[IR_PIECE];
  for (int64_t i = 0; i < n; i++) {
    squares[i] = bases[i];
    powers[i] = 1;
  }
  for (int rest = abs((int)exponent); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0)
      for (int64_t i = 0; i < n; i++)
        powers[i] *= squares[i];
    for (int64_t i = 0; i < n; i++)
      squares[i] *= squares[i];
  }
  if (exponent < 0)
    for (int64_t i = 0; i < n; i++)
      out[i] = (float)(1 / powers[i]);
  else
    for (int64_t i = 0; i < n; i++)
      out[i] = (float)powers[i];
}
IR_EACH_ISA(whole_powers, (const ir_elementwise_call *call), (call))

/* Limit of exponents for whole_powers: above it, errors of the squares reach 2^-44. */
enum { MOST_WHOLE_EXPONENT = 256 };

static void power_f32(const ir_elementwise_call *call) {
  const float exponent = *(const float *)call->in[1];
  if (!call->repeats[1])
    general_power(call);
  else if (exponent == 2)
    square(call);
  else if (exponent == 3)
    cube(call);
  else if (exponent == 0.5f)
    root(call);
  else if (exponent == -1)
    inverse(call);
  else if (exponent == -0.5f)
    inverse_root(call);
  else if (fabsf(exponent) <= MOST_WHOLE_EXPONENT && exponent == truncf(exponent))
    whole_powers(call);
  else
    general_power(call);
}

IR_ELEMENTWISE_2(power_f64, double, double, pow(a, b))
SIGNED_ROW(power, signed_power(a, b, call->type))
UNSIGNED_ROW(power, whole_power(a, b))
ALL_ROWS(power)

/* ---- the rows ---- */

#define BOTH(var, set, carried)                                                                                        \
  IR_PORTS(IR_PORT_WITH_RANGES("a", var, set, carried), IR_PORT_WITH_RANGES("b", var, set, carried))
#define RESULT(var, set) IR_PORTS(IR_PORT_OF_ANY_RANK("output", var, set))
#define BOOLEAN          IR_SET(IR_BOOLEAN)
#define BITS             (IR_SET_INTEGERS | BOOLEAN)

#define RUN_BY(formula) .elementwise = &formula##_elementwise, .run = {IR_RUN_PREPARED, .prepare = ir_binary_prepare}

#define BINARY(name, formula, text, number, page, set, ...)                                                            \
  IR_BINARY_ROW(name, text, number, page, ir_binary_params, ir_binary_attrs,                                           \
                .inputs = BOTH("T", set, IR_CARRIED_WIDENED), .outputs = RESULT("T", set), .infer = ir_binary_infer,   \
                RUN_BY(formula), __VA_ARGS__)
#define LOGIC(name, formula, text, page, range)                                                                        \
  IR_BINARY_ROW(name, text, 1, page, ir_binary_params, ir_binary_attrs,                                                \
                .inputs = BOTH("T_BOOL", BOOLEAN, IR_CARRIED_NONE), .outputs = RESULT("T_BOOL", BOOLEAN),              \
                .infer = ir_binary_infer, RUN_BY(formula), WITH_RANGES(range))
#define COMPARISON(name, formula, text, page, range)                                                                   \
  IR_BINARY_ROW(name, text, 1, page, ir_binary_params, ir_binary_attrs,                                                \
                .inputs = BOTH("T", IR_SET_ANY, IR_CARRIED_NONE), .outputs = RESULT("T_BOOL", BOOLEAN),                \
                .infer = infer_comparison, RUN_BY(formula), WITH_RANGES(range))
#define WITH_RANGES(range) .ranges = ir_binary_ranges, .family = &ir_rule_of_##range
#define WITHOUT_RANGES     .ranges = NULL

BINARY(add_1, add, "Add", 1, "arithmetic/add-1", IR_SET_NUMBERS, WITH_RANGES(add), .function = IR_FUNCTION_ADD)
BINARY(multiply_1, multiply, "Multiply", 1, "arithmetic/multiply-1", IR_SET_NUMBERS, WITH_RANGES(multiply),
       .function = IR_FUNCTION_MULTIPLY)
IR_BINARY_ROW(power_1, "Power", 1, "arithmetic/power-1", ir_binary_params, ir_binary_attrs,
              .inputs = IR_PORTS(IR_PORT_OF_NUMBERS("a"), IR_PORT_OF_NUMBERS("b")),
              .outputs = RESULT("T", IR_SET_NUMBERS), .infer = ir_binary_infer, RUN_BY(power))
BINARY(subtract_1, subtract, "Subtract", 1, "arithmetic/subtract-1", IR_SET_NUMBERS, WITH_RANGES(subtract),
       .function = IR_FUNCTION_SUBTRACT)
BINARY(mod_1, mod, "Mod", 1, "arithmetic/mod-1", IR_SET_NUMBERS, WITH_RANGES(mod))
BINARY(floor_mod_1, floor_mod, "FloorMod", 1, "arithmetic/floormod-1", IR_SET_NUMBERS, WITH_RANGES(floor_mod))
BINARY(maximum_1, maximum, "Maximum", 1, "arithmetic/maximum-1", IR_SET_NUMBERS, WITH_RANGES(maximum))
BINARY(minimum_1, minimum, "Minimum", 1, "arithmetic/minimum-1", IR_SET_NUMBERS, WITH_RANGES(minimum))
BINARY(squared_difference_1, squared_difference, "SquaredDifference", 1, "arithmetic/squared-difference-1",
       IR_SET_NUMBERS, WITHOUT_RANGES)
IR_BINARY_ROW(divide_1, "Divide", 1, "arithmetic/divide-1", divide_params, divide_attrs,
              .inputs = BOTH("T", IR_SET_NUMBERS, IR_CARRIED_WIDENED), .outputs = RESULT("T", IR_SET_NUMBERS),
              .infer = ir_binary_infer, .ranges = divide_ranges, .run = {IR_RUN_PREPARED, .prepare = prepare_divide})

COMPARISON(equal_1, equal, "Equal", "comparison/equal-1", equal)
COMPARISON(not_equal_1, not_equal, "NotEqual", "comparison/notequal-1", not_equal)
COMPARISON(less_1, less, "Less", "comparison/less-1", less)
COMPARISON(less_equal_1, less_equal, "LessEqual", "comparison/lessequal-1", less_equal)
COMPARISON(greater_1, greater, "Greater", "comparison/greater-1", greater)
COMPARISON(greater_equal_1, greater_equal, "GreaterEqual", "comparison/greater-equal-1", greater_equal)

LOGIC(logical_and_1, logical_and, "LogicalAnd", "logical/logical-and-1", and)
LOGIC(logical_or_1, logical_or, "LogicalOr", "logical/logical-or-1", or)
LOGIC(logical_xor_1, logical_xor, "LogicalXor", "logical/logical-xor-1", not_equal)
LOGIC(xor_1, logical_xor, "Xor", "logical/logical-xor-1", not_equal)

BINARY(bitwise_and_13, bitwise_and, "BitwiseAnd", 13, "bitwise/bitwise-and-13", BITS, WITHOUT_RANGES)
BINARY(bitwise_or_13, bitwise_or, "BitwiseOr", 13, "bitwise/bitwise-or-13", BITS, WITHOUT_RANGES)
BINARY(bitwise_xor_13, bitwise_xor, "BitwiseXor", 13, "bitwise/bitwise-xor-13", BITS, WITHOUT_RANGES)
BINARY(bitwise_left_shift_15, left_shift, "BitwiseLeftShift", 15, "bitwise/bitwise-left-shift-15", IR_SET_INTEGERS,
       WITHOUT_RANGES)
BINARY(bitwise_right_shift_15, right_shift, "BitwiseRightShift", 15, "bitwise/bitwise-right-shift-15", IR_SET_INTEGERS,
       WITHOUT_RANGES)

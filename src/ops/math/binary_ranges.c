/* Computes the ranges (ops/ranges.h) of outputs of binary ops. */
#include "ops/float_ranges.h"
#include "ops/math/binary.h"
#include "ops/ranges.h"

ir_dim ir_binary_range(const ir_binary_rule *rule, ir_type type, ir_dim a, ir_dim b) {
  if (!ir_type_in(type, IR_SET_FLOATS) || rule->floats == IR_FLOATS_BY_ORDER)
    return rule->range(a, b);
  if (rule->floats == IR_FLOATS_NOT_TOLD || (rule->is_quotient && ir_dims_meet(b, ir_dim_of(0))))
    return ir_range_any();
  return ir_range_of_two(type, rule->of_floats, a, b);
}

ir_code ir_binary_ranges_by(const ir_binary_rule *rule, const ir_node *node, const ir_value *const *in, ir_value *out,
                            ir_scope *scope) {
  const int64_t n = ir_ranges_count(out);
  const ir_type type = in[0]->type;
  ir_dim ranges[IR_MAX_RANGES];
  if (n < 0 || ir_ranges_count(in[0]) < 0 || ir_ranges_count(in[1]) < 0 || type != in[1]->type ||
      !(ir_has_ranges(in[0]) || ir_has_ranges(in[1])) ||
      (((const ir_binary_params *)node->params)->auto_broadcast == IR_BROADCAST_PDPD && out->shape.rank > 1))
    return IR_OK;
  for (int64_t i = 0; i < n; i++) {
    const ir_dim a = ir_range_at(in[0], ir_ranges_source(&in[0]->shape, &out->shape, i));
    const ir_dim b = ir_range_at(in[1], ir_ranges_source(&in[1]->shape, &out->shape, i));
    ranges[i] = ir_binary_range(rule, type, a, b);
  }
  return ir_ranges_set(out, ranges, scope);
}

ir_code ir_binary_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return ir_binary_ranges_by(node->op->family, node, in, out, scope);
}

/* ---- rules for intervals ---- */

static const ir_dim both = {0, 1};

static ir_dim is_less(ir_dim a, ir_dim b) {
  return a.hi < b.lo ? ir_dim_of(1) : a.lo >= b.hi ? ir_dim_of(0) : both;
}

static ir_dim is_less_equal(ir_dim a, ir_dim b) {
  return a.hi <= b.lo ? ir_dim_of(1) : a.lo > b.hi ? ir_dim_of(0) : both;
}

static ir_dim is_greater(ir_dim a, ir_dim b) {
  return is_less(b, a);
}

static ir_dim is_greater_equal(ir_dim a, ir_dim b) {
  return is_less_equal(b, a);
}

static ir_dim is_equal(ir_dim a, ir_dim b) {
  return !ir_dims_meet(a, b) ? ir_dim_of(0) : ir_dim_known(a) && ir_dim_known(b) ? ir_dim_of(1) : both;
}

static ir_dim is_not_equal(ir_dim a, ir_dim b) {
  const ir_dim equal = is_equal(a, b);
  return ir_dim_known(equal) ? ir_dim_of(1 - equal.lo) : both;
}

/* Return the range of a AND b (the minimum of booleans) and of a OR b (the maximum). */
static ir_dim both_are(ir_dim a, ir_dim b) {
  return ir_range_least(a, b);
}

static ir_dim either_is(ir_dim a, ir_dim b) {
  return ir_range_most(a, b);
}

/* Returns the range of the remainder of a / b; unknown if b can be 0 or negative. If b and the quotient are constant,
 * the range is a - quotient * b. Otherwise the range is [0, b), or (-b, b) if the quotient is truncated and a can be
 * negative. */
static ir_dim rest_of(ir_dim a, ir_dim b, bool is_floored) {
  const ir_dim quotient = is_floored ? ir_range_floor_divide(a, b) : ir_range_divide(a, b);
  if (b.lo <= 0)
    return ir_range_any();
  int64_t whole;
  if (ir_dim_known(b) && ir_dim_known(quotient) && ir_mul(quotient.lo, b.lo, &whole) && a.hi != INT64_MAX)
    return (ir_dim){a.lo - whole, a.hi - whole};
  const int64_t most = b.hi == INT64_MAX ? INT64_MAX : b.hi - 1;
  if (a.lo >= 0)
    return (ir_dim){0, a.hi < most ? a.hi : most};
  return (ir_dim){is_floored ? 0 : -most, most};
}

static ir_dim floor_rest(ir_dim a, ir_dim b) {
  return rest_of(a, b, true);
}

static ir_dim cut_rest(ir_dim a, ir_dim b) {
  return rest_of(a, b, false);
}

static double sum(double a, double b) {
  return a + b;
}

static double difference(double a, double b) {
  return a - b;
}

static double product(double a, double b) {
  return a * b;
}

const ir_binary_rule ir_rule_of_add = {.range = ir_range_add, .floats = IR_FLOATS_BY_RULE, .of_floats = sum};
const ir_binary_rule ir_rule_of_subtract = {
    .range = ir_range_subtract, .floats = IR_FLOATS_BY_RULE, .of_floats = difference};
const ir_binary_rule ir_rule_of_multiply = {
    .range = ir_range_multiply, .floats = IR_FLOATS_BY_RULE, .of_floats = product};
const ir_binary_rule ir_rule_of_mod = {.range = cut_rest};
const ir_binary_rule ir_rule_of_floor_mod = {.range = floor_rest};

#define BY_ORDER(name, rule) const ir_binary_rule ir_rule_of_##name = {.range = rule, .floats = IR_FLOATS_BY_ORDER};
BY_ORDER(maximum, ir_range_most)
BY_ORDER(minimum, ir_range_least)
BY_ORDER(equal, is_equal)
BY_ORDER(not_equal, is_not_equal)
BY_ORDER(less, is_less)
BY_ORDER(less_equal, is_less_equal)
BY_ORDER(greater, is_greater)
BY_ORDER(greater_equal, is_greater_equal)
BY_ORDER(and, both_are)
BY_ORDER(or, either_is)

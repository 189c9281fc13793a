/* Elements of the outputs of binary ops, as intervals (ops/parts.h). */
#include "ops/math/binary.h"
#include "ops/parts.h"

ir_code ir_binary_parts_by(ir_binary_part *part, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t n = ir_parts_count(out), n_a = ir_parts_count(in[0]), n_b = ir_parts_count(in[1]);
  ir_dim parts[IR_MAX_PARTS];
  /* Lists and scalars: what is broadcast otherwise is no shape. */
  if (n < 0 || (n_a != n && n_a != 1) || (n_b != n && n_b != 1) || !(ir_has_parts(in[0]) || ir_has_parts(in[1])) ||
      out->shape.rank > 1)
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    parts[i] = part(ir_part_at(in[0], n_a == 1 ? 0 : i), ir_part_at(in[1], n_b == 1 ? 0 : i));
  return ir_parts_set(out, parts, scope);
}

ir_code ir_binary_parts(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return ir_binary_parts_by(*(ir_binary_part *const *)node->op->choices, in, out, scope);
}

/* ---- of intervals ---- */

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

/* Of booleans. */
static ir_dim both_are(ir_dim a, ir_dim b) {
  return ir_part_least(a, b);
}

static ir_dim either_is(ir_dim a, ir_dim b) {
  return ir_part_most(a, b);
}

/* What is left of a division by one positive number: of one number, or less than the divisor. */
static ir_dim rest_of(ir_dim a, ir_dim b, bool is_floored) {
  if (!ir_dim_known(b) || b.lo <= 0)
    return ir_part_any();
  if (ir_dim_known(a)) {
    const int64_t rest = a.lo % b.lo;
    return ir_dim_of(is_floored && rest < 0 ? rest + b.lo : rest);
  }
  return is_floored || a.lo >= 0 ? (ir_dim){0, b.lo - 1} : (ir_dim){1 - b.lo, b.lo - 1};
}

static ir_dim floor_rest(ir_dim a, ir_dim b) {
  return rest_of(a, b, true);
}

static ir_dim cut_rest(ir_dim a, ir_dim b) {
  return rest_of(a, b, false);
}

#define PART(name, rule) ir_binary_part *const ir_part_of_##name = rule;
PART(add, ir_part_add)
PART(subtract, ir_part_subtract)
PART(multiply, ir_part_multiply)
PART(mod, cut_rest)
PART(floor_mod, floor_rest)
PART(maximum, ir_part_most)
PART(minimum, ir_part_least)
PART(equal, is_equal)
PART(not_equal, is_not_equal)
PART(less, is_less)
PART(less_equal, is_less_equal)
PART(greater, is_greater)
PART(greater_equal, is_greater_equal)
PART(and, both_are)
PART(or, either_is)

#include "ops/math/unary_ranges.h"
#include "ops/float_ranges.h"
#include "ops/ranges.h"
#include <math.h>

static ir_code each(const ir_value *in, ir_value *out, ir_dim (*rule)(ir_dim range, ir_type type), ir_scope *scope) {
  const int64_t n = ir_ranges_count(out);
  ir_dim ranges[IR_MAX_RANGES];
  if (!ir_ranges_pass(in, out))
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    ranges[i] = rule(ir_range_at(in, i), out->type);
  return ir_ranges_set(out, ranges, scope);
}

/* Rounding leaves integers unchanged. */
static ir_dim rounded(ir_dim range, ir_type type, double (*rule)(double)) {
  return ir_type_in(type, IR_SET_FLOATS) ? ir_range_rising(type, rule, range) : range;
}

static ir_dim ceiling_range(ir_dim range, ir_type type) {
  return rounded(range, type, ceil);
}

static ir_dim floor_range(ir_dim range, ir_type type) {
  return rounded(range, type, floor);
}

static ir_dim away_range(ir_dim range, ir_type type) {
  return rounded(range, type, round);
}

static ir_dim even_range(ir_dim range, ir_type type) {
  return rounded(range, type, nearbyint);
}

/* The range of an integer root is not computed. */
static ir_dim root_range(ir_dim range, ir_type type) {
  return ir_type_in(type, IR_SET_FLOATS) ? ir_range_rising(type, sqrt, range) : ir_range_any();
}

/* Integers and floats need the same code: the range of a float has positions (ops/float_ranges.h), and the position of
 * -x is minus the position of x. */
static ir_dim negative_range(ir_dim range, ir_type type) {
  (void)type;
  return ir_range_subtract(ir_dim_of(0), range);
}

static ir_dim positive_range(ir_dim range, ir_type type) {
  (void)type;
  return ir_range_most(range, ir_dim_of(0));
}

static ir_dim absolute_range(ir_dim range, ir_type type) {
  return positive_range(ir_range_most(range, negative_range(range, type)), type);
}

static ir_dim not_range(ir_dim range, ir_type type) {
  (void)type;
  return range.lo > 0 || range.hi < 0 ? ir_dim_of(0) : (ir_dim){!(range.lo < 0 || range.hi > 0), 1};
}

#define RANGES(name, rule)                                                                                             \
  ir_code ir_##name##_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {         \
    (void)node;                                                                                                        \
    return each(in[0], out, rule, scope);                                                                              \
  }

RANGES(abs, absolute_range)
RANGES(ceiling, ceiling_range)
RANGES(floor, floor_range)
RANGES(negative, negative_range)
RANGES(not, not_range)
RANGES(relu, positive_range)
RANGES(round_away, away_range)
RANGES(round_to_even, even_range)
RANGES(sqrt, root_range)

#include "ops/math/unary_parts.h"
#include "ops/float_parts.h"
#include "ops/parts.h"
#include <math.h>

static ir_code each(const ir_value *in, ir_value *out, ir_dim (*rule)(ir_dim part, ir_type type), ir_scope *scope) {
  const int64_t n = ir_parts_count(out);
  ir_dim parts[IR_MAX_PARTS];
  if (!ir_parts_pass(in, out))
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    parts[i] = rule(ir_part_at(in, i), out->type);
  return ir_parts_set(out, parts, scope);
}

/* Integers are their own roundings. */
static ir_dim rounded(ir_dim part, ir_type type, double (*rule)(double)) {
  return ir_type_in(type, IR_SET_FLOATS) ? ir_part_rising(type, rule, part) : part;
}

static ir_dim ceiling_part(ir_dim part, ir_type type) {
  return rounded(part, type, ceil);
}

static ir_dim floor_part(ir_dim part, ir_type type) {
  return rounded(part, type, floor);
}

static ir_dim away_part(ir_dim part, ir_type type) {
  return rounded(part, type, round);
}

static ir_dim even_part(ir_dim part, ir_type type) {
  return rounded(part, type, nearbyint);
}

/* Of integers there is no whole root. */
static ir_dim root_part(ir_dim part, ir_type type) {
  return ir_type_in(type, IR_SET_FLOATS) ? ir_part_rising(type, sqrt, part) : ir_part_any();
}

/* The places of floats are 0 for 0 and opposite for opposite numbers: in both orders this is the same. */
static ir_dim negative_part(ir_dim part, ir_type type) {
  (void)type;
  return ir_part_subtract(ir_dim_of(0), part);
}

static ir_dim positive_part(ir_dim part, ir_type type) {
  (void)type;
  return ir_part_most(part, ir_dim_of(0));
}

static ir_dim absolute_part(ir_dim part, ir_type type) {
  return positive_part(ir_part_most(part, negative_part(part, type)), type);
}

static ir_dim not_part(ir_dim part, ir_type type) {
  (void)type;
  return part.lo > 0 || part.hi < 0 ? ir_dim_of(0) : (ir_dim){!(part.lo < 0 || part.hi > 0), 1};
}

#define PARTS(name, rule)                                                                                              \
  ir_code ir_##name##_parts(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {          \
    (void)node;                                                                                                        \
    return each(in[0], out, rule, scope);                                                                              \
  }

PARTS(abs, absolute_part)
PARTS(ceiling, ceiling_part)
PARTS(floor, floor_part)
PARTS(negative, negative_part)
PARTS(not, not_part)
PARTS(relu, positive_part)
PARTS(round_away, away_part)
PARTS(round_to_even, even_part)
PARTS(sqrt, root_part)

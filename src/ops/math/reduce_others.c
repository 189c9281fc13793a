/* Implements ReduceSum, ReduceProd, ReduceMin, ReduceMax, ReduceL1, ReduceL2 and the boolean reductions. If an element
 * is NaN, the minimum and the maximum are NaN. Integers are exact modulo 2^bits; ReduceL2 of integers is computed in
 * f64 and truncated. Floats are computed in f64 and rounded once. OpenVINO's CPU plugin computes integers in f32 or
 * i32. */
#include "ops/kernels/group_reduce.h"
#include "ops/kernels/numbers.h"
#include "ops/math/reduce.h"
#include <math.h>
/* ---- running ---- */

/* The `family` of a row: a reduction's kernels by compute type. If an integer type has no kernel, its elements are
 * computed in f64. */
typedef struct reduction {
  const ir_group_reduce *of[IR_N_COMPUTE_TYPES];
} reduction;

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const reduction *family = node->op->family;
  const ir_compute_type own = ir_compute_type_of(in[0]->type);
  const ir_compute_type compute = family->of[own] != NULL ? own : IR_COMPUTE_F64;
  ir_axes axes = {.n = 0};
  if (in[0]->shape.rank > 0 && !ir_reduce_axes(node, in, scope, &axes))
    return IR_INVALID;
  return ir_group_reduce_step(plan, node, family->of[compute], compute, &in[0]->shape, &axes, 1, scope);
}

#define EACH(name, type, group, start, term, join) IR_GROUP_REDUCE_EACH(name, type, group, group, a, start, term, join)
EACH(sum_bits, uint64_t, uint64_t, 0, x, s + t)
IR_GROUP_REDUCE_THEN(one_f64, double, a, 1)
IR_GROUP_REDUCE_THEN(one_bits, uint64_t, a, 1)
EACH(product_f32, float, double, 1, x, s *t)
EACH(product_f64, double, double, 1, x, s *t)
EACH(product_bits, uint64_t, uint64_t, 1, x, s *t)
EACH(l1_f32, float, double, 0, fabs(x), s + t)
EACH(l1_f64, double, double, 0, fabs(x), s + t)
EACH(l1_i64, int64_t, uint64_t, 0, (int64_t)x < 0 ? 0 - x : x, s + t)
IR_GROUP_REDUCE_THEN(root, double, a, sqrt(a))
EACH(logical_and, uint64_t, uint64_t, 1, x, s &t)
EACH(logical_or, uint64_t, uint64_t, 0, x, s | t)

/* Defines a row that finds the least or greatest element. `before` is the group's value before the row, `found` the
 * value with the row's elements. The row's lanes skip NaN and lose the order of elements, so a second loop corrects the
 * result: a NaN wins, and among zeros of both signs the first one. */
#define EXTREME(name, type, group, is_better, choice)                                                                  \
  IR_LOOP group name##_settled(const type *xs, int64_t n, group before, group found) {                                 \
    uint32_t has_nan = 0;                                                                                              \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      has_nan |= xs[i] != xs[i] ? 1 : 0;                                                                               \
    if (has_nan == 0 && (found != 0 || before == 0))                                                                   \
      return found == 0 ? before : found;                                                                              \
    while (has_nan != 0 ? *xs == *xs : *xs != 0)                                                                       \
      xs++;                                                                                                            \
    return (group)*xs;                                                                                                 \
  }                                                                                                                    \
  IR_GROUP_REDUCE_EACH_ROW(name, type, type, group, a, s, x, t is_better s ? t : s, choice(t, s), name##_settled)
#define EXTREMES(name, is_better, choice)                                                                              \
  EXTREME(name##_f32, float, double, is_better, choice)                                                                \
  EXTREME(name##_f64, double, double, is_better, choice)                                                               \
  EXTREME(name##_i64, int64_t, int64_t, is_better, choice)                                                             \
  EXTREME(name##_u64, uint64_t, uint64_t, is_better, choice)
EXTREMES(least, <, IR_LESSER)
EXTREMES(greatest, >, IR_GREATER)

/* The minimum of no elements is infinity, or the type's highest integer. */
IR_GROUP_REDUCE_THEN(highest_f64, double, a, INFINITY)
IR_GROUP_REDUCE_THEN(highest_i64, int64_t, a, INT64_MAX >> (64 - ir_type_bits(call->in[0]->type)))
IR_GROUP_REDUCE_THEN(highest_u64, uint64_t, a, UINT64_MAX)
/* The maximum of no elements is the type's lowest finite number. */
IR_GROUP_REDUCE_THEN(lowest_f64, double, a, call->n_terms > 0 ? -INFINITY : ir_lowest_number(call->in[0]->type))
IR_GROUP_REDUCE_THEN(lowest_i64, int64_t, a, INT64_MIN >> (64 - ir_type_bits(call->in[0]->type)))

#define GROUP_REDUCE(...) (&(const ir_group_reduce){__VA_ARGS__})
#define FLOATS(text, rows, ...)                                                                                        \
  [IR_COMPUTE_F32] = GROUP_REDUCE(text, .each = {rows##_f32}, __VA_ARGS__), [IR_COMPUTE_F64] = GROUP_REDUCE(           \
                                                                                text, .each = {rows##_f64},            \
                                                                                __VA_ARGS__)
#define BITS(...) [IR_COMPUTE_I64] = GROUP_REDUCE(__VA_ARGS__), [IR_COMPUTE_U64] = GROUP_REDUCE(__VA_ARGS__)

static const reduction sum = {{FLOATS("sum", ir_group_reduce_sum, ), BITS("sum", .each = {sum_bits})}};
static const reduction product = {
    {FLOATS("product", product, .begin = one_f64), BITS("product", .begin = one_bits, .each = {product_bits})}};
static const reduction minimum = {
    {FLOATS("minimum", least, .begin = highest_f64),
     [IR_COMPUTE_I64] = GROUP_REDUCE("minimum", .begin = highest_i64, .each = {least_i64}),
     [IR_COMPUTE_U64] = GROUP_REDUCE("minimum", .begin = highest_u64, .each = {least_u64})}};
static const reduction maximum = {
    {FLOATS("maximum", greatest, .begin = lowest_f64),
     [IR_COMPUTE_I64] = GROUP_REDUCE("maximum", .begin = lowest_i64, .each = {greatest_i64}),
     [IR_COMPUTE_U64] = GROUP_REDUCE("maximum", .each = {greatest_u64})}};
static const reduction l1 = {{FLOATS("l1", l1, ), [IR_COMPUTE_I64] = GROUP_REDUCE("l1", .each = {l1_i64}),
                              [IR_COMPUTE_U64] = GROUP_REDUCE("l1", .each = {sum_bits})}};
static const reduction l2 = {{FLOATS("l2", ir_group_reduce_squares, .then = {root})}};
static const reduction all = {
    {[IR_COMPUTE_U64] = GROUP_REDUCE("logical_and", .begin = one_bits, .each = {logical_and})}};
static const reduction any = {{[IR_COMPUTE_U64] = GROUP_REDUCE("logical_or", .each = {logical_or})}};

/* ---- the rows ---- */

#define NUMBERS                                                                                                        \
  { .name = "data", .type_var = "T", .types = IR_SET_NUMBERS, .rank_min = 0, .rank_max = IR_MAX_RANK, .ranges = true }
#define REDUCTION(name, number, page, told, how, ...)                                                                  \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("reduction/reduce-" page),           \
    .params_size = sizeof(ir_reduce_params), .attrs = ir_reduce_attrs, .infer = ir_reduce_infer, .ranges = told,       \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .family = &how, .cost = ir_reduce_cost,                              \
    .takes_channels_last = ir_always_channels_last, __VA_ARGS__                                                        \
  }
#define OF_NUMBERS                                                                                                     \
  .inputs = IR_PORTS(NUMBERS, IR_REDUCE_AXES), .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS))
#define OF_BOOLEANS                                                                                                    \
  .inputs = IR_PORTS(IR_PORT_WITH_RANGES("data", "T_BOOL", IR_SET(IR_BOOLEAN), IR_CARRIED_NONE), IR_REDUCE_AXES),      \
  .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T_BOOL", IR_SET(IR_BOOLEAN)))

#define OF_NORMS                                                                                                       \
  .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("data", "T", IR_SET_NUMBERS), IR_REDUCE_AXES),                                \
  .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS))

const ir_op ir_op_reduce_l1_4 = REDUCTION("ReduceL1", 4, "l1-4", NULL, l1, OF_NORMS);
const ir_op ir_op_reduce_l2_4 = REDUCTION("ReduceL2", 4, "l2-4", NULL, l2, OF_NORMS);
const ir_op ir_op_reduce_logical_and_1 =
    REDUCTION("ReduceLogicalAnd", 1, "logical-and-1", ir_reduce_least_ranges, all, OF_BOOLEANS);
const ir_op ir_op_reduce_logical_or_1 =
    REDUCTION("ReduceLogicalOr", 1, "logical-or-1", ir_reduce_most_ranges, any, OF_BOOLEANS);
const ir_op ir_op_reduce_max_1 = REDUCTION("ReduceMax", 1, "max-1", ir_reduce_most_ranges, maximum, OF_NUMBERS);
const ir_op ir_op_reduce_min_1 = REDUCTION("ReduceMin", 1, "min-1", ir_reduce_least_ranges, minimum, OF_NUMBERS);
const ir_op ir_op_reduce_prod_1 = REDUCTION("ReduceProd", 1, "prod-1", ir_reduce_product_ranges, product, OF_NUMBERS);
const ir_op ir_op_reduce_sum_1 = REDUCTION("ReduceSum", 1, "sum-1", ir_reduce_sum_ranges, sum, OF_NUMBERS);

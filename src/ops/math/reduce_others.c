/* Implements ReduceSum, ReduceProd, ReduceMin, ReduceL1, ReduceL2 and the boolean reductions. Integers are exact modulo
 * 2^bits; ReduceL2 of integers is computed in f64 and truncated. Floats are computed in f64 and rounded once.
 * OpenVINO's CPU plugin computes integers in f32 or i32. */
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
  const bool is_float = ir_type_in(in[0]->type, IR_SET_FLOATS);
  const ir_compute_type own = is_float ? IR_COMPUTE_F64 : ir_compute_type_of(in[0]->type);
  const ir_compute_type compute = family->of[own] != NULL ? own : IR_COMPUTE_F64;
  ir_axes axes = {.n = 0};
  if (in[0]->shape.rank > 0 && !ir_reduce_axes(node, in, scope, &axes))
    return IR_INVALID;
  return ir_group_reduce_step(plan, node, family->of[compute], compute, &in[0]->shape, &axes, 1, scope);
}

IR_GROUP_REDUCE_EACH(sum_bits, uint64_t, a, s + x)
IR_GROUP_REDUCE_THEN(one_f64, double, a, 1)
IR_GROUP_REDUCE_THEN(one_bits, uint64_t, a, 1)
IR_GROUP_REDUCE_EACH(product_f64, double, a, s *x)
IR_GROUP_REDUCE_EACH(product_bits, uint64_t, a, s *x)
IR_GROUP_REDUCE_EACH(l1_f64, double, a, s + fabs(x))
IR_GROUP_REDUCE_EACH(l1_i64, int64_t, a, (uint64_t)s + (x < 0 ? 0 - (uint64_t)x : (uint64_t)x))
IR_GROUP_REDUCE_THEN(root, double, a, sqrt(a))
IR_GROUP_REDUCE_EACH(logical_and, uint64_t, a, s &x)
IR_GROUP_REDUCE_EACH(logical_or, uint64_t, a, s | x)

/* The minimum of no elements is infinity, or the type's highest integer. */
IR_GROUP_REDUCE_EACH(least_f64, double, a, IR_LESSER(x, s))
IR_GROUP_REDUCE_EACH(least_i64, int64_t, a, IR_LESSER(x, s))
IR_GROUP_REDUCE_EACH(least_u64, uint64_t, a, IR_LESSER(x, s))

IR_GROUP_REDUCE_THEN(highest_f64, double, a, INFINITY)
IR_GROUP_REDUCE_THEN(highest_i64, int64_t, a, INT64_MAX >> (64 - ir_type_bits(call->in[0]->type)))
IR_GROUP_REDUCE_THEN(highest_u64, uint64_t, a, UINT64_MAX)

#define GROUP_REDUCE(...) (&(const ir_group_reduce){__VA_ARGS__})
#define BITS(...)         [IR_COMPUTE_I64] = GROUP_REDUCE(__VA_ARGS__), [IR_COMPUTE_U64] = GROUP_REDUCE(__VA_ARGS__)
#define LEAST(compute)                                                                                                 \
  GROUP_REDUCE("minimum", .begin = highest_##compute, .begins_with_term = true, .each = {least_##compute})

static const reduction sum = {
    {[IR_COMPUTE_F64] = GROUP_REDUCE("sum", .each = {ir_group_reduce_sum}), BITS("sum", .each = {sum_bits})}};
static const reduction product = {{[IR_COMPUTE_F64] = GROUP_REDUCE("product", .begin = one_f64, .each = {product_f64}),
                                   BITS("product", .begin = one_bits, .each = {product_bits})}};
static const reduction minimum = {
    {[IR_COMPUTE_F64] = LEAST(f64), [IR_COMPUTE_I64] = LEAST(i64), [IR_COMPUTE_U64] = LEAST(u64)}};
static const reduction l1 = {{[IR_COMPUTE_F64] = GROUP_REDUCE("l1", .each = {l1_f64}),
                              [IR_COMPUTE_I64] = GROUP_REDUCE("l1", .each = {l1_i64}),
                              [IR_COMPUTE_U64] = GROUP_REDUCE("l1", .each = {sum_bits})}};
static const reduction l2 = {
    {[IR_COMPUTE_F64] = GROUP_REDUCE("l2", .each = {ir_group_reduce_squares}, .then = {root})}};
static const reduction all = {
    {[IR_COMPUTE_U64] = GROUP_REDUCE("logical_and", .begin = one_bits, .each = {logical_and})}};
static const reduction any = {{[IR_COMPUTE_U64] = GROUP_REDUCE("logical_or", .each = {logical_or})}};

/* ---- the rows ---- */

#define AXES                                                                                                           \
  { .name = "axes", .type_var = "T_IND", .types = IR_SET_INTEGERS, .rank_min = 0, .rank_max = 1, .contents = true }
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
  .inputs = IR_PORTS(NUMBERS, AXES), .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS))
#define OF_BOOLEANS                                                                                                    \
  .inputs = IR_PORTS(IR_PORT_WITH_RANGES("data", "T_BOOL", IR_SET(IR_BOOLEAN), IR_CARRIED_NONE), AXES),                \
  .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T_BOOL", IR_SET(IR_BOOLEAN)))

const ir_op ir_op_reduce_l1_4 = REDUCTION("ReduceL1", 4, "l1-4", NULL, l1, OF_NUMBERS);
const ir_op ir_op_reduce_l2_4 = REDUCTION("ReduceL2", 4, "l2-4", NULL, l2, OF_NUMBERS);
const ir_op ir_op_reduce_logical_and_1 =
    REDUCTION("ReduceLogicalAnd", 1, "logical-and-1", ir_reduce_least_ranges, all, OF_BOOLEANS);
const ir_op ir_op_reduce_logical_or_1 =
    REDUCTION("ReduceLogicalOr", 1, "logical-or-1", ir_reduce_most_ranges, any, OF_BOOLEANS);
const ir_op ir_op_reduce_min_1 = REDUCTION("ReduceMin", 1, "min-1", ir_reduce_least_ranges, minimum, OF_NUMBERS);
const ir_op ir_op_reduce_prod_1 = REDUCTION("ReduceProd", 1, "prod-1", ir_reduce_product_ranges, product, OF_NUMBERS);
const ir_op ir_op_reduce_sum_1 = REDUCTION("ReduceSum", 1, "sum-1", ir_reduce_sum_ranges, sum, OF_NUMBERS);

/* SoftMax-1 and -8 and LogSoftmax-5 compute along one axis. They subtract the maximum first, so that no exponential
 * overflows. They compute in f64 and round once. Specification: operation-specs/activation. */
#include "ops/normalization/soft_max.h"
#include "ops/kernels/exp.h"
#include "ops/kernels/group_reduce.h"
#include "ops/math/elementwise_infer.h"
#include <math.h>

typedef struct soft_max_params {
  int64_t axis;
} soft_max_params;

/* Returns true for axis 0 or -1 of a scalar, which has no axis. OpenVINO accepts both. */
static bool names_nothing(int rank, int64_t axis) {
  return rank == 0 && (axis == 0 || axis == -1);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t axis = ((const soft_max_params *)node->params)->axis;
  const int rank = in[0]->shape.rank;
  int from_front;
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->poisoned = in[0]->poisoned || node->attrs_at_fault != 0;
  if (!out->poisoned && rank != IR_RANK_UNKNOWN && !names_nothing(rank, axis))
    out->poisoned = !ir_axis_attr(node, "axis", axis, rank, &from_front, scope);
  return IR_OK;
}

/* ---- running ---- */

IR_GROUP_REDUCE_EACH(greatest, double, a, x > s ? x : s)
IR_GROUP_REDUCE_THEN(log_of_sum, double, b, log(b))
IR_GROUP_REDUCE_THEN(inverse, double, b, 1 / b)
IR_GROUP_REDUCE_LAST(log_of_share, x - a - b)

/* Writes exponentials to y and adds them to the sums in b. The sums have a second loop, so that the loop of
 * exponentials vectorizes. */
#define POWERS(name, power)                                                                                            \
  static void name(const ir_group_reduce_call *call) {                                                                 \
    const double *xs = call->x, *as = call->a;                                                                         \
    double *ys = call->y, *sums = call->b;                                                                             \
    for (int64_t i = 0; call->step == 0 && i < call->n; i++)                                                           \
      ys[i] = power(xs[i] - as[0]);                                                                                    \
    for (int64_t i = 0; call->step != 0 && i < call->n; i++)                                                           \
      ys[i] = power(xs[i] - as[i]);                                                                                    \
    for (int64_t i = 0; i < call->n; i++)                                                                              \
      sums[i * call->step] += ys[i];                                                                                   \
  }
POWERS(powers, exp)
POWERS(powers_of_f32, ir_exp_of_negative)
IR_GROUP_REDUCE_LAST(share_of_kept, x / b)
IR_GROUP_REDUCE_LAST(share_again, exp(x - a) / b)
IR_GROUP_REDUCE_LAST(share_of_kept_f32, x *b)
IR_GROUP_REDUCE_LAST(share_again_f32, ir_exp_of_negative(x - a) * b)

static void share(const ir_group_reduce_call *call) {
  (call->is_kept ? share_of_kept : share_again)(call);
}
static void share_of_f32(const ir_group_reduce_call *call) {
  (call->is_kept ? share_of_kept_f32 : share_again_f32)(call);
}

/* Returns true for f32, f16 and bf16, which do not need the last bits of a double. */
static bool is_short(const ir_value *in) {
  return ir_compute_type_of(in->type) == IR_COMPUTE_F32;
}

static ir_code step(const ir_node *node, const ir_value *const *in, ir_plan *plan, const ir_group_reduce *reduce,
                    ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  ir_axes axes = {.n = 1};
  axes.items[0] = ir_axis_from_front(((const soft_max_params *)node->params)->axis, rank);
  return ir_group_reduce_step(plan, node, reduce, IR_COMPUTE_F64, &in[0]->shape, &axes, 1, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce of_f32 = {.name = "soft_max",
                                         .begins_with_term = true,
                                         .each = {greatest, powers_of_f32},
                                         .then = {NULL, inverse},
                                         .keeps = true,
                                         .last = share_of_f32};
  static const ir_group_reduce of_others = {
      .name = "soft_max", .begins_with_term = true, .each = {greatest, powers}, .keeps = true, .last = share};
  return step(node, in, plan, is_short(in[0]) ? &of_f32 : &of_others, scope);
}

static ir_code prepare_log(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce of_f32 = {.name = "log_soft_max",
                                         .begins_with_term = true,
                                         .each = {greatest, powers_of_f32},
                                         .then = {NULL, log_of_sum},
                                         .last = log_of_share};
  static const ir_group_reduce of_others = {.name = "log_soft_max",
                                            .begins_with_term = true,
                                            .each = {greatest, powers},
                                            .then = {NULL, log_of_sum},
                                            .last = log_of_share};
  return step(node, in, plan, is_short(in[0]) ? &of_f32 : &of_others, scope);
}

/* ---- the rows ---- */

#define AXIS_ROW(least)                                                                                                \
  {                                                                                                                    \
    .name = "axis", .kind = IR_ATTR_INT, .offset = offsetof(soft_max_params, axis), .min = least,                      \
    .max = IR_MAX_RANK - 1, .fallback = "1"                                                                            \
  }
static const ir_attr_spec attrs_1[] = {AXIS_ROW(0), {.name = NULL}};
static const ir_attr_spec attrs_any_end[] = {AXIS_ROW(-IR_MAX_RANK), {.name = NULL}};

/* The specification of SoftMax lists no types. */
#define SOFT_MAX(text, number, page, schema, set, noted, run_by)                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("activation/" page),                 \
    .params_size = sizeof(soft_max_params), .attrs = schema, .infer = infer,                                           \
    .run = {IR_RUN_PREPARED, .prepare = run_by}, .cost = ir_elementwise_cost,                                          \
    .takes_channels_last = ir_always_channels_last,                                                                    \
    .inputs =                                                                                                          \
        IR_PORTS({.name = "data", .type_var = "T", .types = set, .types_noted = noted, .rank_max = IR_MAX_RANK}),      \
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", set))                                                       \
  }

const ir_op ir_op_soft_max_1 = SOFT_MAX("SoftMax", 1, "softmax-1", attrs_1, IR_SET_NUMBERS, 0, prepare);
const ir_op ir_op_soft_max_8 = SOFT_MAX("SoftMax", 8, "softmax-8", attrs_any_end, IR_SET_NUMBERS, 0, prepare);
const ir_op ir_op_log_softmax_5 =
    SOFT_MAX("LogSoftmax", 5, "log-soft-max-5", attrs_any_end, IR_SET_FLOATS, IR_SET_INTEGERS, prepare_log);

bool ir_is_soft_max_of_rows(const ir_node *node, int rank) {
  return (node->op == &ir_op_soft_max_1 || node->op == &ir_op_soft_max_8) && rank > 0 &&
         ir_axis_from_front(((const soft_max_params *)node->params)->axis, rank) == rank - 1;
}

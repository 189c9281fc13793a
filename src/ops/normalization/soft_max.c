/* SoftMax-1 and -8 and LogSoftmax-5 compute along one axis. They subtract the maximum first, so that no exponential
 * overflows. f32, f16 and bf16 have exponentials of f32, which are added in f64. Specification:
 * operation-specs/activation. */
#include "ops/normalization/soft_max.h"
#include "ops/kernels/functions.h"
#include "ops/kernels/group_reduce.h"
#include "ops/kernels/numbers.h"
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

IR_GROUP_REDUCE_THEN(lowest, double, a, -INFINITY)
IR_GROUP_REDUCE_EACH(greatest_f32, float, float, double, a, s, x, t > s ? t : s)
IR_GROUP_REDUCE_EACH(greatest_f64, double, double, double, a, s, x, t > s ? t : s)
IR_GROUP_REDUCE_THEN(log_of_sum, double, b, log(b))
IR_GROUP_REDUCE_THEN(inverse, double, b, 1 / b)
IR_GROUP_REDUCE_LAST(log_of_share_f32, float, x - a - b)
IR_GROUP_REDUCE_LAST(log_of_share_f64, double, x - a - b)

/* Returns exp(x - a). `rest` is the rounding error of x - a, by Knuth's sum of two numbers; small shares need it. */
static inline float power_f32(float x, float a) {
  const float less = x - a, back = less - x, rest = (x - (less - back)) - (a + back);
  const float power = ir_exp_f32(less);
  return power + power * (less > -104 ? rest : 0);
}

static inline double power_f64(double x, double a) {
  return exp(x - a);
}

enum { LONG_ROW = 1 << 18 /* elements between two looks whether to stop; a multiple of the lanes */ };

/* Defines the row that writes exponentials to y and adds them to the sums in b. The sum of a row has lanes like those
 * of IR_GROUP_REDUCE_EACH_ROW. */
#define POWERS(name, type, power)                                                                                      \
  IR_LOOP void name##_lanes(double *lanes, const type *xs, type *ys, int64_t n, type a) {                              \
    type made[IR_REDUCE_LANES];                                                                                        \
    IR_EACH_LANE                                                                                                       \
    made[l] = power(xs[l], a);                                                                                         \
    IR_EACH_LANE                                                                                                       \
    lanes[l] += l < n ? (double)made[l] : 0;                                                                           \
    IR_EACH_LANE                                                                                                       \
    if (l < n)                                                                                                         \
      ys[l] = made[l];                                                                                                 \
  }                                                                                                                    \
  IR_GROUP_REDUCE_FOLD(name, double, s + t)                                                                            \
  IR_LOOP double name##_row(const type *xs, type *ys, int64_t n, type a, const ir_group_reduce_call *call) {           \
    double lanes[IR_REDUCE_LANES] = {0};                                                                               \
    type left[IR_REDUCE_LANES];                                                                                        \
    int64_t i = 0;                                                                                                     \
    for (int64_t end = 0; i + IR_REDUCE_LANES <= n && (i == 0 || !ir_stop_asked_of(call->stop, call->worker));) {      \
      end = least(n, end + LONG_ROW);                                                                                  \
      for (; i + IR_REDUCE_LANES <= end; i += IR_REDUCE_LANES)                                                         \
        name##_lanes(lanes, xs + i, ys + i, IR_REDUCE_LANES, a);                                                       \
    }                                                                                                                  \
    if (i < n) {                                                                                                       \
      IR_EACH_LANE                                                                                                     \
      left[l] = l < n - i ? xs[i + l] : 0;                                                                             \
      name##_lanes(lanes, left, ys + i, n - i, a);                                                                     \
    }                                                                                                                  \
    return name##_folded(lanes);                                                                                       \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const ir_group_reduce_call *call) {                                                         \
    const double *as = call->a;                                                                                        \
    double *sums = call->b;                                                                                            \
    const int64_t n = call->n;                                                                                         \
    for (int64_t r = 0; r < call->n_rows; r++) {                                                                       \
      const type *xs = (const type *)call->x + r * call->x_step;                                                       \
      type *ys = (type *)call->y + r * call->y_step;                                                                   \
      if (!call->is_across) {                                                                                          \
        sums[r] += name##_row(xs, ys, n, (type)as[r], call);                                                           \
        continue;                                                                                                      \
      }                                                                                                                \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        ys[i] = power(xs[i], (type)as[i]);                                                                             \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        sums[i] += (double)ys[i];                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_group_reduce_call *call), (call))
POWERS(powers_f32, float, power_f32)
POWERS(powers_f64, double, power_f64)

/* Defines the row that multiplies the exponentials by b, the inverse of the sum. `kept` exponentials are in y;
 * otherwise they are computed again. */
#define SHARE(name, type, power)                                                                                       \
  IR_GROUP_REDUCE_LAST(name##_again, type, power((type)x, (type)a) * b)                                                \
  IR_LOOP void name##_kept_loop(const ir_group_reduce_call *call) {                                                    \
    const double *bs = call->b;                                                                                        \
    const int64_t n = call->n;                                                                                         \
    for (int64_t r = 0; r < call->n_rows; r++) {                                                                       \
      type *ys = (type *)call->y + r * call->y_step;                                                                   \
      const bool is_across = call->is_across;                                                                          \
      const double of_row = is_across ? 0 : bs[r];                                                                     \
      for (int64_t i = 0; !is_across && i < n; i++)                                                                    \
        ys[i] = (type)((double)ys[i] * of_row);                                                                        \
      for (int64_t i = 0; is_across && i < n; i++)                                                                     \
        ys[i] = (type)((double)ys[i] * bs[i]);                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name##_kept, (const ir_group_reduce_call *call), (call))                                                 \
  static void name(const ir_group_reduce_call *call) {                                                                 \
    (call->is_kept ? name##_kept : name##_again)(call);                                                                \
  }
SHARE(share_f32, float, power_f32)
SHARE(share_f64, double, power_f64)

static ir_code step(const ir_node *node, const ir_value *const *in, ir_plan *plan, const ir_group_reduce *reduces,
                    ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  const ir_compute_type compute = ir_group_reduce_compute(in[0]->type);
  ir_axes axes = {.n = 1};
  axes.items[0] = ir_axis_from_front(((const soft_max_params *)node->params)->axis, rank);
  return ir_group_reduce_step(plan, node, &reduces[compute], compute, &in[0]->shape, &axes, 1, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
#define SOFT_MAX_OF(type)                                                                                              \
  {                                                                                                                    \
    .name = "soft_max", .begin = lowest, .each = {greatest_##type, powers_##type}, .then = {NULL, inverse},            \
    .keeps = true, .last = share_##type                                                                                \
  }
  static const ir_group_reduce reduces[] = {[IR_COMPUTE_F32] = SOFT_MAX_OF(f32), [IR_COMPUTE_F64] = SOFT_MAX_OF(f64)};
  return step(node, in, plan, reduces, scope);
}

static ir_code prepare_log(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
#define LOG_SOFT_MAX_OF(type)                                                                                          \
  {                                                                                                                    \
    .name = "log_soft_max", .begin = lowest, .each = {greatest_##type, powers_##type}, .then = {NULL, log_of_sum},     \
    .last = log_of_share_##type                                                                                        \
  }
  static const ir_group_reduce reduces[] = {
      [IR_COMPUTE_F32] = LOG_SOFT_MAX_OF(f32), [IR_COMPUTE_F64] = LOG_SOFT_MAX_OF(f64)};
  return step(node, in, plan, reduces, scope);
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

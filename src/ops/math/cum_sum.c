/* CumSum-3 computes running sums along an axis. Integer sums are exact modulo 2^bits. Floats are summed in f64. */
#include "ops/axes.h"
#include "ops/kernels/group_reduce.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"

typedef struct cum_sum_params {
  bool exclusive, reverse;
} cum_sum_params;

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->poisoned = in[0]->poisoned;
  ir_axes axes;
  if (node->n_inputs > 1 && in[1]->contents != NULL && !in[0]->poisoned && out->shape.rank != IR_RANK_UNKNOWN)
    out->poisoned = !ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = out->shape.rank}, scope, &axes);
  return IR_OK;
}

/* ---- running ---- */

enum {
  SIDE_BY_SIDE = 4
}; /* rows in different groups whose sums run at the same time, because each sum waits for its
      addition */

/* Defines the row function for elements of `type`, with sums of type `wide`. A `step` goes to the row's next element in
 * the running order. */
#define SUMS(name, type, wide)                                                                                         \
  IR_LOOP void name##_next(wide *sum, const type *x, type *y, bool exclusive) {                                        \
    const wide before = *sum;                                                                                          \
    *sum = before + (wide)*x;                                                                                          \
    *y = (type)(exclusive ? before : *sum);                                                                            \
  }                                                                                                                    \
  IR_LOOP void name##_rows(wide *sums, const type *xs, type *ys, const ir_group_reduce_call *call, int64_t n_rows,     \
                           bool exclusive) {                                                                           \
    const int64_t step = ((const cum_sum_params *)call->params)->reverse ? -1 : 1, n = call->n;                        \
    const int64_t x_step = call->x_step, y_step = call->y_step;                                                        \
    wide held[SIDE_BY_SIDE];                                                                                           \
    for (int64_t r = 0; r < n_rows; r++)                                                                               \
      held[r] = sums[r];                                                                                               \
    for (int64_t k = 0, i = step < 0 ? n - 1 : 0; k < n; k++, i += step)                                               \
      for (int64_t r = 0; r < n_rows; r++)                                                                             \
        name##_next(&held[r], xs + r * x_step + i, ys + r * y_step + i, exclusive);                                    \
    for (int64_t r = 0; r < n_rows; r++)                                                                               \
      sums[r] = held[r];                                                                                               \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const ir_group_reduce_call *call) {                                                         \
    const cum_sum_params *params = call->params;                                                                       \
    const bool exclusive = params->exclusive;                                                                          \
    wide *sums = call->a;                                                                                              \
    const type *xs = call->x;                                                                                          \
    type *ys = call->y;                                                                                                \
    for (int64_t k = 0, n; k < call->n_rows; k += n) {                                                                 \
      const int64_t r = params->reverse && call->is_across ? call->n_rows - 1 - k : k;                                 \
      const type *x = xs + r * call->x_step;                                                                           \
      type *y = ys + r * call->y_step;                                                                                 \
      n = 1;                                                                                                           \
      if (call->is_across)                                                                                             \
        for (int64_t i = 0; i < call->n; i++)                                                                          \
          name##_next(&sums[i], x + i, y + i, exclusive);                                                              \
      else if (call->n_rows - k < SIDE_BY_SIDE)                                                                        \
        name##_rows(sums + r, x, y, call, 1, exclusive);                                                               \
      else                                                                                                             \
        name##_rows(sums + r, x, y, call, n = SIDE_BY_SIDE, exclusive);                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_group_reduce_call *call), (call))
SUMS(sums_f32, float, double)
SUMS(sums_f64, double, double)
SUMS(sums_bits, uint64_t, uint64_t)

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
#define CUM_SUM(sums)                                                                                                  \
  { {.name = "cum_sum", .last = sums}, {.name = "cum_sum", .last = sums, .backwards = true}, }
  static const ir_group_reduce reduces[IR_N_COMPUTE_TYPES][2] = {[IR_COMPUTE_F32] = CUM_SUM(sums_f32),
                                                                 [IR_COMPUTE_F64] = CUM_SUM(sums_f64),
                                                                 [IR_COMPUTE_I64] = CUM_SUM(sums_bits),
                                                                 [IR_COMPUTE_U64] = CUM_SUM(sums_bits)};
  const ir_compute_type compute = ir_compute_type_of(in[0]->type);
  const bool reverse = ((const cum_sum_params *)node->params)->reverse;
  const int rank = in[0]->shape.rank;
  ir_axes axes = {.n = 1, .items = {0}};
  if (node->n_inputs > 1 && !ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = rank}, scope, &axes))
    return IR_INVALID;
  return ir_group_reduce_step(plan, node, &reduces[compute][reverse], compute, &in[0]->shape, &axes, 1, scope);
}

/* ---- the row ---- */

static const ir_attr_spec attrs[] = {
    {.name = "exclusive", .kind = IR_ATTR_BOOL, .offset = offsetof(cum_sum_params, exclusive), .fallback = "false"},
    {.name = "reverse", .kind = IR_ATTR_BOOL, .offset = offsetof(cum_sum_params, reverse), .fallback = "false"},
    {.name = NULL}};

/* OpenVINO accepts more than the specification: booleans for T, and a list of one element for the axis. */
#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN),                         \
    .types_carried = IR_CARRIED_WIDENED, .rank_min = 1, .rank_max = IR_MAX_RANK                                        \
  }

const ir_op ir_op_cum_sum_3 = {
    .dialect = IR_OPENVINO,
    .type = "CumSum",
    .version = 3,
    .spec = IR_SPEC_PAGE("arithmetic/cumsum-3"),
    .params_size = sizeof(cum_sum_params),
    .attrs = attrs,
    .inputs = IR_PORTS(T_PORT("data"), {.name = "axis",
                                        .type_var = "T_AXIS",
                                        .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                                        .rank_min = 0,
                                        .rank_max = 1,
                                        .contents = true,
                                        .optional = true}),
    .outputs = IR_PORTS(T_PORT("output")),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .cost = ir_elementwise_cost,
};

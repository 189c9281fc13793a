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

#define SUMS(name, type)                                                                                               \
  static void name(const ir_group_reduce_call *call) {                                                                 \
    const cum_sum_params *params = call->params;                                                                       \
    const type *xs = call->x;                                                                                          \
    type *sums = call->a, *ys = call->y;                                                                               \
    for (int64_t k = 0; k < call->n; k++) {                                                                            \
      const int64_t i = params->reverse ? call->n - 1 - k : k;                                                         \
      const type before = sums[i * call->step];                                                                        \
      sums[i * call->step] = before + xs[i];                                                                           \
      ys[i] = params->exclusive ? before : before + xs[i];                                                             \
    }                                                                                                                  \
  }
SUMS(sums_f64, double)
SUMS(sums_bits, uint64_t)

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce reduce[2][2] = {
      {{.name = "cum_sum", .last = sums_bits}, {.name = "cum_sum", .last = sums_bits, .backwards = true}},
      {{.name = "cum_sum", .last = sums_f64}, {.name = "cum_sum", .last = sums_f64, .backwards = true}}};
  const bool is_float = ir_type_in(in[0]->type, IR_SET_FLOATS);
  const bool reverse = ((const cum_sum_params *)node->params)->reverse;
  const int rank = in[0]->shape.rank;
  ir_axes axes = {.n = 1, .items = {0}};
  if (node->n_inputs > 1 && !ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = rank}, scope, &axes))
    return IR_INVALID;
  return ir_group_reduce_step(plan, node, &reduce[is_float][reverse],
                              is_float ? IR_COMPUTE_F64 : ir_compute_type_of(in[0]->type), &in[0]->shape, &axes, 1,
                              scope);
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

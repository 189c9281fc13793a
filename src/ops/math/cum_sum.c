/* CumSum-3: sums of all elements up to each one along an axis; checked and not run. */
#include "ops/axes.h"
#include "ops/bind.h"

typedef struct cum_sum_params {
  bool exclusive, reverse;
} cum_sum_params;

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->unknown = in[0]->unknown;
  ir_axes axes;
  if (node->n_inputs > 1 && in[1]->known != NULL && !in[0]->unknown && out->shape.rank != IR_RANK_UNKNOWN)
    out->unknown = !ir_axes_read(node, 1, in[1]->known, (ir_axes_rule){.rank = out->shape.rank}, scope, &axes);
  return IR_OK;
}

static const ir_attr_spec attrs[] = {
    {.name = "exclusive", .kind = IR_ATTR_BOOL, .offset = offsetof(cum_sum_params, exclusive), .fallback = "false"},
    {.name = "reverse", .kind = IR_ATTR_BOOL, .offset = offsetof(cum_sum_params, reverse), .fallback = "false"},
    {.name = NULL}};

/* Numbers say the page; OpenVINO takes booleans as well. A list of one axis does, too. */
#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 1,          \
    .rank_max = IR_MAX_RANK                                                                                            \
  }

const ir_op ir_op_cum_sum_3 = {
    .dialect = IR_OPENVINO,
    .type = "CumSum",
    .version = 3,
    .spec = IR_SPEC_PAGE("arithmetic/cumsum-3"),
    .params_size = sizeof(cum_sum_params),
    .attrs = attrs,
    .inputs = {T_PORT("data"),
               {.name = "axis",
                .type_var = "T_AXIS",
                .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                .rank_min = 0,
                .rank_max = 1,
                .contents = true,
                .optional = true}},
    .outputs = {T_PORT("output")},
    .infer = infer,
};

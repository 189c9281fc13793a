/* AdaptiveAvgPool-8: the mean over bins. */
#include "ops/pool/adaptive_pool.h"
#include "ops/pool/pool_indices.h"
#include "ops/pool/pool_step.h"

/* The page's example has an attribute `output_type`; it is checked and has no effect. */
typedef struct adaptive_avg_params {
  int output_type;
} adaptive_avg_params;

static const ir_attr_spec attrs[] = {IR_INDEX_TYPE_ROW("output_type", adaptive_avg_params, output_type),
                                     {.name = NULL}};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  ir_code code = ir_windows_make(plan, node, &in[0]->shape, &node->outputs[0].shape, 2, &ir_adaptive_windows, &windows);
  return code == IR_OK ? ir_average_step(plan, node, &(ir_average){.windows = windows}, scope) : code;
}

const ir_op ir_op_adaptive_avg_pool_8 = {
    .dialect = IR_OPENVINO,
    .type = "AdaptiveAvgPool",
    .version = 8,
    .spec = IR_SPEC_PAGE("pooling/adaptive-avg-pool-8"),
    .params_size = sizeof(adaptive_avg_params),
    .attrs = attrs,
    .inputs = {IR_ADAPTIVE_INPUTS},
    .outputs = {IR_ADAPTIVE_T("output")},
    .infer = ir_adaptive_infer,
    .prepare = prepare,
    .formula = ir_adaptive_formula,
    .cost = ir_adaptive_cost,
};

/* AdaptiveMaxPool-8: the greatest element of each bin, and where it was found within its channel. A maximum begins with
 * the bin's first element: a NaN there stays, a later one is passed over. */
#include "ops/pool/adaptive_pool.h"
#include "ops/pool/pool_indices.h"
#include "ops/pool/pool_step.h"

typedef struct adaptive_max_params {
  int index_type, output_type;
} adaptive_max_params;

/* `output_type`, of an example that the adaptive pages share, is checked and has no effect. */
static const ir_attr_spec attrs[] = {IR_INDEX_TYPE_ROW("index_element_type", adaptive_max_params, index_type),
                                     IR_INDEX_TYPE_ROW("output_type", adaptive_max_params, output_type),
                                     {.name = NULL}};

/* Indices count within a channel: from the first spatial axis on. */
#define FIRST_SPATIAL 2

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const adaptive_max_params *params = node->params;
  ir_code code = ir_adaptive_infer(node, in, out, scope);
  ir_indices_infer(node, in[0], FIRST_SPATIAL, ir_index_type(params->index_type), out, scope);
  out[1].poisoned = out[1].poisoned || !ir_attr_usable(node, "index_element_type");
  return code;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  int64_t modulus;
  ir_code code = ir_windows_make(plan, node, &in[0]->shape, &node->outputs[0].shape, 2, &ir_adaptive_windows, &windows);
  if (code != IR_OK)
    return code;
  ir_index_modulus(&in[0]->shape, FIRST_SPATIAL, &modulus);
  return ir_maximum_step(plan, node, &windows, IR_MAX_FROM_FIRST, modulus, scope);
}

const ir_op ir_op_adaptive_max_pool_8 = {
    .dialect = IR_OPENVINO,
    .type = "AdaptiveMaxPool",
    .version = 8,
    .spec = IR_SPEC_PAGE("pooling/adaptive-max-pool-8"),
    .params_size = sizeof(adaptive_max_params),
    .attrs = attrs,
    .inputs = {IR_ADAPTIVE_INPUTS},
    .outputs = {IR_ADAPTIVE_T("output"), IR_INDICES_PORT},
    .infer = infer,
    .prepare = prepare,
    .formula = ir_adaptive_formula,
    .cost = ir_adaptive_cost,
};

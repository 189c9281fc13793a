/* Registers MaxPool: the maximum over a window [D..] of an input [N, C, D..] and, from version 8 on, its index.
 * Pages: operation-specs/pooling/max-pool-*.
 *
 * A maximum starts with the type's lowest finite number, as in OpenVINO; the pages say -inf. Only a greater element
 * replaces the maximum. So NaN and -inf never win, and the first of equal elements in row-major order stays. If no
 * element replaces the start value, the index is that of the plane's first element. */
#include "ops/axes.h"
#include "ops/pool/pool.h"
#include "ops/pool/pool_indices.h"
#include "ops/pool/pool_notes.h"
#include "ops/pool/pool_repair.h"
#include "ops/pool/pool_step.h"

ir_code ir_max_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return ir_pool_infer(node, in[0], out, false, scope);
}

static ir_code infer_both(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  ir_code code = ir_pool_infer(node, in[0], out, false, scope);
  int axis = 0, rank = in[0]->poisoned ? IR_RANK_UNKNOWN : in[0]->shape.rank;
  bool usable = ir_attr_usable(node, "axis") && ir_attr_usable(node, "index_element_type");
  if (ir_attr_usable(node, "axis") && rank >= 3 && !ir_axis_attr(node, "axis", params->axis, rank, &axis, scope))
    usable = false;
  ir_value tensor = *in[0];
  tensor.poisoned = tensor.poisoned || !usable;
  ir_indices_infer(node, &tensor, axis, ir_index_type(params->index_type), out, scope);
  out[1].poisoned = out[1].poisoned || !usable;
  return code;
}

ir_code ir_max_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  const ir_shape *shape = &in[0]->shape;
  ir_windows windows;
  ir_code code = ir_windows_make(plan, node, shape, &node->outputs[0].shape, 2, ir_pool_set_windows, &windows);
  const bool is_last = node->outputs[0].layout == IR_LAYOUT_CHANNELS_LAST;
  int64_t modulus = 1;
  if (code == IR_OK && node->n_outputs > 1)
    ir_index_modulus(shape, ir_axis_from_front(params->axis, shape->rank), &modulus);
  if (code == IR_OK)
    code = is_last ? ir_pool_channels_last_step(plan, node, &windows, NULL)
                   : ir_maximum_step(plan, node, &windows, IR_MAX_FROM_LOWEST, modulus, scope);
  return code == IR_OK ? ir_max_watch(plan, node, &windows, is_last ? shape->dims[1].lo : 1, scope) : code;
}

static const ir_attr_spec attrs_1[] = {
    IR_POOL_WINDOW_ROWS, IR_POOL_ROUNDING_ROW(ir_rounding_names), IR_POOL_AUTO_PAD_ROW, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {IR_POOL_WINDOW_ROWS,
                                       IR_POOL_DILATIONS_ROW,
                                       IR_POOL_ROUNDING_ROW(ir_rounding_names),
                                       IR_POOL_AUTO_PAD_ROW,
                                       IR_INDEX_TYPE_ROW("index_element_type", ir_pool_params, index_type),
                                       IR_POOL_AXIS_ROW,
                                       {.name = NULL}};
static const ir_attr_spec attrs_14[] = {IR_POOL_WINDOW_ROWS,
                                        IR_POOL_DILATIONS_ROW,
                                        IR_POOL_ROUNDING_ROW(ir_rounding_torch_names),
                                        IR_POOL_AUTO_PAD_ROW,
                                        IR_INDEX_TYPE_ROW("index_element_type", ir_pool_params, index_type),
                                        IR_POOL_AXIS_ROW,
                                        {.name = NULL}};

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN),                         \
    .types_carried = IR_CARRIED_WIDENED, .rank_min = 3, .rank_max = 5                                                  \
  }
#define MAX_POOL(number, schema, rule, ...)                                                                            \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "MaxPool", .version = number, .spec = IR_SPEC_PAGE("pooling/max-pool-" #number),   \
    .params_size = sizeof(ir_pool_params), .attrs = schema, .inputs = IR_PORTS(T_PORT("data")),                        \
    .outputs = IR_PORTS(__VA_ARGS__), .family = &ir_pool_rules_openvino, .check_attributes = ir_pool_check_attributes, \
    .infer = rule, .run = {IR_RUN_PREPARED, .prepare = ir_max_pool_prepare},                                           \
    .takes_channels_last = ir_pool_takes_channels_last, .function = IR_FUNCTION_MOVE, .formula = ir_pool_formula,      \
    .cost = ir_pool_cost                                                                                               \
  }

const ir_op ir_op_max_pool_1 = MAX_POOL(1, attrs_1, ir_max_pool_infer, T_PORT("output"));
const ir_op ir_op_max_pool_8 = MAX_POOL(8, attrs_8, infer_both, T_PORT("output"), IR_INDICES_PORT);
const ir_op ir_op_max_pool_14 = MAX_POOL(14, attrs_14, infer_both, T_PORT("output"), IR_INDICES_PORT);

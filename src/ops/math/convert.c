/* Convert-1 converts the input's elements to `destination_type`. */
#include "ops/math/convert_values.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/ranges.h"

typedef struct convert_params {
  ir_type destination_type;
} convert_params;

static const ir_attr_spec attrs[] = {{.name = "destination_type",
                                      .kind = IR_ATTR_TYPE,
                                      .offset = offsetof(convert_params, destination_type),
                                      .required = true},
                                     {.name = NULL}};

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_code code = ir_elementwise_infer(node, in, out, scope);
  out->type = ((const convert_params *)node->params)->destination_type;
  out->poisoned = out->poisoned || !ir_attr_usable(node, "destination_type");
  return code;
}

/* Packed elements are converted in the order of the shape alone. */
static bool takes_channels_last(const ir_node *node) {
  return !ir_type_in(node->outputs[0].type, IR_SET_NARROW);
}

const ir_op ir_op_convert_1 = {
    .dialect = IR_OPENVINO,
    .type = "Convert",
    .version = 1,
    .spec = IR_SPEC_PAGE("type/convert-1"),
    .params_size = sizeof(convert_params),
    .attrs = attrs,
    .inputs = IR_PORTS(
        {.name = "data", .type_var = "T", .types = IR_SET_ANY, .rank_min = 0, .rank_max = IR_MAX_RANK, .ranges = true}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "", IR_SET_ANY)),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .ranges = ir_ranges_same,
    .run = {IR_RUN_PREPARED, .prepare = ir_convert_prepare},
    .cost = ir_elementwise_cost,
    .takes_channels_last = takes_channels_last,
    .function = IR_FUNCTION_CONVERT,
};

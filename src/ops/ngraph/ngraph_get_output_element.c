/* nGraph's GetOutputElement copies output n of a node. The parser stores the number of that output in the edge: the
 * index in the file's input, or n if the input has no index. */
#include "ops/attr_text.h"
#include "ops/ngraph/ngraph_pool.h"
#include "ops/shape/same_elements.h"

typedef struct element_params {
  int64_t n;
} element_params;

static const ir_attr_spec attrs[] = {
    {.name = "n", .kind = IR_ATTR_INT, .offset = offsetof(element_params, n), .max = IR_MAX_PORTS, .fallback = "0"},
    {.name = NULL}};

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const element_params *params = node->params;
  *out = *in[0];
  out->contents = NULL;
  if (ir_layer_attr(node->layer, "n") == NULL || node->attrs_at_fault != 0 || node->inputs[0].layer < 0 ||
      node->inputs[0].port == params->n)
    return IR_OK;
  ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, "n"),
            "n is %lld, without effect: the input is output %d already", (long long)params->n, node->inputs[0].port);
  return IR_OK;
}

const ir_op ir_op_ngraph_get_output_element_0 = {
    .dialect = IR_NGRAPH,
    .type = "GetOutputElement",
    .version = 0,
    .spec = IR_NGRAPH_PAGE("get_output_element"),
    .params_size = sizeof(element_params),
    .attrs = attrs,
    .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("arg", "T", IR_SET_ANY)),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY)),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = ir_same_elements_prepare},
};

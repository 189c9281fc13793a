/* nGraph's Parameter and Result equal those of an IR. Only their attribute names differ. */
#include "ops/ngraph/ngraph_pool.h"
#include "ops/parameter.h"
#include "ops/result.h"

static const ir_attr_spec parameter_attrs[] = {
    {.name = "element_type",
     .kind = IR_ATTR_TYPE,
     .offset = offsetof(ir_parameter_params, element_type),
     .required = true,
     .c_names = true},
    {.name = "shape", .kind = IR_ATTR_SHAPE, .offset = offsetof(ir_parameter_params, shape), .required = true},
    {.name = "cacheable",
     .kind = IR_ATTR_BOOL,
     .offset = offsetof(ir_parameter_params, cacheable),
     .fallback = "false"},
    {.name = NULL}};

typedef struct result_params {
  bool needs_default_layout; /* has no effect */
} result_params;

static const ir_attr_spec result_attrs[] = {{.name = "needs_default_layout",
                                             .kind = IR_ATTR_BOOL,
                                             .offset = offsetof(result_params, needs_default_layout),
                                             .fallback = "false"},
                                            {.name = NULL}};

static ir_code translate_parameter(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope) {
  (void)in, (void)scope;
  *(ir_parameter_params *)out_params = *(const ir_parameter_params *)node->params;
  return IR_OK;
}

const ir_op ir_op_ngraph_parameter_0 = {
    .dialect = IR_NGRAPH,
    .type = "Parameter",
    .version = 0,
    .spec = IR_NGRAPH_PAGE("parameter"),
    .params_size = sizeof(ir_parameter_params),
    .attrs = parameter_attrs,
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY)),
    .infer = ir_parameter_infer,
    .run.kind = IR_RUN_INPUT,
    .counterpart = &ir_op_parameter_1,
    .translate = translate_parameter,
};

const ir_op ir_op_ngraph_result_0 = {
    .dialect = IR_NGRAPH,
    .type = "Result",
    .version = 0,
    .spec = IR_NGRAPH_PAGE("result"),
    .params_size = sizeof(result_params),
    .attrs = result_attrs,
    .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("arg", "T", IR_SET_ANY)),
    .infer = ir_result_infer,
    .run.kind = IR_RUN_OUTPUT,
    .counterpart = &ir_op_result_1,
};

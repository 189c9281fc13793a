/* Parameter-1: an input of the model. */
#include "ops/parameter.h"
#include "ops/op.h"

static const ir_attr_spec attrs[] = {
    {.name = "shape", .kind = IR_ATTR_SHAPE, .offset = offsetof(ir_parameter_params, shape), .required = true},
    {.name = "element_type",
     .kind = IR_ATTR_TYPE,
     .offset = offsetof(ir_parameter_params, element_type),
     .required = true},
    {.name = NULL}};

static const char *const ignored_attrs[] = {"cacheable", NULL};

ir_code ir_parameter_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)in;
  const ir_parameter_params *params = node->params;
  bool shape_usable = ir_attr_usable(node, "shape");
  out->type = params->element_type;
  out->shape = params->shape;
  out->poisoned = !shape_usable || !ir_attr_usable(node, "element_type");
  size_t bytes;
  if (shape_usable && ir_type_size(out->type) > 0 && ir_shape_known(&out->shape) &&
      !ir_tensor_bytes(out->type, &out->shape, &bytes)) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_attr_where(scope, node, "shape"),
              "the bytes of this shape do not fit 64 bits");
    out->poisoned = true;
  }
  return IR_OK;
}

const ir_op ir_op_parameter_1 = {
    .dialect = IR_OPENVINO,
    .type = "Parameter",
    .version = 1,
    .spec = IR_SPEC_PAGE("infrastructure/parameter-1"),
    .params_size = sizeof(ir_parameter_params),
    .attrs = attrs,
    .ignored_attrs = ignored_attrs,
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY)),
    .infer = ir_parameter_infer,
    .run.kind = IR_RUN_INPUT,
};

/* nGraph's Constant. Its elements are text in the model's file, or bytes in the archive that contains the file. */
#include "ops/const.h"
#include "ops/ngraph/constant_text.h"
#include "ops/ngraph/ngraph_pool.h"
#include "ops/op.h"
#include "ops/prepare.h"

static const ir_attr_spec attrs[] = {
    {.name = "element_type",
     .kind = IR_ATTR_TYPE,
     .offset = offsetof(ir_const_params, element_type),
     .required = true,
     .c_names = true},
    {.name = "shape", .kind = IR_ATTR_DIMS, .offset = offsetof(ir_const_params, shape), .required = true},
    {.name = "value", .kind = IR_ATTR_TEXT},
    {.name = NULL}};

/* Checks the elements: the text of `value`, or the number of bytes in the archive. Reports faults. */
static bool check_elements(const ir_node *node, const ir_value *out, size_t bytes, ir_scope *scope) {
  const ir_layer *layer = node->layer;
  const ir_raw_attr *value = ir_layer_attr(layer, "value");
  char shape[IR_SHAPE_TEXT];
  if (!ir_attr_usable(node, "value"))
    return false;
  if (value != NULL)
    return ir_constant_text_check(node, value, out, scope);
  if (layer->data == NULL && bytes > 0) {
    ir_report_firm(scope->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, ir_attr_where(scope, node, "value"),
                   "%s-%d needs the attribute 'value'", node->op->type, node->op->version);
    return false;
  }
  if (layer->data_bytes == (int64_t)bytes)
    return true;
  ir_report(scope->diags, IR403_CONSTANT_SIZE_MISMATCH, ir_node_where(scope, node),
            "the archive has %lld bytes for it, %s%s takes %zu", (long long)layer->data_bytes, ir_type_name(out->type),
            ir_shape_text(&out->shape, shape, sizeof shape), bytes);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)in;
  const ir_const_params *params = node->params;
  bool shape_usable = ir_attr_usable(node, "shape"), type_usable = ir_attr_usable(node, "element_type");
  size_t bytes;
  out->type = params->element_type;
  out->shape = params->shape;
  out->poisoned = !shape_usable || !type_usable;
  if (type_usable && !ir_constant_text_has(out->type)) {
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, "element_type"),
              "a Constant of %s has no elements that nGraph could write", ir_type_name(out->type));
    out->poisoned = true;
  }
  if (out->poisoned)
    return IR_OK;
  if (!ir_tensor_bytes(out->type, &out->shape, &bytes)) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_attr_where(scope, node, "shape"),
              "the bytes of this shape do not fit 64 bits");
    out->poisoned = true;
    return IR_OK;
  }
  check_elements(node, out, bytes, scope);
  return IR_OK;
}

static ir_code contents(const ir_node *node, const ir_value *out, ir_scope *scope, ir_tensor *out_tensor) {
  const ir_raw_attr *value = ir_layer_attr(node->layer, "value");
  size_t bytes;
  *out_tensor = (ir_tensor){.data = NULL};
  if (node->attrs_at_fault != 0 || out->poisoned || !ir_tensor_bytes(out->type, &out->shape, &bytes))
    return IR_INVALID; /* infer has reported the fault */
  if (value == NULL && node->layer->data_bytes != (int64_t)bytes)
    return IR_INVALID;
  if (value == NULL)
    return ir_constant_of_bytes(out, node->layer->data, scope, out_tensor);
  if (!ir_tensor_alloc(out_tensor, scope->memory, out->type, &out->shape))
    return ir_out_of_memory(scope->diags);
  if (ir_constant_text_read(value, out_tensor))
    return IR_OK;
  ir_tensor_release(out_tensor);
  return IR_INVALID;
}

/* Copies type and shape. The code that writes the IR stores the elements. */
static ir_code translate(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope) {
  (void)in, (void)scope;
  *(ir_const_params *)out_params = *(const ir_const_params *)node->params;
  return IR_OK;
}

const ir_op ir_op_ngraph_constant_0 = {
    .dialect = IR_NGRAPH,
    .type = "Constant",
    .version = 0,
    .spec = IR_NGRAPH_PAGE("constant"),
    .params_size = sizeof(ir_const_params),
    .attrs = attrs,
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_STORED)),
    .infer = infer,
    .run = {IR_RUN_CONSTANT, .contents = contents},
    .counterpart = &ir_op_const_1,
    .translate = translate,
};

#include "ops/sizes.h"
#include <stdio.h>

bool ir_input_ranked(const ir_node *node, const ir_value *const *in, int port) {
  return port < node->n_inputs && !in[port]->unknown && in[port]->shape.rank != IR_RANK_UNKNOWN;
}

ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis) {
  return ir_input_ranked(node, in, port) && axis < in[port]->shape.rank ? in[port]->shape.dims[axis] : ir_dim_any();
}

/* "input 1 ('scores') has 7 on axis 2: f32[2,3,7]". */
#define MISFIT_TEXT (IR_SHAPE_TEXT + IR_DIM_TEXT + 128)
static const char *misfit_text(const ir_node *node, const ir_value *in, int port, int axis, char *buffer) {
  char dim[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  snprintf(buffer, MISFIT_TEXT, "input %d ('%s') has %s on axis %d: %s%s", port, ir_op_input(node->op, port)->name,
           ir_dim_text(in->shape.dims[axis], dim, sizeof dim), axis, ir_type_name(in->type),
           ir_shape_text(&in->shape, shape, sizeof shape));
  return buffer;
}

bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope) {
  if (!ir_input_ranked(node, in, port))
    return true;
  const ir_dim dim = in[port]->shape.dims[axis];
  if (ir_dims_meet(dim, size->dim)) {
    size->dim = ir_dims_common(dim, size->dim);
    if (size->port < 0) {
      size->port = port;
      size->axis = axis;
    }
    return true;
  }
  char text[MISFIT_TEXT], known[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis),
            "%s; %s is %s, as axis %d of input %d tells", misfit_text(node, in[port], port, axis, text), size->name,
            ir_dim_text(size->dim, known, sizeof known), size->axis, size->port);
  return false;
}

bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope) {
  if (!ir_input_ranked(node, in, port) || ir_dims_meet(in[port]->shape.dims[axis], expected))
    return true;
  char text[MISFIT_TEXT], wanted[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis), "%s; expected %s: %s",
            misfit_text(node, in[port], port, axis, text), ir_dim_text(expected, wanted, sizeof wanted), what);
  return false;
}

ir_dim ir_size_times(ir_dim a, ir_dim b) {
  ir_dim product = {IR_DIM_MAX, IR_DIM_MAX};
  if (!ir_mul(a.lo, b.lo, &product.lo))
    product.lo = IR_DIM_MAX;
  if (a.hi == 0 || b.hi == 0)
    product.hi = 0;
  else if (a.hi == IR_DIM_MAX || b.hi == IR_DIM_MAX || !ir_mul(a.hi, b.hi, &product.hi))
    product.hi = IR_DIM_MAX;
  return product;
}

void ir_outputs_set_unknown(const ir_node *node, ir_value *out) {
  for (int32_t i = 0; i < node->n_outputs; i++)
    out[i].unknown = true;
}

bool ir_outputs_unknown(const ir_node *node, const ir_value *const *in, ir_value *out) {
  bool unknown = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    unknown = unknown || in[i]->unknown;
  if (unknown)
    ir_outputs_set_unknown(node, out);
  return unknown;
}

ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last) {
  ir_type type = IR_DYNAMIC;
  for (int i = first; i <= last && i < node->n_inputs && type == IR_DYNAMIC; i++)
    type = in[i]->type;
  return type;
}

void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope) {
  if (scope->running || ir_layer_attr(node->layer, name) != NULL)
    return;
  ir_report(scope->diags, IR212_DEFAULT_DIFFERS, ir_attr_where(scope, node, name),
            "without '%s' it is %s, as the page says, but %s in OpenVINO", name, taken, by_openvino);
  ir_hint(scope->diags, "add %s=\"..\" to say which", name);
}

void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope) {
  ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, name), "'%s' is %g, expected %s",
            name, value, expected);
}

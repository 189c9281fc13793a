#include "ops/agree.h"

bool ir_input_told(const ir_node *node, const ir_value *const *in, int port) {
  return port < node->n_inputs && !in[port]->unknown && in[port]->shape.rank != IR_RANK_UNKNOWN;
}

bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope) {
  if (!ir_input_told(node, in, port))
    return true;
  const ir_shape *shape = &in[port]->shape;
  if (ir_dims_meet(*common, shape->dims[axis])) {
    *common = ir_dims_common(*common, shape->dims[axis]);
    return true;
  }
  char text[IR_SHAPE_TEXT], found[IR_DIM_TEXT], expected[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis),
            "input %d ('%s') has %s on axis %d: %s%s; %s is %s", port, ir_op_input(node->op, port)->name,
            ir_dim_text(shape->dims[axis], found, sizeof found), axis, ir_type_name(in[port]->type),
            ir_shape_text(shape, text, sizeof text), name, ir_dim_text(*common, expected, sizeof expected));
  return false;
}

static void narrow(ir_shape *shape, const ir_shape *by) {
  for (int i = 0; i < shape->rank; i++)
    shape->dims[i] = ir_dims_common(shape->dims[i], by->dims[i]);
}

bool ir_shapes_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_shape *out_common,
                     ir_scope *scope) {
  const bool a_told = ir_input_told(node, in, a), b_told = ir_input_told(node, in, b);
  *out_common = a_told ? in[a]->shape : b_told ? in[b]->shape : ir_shape_unknown();
  if (!a_told || !b_told)
    return true;
  if (ir_shapes_meet(&in[a]->shape, &in[b]->shape)) {
    narrow(out_common, &in[b]->shape);
    return true;
  }
  char texts[2][IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, b, -1),
            "input %d ('%s') has the shape %s, input %d ('%s') has %s; they have to be equal", b,
            ir_op_input(node->op, b)->name, ir_shape_text(&in[b]->shape, texts[0], sizeof texts[0]), a,
            ir_op_input(node->op, a)->name, ir_shape_text(&in[a]->shape, texts[1], sizeof texts[1]));
  return false;
}

bool ir_types_agree(const ir_node *node, const ir_value *const *in, int a, int b, ir_scope *scope) {
  if (a >= node->n_inputs || b >= node->n_inputs || in[a]->unknown || in[b]->unknown || in[a]->type == IR_DYNAMIC ||
      in[b]->type == IR_DYNAMIC || in[a]->type == in[b]->type)
    return true;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, b, -1),
                 "input %d ('%s') is %s, input %d ('%s') is %s; %s-%d takes one type", b,
                 ir_op_input(node->op, b)->name, ir_type_name(in[b]->type), a, ir_op_input(node->op, a)->name,
                 ir_type_name(in[a]->type), node->op->type, node->op->version);
  return false;
}

#include "ops/agree.h"
#include "ops/ranges.h"
#include <stdio.h>

bool ir_input_told(const ir_node *node, const ir_value *const *in, int port) {
  return port < node->n_inputs && !in[port]->poisoned && in[port]->shape.rank != IR_RANK_UNKNOWN;
}

ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis) {
  return ir_input_told(node, in, port) && axis < in[port]->shape.rank ? in[port]->shape.dims[axis] : ir_dim_any();
}

/* ---- sizes ---- */

/* Describes an input with a wrong dim: "input 1 ('scores') has 7 on axis 2: f32[2,3,7]". */
#define MISFIT_TEXT (IR_SHAPE_TEXT + IR_DIM_TEXT + 128)
static const char *misfit_text(const ir_node *node, const ir_value *in, int port, int axis, char *buffer) {
  char dim[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  snprintf(buffer, MISFIT_TEXT, "input %d ('%s') has %s on axis %d: %s%s", port, ir_op_input(node->op, port)->name,
           ir_dim_text(in->shape.dims[axis], dim, sizeof dim), axis, ir_type_name(in->type),
           ir_shape_text(&in->shape, shape, sizeof shape));
  return buffer;
}

bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope) {
  if (!ir_input_told(node, in, port))
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

bool ir_dim_agrees(const ir_node *node, const ir_value *const *in, int port, int axis, const char *name, ir_dim *common,
                   ir_scope *scope) {
  if (!ir_input_told(node, in, port))
    return true;
  const ir_dim dim = in[port]->shape.dims[axis];
  if (ir_dims_meet(*common, dim)) {
    *common = ir_dims_common(*common, dim);
    return true;
  }
  char text[MISFIT_TEXT], expected[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis), "%s; %s is %s",
            misfit_text(node, in[port], port, axis, text), name, ir_dim_text(*common, expected, sizeof expected));
  return false;
}

bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope) {
  if (!ir_input_told(node, in, port) || ir_dims_meet(in[port]->shape.dims[axis], expected))
    return true;
  char text[MISFIT_TEXT], wanted[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis), "%s; expected %s: %s",
            misfit_text(node, in[port], port, axis, text), ir_dim_text(expected, wanted, sizeof wanted), what);
  return false;
}

ir_dim ir_size_elements(const ir_shape *shape) {
  ir_dim n = ir_dim_of(1);
  if (shape->rank == IR_RANK_UNKNOWN)
    return ir_dim_any();
  for (int i = 0; i < shape->rank; i++)
    n = ir_dims_product(n, shape->dims[i]);
  return n;
}

/* ---- elements ---- */

bool ir_elements_check(const ir_node *node, const ir_value *const *in, int port, int64_t least, ir_scope *scope) {
  const int64_t n = ir_has_ranges(in[port]) ? ir_ranges_count(in[port]) : 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t most = ir_range_at(in[port], i).hi;
    if (most >= least)
      continue;
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
              "'%s' holds %lld at %lld, expected %lld or more", ir_op_input(node->op, port)->name, (long long)most,
              (long long)i, (long long)least);
    return false;
  }
  return true;
}

/* ---- shapes and types ---- */

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

ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last) {
  ir_type type = IR_DYNAMIC;
  for (int i = first; i <= last && i < node->n_inputs && type == IR_DYNAMIC; i++)
    type = in[i]->type;
  return type;
}

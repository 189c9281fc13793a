#include "ops/movement/movement.h"
#include "ops/axes.h"

bool ir_movement_begin(const ir_node *node, const ir_value *const *in, ir_value *out) {
  out->type = in[0]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  return !out->poisoned;
}

bool ir_movement_same(const ir_node *node, const ir_value *const *in, ir_value *out) {
  if (!ir_movement_begin(node, in, out))
    return false;
  out->shape = in[0]->shape;
  return true;
}

bool ir_movement_count(const ir_node *node, const ir_value *const *in, int from, int to, ir_dim *out_count,
                       ir_scope *scope) {
  char counts[2][IR_DIM_TEXT];
  *out_count = ir_axes_count(in[from]);
  for (int i = from + 1; i <= to && i < node->n_inputs; i++) {
    const ir_dim count = ir_axes_count(in[i]);
    if (!ir_dims_meet(*out_count, count)) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, i, -1),
                "'%s' holds %s numbers, '%s' holds %s; expected one for one", ir_op_input(node->op, i)->name,
                ir_dim_text(count, counts[0], sizeof counts[0]), ir_op_input(node->op, from)->name,
                ir_dim_text(*out_count, counts[1], sizeof counts[1]));
      return false;
    }
    *out_count = ir_dims_common(*out_count, count);
  }
  return true;
}

bool ir_shape_input(const ir_node *node, int port, const ir_value *value, ir_shape *out, ir_scope *scope) {
  const ir_dim count = ir_axes_count(value);
  *out = ir_shape_unknown();
  if (!ir_rank_fits(node, count.lo, scope))
    return false;
  if (!ir_dim_known(count))
    return true;
  *out = ir_shape_of_rank((int)count.lo);
  for (int i = 0; i < out->rank && ir_has_ranges(value); i++) {
    const ir_dim range = ir_range_at(value, i);
    if (range.hi < -1) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
                "'%s' holds %lld at %d, expected sizes of 0 or more", ir_op_input(node->op, port)->name,
                (long long)range.hi, i);
      return false;
    }
    out->dims[i] = range.hi < 0 ? ir_dim_any() : ir_size_of_range(range);
  }
  return true;
}

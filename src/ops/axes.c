#include "ops/axes.h"
#include "ops/value_list.h"

/* False for a value outside [-rank, rank - 1], or [0, rank - 1]. */
static bool axis_of(const ir_tensor *contents, int64_t index, ir_axes_rule rule, int *out) {
  ir_number number = ir_tensor_get(contents, index);
  int64_t value = number.kind == IR_NUMBER_SIGNED                             ? number.i
                  : number.kind == IR_NUMBER_UNSIGNED && number.u < INT32_MAX ? (int64_t)number.u
                                                                              : INT64_MAX;
  if (value < (rule.front_only ? 0 : -rule.rank) || value >= rule.rank)
    return false;
  *out = ir_axis_from_front(value, rule.rank);
  return true;
}

bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, ir_axes_rule rule, ir_scope *scope,
                  ir_axes *out) {
  ir_value_list outside = {.n = 0}, repeated = {.n = 0};
  const char *name = ir_op_input(node->op, port)->name;
  const int64_t n = ir_tensor_elements(contents);
  *out = (ir_axes){.n = 0};
  if (n > IR_MAX_AXES) {
    ir_report(scope->diags, IR004_LIMIT_EXCEEDED, ir_input_where(scope, node, port, -1),
              "'%s' holds %lld axes; irrun reads up to %d", name, (long long)n, IR_MAX_AXES);
    return false;
  }
  for (int64_t i = 0; i < n; i++) {
    int axis = 0;
    if (!axis_of(contents, i, rule, &axis))
      ir_value_list_add(&outside, contents, i);
    else if (!ir_axes_hold(out, axis))
      out->items[out->n++] = axis;
    else if (rule.repeats != IR_REPEATS_TAKEN)
      ir_value_list_add(&repeated, contents, i);
  }
  ir_where where = ir_input_where(scope, node, port, -1);
  if (outside.n > 0 && rule.rank == 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds %s; a scalar has no axes", name, outside.text);
  else if (outside.n > 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds %s; rank %d takes %d to %d", name, outside.text,
              rule.rank, rule.front_only ? 0 : -rule.rank, rule.rank - 1);
  else if (repeated.n > 0)
    ir_report_as(scope->diags, IR315_AXES_UNUSABLE, rule.repeats == IR_REPEATS_REFUSED ? IR_ERROR : IR_WARNING, where,
                 "'%s' holds an axis twice: %s", name, repeated.text);
  return outside.n == 0 && (repeated.n == 0 || rule.repeats != IR_REPEATS_REFUSED);
}

bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope) {
  if (n_axes.lo <= rank)
    return true;
  char n[IR_DIM_TEXT];
  ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_input_where(scope, node, port, -1),
            "'%s' holds %s axes; rank %d has %d", ir_op_input(node->op, port)->name, ir_dim_text(n_axes, n, sizeof n),
            rank, rank);
  return false;
}

ir_dim ir_axes_count(const ir_value *axes) {
  if (axes->unknown || axes->shape.rank == IR_RANK_UNKNOWN)
    return ir_dim_any();
  return axes->shape.rank == 0 ? ir_dim_of(1) : axes->shape.dims[0];
}

bool ir_axis_attr(const ir_node *node, const char *name, int64_t axis, int rank, int *out_axis, ir_scope *scope) {
  if (axis < -rank || axis >= rank) {
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, name),
              "%s is %lld; an input of rank %d takes %d to %d", name, (long long)axis, rank, -rank, rank - 1);
    return false;
  }
  *out_axis = ir_axis_from_front(axis, rank);
  return true;
}

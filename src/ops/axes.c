#include "ops/axes.h"
#include "ops/value_list.h"

static int64_t value_of(const ir_tensor *contents, int64_t index) {
  ir_number number = ir_tensor_get(contents, index);
  return number.kind == IR_NUMBER_SIGNED                             ? number.i
         : number.kind == IR_NUMBER_UNSIGNED && number.u < INT32_MAX ? (int64_t)number.u
                                                                     : INT64_MAX;
}

/* Whether the value is 0 or -1 and belongs to a scalar that accepts such an axis. */
static bool names_nothing(int64_t value, ir_axes_rule rule) {
  return rule.of_scalar && rule.rank == 0 && (value == 0 || value == -1);
}

/* Converts an axis to count from the front. False if it is outside [-rank, rank - 1], or negative and the rule is
 * front_only. */
static bool axis_of(int64_t value, ir_axes_rule rule, int *out) {
  if (value < (rule.front_only ? 0 : -rule.rank) || value >= rule.rank)
    return false;
  *out = ir_axis_from_front(value, rule.rank);
  return true;
}

bool ir_axes_were_known(const ir_scope *scope) {
  return scope->checked != NULL && scope->checked[1]->contents != NULL &&
         scope->checked[0]->shape.rank != IR_RANK_UNKNOWN;
}

/* Faulty axes of an input, by kind. */
typedef struct axes_faults {
  ir_value_list outside, repeated, nothing;
} axes_faults;

static void read_axis(const ir_tensor *contents, int64_t index, ir_axes_rule rule, ir_axes *out, axes_faults *faults) {
  const int64_t value = value_of(contents, index);
  int axis = 0;
  if (names_nothing(value, rule))
    ir_value_list_add(&faults->nothing, contents, index);
  else if (!axis_of(value, rule, &axis))
    ir_value_list_add(&faults->outside, contents, index);
  else if (!ir_axes_hold(out, axis))
    out->items[out->n++] = axis;
  else if (rule.repeats != IR_REPEATS_TAKEN)
    ir_value_list_add(&faults->repeated, contents, index);
}

static bool report_axes(const ir_node *node, int port, ir_axes_rule rule, const axes_faults *faults, ir_scope *scope) {
  const char *name = ir_op_input(node->op, port)->name;
  const ir_where where = ir_input_where(scope, node, port, -1);
  const ir_value_list *outside = &faults->outside, *repeated = &faults->repeated;
  if (outside->n > 0 && rule.rank == 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds %s; a scalar has no axes", name, outside->text);
  else if (outside->n > 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds %s; rank %d takes %d to %d", name, outside->text,
              rule.rank, rule.front_only ? 0 : -rule.rank, rule.rank - 1);
  else if (repeated->n > 0)
    ir_report_as(scope->diags, IR315_AXES_UNUSABLE, rule.repeats == IR_REPEATS_REFUSED ? IR_ERROR : IR_WARNING, where,
                 "'%s' holds an axis twice: %s", name, repeated->text);
  else if (faults->nothing.n > 0 && !ir_axes_were_known(scope))
    ir_report_as(scope->diags, IR315_AXES_UNUSABLE, IR_WARNING, where,
                 "'%s' holds %s, though a scalar has no axes; nothing changes, as in OpenVINO", name,
                 faults->nothing.text);
  return outside->n == 0 && (repeated->n == 0 || rule.repeats != IR_REPEATS_REFUSED);
}

bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, ir_axes_rule rule, ir_scope *scope,
                  ir_axes *out) {
  axes_faults faults = {.outside = {.n = 0}};
  const int64_t n = ir_tensor_elements(contents);
  *out = (ir_axes){.n = 0};
  if (n > IR_MAX_AXES) {
    ir_report(scope->diags, IR004_LIMIT_EXCEEDED, ir_input_where(scope, node, port, -1),
              "'%s' holds %lld axes; irrun reads up to %d", ir_op_input(node->op, port)->name, (long long)n,
              IR_MAX_AXES);
    return false;
  }
  for (int64_t i = 0; i < n; i++)
    read_axis(contents, i, rule, out, &faults);
  return report_axes(node, port, rule, &faults, scope);
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
  if (axes->poisoned || axes->shape.rank == IR_RANK_UNKNOWN)
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

bool ir_is_single(const ir_node *node, int port, const ir_value *value, ir_scope *scope) {
  char shape[IR_SHAPE_TEXT];
  for (int i = 0; i < value->shape.rank; i++)
    if (!ir_dims_meet(value->shape.dims[i], ir_dim_of(1))) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
                "'%s' has the shape %s, expected one number", ir_op_input(node->op, port)->name,
                ir_shape_text(&value->shape, shape, sizeof shape));
      return false;
    }
  return true;
}

bool ir_axis_input(const ir_node *node, int port, const ir_value *value, int rank, int *out_axis, ir_scope *scope) {
  ir_axes axes;
  *out_axis = -1;
  if (!ir_is_single(node, port, value, scope))
    return false;
  if (value->contents == NULL || rank == IR_RANK_UNKNOWN)
    return true;
  if (!ir_axes_read(node, port, value->contents, (ir_axes_rule){.rank = rank}, scope, &axes))
    return false;
  *out_axis = axes.items[0];
  return true;
}

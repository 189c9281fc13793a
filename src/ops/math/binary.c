#include "ops/math/binary.h"
#include "ops/op.h"
#include <stdio.h>

const ir_attr_spec ir_binary_attrs[] = {IR_BROADCAST_ROWS, {.name = NULL}};

static ir_broadcast rule_of(const ir_node *node) {
  const ir_binary_params *params = node->params;
  return (ir_broadcast){(ir_broadcast_mode)params->auto_broadcast, params->axis};
}

static bool rule_usable(const ir_node *node) {
  return ir_attr_usable(node, "auto_broadcast") && ir_attr_usable(node, IR_BROADCAST_AXIS);
}

static bool gives_axis(const ir_node *node) {
  return ir_layer_attr(node->layer, IR_BROADCAST_AXIS) != NULL;
}

void ir_binary_check_attributes(const ir_node *node, ir_scope *scope) {
  ir_broadcast rule = rule_of(node);
  if (rule_usable(node) && gives_axis(node) && rule.mode != IR_BROADCAST_PDPD)
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, IR_BROADCAST_AXIS),
              "%s is without effect: auto_broadcast is '%s'", IR_BROADCAST_AXIS, ir_broadcast_names[rule.mode]);
}

/* ---- faults ---- */

/* Writes the sizes of `a` and `b` on the axes of `result`, such as "axis 0 is 2 and 5, axis 3 is missing and 4". */
static void axes_text(const ir_broadcast_result *result, const ir_shape *a, const ir_shape *b, char *text,
                      size_t size) {
  size_t used = 0;
  for (int i = 0; i < 2 * IR_MAX_RANK && used < size; i++) {
    if ((result->axes >> i & 1) == 0)
      continue;
    char a_text[IR_DIM_TEXT] = "missing", b_text[IR_DIM_TEXT];
    if (i - result->a_offset < a->rank)
      ir_dim_text(a->dims[i - result->a_offset], a_text, sizeof a_text);
    ir_dim_text(b->dims[i - result->b_offset], b_text, sizeof b_text);
    used +=
        (size_t)snprintf(text + used, size - used, "%saxis %d is %s and %s", used > 0 ? ", " : "", i, a_text, b_text);
  }
}

static void fault_text(ir_broadcast_mode mode, const ir_broadcast_result *result, const ir_shape *a, const ir_shape *b,
                       char *text, size_t size) {
  static const char *const expected[] = {[IR_BROADCAST_NONE] = "equal sizes",
                                         [IR_BROADCAST_NUMPY] = "equal sizes or a 1",
                                         [IR_BROADCAST_PDPD] = "equal sizes or a 1 in input 1"};
  char axes[1024] = "";
  if (result->fit == IR_BROADCAST_SIZES_DIFFER) {
    axes_text(result, a, b, axes, sizeof axes);
    snprintf(text, size, "%s; expected %s", axes, expected[mode]);
  } else {
    snprintf(text, size, "the ranks are %d and %d; expected %s", a->rank, b->rank,
             result->fit == IR_BROADCAST_RANKS_DIFFER ? "one rank" : "no more axes in input 1");
  }
}

/* Returns the place of the fault. If sizes differ, the place is the second input's dim on the first axis at fault. If
 * the ranks do not fit, the place is the second input. */
static ir_where fault_where(const ir_node *node, const ir_broadcast_result *result, ir_scope *scope) {
  int first = -1;
  if (result->fit == IR_BROADCAST_SIZES_DIFFER)
    first = __builtin_ctz(result->axes) - result->b_offset;
  return ir_input_where(scope, node, 1, first);
}

static void report_misfit(const ir_node *node, const ir_value *const *in, const ir_broadcast_result *result,
                          ir_scope *scope) {
  const ir_shape *a = &in[0]->shape, *b = &in[1]->shape;
  ir_broadcast rule = rule_of(node);
  if (result->fit == IR_BROADCAST_AXIS_OUTSIDE) {
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, IR_BROADCAST_AXIS),
              "%s is %lld; input 0 of rank %d takes -1 to %d", IR_BROADCAST_AXIS, (long long)rule.axis, a->rank,
              a->rank);
    return;
  }
  char a_text[IR_SHAPE_TEXT], b_text[IR_SHAPE_TEXT], text[1152] = "";
  fault_text(rule.mode, result, a, b, text, sizeof text);
  ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, fault_where(node, result, scope),
            "inputs %s and %s cannot be broadcast by the rule '%s': %s", ir_shape_text(a, a_text, sizeof a_text),
            ir_shape_text(b, b_text, sizeof b_text), ir_broadcast_names[rule.mode], text);
  ir_broadcast numpy = {.mode = IR_BROADCAST_NUMPY};
  if (rule.mode != IR_BROADCAST_NUMPY && ir_broadcast_shapes(numpy, a, b).fit == IR_BROADCAST_FITS)
    ir_hint(scope->diags, "auto_broadcast=\"numpy\" would take them");
}

/* Warns if the layer lacks the axis attribute of "pdpd". The default is -1 in the specification, but 0 in OpenVINO.
 * Both defaults have the same effect if the ranks are equal or the second input is a scalar. */
static void warn_of_default(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  int a_rank = in[0]->shape.rank, b_rank = in[1]->shape.rank;
  bool same = b_rank == 0 || (a_rank == b_rank && a_rank != IR_RANK_UNKNOWN);
  if (scope->running || gives_axis(node) || same || rule_of(node).mode != IR_BROADCAST_PDPD)
    return;
  ir_report(scope->diags, IR212_DEFAULT_DIFFERS, ir_attr_where(scope, node, "auto_broadcast"),
            "'pdpd' without %s: the last axes of both inputs meet here, in OpenVINO the first", IR_BROADCAST_AXIS);
  ir_hint(scope->diags, "add %s=\"-1\" or \"0\"", IR_BROADCAST_AXIS);
}

/* ---- inference ---- */

ir_code ir_binary_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = in[0]->type != IR_DYNAMIC ? in[0]->type : in[1]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || !rule_usable(node);
  if (out->poisoned)
    return IR_OK;
  ir_broadcast_result result = ir_broadcast_shapes(rule_of(node), &in[0]->shape, &in[1]->shape);
  out->shape = result.shape;
  out->poisoned = result.fit != IR_BROADCAST_FITS;
  if (out->poisoned)
    report_misfit(node, in, &result, scope);
  else
    warn_of_default(node, in, scope);
  return IR_OK;
}

void ir_binary_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  char a[IR_SHAPE_TEXT], b[IR_SHAPE_TEXT], out[IR_SHAPE_TEXT];
  buffer[0] = '\0';
  if (node->outputs[0].poisoned)
    return;
  snprintf(buffer, size, "%s and %s by the rule '%s': %s", ir_shape_text(&in[0]->shape, a, sizeof a),
           ir_shape_text(&in[1]->shape, b, sizeof b), ir_broadcast_names[rule_of(node).mode],
           ir_shape_text(&node->outputs[0].shape, out, sizeof out));
}

/* ---- runs ---- */

ir_code ir_binary_step(const ir_elementwise *elementwise, const ir_node *node, const ir_value *const *in, ir_plan *plan,
                       ir_scope *scope) {
  const ir_broadcast_result result = ir_broadcast_shapes(rule_of(node), &in[0]->shape, &in[1]->shape);
  const int offsets[] = {result.a_offset, result.b_offset};
  return ir_elementwise_step(plan, node, in, elementwise, offsets, scope);
}

ir_code ir_binary_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return ir_binary_step(node->op->elementwise, node, in, plan, scope);
}

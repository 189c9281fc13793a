#include "ops/pool/pool_facts.h"
#include <stdio.h>
#include <strings.h>

const char *const ir_auto_pad_names[] = {"explicit", "same_upper", "same_lower", "valid", NULL};
const char *const ir_rounding_names[] = {"floor", "ceil", NULL};
const char *const ir_rounding_torch_names[] = {"floor", "ceil", "ceil_torch", NULL};

const char *ir_axis_name(int n_spatial, int axis, char *buffer, size_t size) {
  static const char letters[] = "DHW";
  if (n_spatial <= 3)
    snprintf(buffer, size, "spatial axis %d (%c)", axis, letters[3 - n_spatial + axis]);
  else
    snprintf(buffer, size, "spatial axis %d", axis);
  return buffer;
}

ir_window_axis ir_pool_axis(const ir_pool_params *params, int64_t axis) {
  return (ir_window_axis){.kernel = ir_spatial_item(params->kernel, axis, 1),
                          .stride = ir_spatial_item(params->strides, axis, 1),
                          .dilation = ir_spatial_item(params->dilations, axis, 1),
                          .pad_begin = ir_spatial_item(params->pads_begin, axis, 0),
                          .pad_end = ir_spatial_item(params->pads_end, axis, 0)};
}

const ir_pool_rules ir_pool_rules_openvino = {.compared_with_torch = true};

const ir_pool_rules *ir_pool_rules_of(const ir_node *node) {
  return node->op->family;
}

bool ir_pool_is_same(int auto_pad) {
  return auto_pad == IR_PAD_SAME_UPPER || auto_pad == IR_PAD_SAME_LOWER;
}

/* Reads the text of the attribute, because the binder reads pads before auto_pad. */
bool ir_pads_are_automatic(const ir_node *node) {
  const ir_raw_attr *raw = ir_layer_attr(node->layer, "auto_pad");
  for (int i = 0; raw != NULL && raw->value != NULL && ir_auto_pad_names[i] != NULL; i++)
    if (i != IR_PAD_EXPLICIT && strcasecmp(raw->value, ir_auto_pad_names[i]) == 0)
      return true;
  return false;
}

ir_auto_pad ir_pool_auto_pad(const ir_node *node, bool shape_known) {
  const ir_pool_params *params = node->params;
  const ir_pool_rules *rules = ir_pool_rules_of(node);
  bool as_given = (rules->valid_keeps_pads && params->auto_pad == IR_PAD_VALID) ||
                  (rules->same_of_known_shapes && ir_pool_is_same(params->auto_pad) && !shape_known) ||
                  (rules->auto_pad_needs_pads && params->pads_begin.n == IR_REPEATED);
  return as_given ? IR_PAD_EXPLICIT : (ir_auto_pad)params->auto_pad;
}

ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, ir_auto_pad auto_pad, int64_t axis, int64_t n) {
  return ir_window_resolve(ir_pool_axis(params, axis), auto_pad, n);
}

const char *ir_pool_name(const ir_node *node, size_t offset) {
  return ir_op_field_name(node->op, offset);
}

const char *ir_pool_word(const ir_node *node, size_t offset, int position) {
  return ir_op_attr_of_field(node->op, offset)->names[position];
}

void ir_pool_set_windows(const ir_node *node, int axis, ir_windows_axis *windows) {
  ir_window_axis window = ir_pool_resolved_axis(node->params, ir_pool_auto_pad(node, true), axis, windows->n_in);
  windows->step = window.dilation;
  windows->kernel = window.kernel;
  windows->stride = window.stride;
  windows->pad_begin = window.pad_begin;
}

bool ir_pool_average_is_nan(const ir_node *node) {
  return ir_pool_rules_of(node)->empty_average_is_nan && ((const ir_pool_params *)node->params)->exclude_pad;
}

/* ---- facts about one pool and its input ---- */

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool rank_known = in->shape.rank >= 3;
  ir_pool_facts facts = {.node = node, .params = params, .in = in, .scope = scope, .average = average};
  facts.n_spatial = rank_known ? in->shape.rank - 2 : params->kernel.n <= IR_MAX_RANK - 2 ? (int)params->kernel.n : 0;
  facts.auto_pad = ir_pool_auto_pad(node, rank_known && ir_shape_known(&in->shape));
  return facts;
}

ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n) {
  return ir_pool_resolved_axis(facts->params, facts->auto_pad, axis, n);
}

const char *ir_pool_kernel_name(const ir_pool_facts *facts) {
  return ir_pool_name(facts->node, offsetof(ir_pool_params, kernel));
}

#include "ops/pool/pool_notes.h"
#include <stdio.h>

/* ---- attributes without effect ---- */

static bool has_item_above_zero(ir_ints list) {
  for (int64_t i = 0; list.items != NULL && i < (list.n == IR_REPEATED ? 1 : list.n); i++)
    if (list.items[i] > 0)
      return true;
  return false;
}

static void note_unused_pads(const ir_node *node, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool begin = has_item_above_zero(params->pads_begin), end = has_item_above_zero(params->pads_end);
  const char *begin_name = ir_pool_name(node, offsetof(ir_pool_params, pads_begin));
  const char *end_name = ir_pool_name(node, offsetof(ir_pool_params, pads_end));
  if (begin || end)
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, begin ? begin_name : end_name),
              "%s%s%s %s without effect: %s is '%s'", begin ? begin_name : "", begin && end ? " and " : "",
              end ? end_name : "", begin && end ? "are" : "is", ir_pool_name(node, offsetof(ir_pool_params, auto_pad)),
              ir_pool_word(node, offsetof(ir_pool_params, auto_pad), params->auto_pad));
}

void ir_pool_check_attributes(const ir_node *node, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  const ir_pool_rules *rules = ir_pool_rules_of(node);
  const size_t auto_pad = offsetof(ir_pool_params, auto_pad), pads_begin = offsetof(ir_pool_params, pads_begin);
  if (params->auto_pad == IR_PAD_EXPLICIT || !ir_field_usable(node, auto_pad))
    return;
  if (ir_pool_auto_pad(node, false) != IR_PAD_EXPLICIT)
    note_unused_pads(node, scope);
  else if (rules->auto_pad_needs_pads && params->pads_begin.n == IR_REPEATED && ir_field_usable(node, pads_begin))
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, ir_pool_name(node, auto_pad)),
              "%s is without effect: there is neither %s nor %s", ir_pool_name(node, auto_pad),
              ir_pool_name(node, pads_begin), ir_pool_name(node, offsetof(ir_pool_params, pads_end)));
}

/* ---- correct but surprising ---- */

bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis) {
  const ir_shape *checked = scope->checked != NULL ? &scope->checked[0]->shape : NULL;
  return ir_dim_known(in->dims[2 + axis]) &&
         (checked == NULL || checked->rank == IR_RANK_UNKNOWN || !ir_dim_known(checked->dims[2 + axis]));
}

/* Whether this axis still has consequences to report. True if its size was open when the model was checked, or if its
 * pads differ since that check. */
static bool is_news(const ir_pool_facts *facts, int axis) {
  const ir_value *const *checked = facts->scope->checked;
  return ir_pool_is_news(facts->scope, &facts->in->shape, axis) ||
         (checked != NULL && ir_dim_known(facts->in->shape.dims[2 + axis]) &&
          ir_pool_auto_pad(facts->node, ir_shape_known(&checked[0]->shape)) != facts->auto_pad);
}

int ir_pool_first_empty(const ir_pool_facts *facts, const ir_shape *out, int64_t *out_window) {
  for (int i = 0; i < facts->n_spatial; i++) {
    if (!is_news(facts, i))
      continue;
    int64_t n = facts->in->shape.dims[2 + i].lo;
    *out_window = ir_window_first_empty(ir_pool_facts_axis(facts, i, n), n, out->dims[2 + i].lo);
    if (*out_window >= 0)
      return i;
  }
  return -1;
}

/* Notes which positions the window covers, and which positions the input has. */
static void note_empty_window(const ir_pool_facts *facts, int at, int64_t window) {
  char name[IR_AXIS_NAME], steps[64] = "", input[48] = "nothing";
  const size_t rounding = offsetof(ir_pool_params, rounding_type);
  int64_t n = facts->in->shape.dims[2 + at].lo;
  ir_window_axis axis = ir_pool_facts_axis(facts, at, n);
  ir_wide begin = (ir_wide)window * axis.stride - axis.pad_begin, end = begin + ir_window_extent(axis) - 1;
  if (end > INT64_MAX)
    return;
  if (axis.dilation > 1 && axis.kernel > 1)
    snprintf(steps, sizeof steps, " in steps of %lld", (long long)axis.dilation);
  if (n > 0)
    snprintf(input, sizeof input, "0 to %lld", (long long)n - 1);
  ir_note(facts->scope->diags, (ir_where){0}, "on %s window %lld covers %lld to %lld%s, the input %s; %s is '%s'",
          ir_axis_name(facts->n_spatial, at, name, sizeof name), (long long)window, (long long)begin, (long long)end,
          steps, input, ir_pool_name(facts->node, rounding),
          ir_pool_word(facts->node, rounding, facts->params->rounding_type));
}

const char *ir_pool_window_text(const ir_pool_facts *facts, int at, int64_t window, char *buffer, size_t size) {
  size_t used = 0;
  for (int i = 0; i < facts->n_spatial; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? "," : "", (long long)(at == i ? window : 0));
  return buffer;
}

static void warn_of_empty_window(const ir_pool_facts *facts, const ir_shape *out) {
  char index[IR_SHAPE_TEXT], value[64] = "0, no average";
  ir_diags *diags = facts->scope->diags;
  ir_type type = facts->in->type;
  int64_t first;
  int at = ir_pool_first_empty(facts, out, &first);
  if (at < 0)
    return;
  ir_pool_window_text(facts, at, first, index, sizeof index);
  ir_where where = ir_attr_item_where(facts->scope, facts->node, ir_pool_kernel_name(facts), at);
  bool has_value = !facts->average || !ir_pool_average_is_nan(facts->node);
  if (has_value || type == IR_DYNAMIC || ir_type_in(type, IR_SET_FLOATS)) {
    if (!facts->average)
      snprintf(value, sizeof value, "the lowest %s, no maximum", ir_type_name(type));
    else if (!has_value)
      snprintf(value, sizeof value, "NaN, no average");
    ir_report(diags, IR305_WINDOW_WITHOUT_INPUT, where,
              "window [%s] holds no input element; the output there is %s of the input", index, value);
  } else {
    ir_report_firm(diags, IR305_WINDOW_WITHOUT_INPUT, where,
                   "window [%s] holds no input element: there is nothing to average, and %s has no NaN to say so",
                   index, ir_type_name(type));
  }
  note_empty_window(facts, at, first);
}

int ir_pool_first_past_pads(const ir_pool_facts *facts, const ir_shape *out) {
  int first = -1;
  for (int i = facts->n_spatial - 1; i >= 0; i--) {
    int64_t n = facts->in->shape.dims[2 + i].lo, last = out->dims[2 + i].lo - 1;
    ir_window_axis axis = ir_pool_facts_axis(facts, i, n);
    if (facts->in->shape.dims[2 + i].hi == 0)
      return -1; /* no window holds any input */
    if (is_news(facts, i) && ir_window_clipped(axis, n, last) < axis.kernel && ir_window_range(axis, n, last).count > 0)
      first = i;
  }
  return first;
}

static void report_past_pads(const ir_pool_facts *facts, const ir_shape *out) {
  ir_diags *diags = facts->scope->diags;
  int at = ir_pool_rules_of(facts->node)->past_pads_undefined ? ir_pool_first_past_pads(facts, out) : -1;
  if (at < 0)
    return;
  char index[IR_SHAPE_TEXT], name[IR_AXIS_NAME];
  int64_t n = facts->in->shape.dims[2 + at].lo, last = out->dims[2 + at].lo - 1;
  ir_window_axis axis = ir_pool_facts_axis(facts, at, n);
  ir_wide begin = (ir_wide)last * axis.stride - axis.pad_begin, end = begin + ir_window_extent(axis) - 1;
  const char *rounding = ir_pool_name(facts->node, offsetof(ir_pool_params, rounding_type));
  ir_code code = ir_report(diags, IR320_WINDOW_PAST_PADDING, ir_attr_where(facts->scope, facts->node, rounding),
                           "window [%s] ends past the padding: nGraph gives it no value",
                           ir_pool_window_text(facts, at, last, index, sizeof index));
  ir_note(diags, (ir_where){0}, "on %s it covers %lld to %lld, the padded input %lld to %lld",
          ir_axis_name(facts->n_spatial, at, name, sizeof name), (long long)begin,
          (long long)(end < INT64_MAX ? end : INT64_MAX), (long long)-axis.pad_begin,
          (long long)(ir_window_padded(axis, n) - axis.pad_begin - 1));
  if (code != IR_OK)
    ir_hint(diags, "--allow=IR320: %s", ir_rule_rows[IR320_WINDOW_PAST_PADDING].allow);
}

static void note_ceil(const ir_pool_facts *facts, const ir_shape *out) {
  if (facts->params->rounding_type != IR_ROUND_CEIL || !ir_pool_rules_of(facts->node)->compared_with_torch)
    return;
  for (int i = 0; i < facts->n_spatial; i++) {
    int64_t n = facts->in->shape.dims[2 + i].lo, torch = -1;
    ir_window_axis axis = ir_pool_facts_axis(facts, i, n);
    if (!is_news(facts, i) || !ir_window_count(axis, IR_ROUND_CEIL_TORCH, n, &torch) || torch == out->dims[2 + i].lo)
      continue;
    char name[IR_AXIS_NAME];
    ir_report(facts->scope->diags, IR310_CEIL_DIFFERS_FROM_TORCH,
              ir_attr_where(facts->scope, facts->node, "rounding_type"),
              "rounding_type 'ceil' gives %lld here, PyTorch and ONNX %lld, on %s", (long long)out->dims[2 + i].lo,
              (long long)torch, ir_axis_name(facts->n_spatial, i, name, sizeof name));
    ir_note(facts->scope->diags, (ir_where){0},
            "they drop a last window that begins in the end padding; so does 'ceil_torch' (AvgPool-14, MaxPool-14)");
    return;
  }
}

void ir_pool_note_surprises(const ir_pool_facts *facts, const ir_shape *out) {
  if (facts->auto_pad != ir_pool_auto_pad(facts->node, true))
    return; /* in a run all sizes are known, and the pads differ */
  warn_of_empty_window(facts, out);
  report_past_pads(facts, out);
  note_ceil(facts, out);
}

void ir_pool_note_same(const ir_pool_facts *facts) {
  if (!ir_pool_rules_of(facts->node)->same_of_known_shapes || !ir_pool_is_same(facts->params->auto_pad))
    return;
  if (facts->auto_pad != IR_PAD_EXPLICIT) {
    note_unused_pads(facts->node, facts->scope);
    return;
  }
  if (ir_pool_auto_pad(facts->node, true) == IR_PAD_EXPLICIT)
    return;
  const size_t auto_pad = offsetof(ir_pool_params, auto_pad);
  const char *name = ir_pool_name(facts->node, auto_pad);
  ir_report(facts->scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(facts->scope, facts->node, name),
            "%s '%s' is without effect while a size of the input is open: pads are as given", name,
            ir_pool_word(facts->node, auto_pad, facts->params->auto_pad));
  ir_note(facts->scope->diags, (ir_where){0}, "so does nGraph infer; in a run all sizes are known");
}

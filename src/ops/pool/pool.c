#include "ops/pool/pool.h"
#include <stdio.h>
#include <string.h>

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
  return node->op->choices;
}

static bool is_same(int auto_pad) {
  return auto_pad == IR_PAD_SAME_UPPER || auto_pad == IR_PAD_SAME_LOWER;
}

ir_auto_pad ir_pool_auto_pad(const ir_node *node, bool shape_known) {
  const ir_pool_params *params = node->params;
  const ir_pool_rules *rules = ir_pool_rules_of(node);
  bool as_given = (rules->valid_keeps_pads && params->auto_pad == IR_PAD_VALID) ||
                  (rules->same_of_known_shapes && is_same(params->auto_pad) && !shape_known) ||
                  (rules->auto_pad_needs_pads && params->pads_begin.n == IR_REPEATED);
  return as_given ? IR_PAD_EXPLICIT : (ir_auto_pad)params->auto_pad;
}

ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, ir_auto_pad auto_pad, int64_t axis, int64_t n) {
  return ir_window_resolve(ir_pool_axis(params, axis), auto_pad, n);
}

/* What the file calls the attribute of a field. */
static const char *name_of(const ir_node *node, size_t offset) {
  return ir_op_field_name(node->op, offset);
}

/* And the word that it has for a position of an enum. */
static const char *word_of(const ir_node *node, size_t offset, int position) {
  return ir_op_attr_of_field(node->op, offset)->names[position];
}

void ir_pool_windows(const ir_node *node, int axis, ir_windows_axis *windows) {
  ir_window_axis window = ir_pool_resolved_axis(node->params, ir_pool_auto_pad(node, true), axis, windows->n_in);
  windows->step = window.dilation;
  for (int64_t o = 0; o < windows->n_out; o++)
    windows->ranges[o] = ir_window_range(window, windows->n_in, o);
}

static bool has_item_above_zero(ir_ints list) {
  for (int64_t i = 0; list.items != NULL && i < (list.n == IR_REPEATED ? 1 : list.n); i++)
    if (list.items[i] > 0)
      return true;
  return false;
}

static void note_unused_pads(const ir_node *node, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool begin = has_item_above_zero(params->pads_begin), end = has_item_above_zero(params->pads_end);
  const char *begin_name = name_of(node, offsetof(ir_pool_params, pads_begin));
  const char *end_name = name_of(node, offsetof(ir_pool_params, pads_end));
  if (begin || end)
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, begin ? begin_name : end_name),
              "%s%s%s %s without effect: %s is '%s'", begin ? begin_name : "", begin && end ? " and " : "",
              end ? end_name : "", begin && end ? "are" : "is", name_of(node, offsetof(ir_pool_params, auto_pad)),
              word_of(node, offsetof(ir_pool_params, auto_pad), params->auto_pad));
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
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(scope, node, name_of(node, auto_pad)),
              "%s is without effect: there is neither %s nor %s", name_of(node, auto_pad), name_of(node, pads_begin),
              name_of(node, offsetof(ir_pool_params, pads_end)));
}

bool ir_pool_average_is_nan(const ir_node *node) {
  return ir_pool_rules_of(node)->empty_average_is_nan && ((const ir_pool_params *)node->params)->exclude_pad;
}

/* ---- faults of the window against the input ---- */

/* Builds one message out of a part per axis. The text is left uninitialized, for nearly always there is none. */
typedef struct axis_list {
  char text[1024];
  size_t used;
  int64_t n, first;
} axis_list;

static void begin_list(axis_list *list) {
  list->used = 0;
  list->n = 0;
}

static void add_axis(axis_list *list, int64_t axis, const char *text) {
  if (list->n++ == 0)
    list->first = axis;
  if (list->used < sizeof list->text)
    list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
                                   list->n > 1 ? "; " : "", text);
}

typedef struct pool_facts {
  const ir_node *node;
  const ir_pool_params *params;
  const ir_value *in;
  ir_scope *scope;
  ir_auto_pad auto_pad; /* in force */
  int n_spatial;
  bool average;
} pool_facts;

static ir_window_axis resolved_axis(const pool_facts *facts, int axis, int64_t n) {
  return ir_pool_resolved_axis(facts->params, facts->auto_pad, axis, n);
}

static const char *kernel_name(const pool_facts *facts) {
  return name_of(facts->node, offsetof(ir_pool_params, kernel));
}

static void report_kernel(const pool_facts *facts, const axis_list *wrong) {
  ir_scope *scope = facts->scope;
  ir_report(scope->diags, IR304_KERNEL_EXCEEDS_INPUT,
            ir_attr_item_where(scope, facts->node, kernel_name(facts), wrong->first), "%s %s", kernel_name(facts),
            wrong->text);
  char shape[IR_SHAPE_TEXT], input[IR_DIM_TEXT];
  ir_link link = facts->node->inputs[0];
  const ir_layer *from = link.layer >= 0 ? &scope->graph->layers[link.layer] : facts->node->layer;
  ir_note(scope->diags, (ir_where){.source = scope->graph->source, .at = ir_span_of(from->at)},
          "input 0 is %s%s from '%s' (id %lld)", ir_type_name(facts->in->type),
          ir_shape_text(&facts->in->shape, shape, sizeof shape), from->name, (long long)from->id);
  ir_dim n = facts->in->shape.dims[2 + wrong->first];
  ir_window_axis axis = resolved_axis(facts, (int)wrong->first, n.hi);
  ir_note(scope->diags, (ir_where){0}, "needed: %s <= in + %s + %s = %s + %lld + %lld",
          axis.dilation > 1 ? "(kernel - 1) * dilation + 1" : kernel_name(facts),
          name_of(facts->node, offsetof(ir_pool_params, pads_begin)),
          name_of(facts->node, offsetof(ir_pool_params, pads_end)), ir_dim_text(n, input, sizeof input),
          (long long)axis.pad_begin, (long long)axis.pad_end);
}

/* True when every window fits. */
static bool check_kernel(const pool_facts *facts) {
  axis_list wrong;
  begin_list(&wrong);
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_dim n = facts->in->shape.dims[2 + i];
    if (n.hi == IR_DIM_MAX)
      continue;
    ir_window_axis axis = resolved_axis(facts, i, n.hi);
    ir_wide padded = ir_window_padded(axis, n.hi);
    if (ir_window_extent(axis) <= padded)
      continue;
    char text[224], name[IR_AXIS_NAME], spans[64] = "", wide[IR_WIDE_TEXT];
    if (axis.dilation > 1)
      snprintf(spans, sizeof spans, ", dilated to %s,", ir_wide_text(ir_window_extent(axis), wide, sizeof wide));
    snprintf(text, sizeof text, "%lld%s exceeds the padded input%s %s%s on %s", (long long)axis.kernel, spans,
             ir_dim_known(n) ? "" : ", at most", ir_wide_text(padded, wide, sizeof wide), ir_dim_known(n) ? "" : ",",
             ir_axis_name(facts->n_spatial, i, name, sizeof name));
    add_axis(&wrong, i, text);
  }
  if (wrong.n > 0)
    report_kernel(facts, &wrong);
  return wrong.n == 0;
}

static bool check_pad_list(const pool_facts *facts, bool begin) {
  axis_list wrong;
  const char *name =
      name_of(facts->node, begin ? offsetof(ir_pool_params, pads_begin) : offsetof(ir_pool_params, pads_end));
  begin_list(&wrong);
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_window_axis axis = ir_pool_axis(facts->params, i);
    int64_t pad = begin ? axis.pad_begin : axis.pad_end;
    if (pad < ir_window_extent(axis))
      continue;
    char text[160], axis_name[IR_AXIS_NAME], extent[IR_WIDE_TEXT];
    snprintf(text, sizeof text, "%lld is not smaller than the window %s on %s", (long long)pad,
             ir_wide_text(ir_window_extent(axis), extent, sizeof extent),
             ir_axis_name(facts->n_spatial, i, axis_name, sizeof axis_name));
    add_axis(&wrong, i, text);
  }
  if (wrong.n > 0) {
    ir_report(facts->scope->diags, IR311_PAD_NOT_SMALLER_THAN_WINDOW,
              ir_attr_item_where(facts->scope, facts->node, name, wrong.first), "%s %s", name, wrong.text);
    const ir_attr_spec *exclude = ir_op_attr_of_field(facts->node->op, offsetof(ir_pool_params, exclude_pad));
    ir_note(facts->scope->diags, (ir_where){0}, "with %s '%s' such a window would have nothing to average",
            exclude->name, exclude->inverted ? "false" : "true");
  }
  return wrong.n == 0;
}

/* Pads excluded: every window is larger than each pad, so that the first and last hold some input. */
static bool check_pads(const pool_facts *facts) {
  const ir_pool_params *params = facts->params;
  if (!params->exclude_pad || facts->auto_pad != IR_PAD_EXPLICIT)
    return true;
  bool begin = check_pad_list(facts, true);
  bool end = check_pad_list(facts, false);
  return begin && end;
}

static bool check_batch_and_channels(const pool_facts *facts) {
  bool no_batch = facts->in->shape.dims[0].hi == 0, no_channels = facts->in->shape.dims[1].hi == 0;
  if (!no_batch && !no_channels)
    return true;
  ir_report(facts->scope->diags, IR307_DIMENSION_NOT_POSITIVE,
            ir_input_where(facts->scope, facts->node, 0, no_batch ? 0 : 1),
            "%s of the input %s 0; a pool needs at least 1",
            no_batch && no_channels ? "N (batch) and C (channels)"
            : no_batch              ? "N (batch)"
                                    : "C (channels)",
            no_batch && no_channels ? "are" : "is");
  return false;
}

/* ---- what is right and may surprise ---- */

bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis) {
  const ir_shape *checked = scope->checked != NULL ? &scope->checked[0]->shape : NULL;
  return ir_dim_known(in->dims[2 + axis]) &&
         (checked == NULL || checked->rank == IR_RANK_UNKNOWN || !ir_dim_known(checked->dims[2 + axis]));
}

/* The same, or the pads are others than when the model was checked. */
static bool is_news(const pool_facts *facts, int axis) {
  const ir_value *const *checked = facts->scope->checked;
  return ir_pool_is_news(facts->scope, &facts->in->shape, axis) ||
         (checked != NULL && ir_dim_known(facts->in->shape.dims[2 + axis]) &&
          ir_pool_auto_pad(facts->node, ir_shape_known(&checked[0]->shape)) != facts->auto_pad);
}

/* The first axis that has windows without any input, and the first of those; -1 when there is none. */
static int first_empty(const pool_facts *facts, const ir_shape *out, int64_t *out_first) {
  for (int i = 0; i < facts->n_spatial; i++) {
    if (!is_news(facts, i))
      continue;
    int64_t n = facts->in->shape.dims[2 + i].lo;
    *out_first = ir_window_first_empty(resolved_axis(facts, i, n), n, out->dims[2 + i].lo);
    if (*out_first >= 0)
      return i;
  }
  return -1;
}

/* Where the window lies, and where the input. */
static void note_empty_window(const pool_facts *facts, int at, int64_t window) {
  char name[IR_AXIS_NAME], steps[64] = "", input[48] = "nothing";
  const size_t rounding = offsetof(ir_pool_params, rounding_type);
  int64_t n = facts->in->shape.dims[2 + at].lo;
  ir_window_axis axis = resolved_axis(facts, at, n);
  ir_wide begin = (ir_wide)window * axis.stride - axis.pad_begin, end = begin + ir_window_extent(axis) - 1;
  if (end > INT64_MAX)
    return;
  if (axis.dilation > 1 && axis.kernel > 1)
    snprintf(steps, sizeof steps, " in steps of %lld", (long long)axis.dilation);
  if (n > 0)
    snprintf(input, sizeof input, "0 to %lld", (long long)n - 1);
  ir_note(facts->scope->diags, (ir_where){0}, "on %s window %lld covers %lld to %lld%s, the input %s; %s is '%s'",
          ir_axis_name(facts->n_spatial, at, name, sizeof name), (long long)window, (long long)begin, (long long)end,
          steps, input, name_of(facts->node, rounding), word_of(facts->node, rounding, facts->params->rounding_type));
}

/* "0,2,0": the window that is the given one on its axis and the first on the others. */
static const char *window_text(const pool_facts *facts, int at, int64_t window, char *buffer, size_t size) {
  size_t used = 0;
  for (int i = 0; i < facts->n_spatial; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? "," : "", (long long)(at == i ? window : 0));
  return buffer;
}

static void warn_of_empty_window(const pool_facts *facts, const ir_shape *out) {
  char index[IR_SHAPE_TEXT], value[64] = "0, no average";
  ir_diags *diags = facts->scope->diags;
  ir_type type = facts->in->type;
  int64_t first;
  int at = first_empty(facts, out, &first);
  if (at < 0)
    return;
  window_text(facts, at, first, index, sizeof index);
  ir_where where = ir_attr_item_where(facts->scope, facts->node, kernel_name(facts), at);
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

/* The first axis whose last window ends past the padded input, but holds some of the input; -1 when there is none. */
static int first_past_pads(const pool_facts *facts, const ir_shape *out) {
  int first = -1;
  for (int i = facts->n_spatial - 1; i >= 0; i--) {
    int64_t n = facts->in->shape.dims[2 + i].lo, last = out->dims[2 + i].lo - 1;
    ir_window_axis axis = resolved_axis(facts, i, n);
    if (n == 0)
      return -1; /* no window holds anything */
    if (ir_window_clipped(axis, n, last) < axis.kernel && ir_window_range(axis, n, last).count > 0)
      first = i;
  }
  return first;
}

static void report_past_pads(const pool_facts *facts, const ir_shape *out) {
  ir_diags *diags = facts->scope->diags;
  int at = ir_pool_rules_of(facts->node)->past_pads_undefined ? first_past_pads(facts, out) : -1;
  if (at < 0)
    return;
  char index[IR_SHAPE_TEXT], name[IR_AXIS_NAME];
  int64_t n = facts->in->shape.dims[2 + at].lo, last = out->dims[2 + at].lo - 1;
  ir_window_axis axis = resolved_axis(facts, at, n);
  ir_wide begin = (ir_wide)last * axis.stride - axis.pad_begin, end = begin + ir_window_extent(axis) - 1;
  const char *rounding = name_of(facts->node, offsetof(ir_pool_params, rounding_type));
  ir_code code = ir_report(diags, IR320_WINDOW_PAST_PADDING, ir_attr_where(facts->scope, facts->node, rounding),
                           "window [%s] ends past the padding: nGraph gives it no value",
                           window_text(facts, at, last, index, sizeof index));
  ir_note(diags, (ir_where){0}, "on %s it covers %lld to %lld, the padded input %lld to %lld",
          ir_axis_name(facts->n_spatial, at, name, sizeof name), (long long)begin,
          (long long)(end < INT64_MAX ? end : INT64_MAX), (long long)-axis.pad_begin,
          (long long)(ir_window_padded(axis, n) - axis.pad_begin - 1));
  if (code != IR_OK)
    ir_hint(diags, "--allow=IR320: %s", ir_rule_rows[IR320_WINDOW_PAST_PADDING].allow);
}

static void note_ceil(const pool_facts *facts, const ir_shape *out) {
  if (facts->params->rounding_type != IR_ROUND_CEIL || !ir_pool_rules_of(facts->node)->compared_with_torch)
    return;
  for (int i = 0; i < facts->n_spatial; i++) {
    int64_t n = facts->in->shape.dims[2 + i].lo, torch = -1;
    ir_window_axis axis = resolved_axis(facts, i, n);
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

static void note_surprises(const pool_facts *facts, const ir_shape *out) {
  if (facts->auto_pad != ir_pool_auto_pad(facts->node, true))
    return; /* no run will have these pads */
  warn_of_empty_window(facts, out);
  report_past_pads(facts, out);
  note_ceil(facts, out);
}

/* Where same_* pads take the place of the given ones only once all sizes are known. */
static void note_same(const pool_facts *facts) {
  if (!ir_pool_rules_of(facts->node)->same_of_known_shapes || !is_same(facts->params->auto_pad))
    return;
  if (facts->auto_pad != IR_PAD_EXPLICIT) {
    note_unused_pads(facts->node, facts->scope);
    return;
  }
  if (ir_pool_auto_pad(facts->node, true) == IR_PAD_EXPLICIT)
    return;
  const size_t auto_pad = offsetof(ir_pool_params, auto_pad);
  const char *name = name_of(facts->node, auto_pad);
  ir_report(facts->scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, ir_attr_where(facts->scope, facts->node, name),
            "%s '%s' is without effect while a size of the input is open: pads are as given", name,
            word_of(facts->node, auto_pad, facts->params->auto_pad));
  ir_note(facts->scope->diags, (ir_where){0}, "so does nGraph infer; in a run all sizes are known");
}

/* ---- the shape rule ---- */

static bool infer_spatial(const pool_facts *facts, ir_shape *out) {
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_dim n = facts->in->shape.dims[2 + i];
    if (ir_window_count_interval(ir_pool_axis(facts->params, i), facts->auto_pad,
                                 (ir_rounding)facts->params->rounding_type, n, &out->dims[2 + i]))
      continue;
    char name[IR_AXIS_NAME];
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW, ir_attr_where(facts->scope, facts->node, kernel_name(facts)),
              "the output size on %s does not fit 64 bits", ir_axis_name(facts->n_spatial, i, name, sizeof name));
    return false;
  }
  return true;
}

static ir_dim at_least_one(ir_dim dim) {
  return (ir_dim){dim.lo > 1 ? dim.lo : 1, dim.hi};
}

/* Rank and dims that hold whatever the window is. */
static void infer_copied(const pool_facts *facts, ir_shape *out) {
  bool known = facts->in->shape.rank != IR_RANK_UNKNOWN;
  out->rank = facts->n_spatial + 2;
  for (int i = 0; i < out->rank; i++)
    out->dims[i] = at_least_one(known && i < 2 ? facts->in->shape.dims[i] : ir_dim_any());
}

/* Kernel, pads, dilations and auto_pad are without fault, so that a window can be told. */
static bool window_usable(const ir_node *node) {
  static const size_t fields[] = {offsetof(ir_pool_params, kernel), offsetof(ir_pool_params, dilations),
                                  offsetof(ir_pool_params, pads_begin), offsetof(ir_pool_params, pads_end),
                                  offsetof(ir_pool_params, auto_pad)};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (!ir_field_usable(node, fields[i]))
      return false;
  /* same_* pads depend on the strides as well. */
  return ir_field_usable(node, offsetof(ir_pool_params, strides)) ||
         !is_same(((const ir_pool_params *)node->params)->auto_pad);
}

ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool rank_known = in->shape.rank >= 3;
  pool_facts facts = {.node = node, .params = params, .in = in, .scope = scope, .average = average};
  facts.n_spatial = rank_known ? in->shape.rank - 2 : params->kernel.n <= IR_MAX_RANK - 2 ? (int)params->kernel.n : 0;
  facts.auto_pad = ir_pool_auto_pad(node, rank_known && ir_shape_known(&in->shape));
  out->type = in->type;
  bool usable = window_usable(node), fine = usable && facts.n_spatial > 0;
  bool divisor_usable = ir_field_usable(node, offsetof(ir_pool_params, exclude_pad));
  if (usable && average && divisor_usable)
    fine = check_pads(&facts) && fine;
  if (rank_known) {
    fine = check_batch_and_channels(&facts) && fine;
    fine = usable && check_kernel(&facts) && fine;
  }
  fine = fine && !in->unknown && ir_field_usable(node, offsetof(ir_pool_params, strides)) &&
         ir_field_usable(node, offsetof(ir_pool_params, rounding_type)) && divisor_usable;
  out->unknown = !fine;
  if (!fine)
    return IR_OK;
  infer_copied(&facts, &out->shape);
  note_same(&facts);
  if (!rank_known)
    return IR_OK;
  out->unknown = !infer_spatial(&facts, &out->shape);
  if (!out->unknown)
    note_surprises(&facts, &out->shape);
  return IR_OK;
}

/* ---- for the verbose table ---- */

/* The pads of one axis as the formula adds them; those of same_* depend on a size that is not known. */
static void pads_text(ir_auto_pad auto_pad, const ir_window_axis *axis, ir_dim n, char *text, size_t size) {
  if (is_same((int)auto_pad) && !ir_dim_known(n))
    snprintf(text, size, "pads of %s", ir_auto_pad_names[auto_pad]);
  else
    snprintf(text, size, "%lld + %lld", (long long)axis->pad_begin, (long long)axis->pad_end);
}

static void extent_text(const ir_window_axis *axis, char *text, size_t size) {
  if (axis->dilation == 1)
    snprintf(text, size, "%lld", (long long)axis->kernel);
  else
    snprintf(text, size, "((%lld - 1) * %lld + 1)", (long long)axis->kernel, (long long)axis->dilation);
}

void ir_pool_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  const ir_pool_params *params = node->params;
  const ir_shape *out = &node->outputs[0].shape;
  const ir_auto_pad auto_pad = ir_pool_auto_pad(node, ir_shape_known(&in[0]->shape));
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 2; i < in[0]->shape.rank && i < out->rank && used < size; i++) {
    ir_dim n = in[0]->shape.dims[i];
    ir_window_axis axis = ir_pool_resolved_axis(params, auto_pad, i - 2, n.lo);
    char n_text[IR_DIM_TEXT], out_text[IR_DIM_TEXT], pads[64], extent[64];
    pads_text(auto_pad, &axis, n, pads, sizeof pads);
    extent_text(&axis, extent, sizeof extent);
    used += (size_t)snprintf(buffer + used, size - used, "%s%s((%s + %s - %s) / %lld) + 1 = %s", used > 0 ? "; " : "",
                             params->rounding_type == IR_ROUND_FLOOR ? "floor" : "ceil",
                             ir_dim_text(n, n_text, sizeof n_text), pads, extent, (long long)axis.stride,
                             ir_dim_text(out->dims[i], out_text, sizeof out_text));
    if (params->rounding_type == IR_ROUND_CEIL_TORCH && used < size)
      used += (size_t)snprintf(buffer + used, size - used, " (ceil_torch)");
  }
}

int64_t ir_pool_cost(const ir_node *node, const ir_value *const *in) {
  const ir_shape *out = &node->outputs[0].shape;
  int64_t cost = 1;
  if (node->outputs[0].unknown || !ir_shape_known(out) || !ir_shape_known(&in[0]->shape) ||
      !ir_shape_elements(out, &cost))
    return -1;
  for (int i = 2; i < out->rank; i++)
    if (!ir_mul(cost, ir_pool_axis(node->params, i - 2).kernel, &cost))
      return -1;
  return cost;
}

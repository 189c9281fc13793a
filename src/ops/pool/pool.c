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

ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, int64_t axis, int64_t n) {
  return ir_window_resolve(ir_pool_axis(params, axis), (ir_auto_pad)params->auto_pad, n);
}

void ir_pool_windows(const ir_node *node, int axis, ir_windows_axis *windows) {
  ir_window_axis window = ir_pool_resolved_axis(node->params, axis, windows->n_in);
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

void ir_pool_check_attributes(const ir_node *node, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  if (params->auto_pad == IR_PAD_EXPLICIT || !ir_attr_usable(node, "auto_pad"))
    return;
  bool begin = has_item_above_zero(params->pads_begin), end = has_item_above_zero(params->pads_end);
  if (begin || end)
    ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT,
              ir_attr_where(scope, node, begin ? "pads_begin" : "pads_end"), "%s without effect: auto_pad is '%s'",
              begin && end ? "pads_begin and pads_end are"
              : begin      ? "pads_begin is"
                           : "pads_end is",
              ir_auto_pad_names[params->auto_pad]);
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
  int n_spatial;
  bool average;
} pool_facts;

static void report_kernel(const pool_facts *facts, const axis_list *wrong) {
  ir_scope *scope = facts->scope;
  ir_report(scope->diags, IR304_KERNEL_EXCEEDS_INPUT, ir_attr_item_where(scope, facts->node, "kernel", wrong->first),
            "kernel %s", wrong->text);
  char shape[IR_SHAPE_TEXT], input[IR_DIM_TEXT];
  ir_link link = facts->node->inputs[0];
  const ir_layer *from = link.layer >= 0 ? &scope->graph->layers[link.layer] : facts->node->layer;
  ir_note(scope->diags, (ir_where){.source = scope->graph->source, .at = ir_span_of(from->at)},
          "input 0 is %s%s from '%s' (id %lld)", ir_type_name(facts->in->type),
          ir_shape_text(&facts->in->shape, shape, sizeof shape), from->name, (long long)from->id);
  ir_dim n = facts->in->shape.dims[2 + wrong->first];
  ir_window_axis axis = ir_pool_resolved_axis(facts->params, wrong->first, n.hi);
  ir_note(scope->diags, (ir_where){0}, "needed: %s <= in + pads_begin + pads_end = %s + %lld + %lld",
          axis.dilation > 1 ? "(kernel - 1) * dilation + 1" : "kernel", ir_dim_text(n, input, sizeof input),
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
    ir_window_axis axis = ir_pool_resolved_axis(facts->params, i, n.hi);
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

static bool check_pad_list(const pool_facts *facts, const char *name, bool begin) {
  axis_list wrong;
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
    ir_note(facts->scope->diags, (ir_where){0},
            "with exclude-pad=\"true\" such a window would have nothing to average");
  }
  return wrong.n == 0;
}

/* exclude-pad: every window is larger than each pad, so that the first and last hold some input. */
static bool check_pads(const pool_facts *facts) {
  const ir_pool_params *params = facts->params;
  if (!params->exclude_pad || params->auto_pad != IR_PAD_EXPLICIT)
    return true;
  bool begin = check_pad_list(facts, "pads_begin", true);
  bool end = check_pad_list(facts, "pads_end", false);
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

/* The first axis that has windows without any input, and the first of those; -1 when there is none. */
static int first_empty(const pool_facts *facts, const ir_shape *out, int64_t *out_first) {
  for (int i = 0; i < facts->n_spatial; i++) {
    if (!ir_pool_is_news(facts->scope, &facts->in->shape, i))
      continue;
    int64_t n = facts->in->shape.dims[2 + i].lo;
    *out_first = ir_window_first_empty(ir_pool_resolved_axis(facts->params, i, n), n, out->dims[2 + i].lo);
    if (*out_first >= 0)
      return i;
  }
  return -1;
}

/* Where the window lies, and where the input. */
static void note_empty_window(const pool_facts *facts, int at, int64_t window) {
  char name[IR_AXIS_NAME], steps[64] = "", input[48] = "nothing";
  int64_t n = facts->in->shape.dims[2 + at].lo;
  ir_window_axis axis = ir_pool_resolved_axis(facts->params, at, n);
  ir_wide begin = (ir_wide)window * axis.stride - axis.pad_begin, end = begin + ir_window_extent(axis) - 1;
  if (end > INT64_MAX)
    return;
  if (axis.dilation > 1 && axis.kernel > 1)
    snprintf(steps, sizeof steps, " in steps of %lld", (long long)axis.dilation);
  if (n > 0)
    snprintf(input, sizeof input, "0 to %lld", (long long)n - 1);
  ir_note(facts->scope->diags, (ir_where){0},
          "on %s window %lld covers %lld to %lld%s, the input %s; rounding_type is '%s'",
          ir_axis_name(facts->n_spatial, at, name, sizeof name), (long long)window, (long long)begin, (long long)end,
          steps, input, ir_rounding_torch_names[facts->params->rounding_type]);
}

static void warn_of_empty_window(const pool_facts *facts, const ir_shape *out) {
  char index[IR_SHAPE_TEXT], value[64] = "0, no average";
  int64_t first;
  int at = first_empty(facts, out, &first);
  if (at < 0)
    return;
  size_t used = 0;
  for (int i = 0; i < facts->n_spatial; i++)
    used += (size_t)snprintf(index + used, sizeof index - used, "%s%lld", i > 0 ? "," : "",
                             (long long)(at == i ? first : 0));
  if (!facts->average)
    snprintf(value, sizeof value, "the lowest %s, no maximum", ir_type_name(facts->in->type));
  ir_report(facts->scope->diags, IR305_WINDOW_WITHOUT_INPUT,
            ir_attr_item_where(facts->scope, facts->node, "kernel", at),
            "window [%s] holds no input element; the output there is %s of the input", index, value);
  note_empty_window(facts, at, first);
}

static void note_ceil(const pool_facts *facts, const ir_shape *out) {
  if (facts->params->rounding_type != IR_ROUND_CEIL)
    return;
  for (int i = 0; i < facts->n_spatial; i++) {
    int64_t n = facts->in->shape.dims[2 + i].lo, torch = -1;
    ir_window_axis axis = ir_pool_resolved_axis(facts->params, i, n);
    if (!ir_pool_is_news(facts->scope, &facts->in->shape, i) ||
        !ir_window_count(axis, IR_ROUND_CEIL_TORCH, n, &torch) || torch == out->dims[2 + i].lo)
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
  warn_of_empty_window(facts, out);
  note_ceil(facts, out);
}

/* ---- the shape rule ---- */

static bool infer_spatial(const pool_facts *facts, ir_shape *out) {
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_dim n = facts->in->shape.dims[2 + i];
    if (ir_window_count_interval(ir_pool_axis(facts->params, i), (ir_auto_pad)facts->params->auto_pad,
                                 (ir_rounding)facts->params->rounding_type, n, &out->dims[2 + i]))
      continue;
    char name[IR_AXIS_NAME];
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW, ir_attr_where(facts->scope, facts->node, "kernel"),
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
  static const char *const names[] = {"kernel", "dilations", "pads_begin", "pads_end", "auto_pad"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (!ir_attr_usable(node, names[i]))
      return false;
  /* same_* pads depend on the strides as well. */
  int auto_pad = ((const ir_pool_params *)node->params)->auto_pad;
  return ir_attr_usable(node, "strides") || auto_pad == IR_PAD_EXPLICIT || auto_pad == IR_PAD_VALID;
}

ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool rank_known = in->shape.rank >= 3;
  pool_facts facts = {.node = node, .params = params, .in = in, .scope = scope, .average = average};
  facts.n_spatial = rank_known ? in->shape.rank - 2 : params->kernel.n <= IR_MAX_RANK - 2 ? (int)params->kernel.n : 0;
  out->type = in->type;
  bool usable = window_usable(node), fine = usable && facts.n_spatial > 0;
  if (usable && average && ir_attr_usable(node, "exclude-pad"))
    fine = check_pads(&facts) && fine;
  if (rank_known) {
    fine = check_batch_and_channels(&facts) && fine;
    fine = usable && check_kernel(&facts) && fine;
  }
  fine = fine && !in->unknown && ir_attr_usable(node, "strides") && ir_attr_usable(node, "rounding_type") &&
         ir_attr_usable(node, "exclude-pad");
  out->unknown = !fine;
  if (!fine)
    return IR_OK;
  infer_copied(&facts, &out->shape);
  if (!rank_known)
    return IR_OK;
  out->unknown = !infer_spatial(&facts, &out->shape);
  if (!out->unknown)
    note_surprises(&facts, &out->shape);
  return IR_OK;
}

/* ---- for the verbose table ---- */

/* The pads of one axis as the formula adds them; those of same_* depend on a size that is not known. */
static void pads_text(const ir_pool_params *params, const ir_window_axis *axis, ir_dim n, char *text, size_t size) {
  bool same = params->auto_pad == IR_PAD_SAME_UPPER || params->auto_pad == IR_PAD_SAME_LOWER;
  if (same && !ir_dim_known(n))
    snprintf(text, size, "pads of %s", ir_auto_pad_names[params->auto_pad]);
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
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 2; i < in[0]->shape.rank && i < out->rank && used < size; i++) {
    ir_dim n = in[0]->shape.dims[i];
    ir_window_axis axis = ir_pool_resolved_axis(params, i - 2, n.lo);
    char n_text[IR_DIM_TEXT], out_text[IR_DIM_TEXT], pads[64], extent[64];
    pads_text(params, &axis, n, pads, sizeof pads);
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

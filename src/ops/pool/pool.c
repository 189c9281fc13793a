#include "ops/pool/pool.h"
#include "ops/pool/pool_facts.h"
#include <stdio.h>
#include <string.h>
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

/* The text, for pads are bound before auto_pad is. */
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

static void set_windows(const ir_node *node, int axis, ir_windows_axis *windows) {
  ir_window_axis window = ir_pool_resolved_axis(node->params, ir_pool_auto_pad(node, true), axis, windows->n_in);
  windows->step = window.dilation;
  windows->kernel = window.kernel;
  windows->stride = window.stride;
  windows->pad_begin = window.pad_begin;
}

const ir_windows_rule ir_pool_windows = {.set = set_windows};

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

ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n) {
  return ir_pool_resolved_axis(facts->params, facts->auto_pad, axis, n);
}

const char *ir_pool_kernel_name(const ir_pool_facts *facts) {
  return ir_pool_name(facts->node, offsetof(ir_pool_params, kernel));
}

static void report_kernel(const ir_pool_facts *facts, const axis_list *wrong) {
  ir_scope *scope = facts->scope;
  ir_report(scope->diags, IR304_KERNEL_EXCEEDS_INPUT,
            ir_attr_item_where(scope, facts->node, ir_pool_kernel_name(facts), wrong->first), "%s %s",
            ir_pool_kernel_name(facts), wrong->text);
  char shape[IR_SHAPE_TEXT], input[IR_DIM_TEXT];
  ir_link link = facts->node->inputs[0];
  const ir_layer *from = link.layer >= 0 ? &scope->graph->layers[link.layer] : facts->node->layer;
  ir_note(scope->diags, (ir_where){.source = scope->graph->source, .at = ir_span_of(from->at)},
          "input 0 is %s%s from '%s' (id %lld)", ir_type_name(facts->in->type),
          ir_shape_text(&facts->in->shape, shape, sizeof shape), from->name, (long long)from->id);
  ir_dim n = facts->in->shape.dims[2 + wrong->first];
  ir_window_axis axis = ir_pool_facts_axis(facts, (int)wrong->first, n.hi);
  ir_note(scope->diags, (ir_where){0}, "needed: %s <= in + %s + %s = %s + %lld + %lld",
          axis.dilation > 1 ? "(kernel - 1) * dilation + 1" : ir_pool_kernel_name(facts),
          ir_pool_name(facts->node, offsetof(ir_pool_params, pads_begin)),
          ir_pool_name(facts->node, offsetof(ir_pool_params, pads_end)), ir_dim_text(n, input, sizeof input),
          (long long)axis.pad_begin, (long long)axis.pad_end);
}

/* True when every window fits. */
static bool check_kernel(const ir_pool_facts *facts) {
  axis_list wrong;
  begin_list(&wrong);
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_dim n = facts->in->shape.dims[2 + i];
    if (n.hi == IR_DIM_MAX)
      continue;
    ir_window_axis axis = ir_pool_facts_axis(facts, i, n.hi);
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

static bool check_pad_list(const ir_pool_facts *facts, bool begin) {
  axis_list wrong;
  const char *name =
      ir_pool_name(facts->node, begin ? offsetof(ir_pool_params, pads_begin) : offsetof(ir_pool_params, pads_end));
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
static bool check_pads(const ir_pool_facts *facts) {
  const ir_pool_params *params = facts->params;
  if (!params->exclude_pad || facts->auto_pad != IR_PAD_EXPLICIT)
    return true;
  bool begin = check_pad_list(facts, true);
  bool end = check_pad_list(facts, false);
  return begin && end;
}

static bool check_batch_and_channels(const ir_pool_facts *facts) {
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

/* ---- the shape rule ---- */

static bool infer_spatial(const ir_pool_facts *facts, ir_shape *out) {
  for (int i = 0; i < facts->n_spatial; i++) {
    ir_dim n = facts->in->shape.dims[2 + i];
    if (ir_window_count_interval(ir_pool_axis(facts->params, i), facts->auto_pad,
                                 (ir_rounding)facts->params->rounding_type, n, &out->dims[2 + i]))
      continue;
    char name[IR_AXIS_NAME];
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW,
              ir_attr_where(facts->scope, facts->node, ir_pool_kernel_name(facts)),
              "the output size on %s does not fit 64 bits", ir_axis_name(facts->n_spatial, i, name, sizeof name));
    return false;
  }
  return true;
}

static ir_dim at_least_one(ir_dim dim) {
  return (ir_dim){dim.lo > 1 ? dim.lo : 1, dim.hi};
}

/* Rank and dims that hold whatever the window is. */
static void infer_copied(const ir_pool_facts *facts, ir_shape *out) {
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
         !ir_pool_is_same(((const ir_pool_params *)node->params)->auto_pad);
}

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  bool rank_known = in->shape.rank >= 3;
  ir_pool_facts facts = {.node = node, .params = params, .in = in, .scope = scope, .average = average};
  facts.n_spatial = rank_known ? in->shape.rank - 2 : params->kernel.n <= IR_MAX_RANK - 2 ? (int)params->kernel.n : 0;
  facts.auto_pad = ir_pool_auto_pad(node, rank_known && ir_shape_known(&in->shape));
  return facts;
}

/* The rank of an input that is not known is the window's and two: one that the op takes. */
static bool check_window_rank(const ir_pool_facts *facts) {
  const ir_node *node = facts->node;
  const ir_port_spec *port = &node->op->inputs[0];
  const int64_t n = facts->params->kernel.n;
  if (n + 2 > IR_MAX_RANK)
    return ir_rank_fits(node, n + 2, facts->scope);
  if (n + 2 >= port->rank_min && n + 2 <= port->rank_max)
    return true;
  ir_report(facts->scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH,
            ir_attr_where(facts->scope, node, ir_pool_kernel_name(facts)),
            "%s has %lld items; %s-%d has %d to %d spatial axes", ir_pool_kernel_name(facts), (long long)n,
            node->op->type, node->op->version, port->rank_min - 2, port->rank_max - 2);
  return false;
}

ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope) {
  const ir_pool_params *params = node->params;
  const ir_pool_facts facts = ir_pool_facts_of(node, in, average, scope);
  bool rank_known = in->shape.rank >= 3;
  out->type = in->type;
  bool usable = window_usable(node), fine = usable && facts.n_spatial > 0;
  if (usable && !rank_known && !in->poisoned && params->kernel.n > 0)
    fine = check_window_rank(&facts) && fine;
  bool divisor_usable = ir_field_usable(node, offsetof(ir_pool_params, exclude_pad));
  if (usable && average && divisor_usable)
    fine = check_pads(&facts) && fine;
  if (rank_known) {
    fine = check_batch_and_channels(&facts) && fine;
    fine = usable && check_kernel(&facts) && fine;
  }
  fine = fine && !in->poisoned && ir_field_usable(node, offsetof(ir_pool_params, strides)) &&
         ir_field_usable(node, offsetof(ir_pool_params, rounding_type)) && divisor_usable;
  out->poisoned = !fine;
  if (!fine)
    return IR_OK;
  infer_copied(&facts, &out->shape);
  ir_pool_note_same(&facts);
  if (!rank_known)
    return IR_OK;
  out->poisoned = !infer_spatial(&facts, &out->shape);
  if (!out->poisoned)
    ir_pool_note_surprises(&facts, &out->shape);
  return IR_OK;
}

/* ---- for the verbose table ---- */

/* The pads of one axis as the formula adds them; those of same_* depend on a size that is not known. */
static void pads_text(ir_auto_pad auto_pad, const ir_window_axis *axis, ir_dim n, char *text, size_t size) {
  if (ir_pool_is_same((int)auto_pad) && !ir_dim_known(n))
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
  if (node->outputs[0].poisoned || !ir_shape_known(out) || !ir_shape_known(&in[0]->shape) ||
      !ir_shape_elements(out, &cost))
    return -1;
  for (int i = 2; i < out->rank; i++)
    if (!ir_mul(cost, ir_pool_axis(node->params, i - 2).kernel, &cost))
      return -1;
  return cost;
}

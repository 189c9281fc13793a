#include "ops/pool/pool.h"
#include "ops/pool/pool_notes.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- faults of the window and the input ---- */

/* A message with a part for each faulty axis. `text` is not initialized, because nearly always there is no fault. */
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

/* Checks that the window fits the padded input on every axis; reports the axes on which it does not. */
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

/* If pads are excluded, checks that each explicit pad is smaller than the window, so that the first and last windows
 * hold some input. */
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

/* Sets the rank, and the dims of N and C, which do not depend on the window. The spatial dims become at least 1. */
static void infer_copied(const ir_pool_facts *facts, ir_shape *out) {
  bool known = facts->in->shape.rank != IR_RANK_UNKNOWN;
  out->rank = facts->n_spatial + 2;
  for (int i = 0; i < out->rank; i++)
    out->dims[i] = at_least_one(known && i < 2 ? facts->in->shape.dims[i] : ir_dim_any());
}

/* Whether kernel, pads, dilations and auto_pad have no fault, so that windows are defined. */
static bool window_usable(const ir_node *node) {
  static const size_t fields[] = {offsetof(ir_pool_params, kernel), offsetof(ir_pool_params, dilations),
                                  offsetof(ir_pool_params, pads_begin), offsetof(ir_pool_params, pads_end),
                                  offsetof(ir_pool_params, auto_pad)};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (!ir_field_usable(node, fields[i]))
      return false;
  /* same_* pads also depend on the strides. */
  return ir_field_usable(node, offsetof(ir_pool_params, strides)) ||
         !ir_pool_is_same(((const ir_pool_params *)node->params)->auto_pad);
}

/* For an input of unknown rank: checks the rank that the kernel implies, its number of items plus 2 (N and C). */
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

/* ---- formula and cost, for verbose output ---- */

/* Writes the pads of one axis, as a part of the formula. If the input size is open, same_* pads are unknown, and the
 * text names auto_pad instead. */
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

/* ---- declared shapes ---- */

static bool is_pool(const ir_node *node) {
  return node->op != NULL && node->op->formula == ir_pool_formula;
}

bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared) {
  if (!is_pool(node) || ((const ir_pool_params *)node->params)->rounding_type != IR_ROUND_CEIL)
    return false;
  const ir_shape *from = &in[0]->shape, *out = &node->outputs[0].shape;
  const ir_auto_pad auto_pad = ir_pool_auto_pad(node, ir_shape_known(from));
  if (from->rank < 3 || from->rank != out->rank || declared->rank != out->rank)
    return false;
  for (int i = 0; i < out->rank; i++) {
    ir_dim torch;
    if (ir_dims_meet(declared->dims[i], out->dims[i]))
      continue;
    if (i < 2 ||
        !ir_window_count_interval(ir_pool_axis(node->params, i - 2), auto_pad, IR_ROUND_CEIL_TORCH, from->dims[i],
                                  &torch) ||
        !ir_dims_meet(declared->dims[i], torch))
      return false;
  }
  return true;
}

#include "runtime/infer/declared.h"
#include "ops/pool/pool.h"
#include "runtime/infer/infer.h"
#include <stdio.h>
#include <string.h>

/* ---- reports ---- */

/* Prints the spatial dims of both shapes, "32x32", to `a` and `b`. False if N or C differ, or a spatial dim is open. */
static bool spatial_texts(const ir_shape *declared, const ir_shape *inferred, char *a, char *b, size_t size) {
  if (declared->rank != inferred->rank || declared->rank < 3 || !ir_dims_meet(declared->dims[0], inferred->dims[0]) ||
      !ir_dims_meet(declared->dims[1], inferred->dims[1]))
    return false;
  size_t used_a = 0, used_b = 0;
  for (int i = 2; i < declared->rank; i++) {
    char dim[IR_DIM_TEXT];
    if (!ir_dim_known(declared->dims[i]) || !ir_dim_known(inferred->dims[i]))
      return false;
    used_a += (size_t)snprintf(a + used_a, size - used_a, "%s%s", i > 2 ? "x" : "",
                               ir_dim_text(declared->dims[i], dim, sizeof dim));
    used_b += (size_t)snprintf(b + used_b, size - used_b, "%s%s", i > 2 ? "x" : "",
                               ir_dim_text(inferred->dims[i], dim, sizeof dim));
  }
  return true;
}

/* The place of the first wrong <dim>, or of the port if the ranks differ. */
static ir_at wrong_place(const ir_port *port, const ir_shape *inferred) {
  for (int i = 0; i < port->rank && port->rank == inferred->rank; i++)
    if (!ir_dims_meet(port->dims[i], inferred->dims[i]))
      return port->dims_at[i];
  return port->at;
}

typedef struct port_words {
  char text[48];
} port_words;

/* "output port 2". Ports of ops that replace an old layer have other ids than the file's: then "the output". */
static port_words port_words_of(const irrun_model *model, const ir_port *port, const char *side) {
  port_words words;
  if (ir_is_legacy(&model->graph))
    snprintf(words.text, sizeof words.text, "the %s", side);
  else
    snprintf(words.text, sizeof words.text, "%s port %lld", side, (long long)port->id);
  return words;
}

/* Reports a wrong shape. In a body, reports a warning: OpenVINO's writers declared slices with the shapes of whole
 * tensors. */
static void report_shape(irrun_model *model, ir_severity severity, const ir_node *node, const ir_port *port,
                         const ir_value *value, const char *side) {
  severity = model->owner != NULL ? IR_WARNING : severity;
  ir_diags *diags = &model->context->diags;
  ir_value declared = ir_port_value(port);
  char spatial[2][IR_SHAPE_TEXT], full[2][IR_SHAPE_TEXT];
  ir_where where = ir_layer_where(&model->graph, node->layer, wrong_place(port, &value->shape));
  ir_shape_text(&declared.shape, full[0], sizeof full[0]);
  ir_shape_text(&value->shape, full[1], sizeof full[1]);
  if (spatial_texts(&declared.shape, &value->shape, spatial[0], spatial[1], IR_SHAPE_TEXT))
    ir_report_as(diags, IR301_DECLARED_SHAPE_DIFFERS, severity, where,
                 "%s declares %s, expected %s: %s against the inferred %s", port_words_of(model, port, side).text,
                 spatial[0], spatial[1], full[0], full[1]);
  else
    ir_report_as(diags, IR301_DECLARED_SHAPE_DIFFERS, severity, where, "%s declares %s, expected %s",
                 port_words_of(model, port, side).text, full[0], full[1]);
}

static void report_type(irrun_model *model, ir_severity severity, const ir_node *node, const ir_port *port,
                        const ir_value *value, const char *side) {
  ir_report_as(&model->context->diags, IR302_DECLARED_TYPE_DIFFERS, severity,
               ir_layer_where(&model->graph, node->layer, port->type_at), "%s declares %s, expected %s",
               port_words_of(model, port, side).text, ir_type_precision(port->type), ir_type_precision(value->type));
}

/* ---- severities of wrong declarations ---- */

/* The severity of a wrong declaration of an input: a warning at a Result, which computes nothing. */
static ir_severity input_severity(const ir_node *node) {
  return ir_op_is(node->op, IR_RUN_OUTPUT) ? IR_WARNING : IR_ERROR;
}

static ir_severity output_severity(const ir_node *node, int32_t port) {
  return port >= 64 || (node->outputs_read >> port & 1) != 0 ? IR_ERROR : IR_WARNING;
}

static ir_severity type_severity(const ir_node *node, int32_t port) {
  const ir_type declared = node->layer->outputs[port].type;
  const bool harmless = ir_type_in(declared, ir_op_output(node->op, port)->types_misdeclared);
  return harmless ? IR_WARNING : output_severity(node, port);
}

static void note_formula(irrun_model *model, const ir_node *node, const ir_value *const *in) {
  char text[1024];
  if (node->op->formula == NULL)
    return;
  node->op->formula(node, in, text, sizeof text);
  if (text[0] != '\0')
    ir_note(&model->context->diags, (ir_where){0}, "output size: %s", text);
}

static void report_output_shape(irrun_model *model, const ir_node *node, int32_t output, const ir_value *const *in) {
  const ir_port *port = &node->layer->outputs[output];
  const ir_value declared = ir_port_value(port);
  const bool torch = ir_pool_declares_torch(node, in, &declared.shape);
  report_shape(model, torch ? IR_WARNING : output_severity(node, output), node, port, &node->outputs[output], "output");
  note_formula(model, node, in);
  if (torch)
    ir_note(&model->context->diags, (ir_where){0},
            "what it declares is without a last window that begins in the end padding: 'ceil_torch' drops it, 'ceil' "
            "does not");
}

static void note_producer(irrun_model *model, const ir_node *node, int32_t input) {
  ir_link link = node->inputs[input];
  if (link.layer < 0)
    return;
  const ir_layer *from = model->nodes[link.layer].layer;
  ir_note(&model->context->diags, ir_layer_where(&model->graph, from, from->at), "it is fed by layer '%s' (id %lld)",
          from->name, (long long)from->id);
}

/* ---- inputs ---- */

/* If the output port that feeds the input is declared wrongly, sets `*out` to that port's declaration and returns true.
 * The input's port can repeat the wrong declaration. */
static bool wrong_producer(const irrun_model *model, const ir_node *node, int32_t input, ir_value *out) {
  ir_link link = node->inputs[input];
  if (link.layer < 0 || (model->declared[link.layer].tainted & ir_port_bit(link.port)) == 0)
    return false;
  const ir_layer *from = model->nodes[link.layer].layer;
  if (link.port >= from->n_outputs)
    return false;
  *out = ir_port_value(&from->outputs[link.port]);
  return true;
}

/* Compares an input's port with its value. Reports a difference unless the port repeats the producer's wrong
 * declaration. Returns true if the port is wrong, or declares no shape and the producer's port is wrong. */
static bool compare_input(irrun_model *model, ir_node *node, int32_t input, const ir_value *value) {
  const ir_port *port = &node->layer->inputs[input];
  ir_link link = node->inputs[input];
  bool tainted = link.layer >= 0 && (model->declared[link.layer].tainted & ir_port_bit(link.port)) != 0;
  if (ir_port_agrees(port, value))
    return tainted && port->rank < 0;
  ir_value declared;
  bool repeats = wrong_producer(model, node, input, &declared);
  if (!ir_port_type_agrees(port, value) && !(repeats && ir_port_type_agrees(port, &declared))) {
    report_type(model, input_severity(node), node, port, value, "input");
    note_producer(model, node, input);
  }
  if (!ir_port_shape_agrees(port, value) && !(repeats && ir_port_shape_agrees(port, &declared))) {
    report_shape(model, input_severity(node), node, port, value, "input");
    note_producer(model, node, input);
  }
  return true;
}

/* ---- outputs ---- */

/* The declared value of an input: of its own port or, if that port declares no shape, of the producer's port. If the
 * declaration agrees with the inferred value, returns the inferred value, which can have contents. */
static ir_value declared_input(const irrun_model *model, const ir_node *node, int32_t input, const ir_value *inferred) {
  const ir_port *port = &node->layer->inputs[input];
  ir_link link = node->inputs[input];
  if (port->rank < 0 && link.layer >= 0 && link.port < model->nodes[link.layer].layer->n_outputs)
    port = &model->nodes[link.layer].layer->outputs[link.port];
  if (!inferred->poisoned && ir_port_agrees(port, inferred))
    return *inferred;
  ir_value value = ir_port_value(port);
  if (value.type == IR_DYNAMIC)
    value.type = inferred->type;
  return value;
}

/* Infers the outputs from in[..] without reports. False if the op refuses the inputs. */
static bool infer_silently(irrun_model *model, const ir_node *node, const ir_value *const *in, ir_value *outputs) {
  ir_diags silent;
  ir_diags_init(&silent, &model->context->memory);
  ir_scope scope = ir_model_scope(model);
  scope.diags = &silent;
  scope.running = true; /* as in a run, ir_infer_node does not call infer if attribute lists have wrong lengths */
  ir_node copy = *node;
  copy.outputs = outputs;
  const bool taken = ir_infer_node(&copy, in, &scope) == IR_OK && silent.status == IR_OK;
  ir_diags_reset(&silent);
  return taken;
}

/* Infers the outputs from the declared inputs, without reports. False if the op refuses these inputs. */
static bool infer_from_declared(irrun_model *model, const ir_node *node, const ir_value *const *in, ir_value *outputs) {
  const ir_memory *memory = &model->context->memory;
  if (node->n_outputs > IR_MAX_OP_PORTS || node->op == NULL)
    return false;
  ir_value *values = ir_alloc_zero(memory, (size_t)node->n_inputs, sizeof *values);
  const ir_value **declared = ir_alloc_zero(memory, (size_t)node->n_inputs, sizeof *declared);
  bool taken = values != NULL && declared != NULL;
  if (!taken)
    ir_out_of_memory(&model->context->diags);
  for (int32_t i = 0; taken && i < node->n_inputs; i++) {
    values[i] = declared_input(model, node, i, in[i]);
    declared[i] = &values[i];
  }
  taken = taken && infer_silently(model, node, declared, outputs);
  ir_free(memory, declared);
  ir_free(memory, values);
  return taken;
}

bool ir_refusal_is_echo(irrun_model *model, const ir_node *node, const ir_value *const *in) {
  ir_value outputs[IR_MAX_OP_PORTS];
  bool tainted = false;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link link = node->inputs[i];
    tainted = tainted || (link.layer >= 0 && (model->declared[link.layer].tainted & ir_port_bit(link.port)) != 0);
  }
  return tainted && node->n_outputs <= IR_MAX_OP_PORTS && !infer_silently(model, node, in, outputs) &&
         infer_from_declared(model, node, in, outputs);
}

/* Whether each wrong dim of `output` repeats a wrong dim of `earlier`: declared and inferred sizes are the same. */
static bool repeats_sizes(const ir_node *node, int32_t earlier, int32_t output) {
  const ir_port *port = &node->layer->outputs[output], *other = &node->layer->outputs[earlier];
  const ir_shape *shape = &node->outputs[output].shape, *other_shape = &node->outputs[earlier].shape;
  if (port->rank != shape->rank || other->rank != other_shape->rank)
    return false;
  for (int i = 0; i < port->rank; i++) {
    bool found = ir_dims_meet(port->dims[i], shape->dims[i]);
    for (int j = 0; j < other->rank && !found; j++)
      found = ir_dims_equal(port->dims[i], other->dims[j]) && ir_dims_equal(shape->dims[i], other_shape->dims[j]);
    if (!found)
      return false;
  }
  return true;
}

/* Whether an earlier output declares the same wrong shape or sizes, so that one report is enough. If the earlier report
 * is a warning and this output needs an error, returns false. */
static bool repeats_output(const ir_node *node, int32_t output) {
  ir_value declared = ir_port_value(&node->layer->outputs[output]);
  for (int32_t p = 0; p < output; p++) {
    ir_value other = ir_port_value(&node->layer->outputs[p]);
    if (ir_port_shape_agrees(&node->layer->outputs[p], &node->outputs[p]) ||
        (output_severity(node, p) != IR_ERROR && output_severity(node, output) == IR_ERROR))
      continue;
    if (repeats_sizes(node, p, output) || (ir_shapes_equal(&other.shape, &declared.shape) &&
                                           ir_shapes_equal(&node->outputs[p].shape, &node->outputs[output].shape)))
      return true;
  }
  return false;
}

/* Whether an earlier output declares the same wrong type. */
static bool repeats_type(const ir_node *node, int32_t output) {
  for (int32_t p = 0; p < output; p++)
    if (node->layer->outputs[p].type == node->layer->outputs[output].type &&
        node->outputs[p].type == node->outputs[output].type &&
        (type_severity(node, p) == IR_ERROR || type_severity(node, output) != IR_ERROR))
      return true;
  return false;
}

static void compare_outputs(irrun_model *model, ir_node *node, const ir_value *const *in, bool inputs_tainted) {
  ir_declared_check *check = &model->declared[ir_node_index(model, node)];
  ir_value follow[IR_MAX_OP_PORTS];
  bool told = inputs_tainted && infer_from_declared(model, node, in, follow);
  for (int32_t p = 0; p < node->n_outputs && p < node->layer->n_outputs; p++) {
    const ir_port *port = &node->layer->outputs[p];
    const ir_value *value = &node->outputs[p];
    if (ir_port_agrees(port, value)) {
      if (inputs_tainted && port->rank < 0)
        check->tainted |= ir_port_bit(p);
      continue;
    }
    const bool is_told = ir_op_is(node->op, IR_RUN_INPUT) && (check->differs & ir_port_bit(p)) != 0;
    check->differs |= ir_port_bit(p);
    check->tainted |= ir_port_bit(p);
    bool follows = told && !follow[p].poisoned;
    if (!ir_port_type_agrees(port, value) && !(follows && ir_port_type_agrees(port, &follow[p])) &&
        !repeats_type(node, p))
      report_type(model, type_severity(node, p), node, port, value, "output");
    if (!is_told && !ir_port_shape_agrees(port, value) && !(follows && ir_port_shape_agrees(port, &follow[p])) &&
        !repeats_output(node, p))
      report_output_shape(model, node, p, in);
  }
}

/* ---- Parameters ---- */

bool ir_parameter_dim_agrees(ir_dim declared, ir_dim dim) {
  return ir_dim_known(dim) ? ir_dim_known(declared) && declared.lo == dim.lo : !ir_dim_known(declared);
}

/* Does nothing for a body's Parameter, because OpenVINO writes wrong sizes there. ir_compare_declared compares the port
 * of such a Parameter with the inferred shape, and reports a difference as a warning. */
void ir_check_parameter_port(irrun_model *model, ir_node *node) {
  const ir_port *port = node->layer->n_outputs > 0 ? &node->layer->outputs[0] : NULL;
  ir_value *value = &node->outputs[0];
  char declared[IR_SHAPE_TEXT], own[IR_SHAPE_TEXT];
  const bool same_rank = port != NULL && port->rank == value->shape.rank;
  int wrong = 0, open = 0;
  if (port == NULL || port->rank < 0 || value->poisoned || model->graph.dialect != IR_OPENVINO || model->owner != NULL)
    return;
  while (same_rank && open < port->rank && ir_parameter_dim_agrees(port->dims[open], value->shape.dims[open]))
    open++;
  if (same_rank && open == port->rank)
    return;
  while (same_rank && wrong < port->rank &&
         (!ir_dim_known(port->dims[wrong]) || ir_parameter_dim_agrees(port->dims[wrong], value->shape.dims[wrong])))
    wrong++;
  /* OpenVINO reads only 'shape', so a port that declares -1 instead of a number is only a warning */
  const bool says_less = same_rank && wrong == port->rank;
  const ir_value of_port = ir_port_value(port);
  const ir_code code = ir_report_as(
      &model->context->diags, IR301_DECLARED_SHAPE_DIFFERS, says_less ? IR_WARNING : output_severity(node, 0),
      ir_layer_where(&model->graph, node->layer, same_rank ? port->dims_at[says_less ? open : wrong] : port->at),
      "output port %lld declares %s, expected %s, which is its 'shape'", (long long)port->id,
      ir_shape_text(&of_port.shape, declared, sizeof declared), ir_shape_text(&value->shape, own, sizeof own));
  model->declared[ir_node_index(model, node)].differs |= ir_port_bit(0);
  model->declared[ir_node_index(model, node)].tainted |= ir_port_bit(0);
  if (code == IR_OK)
    return; /* the difference is allowed, or only a warning: 'shape' stays */
  for (int i = 0; same_rank && i < port->rank; i++)
    value->shape.dims[i] = ir_dims_hull(port->dims[i], value->shape.dims[i]);
  if (!same_rank)
    value->shape = ir_shape_unknown();
}

/* ---- assumed shapes ---- */

/* Whether an output shape of the node depends on constant contents that are unavailable. */
static bool asks_unavailable(const ir_node *node, const ir_value *const *in) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_port_spec *spec = ir_op_input(node->op, i);
    /* if the op has no range rule, it uses ranges for output shapes, such as TopK's `k` */
    const bool asks = spec != NULL && (spec->contents || (spec->ranges && node->op->ranges == NULL));
    if (asks && in[i]->contents == NULL && in[i]->contents_unavailable)
      return true;
  }
  return false;
}

bool ir_assume_declared(irrun_model *model, ir_node *node, const ir_value *const *in) {
  ir_declared_check *check = &model->declared[ir_node_index(model, node)];
  bool asks = asks_unavailable(node, in);
  for (int32_t p = 0; asks && p < node->n_outputs && p < node->layer->n_outputs; p++) {
    const ir_port *port = &node->layer->outputs[p];
    ir_shape *shape = &node->outputs[p].shape;
    if (node->outputs[p].poisoned || port->rank < 0 || !ir_port_shape_agrees(port, &node->outputs[p]))
      continue;
    for (int i = 0; i < port->rank; i++) {
      bool open = shape->rank < 0 || !ir_dim_known(shape->dims[i]);
      if (open && ir_dim_known(port->dims[i]))
        check->assumed |= ir_port_bit(p);
      if (open && (shape->rank < 0 || ir_dim_known(port->dims[i])))
        shape->dims[i] = port->dims[i];
    }
    shape->rank = port->rank;
  }
  return check->assumed != 0;
}

void ir_go_on_as_declared(irrun_model *model, ir_node *node) {
  node->refused = true;
  for (int32_t p = 0; p < node->n_outputs && p < node->layer->n_outputs; p++)
    if (node->outputs[p].poisoned && node->layer->outputs[p].rank >= 0) {
      node->outputs[p] = ir_port_value(&node->layer->outputs[p]);
      model->declared[ir_node_index(model, node)].tainted |= ir_port_bit(p);
    }
}

/* Opens all dims of assumed outputs: irrun lacks the op, and an input is declared wrongly, so the outputs' declarations
 * can be wrong too. If an input's type is wrong, opens the types too. */
static void doubt_outputs(const ir_node *node, const ir_value *const *in) {
  bool types_agree = true;
  for (int32_t i = 0; i < node->n_inputs; i++)
    types_agree = types_agree && (in[i]->poisoned || ir_port_type_agrees(&node->layer->inputs[i], in[i]));
  for (int32_t p = 0; p < node->n_outputs; p++) {
    ir_value *value = &node->outputs[p];
    for (int i = 0; i < value->shape.rank; i++)
      value->shape.dims[i] = ir_dim_any();
    if (!types_agree)
      value->type = IR_DYNAMIC;
  }
}

void ir_compare_declared(irrun_model *model, ir_node *node, const ir_value *const *in) {
  bool tainted = false;
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (!in[i]->poisoned)
      tainted = compare_input(model, node, i, in[i]) || tainted;
  if (!node->assumed)
    compare_outputs(model, node, in, tainted);
  else if (tainted)
    doubt_outputs(node, in);
}

void ir_check_declared_outputs(irrun_model *model, const ir_node *node, const ir_value *const *in) {
  for (int32_t p = 0; p < node->n_outputs && p < node->layer->n_outputs; p++) {
    if (node->outputs[p].poisoned || ir_port_shape_agrees(&node->layer->outputs[p], &node->outputs[p]) ||
        repeats_output(node, p))
      continue;
    report_output_shape(model, node, p, in);
  }
}

/* Infers a whole model in order, and compares it with the declarations in its file and with its .bin. */
#include "base/message_text.h"
#include "graph/bin_absence.h"
#include "ops/const.h"
#include "runtime/infer/bin_layout.h"
#include "runtime/infer/walk.h"
#include "runtime/model/weight_parts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the .bin ---- */

/* Counts the constants whose bytes are in the .bin: a layer made from an old IR can have them in memory. */
static int64_t count_constants(const irrun_model *model) {
  int64_t n = 0;
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    n += count_constants(model->bodies[i]); /* recursion of one level: bodies have no list of bodies */
  for (size_t i = 0; i < model->graph.n_layers; i++)
    n += ir_op_is(model->nodes[i].op, IR_RUN_CONSTANT) && model->graph.layers[i].data == NULL;
  return n;
}

/* Warns, in a check, that the .bin is missing. Shapes that depend on its constants are assumed as declared. */
static void report_no_bin(irrun_model *model, int64_t n_constants) {
  const ir_weights *weights = model->graph.weights;
  ir_diags *diags = &model->context->diags;
  ir_report_as(diags, IR401_BIN_MISSING, IR_WARNING, (ir_where){.source = model->graph.source, .at = IR_NOWHERE},
               "%lld constant%s not looked at: %s%s; a shape that depends on one is taken as the file declares it",
               (long long)n_constants, n_constants == 1 ? " is" : "s are",
               weights == NULL ? "no .bin is given" : "there is no ", weights == NULL ? "" : weights->path);
  ir_hint(diags, "%s--weights FILE", weights == NULL ? "name it with " : "put it there, or name it with ");
}

static void report_other(const ir_weights *weights, ir_diags *diags) {
  const ir_file_type *found = weights->file_type;
  ir_report_firm(diags, IR401_BIN_MISSING, (ir_where){.source = weights->source, .at = IR_NOWHERE},
                 "the file is %s, not the constants of a model", found->description);
  ir_hint(diags, "%s", found->kind == IR_FILE_POINTER ? IR_POINTER_HINT : "put the model's own .bin in its place");
}

static void report_no_file(irrun_model *model, const ir_weights *weights, int64_t n_constants) {
  ir_diags *diags = &model->context->diags;
  const bool is_missing = ir_bin_absence_of(weights) != IR_BIN_NO_FILE;
  if (weights != NULL && weights->given)
    ir_report_firm(diags, IR401_BIN_MISSING, (ir_where){0}, "--weights %s: %s", weights->path,
                   ir_weights_fault(weights));
  else if (diags->status == IR_IO || model->purpose != IRRUN_TO_CHECK)
    return;
  else if (is_missing)
    report_no_bin(model, n_constants);
  else
    ir_report_firm(diags, IR401_BIN_MISSING, (ir_where){.source = weights->source, .at = IR_NOWHERE}, "cannot read: %s",
                   ir_weights_fault(weights));
}

/* Reports an unavailable .bin. If the file exists but cannot be read, even a check fails. */
static void report_absent(irrun_model *model, ir_weights *weights, int64_t n_constants) {
  ir_diags *diags = &model->context->diags;
  if (n_constants == 0 && (weights == NULL || !weights->given))
    return;
  switch (ir_bin_absence_of(weights)) {
  case IR_BIN_UNREADABLE:
    ir_report_unreadable_bin(weights, diags);
    break;
  case IR_BIN_OTHER_FILE:
    if (diags->status != IR_IO)
      report_other(weights, diags);
    break;
  case IR_BIN_NOT_NAMED:
  case IR_BIN_NOT_THERE:
  case IR_BIN_NO_FILE:
    report_no_file(model, weights, n_constants);
    break;
  case IR_BIN_PRESENT:
    break;
  }
}

/* Reports all constants that lie beyond the end of the .bin as one fault, at the first of them. */
static void report_outside(const ir_weights *weights, ir_diags *diags) {
  char others[64] = "";
  if (weights->n_outside > 1)
    snprintf(others, sizeof others, ", the first of %" PRId64, weights->n_outside);
  ir_report(diags, IR402_CONSTANT_OUTSIDE_BIN, weights->outside,
            "%s has %s, the constants need %" PRIu64 ": this one does not lie in it%s", weights->path,
            ir_count(weights->size, "byte").text, weights->used_end, others);
  if (weights->file_type != NULL)
    ir_hint(diags, "it looks like %s: put the model's own .bin in its place", weights->file_type->description);
  else
    ir_hint(diags, "is it cut short, or the .bin of another model?");
}

/* Reports bytes after the last constant. If irrun lacks an op or does not know all bytes of an extension, reports
 * nothing: they can be constants. */
static void report_unused(irrun_model *model, const ir_weights *weights, int64_t n_constants) {
  const int64_t end = (int64_t)weights->used_end;
  const ir_where where = {.source = weights->source, .at = {end, weights->size}};
  if (model->n_missing > 0 || ir_find_foreign_bytes(model, NULL) != NULL)
    return;
  if (n_constants == 0)
    ir_report_as(&model->context->diags, IR405_BIN_UNUSED_BYTES, weights->given ? IR_WARNING : IR_NOTE, where,
                 "the file has %s, and the model no constant", ir_count(weights->size, "byte").text);
  else
    ir_report(&model->context->diags, IR405_BIN_UNUSED_BYTES, where,
              "the last constant ends at %" PRId64 ", the file has %s", end, ir_count(weights->size, "byte").text);
}

static void check_bin(irrun_model *model) {
  ir_weights *weights = model->graph.weights;
  ir_diags *diags = &model->context->diags;
  int64_t n_constants = count_constants(model);
  if (model->graph.dialect != IR_OPENVINO)
    return;
  if (weights == NULL || !ir_weights_open(weights)) {
    report_absent(model, weights, n_constants);
    return;
  }
  if (weights->n_outside > 0)
    report_outside(weights, diags);
  if (diags->status == IR_OK)
    ir_note_contents(model, model->purpose == IRRUN_TO_CHECK);
  if (diags->status == IR_OK && (int64_t)weights->used_end < weights->size)
    report_unused(model, weights, n_constants);
}

/* ---- IR version 10 ---- */

/* The type that OpenVINO gives to an input or output of IR version 10; IR_DYNAMIC if it keeps the file's type. */
static ir_type type_at_boundary(ir_type type, bool input) {
  switch (type) {
  case IR_F16:
    return IR_F32;
  case IR_BF16:
  case IR_F64:
  case IR_I8:
  case IR_U8:
  case IR_I16:
  case IR_U16:
  case IR_BOOLEAN:
    return input ? IR_DYNAMIC : IR_F32;
  case IR_U32:
  case IR_I64:
  case IR_U64:
    return input ? IR_DYNAMIC : IR_I32;
  default:
    return IR_DYNAMIC;
  }
}

static void note_boundary_type(irrun_model *model, const ir_layer *layer, const ir_value *value, bool input) {
  ir_type type = value->poisoned ? IR_DYNAMIC : type_at_boundary(value->type, input);
  if (type != IR_DYNAMIC)
    ir_report(&model->context->diags, IR009_IR10_TYPES_KEPT, ir_layer_where(&model->graph, layer, layer->at),
              "%s '%s' keeps its type %s; OpenVINO makes it %s, for the IR has version 10", input ? "input" : "output",
              layer->name, ir_type_name(value->type), ir_type_name(type));
}

static void note_boundary_types(irrun_model *model) {
  for (int32_t i = 0; i < model->n_inputs; i++) {
    const ir_node *node = &model->nodes[model->inputs[i]];
    note_boundary_type(model, node->layer, &node->outputs[0], true);
  }
  for (int32_t i = 0; i < model->n_outputs; i++) {
    const ir_node *node = &model->nodes[model->outputs[i]];
    const ir_link from = ir_node_source(node);
    if (from.layer >= 0)
      note_boundary_type(model, node->layer, &model->nodes[from.layer].outputs[from.port], false);
  }
}

ir_code ir_model_infer(irrun_model *model) {
  ir_diags *diags = &model->context->diags;
  if (model->graph.has_pre_process && !ir_is_legacy(&model->graph)) {
    /* an error in a run: without <pre-process> its results would be wrong */
    ir_code (*report)(ir_diags *, ir_rule, ir_where, const char *, ...) =
        model->purpose == IRRUN_TO_RUN ? ir_report_firm : ir_report;
    report(diags, IR210_NOT_RUNNABLE_HERE,
           (ir_where){.source = model->graph.source, .at = ir_span_of(model->graph.pre_process_at)},
           "<pre-process> changes the inputs before the first layer; irrun does not do that");
  }
  ir_code code = ir_check_bin_layout(model);
  if (code == IR_OK)
    code = ir_model_walk(model);
  check_bin(model);
  if (model->graph.version == 10)
    note_boundary_types(model);
  return code;
}

/* Implements irrun_model_convert. */
#include "parser/ir_mend.h"
#include "parser/ir_write.h"
#include "runtime/convert/corrections.h"
#include "runtime/convert/modernized.h"
#include "runtime/convert/out_pair.h"
#include "runtime/convert/translate.h"
#include <inttypes.h>
#include <string.h>

/* ---- an IR ---- */

static ir_code visit_port(void *user, const ir_port *port, ir_type type, const ir_shape *shape) {
  return ir_mend_port(user, port, type, shape);
}

/* The number of constants whose bytes are in the .bin. */
static int64_t count_constants(const irrun_model *model) {
  int64_t n = 0;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    n += ir_op_is(model->nodes[i].op, IR_RUN_CONSTANT) && model->nodes[i].layer->data == NULL;
  for (size_t b = 0; b < model->graph.n_bodies; b++)
    n += count_constants(model->bodies[b]);
  return n;
}

/* Warns that constants are not copied, because the model's .bin is missing. */
static ir_code warn_of_missing_constants(ir_out_pair *c) {
  irrun_model *model = c->model;
  const int64_t n = count_constants(model);
  if (n == 0)
    return ir_out_pair_without_bin(c, false);
  const ir_weights *weights = model->graph.weights;
  ir_report_as(&model->context->diags, IR401_BIN_MISSING, IR_WARNING,
               (ir_where){.source = model->graph.source, .at = IR_NOWHERE},
               "%" PRId64 " constant%s not copied, for there is no %s", n, n == 1 ? " was" : "s were",
               weights == NULL ? ".bin: name it with --weights FILE" : weights->path);
  return ir_out_pair_without_bin(c, true);
}

static ir_code write_mended(ir_out_pair *c, irrun_conversion *out) {
  irrun_model *model = c->model;
  ir_weights *weights = model->graph.weights;
  ir_edits edits;
  ir_corrections corrections;
  ir_edits_init(&edits, &model->graph, &model->arena, &model->context->diags);
  ir_code code = ir_find_corrections(model, visit_port, &edits, &corrections);
  if (code == IR_OK)
    code = ir_out_pair_open(c, c->xml_path, &c->xml);
  if (code == IR_OK)
    code = ir_write_mended(&edits, ir_sink_of(c->xml));
  ir_edits_reset(&edits);
  const bool has_weights = weights != NULL && ir_weights_open(weights);
  if (code == IR_OK && !has_weights)
    code = warn_of_missing_constants(c);
  if (code == IR_OK && has_weights && !ir_out_pair_has_copy(c, weights)) {
    code = ir_out_pair_open(c, c->bin_path, &c->bin);
    if (code == IR_OK)
      code = ir_out_pair_copy(c, weights);
  }
  out->n_ports = corrections.n_ports;
  out->n_layers = corrections.n_layers;
  out->bin_bytes = has_weights ? weights->size : 0;
  return code;
}

/* ---- an nGraph model ---- */

static void check_name(irrun_model *model, const ir_layer *layer, ir_at at, const char *what, const char *name) {
  const uint32_t character = ir_xml_forbids(name);
  if (name != NULL && strlen(name) > IR_MAX_XML_NAME)
    ir_report(&model->context->diags, IR213_NOT_IN_AN_IR, ir_layer_where(&model->graph, layer, at),
              "%s has %zu bytes; the most that XML parsers read is %d", what, strlen(name), IR_MAX_XML_NAME);
  if (character != 0)
    ir_report(&model->context->diags, IR213_NOT_IN_AN_IR, ir_layer_where(&model->graph, layer, at),
              "%s '%s' holds the character U+%04" PRIX32 ", which XML does not allow", what, name, character);
}

/* Reports names that XML cannot have: characters that only JSON allows, or too many bytes. */
static ir_code check_names(irrun_model *model, const ir_translation *translation) {
  const int64_t before = model->context->diags.n_errors;
  check_name(model, NULL, model->graph.at, "the name of the model", model->graph.name);
  for (size_t i = 0; i < translation->graph.n_layers; i++) {
    const ir_layer *layer = model->nodes[translation->nodes[i]].layer;
    check_name(model, layer, layer->name_at, "the name", layer->name);
    check_name(model, layer, layer->output_names_at, "the tensor name", layer->output_names);
    for (int32_t p = 0; p < layer->n_outputs; p++)
      check_name(model, layer, layer->outputs[p].names_at, "the tensor name", layer->outputs[p].names);
  }
  return model->context->diags.n_errors == before ? IR_OK : IR_UNSUPPORTED;
}

static ir_code write_translated(ir_out_pair *c, irrun_conversion *out) {
  irrun_model *model = c->model;
  ir_diags *diags = &model->context->diags;
  ir_translation translation;
  ir_code code = ir_translate(model, &translation);
  if (code != IR_OK)
    return code;
  code = check_names(model, &translation);
  if (code == IR_OK)
    code = ir_out_pair_open(c, c->xml_path, &c->xml);
  if (code == IR_OK)
    code = ir_out_pair_open(c, c->bin_path, &c->bin);
  if (code == IR_OK)
    code = ir_write_constants(model, &translation, ir_sink_of(c->bin));
  if (code == IR_OK)
    code = ir_write_graph(&translation.graph, NULL, ir_sink_of(c->xml), diags);
  out->n_layers = (int64_t)translation.graph.n_layers;
  out->n_left_out = translation.n_left_out;
  out->bin_bytes = translation.bin_bytes;
  ir_translation_reset(&translation);
  return code;
}

/* ---- an IR of version 2 to 7 ---- */

/* The constants that are made stand in the .bin behind those of the file, so that its size is needed. */
static ir_code refuse_missing_constants(const ir_out_pair *c) {
  const irrun_model *model = c->model;
  const int64_t n = count_constants(model);
  ir_diags *diags = &model->context->diags;
  if (n == 0)
    return IR_OK;
  ir_code code = ir_report(diags, IR401_BIN_MISSING, (ir_where){.source = model->graph.source, .at = IR_NOWHERE},
                           "%" PRId64 " constant%s needed, and there is no %s", n, n == 1 ? " is" : "s are",
                           model->graph.weights == NULL ? ".bin" : model->graph.weights->path);
  ir_hint(diags, "put it beside the model, or name it with --weights FILE");
  return code;
}

/* Reports layers that no op of the opsets replaces. Checks believe their declarations. */
static ir_code refuse_old_layers(irrun_model *model) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_layer *layer = &model->graph.layers[i];
    if (strcmp(layer->opset, IR_OLD_OPSET) == 0)
      code = ir_report(&model->context->diags, IR213_NOT_IN_AN_IR, ir_layer_where(&model->graph, layer, layer->type_at),
                       "no op of the opsets computes the layer type '%s'", layer->type);
  }
  return code;
}

static ir_code write_modernized(ir_out_pair *c, irrun_conversion *out) {
  irrun_model *model = c->model;
  ir_weights *weights = model->graph.weights;
  const bool has_weights = weights != NULL && ir_weights_open(weights);
  ir_code code = has_weights ? IR_OK : refuse_missing_constants(c);
  if (code == IR_OK)
    code = refuse_old_layers(model);
  if (code == IR_OK)
    code = ir_declare_outputs(model);
  if (code == IR_OK)
    code = ir_out_pair_open(c, c->xml_path, &c->xml);
  if (code == IR_OK)
    code = ir_out_pair_open(c, c->bin_path, &c->bin);
  if (code == IR_OK && has_weights)
    code = ir_out_pair_copy(c, weights);
  if (code == IR_OK)
    code = ir_write_made_constants(model, has_weights ? weights->size : 0, ir_sink_of(c->bin), &out->bin_bytes);
  ir_graph graph = model->graph;
  graph.version = 11;
  if (code == IR_OK)
    code = ir_write_graph(&graph, NULL, ir_sink_of(c->xml), &model->context->diags);
  out->n_layers = (int64_t)graph.n_layers;
  return code;
}

/* ---- the call ---- */

static ir_code convert(ir_out_pair *c, const char *path, irrun_conversion *out) {
  irrun_model *model = c->model;
  ir_code code = ir_out_pair_find(c, path);
  if (code == IR_OK)
    code = model->graph.dialect == IR_NGRAPH ? write_translated(c, out)
           : ir_is_legacy(&model->graph)     ? write_modernized(c, out)
                                             : write_mended(c, out);
  if (code == IR_OK && (c->bin != NULL || out->bin_bytes > 0)) {
    out->weights = ir_arena_text(&model->arena, c->bin_path, strlen(c->bin_path));
    code = out->weights == NULL ? ir_out_of_memory(&model->context->diags) : IR_OK;
  }
  /* a policy such as --deny or --strict can turn a warning into an error */
  code = ir_code_worse(code, model->context->diags.status);
  return code == IR_OK ? ir_out_pair_commit(c) : code;
}

irrun_status irrun_model_convert(irrun_model *model, const char *path, irrun_conversion *out) {
  ir_diags *diags = &model->context->diags;
  ir_out_pair c = {.model = model};
  irrun_conversion result = {0};
  ir_code code = ir_give_struct(diags, &result, sizeof result, out);
  if (code != IR_OK)
    return ir_status(code);
  if (model->status != IRRUN_OK)
    return model->status;
  const int64_t errors = diags->n_errors, warnings = diags->n_warnings;
  const ir_code before = diags->status;
  diags->status = IR_OK;
  code = convert(&c, path, &result);
  code = ir_code_worse(code, diags->status);
  if (code == IR_OK)
    ir_give_struct(diags, &result, sizeof result, out);
  ir_out_pair_discard(&c);
  diags->status = ir_code_worse(before, code);
  model->errors += diags->n_errors - errors;
  model->warnings += diags->n_warnings - warnings;
  return ir_status(code);
}

/* Implements irrun_cut_write: writes a part of a model as an IR. */
#include "irrun_debug.h"
#include "parser/ir_layer_texts.h"
#include "parser/ir_write.h"
#include "runtime/convert/compaction.h"
#include "runtime/convert/out_pair.h"
#include "runtime/convert/tensor_numbers.h"

#include <string.h>

typedef struct cut_writer {
  ir_out_pair pair;
  const irrun_cut *cut;
  ir_graph graph;
  ir_tensor_numbers inputs; /* indices in cut->inputs */
  const char **texts;       /* for each layer of `graph`: its XML in the model's file; NULL: a new layer */
  int64_t next_id;
  ir_compaction constants;
} cut_writer;

/* ---- constants ---- */

static ir_code warn_of_missing(cut_writer *w) {
  const irrun_model *model = w->pair.model;
  if (w->constants.n == 0)
    return ir_out_pair_without_bin(&w->pair, false);
  ir_code code = ir_report_as(&model->context->diags, IR401_BIN_MISSING, IR_WARNING,
                              (ir_where){.source = model->graph.source, .at = IR_NOWHERE},
                              "constants of the cut were not copied, for the model's .bin is not there");
  ir_hint(&model->context->diags, "name it with --weights FILE");
  return code == IR_OK ? ir_out_pair_without_bin(&w->pair, true) : code;
}

/* Writes the constants to the new .bin, and adds edits with their new offsets. */
static ir_code move_constants(cut_writer *w, ir_edits *edits) {
  irrun_model *model = w->pair.model;
  ir_code code = ir_list_constants(model, w->cut->has_layer, &w->constants);
  if (code != IR_OK || w->pair.bin == NULL)
    return code == IR_OK ? warn_of_missing(w) : code;
  code = ir_compact(model, &w->constants, edits);
  return code == IR_OK
             ? ir_write_compact(&w->constants, model->graph.weights, ir_sink_of(w->pair.bin), &model->context->diags)
             : code;
}

/* ---- layers and edges ---- */

/* Adds a Parameter or a Result; `*out_port` is its only port. */
static ir_layer *add_end(cut_writer *w, const irrun_cut_tensor *tensor, const char *type, ir_port **out_port) {
  const ir_node *from = &w->pair.model->nodes[tensor->layer];
  const ir_value *value = &from->outputs[tensor->port];
  ir_port *port = ir_arena_array(&w->graph.arena, 1, sizeof *port);
  ir_layer *layer = port == NULL ? NULL : ir_graph_add_layer(&w->graph);
  if (layer == NULL)
    return NULL;
  *port = (ir_port){.type = value->type, .rank = value->shape.rank, .dims = value->shape.dims};
  *layer = (ir_layer){.id = w->next_id++, .name = tensor->name, .type = type, .opset = "opset1"};
  *out_port = port;
  return layer;
}

/* Prints the shape without brackets. */
static const char *shape_attribute(ir_arena *arena, const ir_shape *shape) {
  char text[IR_SHAPE_TEXT];
  ir_shape_text(shape, text, sizeof text);
  return ir_arena_text(arena, text + 1, strlen(text) - 2);
}

static bool add_parameter(cut_writer *w, const irrun_cut_tensor *tensor) {
  const ir_node *from = &w->pair.model->nodes[tensor->layer];
  const ir_value *value = &from->outputs[tensor->port];
  ir_port *port;
  ir_layer *layer = add_end(w, tensor, "Parameter", &port);
  ir_raw_attr *attrs = ir_arena_array(&w->graph.arena, 2, sizeof *attrs);
  if (layer == NULL || attrs == NULL)
    return false;
  attrs[0] = (ir_raw_attr){.name = "shape", .value = shape_attribute(&w->graph.arena, &value->shape)};
  attrs[1] = (ir_raw_attr){.name = "element_type", .value = ir_type_name(value->type)};
  /* In IR version 10, a tensor name must not be the name of a layer that feeds a Result (IR118). */
  if (w->graph.version != 10 || ir_op_is(from->op, IR_RUN_INPUT))
    port->names = from->layer->outputs[tensor->port].names;
  layer->attrs = attrs;
  layer->n_attrs = 2;
  layer->outputs = port;
  layer->n_outputs = 1;
  return attrs[0].value != NULL;
}

static bool add_edge(cut_writer *w, int64_t from_layer, int64_t from_port, int64_t to_layer, int64_t to_port) {
  ir_edge *edge = ir_graph_add_edge(&w->graph);
  if (edge == NULL)
    return false;
  *edge = (ir_edge){.from_layer = from_layer, .from_port = from_port, .to_layer = to_layer, .to_port = to_port};
  return true;
}

static bool add_result(cut_writer *w, const irrun_cut_tensor *tensor) {
  const ir_layer *from = w->pair.model->nodes[tensor->layer].layer;
  ir_port *port;
  ir_layer *layer = add_end(w, tensor, "Result", &port);
  if (layer == NULL)
    return false;
  layer->inputs = port;
  layer->n_inputs = 1;
  return add_edge(w, from->id, from->outputs[tensor->port].id, layer->id, 0);
}

/* Adds the edges into a node of the cut. Layer i of the new graph is the Parameter for cut->inputs[i]. */
static bool add_edges_to(cut_writer *w, const ir_node *node) {
  bool ok = true;
  for (int32_t p = 0; p < node->n_inputs && ok; p++) {
    const ir_link link = node->inputs[p];
    if (link.layer < 0)
      continue;
    const ir_layer *from = w->pair.model->nodes[link.layer].layer;
    const int64_t i = *ir_tensor_number(&w->inputs, link.layer, link.port);
    if (i >= 0)
      ok = add_edge(w, w->graph.layers[i].id, 0, node->layer->id, node->layer->inputs[p].id);
    else
      ok = add_edge(w, from->id, from->outputs[link.port].id, node->layer->id, node->layer->inputs[p].id);
  }
  return ok;
}

static bool add_layers(cut_writer *w, const char *const *texts) {
  const irrun_model *model = w->pair.model;
  bool ok = ir_tensor_numbers_init(&w->inputs, model);
  for (int64_t i = 0; i < w->cut->n_inputs && ok; i++) {
    *ir_tensor_number(&w->inputs, w->cut->inputs[i].layer, w->cut->inputs[i].port) = i;
    ok = add_parameter(w, &w->cut->inputs[i]);
  }
  for (size_t i = 0; i < model->graph.n_layers && ok; i++) {
    ir_layer *layer = w->cut->has_layer[i] ? ir_graph_add_layer(&w->graph) : NULL;
    if (!w->cut->has_layer[i])
      continue;
    ok = layer != NULL && add_edges_to(w, &model->nodes[i]);
    w->texts[w->graph.n_layers - 1] = texts[i];
  }
  const bool has_results = model->n_outputs > 0 && w->cut->has_layer[model->outputs[0]];
  for (int64_t i = 0; i < w->cut->n_outputs && !has_results && ok; i++)
    ok = add_result(w, &w->cut->outputs[i]);
  return ok;
}

static ir_code make_graph(cut_writer *w) {
  const irrun_model *model = w->pair.model;
  ir_diags *diags = &model->context->diags;
  const size_t n = model->graph.n_layers;
  const char **texts = ir_arena_array(&w->graph.arena, n + 1, sizeof *texts);
  const size_t most = n + (size_t)w->cut->n_inputs + (size_t)w->cut->n_outputs;
  w->texts = ir_arena_array(&w->graph.arena, most + 1, sizeof *w->texts);
  if (texts == NULL || w->texts == NULL)
    return ir_out_of_memory(diags);
  memset(texts, 0, (n + 1) * sizeof *texts);
  memset(w->texts, 0, (most + 1) * sizeof *w->texts);
  w->next_id = ir_graph_next_id(&model->graph);
  ir_edits edits;
  ir_edits_init(&edits, &model->graph, &w->graph.arena, diags);
  ir_code code = move_constants(w, &edits);
  if (code == IR_OK)
    code = ir_layer_texts(&edits, w->cut->has_layer, &w->graph.arena, texts);
  ir_edits_reset(&edits);
  return code == IR_OK && !add_layers(w, texts) ? ir_out_of_memory(diags) : code;
}

/* ---- the call ---- */

/* Refuses to write over the model itself. ir_out_pair_find allows that. */
static ir_code check_places(const ir_out_pair *pair) {
  const irrun_model *model = pair->model;
  if (strcmp(model->path, "-") == 0 || !ir_same_place(pair->xml_path, model->path))
    return IR_OK;
  ir_code code = ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                           "'%s' would overwrite a file of the model", pair->xml_path);
  ir_hint(&model->context->diags, "give another name");
  return code;
}

static ir_code write_cut(cut_writer *w, const char *path, irrun_conversion *out) {
  irrun_model *model = w->pair.model;
  ir_diags *diags = &model->context->diags;
  ir_weights *weights = model->graph.weights;
  const bool has_weights = weights != NULL && ir_weights_open(weights);
  ir_code code = ir_out_pair_find(&w->pair, path);
  if (code == IR_OK)
    code = check_places(&w->pair);
  if (code == IR_OK)
    code = ir_out_pair_open(&w->pair, w->pair.xml_path, &w->pair.xml);
  if (code == IR_OK && has_weights)
    code = ir_out_pair_open(&w->pair, w->pair.bin_path, &w->pair.bin);
  if (code == IR_OK)
    code = make_graph(w);
  if (code == IR_OK)
    code = ir_write_graph(&w->graph, w->texts, ir_sink_of(w->pair.xml), diags);
  if (code == IR_OK && w->pair.bin != NULL)
    out->weights = ir_arena_text(&model->arena, w->pair.bin_path, strlen(w->pair.bin_path));
  if (code == IR_OK && w->pair.bin != NULL && out->weights == NULL)
    code = ir_out_of_memory(diags);
  out->bin_bytes = w->constants.bytes;
  out->n_layers = (int64_t)w->graph.n_layers;
  return code == IR_OK ? ir_out_pair_commit(&w->pair) : code;
}

irrun_status irrun_cut_write(irrun_model *model, const irrun_cut *cut, const char *path, irrun_conversion *out) {
  ir_diags *diags = &model->context->diags;
  irrun_cut taken;
  irrun_conversion result = {0};
  cut_writer w = {.pair = {.model = model}, .cut = &taken, .inputs.memory = &model->context->memory};
  ir_code code = ir_take_struct(diags, cut, IR_SIZE_TO(irrun_cut, has_layer), sizeof taken, &taken);
  if (code == IR_OK)
    code = ir_give_struct(diags, &result, sizeof result, out);
  if (code != IR_OK)
    return ir_status(code);
  ir_graph_init(&w.graph, &model->context->memory);
  w.graph.version = model->graph.version;
  w.graph.name = model->graph.name;
  code = write_cut(&w, path, &result);
  if (code == IR_OK)
    ir_give_struct(diags, &result, sizeof result, out);
  ir_tensor_numbers_reset(&w.inputs);
  ir_graph_reset(&w.graph);
  ir_out_pair_discard(&w.pair);
  return ir_status(code);
}

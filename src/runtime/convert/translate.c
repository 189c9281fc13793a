#include "runtime/convert/translate.h"
#include "ops/attr_text.h"
#include "ops/attr_write.h"
#include "ops/const.h"
#include "ops/registry.h"
#include "runtime/infer/infer.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CONSTANT_ALIGNMENT = 64, VERSION = 11 }; /* CONSTANT_ALIGNMENT: bytes of a cache line */

/* The translation of a node. */
typedef struct translated {
  ir_link link;      /* if `layer` is -1: the output that replaces the node's output */
  ir_value *outputs; /* outputs of the counterpart (ir_op.counterpart), inferred by its rules */
  int32_t layer;     /* index in the new graph; -1: the node has no layer */
  int32_t n_names;   /* number of replaced outputs whose names output 0 gets */
  size_t name_bytes;
} translated;

typedef struct translator {
  irrun_model *model;
  ir_translation *out;
  translated *nodes;
  const ir_value **in, **in_translated; /* inputs of the current node: in the nGraph model, and in the new graph */
} translator;

/* Whether the translation needs the node: the node is live, or a Parameter. */
static bool is_wanted(const ir_node *node) {
  return node->op != NULL && (node->live || ir_op_is(node->op, IR_RUN_INPUT));
}

/* ---- links ---- */

/* The output that replaces output `link` in the new graph; `link` itself if its node has a layer. */
static ir_link source_of(const translator *t, ir_link link) {
  return t->nodes[link.layer].layer < 0 ? t->nodes[link.layer].link : link;
}

static void gather(const translator *t, const ir_node *node) {
  ir_gather_inputs(t->model->nodes, node, t->in);
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link link = source_of(t, node->inputs[i]);
    t->in_translated[i] = &t->nodes[link.layer].outputs[link.port];
  }
}

/* ---- counterparts ---- */

/* Reports the faults that the counterpart's rules found. Each means that an IR cannot express the node. */
static ir_code report_faults(const translator *t, const ir_node *node, const ir_diags *faults) {
  ir_diags *diags = &t->model->context->diags;
  ir_code code = IR_OK;
  for (const ir_diag *fault = faults->first; fault != NULL; fault = fault->next)
    if (fault->severity == IR_ERROR && fault->rule != IR703_OUT_OF_MEMORY)
      code = ir_report(diags, IR213_NOT_IN_AN_IR, ir_layer_where(&t->model->graph, node->layer, node->layer->at),
                       "%s-%d of an IR cannot be this node: %s", node->op->counterpart->type,
                       node->op->counterpart->version, fault->message);
  return faults->memory_is_out ? ir_out_of_memory(diags) : code;
}

/* Infers the outputs by the counterpart's rules. */
static ir_code infer(const translator *t, const ir_node *node, void *params, ir_value *outputs) {
  ir_diags faults;
  ir_diags_init(&faults, &t->model->context->memory);
  ir_scope scope = ir_model_scope(t->model);
  scope.graph = &t->out->graph; /* the new graph has no .bin yet */
  scope.arena = &t->out->graph.arena;
  scope.diags = &faults;
  ir_node copy = *node;
  copy.op = node->op->counterpart;
  copy.params = params;
  copy.outputs = outputs;
  copy.n_outputs = ir_op_n_outputs(copy.op);
  ir_code code = ir_infer_node(&copy, t->in_translated, &scope);
  if (code == IR_OK || faults.memory_is_out)
    code = report_faults(t, node, &faults);
  ir_diags_reset(&faults);
  return code;
}

/* Gives the constant a place in the .bin, after earlier constants. */
static ir_code place_constant(const translator *t, const ir_node *node, ir_const_params *params) {
  ir_translation *out = t->out;
  size_t bytes = 0;
  int64_t begin = 0, end = out->bin_bytes;
  ir_tensor_bytes(params->element_type, &params->shape, &bytes);
  if (bytes > 0 && (!ir_add(end, CONSTANT_ALIGNMENT - 1, &begin) || bytes > INT64_MAX ||
                    !ir_add(begin - begin % CONSTANT_ALIGNMENT, (int64_t)bytes, &end)))
    return ir_report(&t->model->context->diags, IR308_SIZE_OVERFLOW,
                     ir_layer_where(&t->model->graph, node->layer, node->layer->at),
                     "the bytes of the constants so far do not fit 64 bits");
  params->offset = begin - begin % CONSTANT_ALIGNMENT;
  params->size = (int64_t)bytes;
  out->offsets[t->nodes[ir_node_index(t->model, node)].layer] = params->offset;
  out->bin_bytes = end;
  return IR_OK;
}

static ir_code make_params(const translator *t, const ir_node *node, void **out_params) {
  const ir_op *op = node->op->counterpart;
  ir_scope scope = ir_model_scope(t->model);
  *out_params = ir_arena_alloc(&t->out->graph.arena, op->params_size);
  if (*out_params == NULL)
    return ir_out_of_memory(scope.diags);
  ir_code code = node->op->translate == NULL ? IR_OK : node->op->translate(node, t->in, *out_params, &scope);
  return code == IR_OK && ir_op_is(op, IR_RUN_CONSTANT) ? place_constant(t, node, *out_params) : code;
}

/* ---- layers ---- */

/* The number of spatial axes: the rank of the first input minus 2, or else the length of an attribute list with one
 * item for each spatial axis. 0: unknown. */
static int count_spatial(const translator *t, const ir_node *node, const void *params) {
  const ir_op *op = node->op->counterpart;
  if (node->n_inputs > 0 && t->in_translated[0]->shape.rank >= 2)
    return t->in_translated[0]->shape.rank - 2;
  for (const ir_attr_spec *spec = op->attrs; spec != NULL && spec->name != NULL; spec++)
    if (spec->count == IR_COUNT_SPATIAL && ((const ir_ints *)((const char *)params + spec->offset))->n != IR_REPEATED)
      return (int)((const ir_ints *)((const char *)params + spec->offset))->n;
  return 0;
}

static bool write_attributes(const translator *t, const ir_node *node, const void *params, ir_layer *layer) {
  ir_arena *arena = &t->out->graph.arena;
  const ir_op *op = node->op->counterpart;
  const int n_spatial = count_spatial(t, node, params);
  layer->attrs = ir_arena_array(arena, (size_t)ir_op_n_attrs(op) + 1, sizeof *layer->attrs);
  for (int i = 0; layer->attrs != NULL && i < ir_op_n_attrs(op); i++) {
    const char *value = ir_attr_write(&op->attrs[i], params, n_spatial, arena);
    if (value == NULL)
      return false;
    layer->attrs[layer->n_attrs++] = (ir_raw_attr){.name = op->attrs[i].name, .value = value};
  }
  layer->has_data = layer->n_attrs > 0;
  return layer->attrs != NULL;
}

/* Makes ports that declare `values`. Port ids of a layer are consecutive, inputs first. */
static bool write_ports(ir_arena *arena, const ir_value *const *values, int32_t n, int64_t first_id,
                        ir_port **out_ports) {
  *out_ports = ir_arena_array(arena, (size_t)n + 1, sizeof **out_ports);
  for (int32_t p = 0; *out_ports != NULL && p < n; p++) {
    const ir_shape *shape = &values[p]->shape;
    ir_dim *dims = ir_arena_array(arena, IR_MAX_RANK, sizeof *dims);
    if (dims == NULL)
      return false;
    memcpy(dims, shape->dims, sizeof shape->dims);
    (*out_ports)[p] = (ir_port){.id = first_id + p, .type = values[p]->type, .rank = shape->rank, .dims = dims};
  }
  return *out_ports != NULL;
}

static bool write_both_sides(const translator *t, const ir_node *node, const ir_value *outputs, ir_layer *layer) {
  ir_arena *arena = &t->out->graph.arena;
  const ir_value *values[IR_MAX_OP_PORTS];
  layer->n_inputs = node->n_inputs;
  layer->n_outputs = ir_op_n_outputs(node->op->counterpart);
  for (int32_t p = 0; p < layer->n_outputs; p++)
    values[p] = &outputs[p];
  if (!write_ports(arena, t->in_translated, layer->n_inputs, 0, &layer->inputs) ||
      !write_ports(arena, values, layer->n_outputs, layer->n_inputs, &layer->outputs))
    return false;
  for (int32_t p = 0; p < layer->n_outputs && p < node->layer->n_outputs; p++) {
    layer->outputs[p].names = node->layer->outputs[p].names;
    layer->outputs[p].names_at = node->layer->outputs[p].names_at;
  }
  return true;
}

/* Sets name, type and opset of a layer. The name of a Result that the reader added ends in "/sink_port_ID", as
 * OpenVINO's names of Results do. */
static bool write_names(const translator *t, const ir_node *node, ir_layer *layer) {
  ir_arena *arena = &t->out->graph.arena;
  char suffix[48] = "", opset[16];
  int first, last;
  if (node->layer->made)
    snprintf(suffix, sizeof suffix, "/sink_port_%" PRId64, layer->id);
  const size_t length = strlen(node->layer->name), more = strlen(suffix);
  char *name = ir_arena_alloc(arena, length + more + 1);
  ir_op_opsets(node->op->counterpart, &first, &last);
  snprintf(opset, sizeof opset, "opset%d", first);
  layer->opset = ir_arena_text(arena, opset, strlen(opset));
  if (name == NULL || layer->opset == NULL)
    return false;
  memcpy(name, node->layer->name, length);
  memcpy(name + length, suffix, more + 1);
  layer->name = name;
  layer->type = node->op->counterpart->type;
  layer->at = node->layer->at;
  layer->name_at = node->layer->name_at;
  layer->output_names = node->layer->output_names;
  layer->output_names_at = node->layer->output_names_at;
  return true;
}

static bool write_edges(const translator *t, const ir_node *node, const ir_layer *layer) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link link = source_of(t, node->inputs[i]);
    const ir_layer *from = &t->out->graph.layers[t->nodes[link.layer].layer];
    const int64_t from_port = from->outputs[link.port].id, from_layer = from->id;
    ir_edge *edge = ir_graph_add_edge(&t->out->graph);
    if (edge == NULL)
      return false;
    *edge = (ir_edge){.from_layer = from_layer, .from_port = from_port, .to_layer = layer->id, .to_port = i};
  }
  return true;
}

/* ---- names of replaced outputs ---- */

static const char *names_of(const ir_node *node) {
  const char *names = node->layer->n_outputs > 0 ? node->layer->outputs[0].names : NULL;
  return names == NULL || names[0] == '\0' ? NULL : names;
}

static void count_names(translator *t, int32_t index, ir_link source) {
  const char *names = names_of(&t->model->nodes[index]);
  if (names == NULL || source.port != 0)
    return;
  t->nodes[source.layer].n_names++;
  t->nodes[source.layer].name_bytes += strlen(names) + 1;
}

/* Appends names to port->names, which has enough room. */
static void append_names(ir_port *port, const char *names) {
  char *end = (char *)(uintptr_t)port->names;
  end += strlen(end);
  sprintf(end, "%s%s", end > port->names ? "," : "", names);
}

/* Adds the names of each replaced output to the output that replaces it. False when memory is out. */
static bool join_names(translator *t) {
  ir_graph *graph = &t->out->graph;
  for (size_t i = 0; i < graph->n_layers; i++) {
    const translated *made = &t->nodes[t->out->nodes[i]];
    if (made->n_names == 0)
      continue;
    ir_port *port = &graph->layers[i].outputs[0];
    const char *own = port->names == NULL ? "" : port->names;
    char *names = ir_arena_alloc(&graph->arena, strlen(own) + made->name_bytes + 1);
    if (names == NULL)
      return false;
    strcpy(names, own);
    port->names = names;
  }
  for (size_t i = 0; i < t->model->graph.n_layers; i++) {
    const ir_link source = t->nodes[i].link;
    const bool stands_for = is_wanted(&t->model->nodes[i]) && t->nodes[i].layer < 0 && source.port == 0;
    if (stands_for && names_of(&t->model->nodes[i]) != NULL)
      append_names(&graph->layers[t->nodes[source.layer].layer].outputs[0], names_of(&t->model->nodes[i]));
  }
  return true;
}

/* ---- the model ---- */

static ir_code translate_node(translator *t, int32_t index) {
  const ir_node *node = &t->model->nodes[index];
  translated *made = &t->nodes[index];
  ir_graph *graph = &t->out->graph;
  void *params;
  gather(t, node);
  if (node->op->counterpart == NULL) {
    made->link = source_of(t, node->inputs[0]);
    count_names(t, index, made->link);
    return IR_OK;
  }
  made->outputs = ir_arena_array(&graph->arena, IR_MAX_OP_PORTS, sizeof *made->outputs);
  ir_layer *added = made->outputs == NULL ? NULL : ir_graph_add_layer(graph);
  if (added == NULL)
    return ir_out_of_memory(&t->model->context->diags);
  made->layer = (int32_t)graph->n_layers - 1;
  t->out->nodes[made->layer] = index;
  ir_code code = make_params(t, node, &params);
  if (code == IR_NO_MEMORY)
    return code;
  ir_layer layer = {.id = made->layer};
  code = ir_code_worse(code, infer(t, node, params, made->outputs));
  if (!write_names(t, node, &layer) || !write_attributes(t, node, params, &layer) ||
      !write_both_sides(t, node, made->outputs, &layer) || !write_edges(t, node, &layer))
    return ir_out_of_memory(&t->model->context->diags);
  *added = layer;
  return code;
}

/* Reports live layers whose op irrun lacks. --allow=IR210 lets a check accept such layers, but not a translation. */
static ir_code refuse_missing_ops(const translator *t) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < t->model->graph.n_layers; i++) {
    const ir_node *node = &t->model->nodes[i];
    if (node->live && node->op == NULL)
      code = ir_report(&t->model->context->diags, IR213_NOT_IN_AN_IR,
                       ir_layer_where(&t->model->graph, node->layer, node->layer->type_at),
                       "irrun does not have %s-%d, and cannot say what an IR has for it", node->layer->type,
                       node->layer->op_version);
  }
  return code;
}

static ir_code translate_all(translator *t) {
  const size_t n = t->model->graph.n_layers;
  ir_code worst = refuse_missing_ops(t);
  if (worst != IR_OK)
    return worst;
  for (size_t i = 0; i < n && worst != IR_NO_MEMORY; i++) {
    t->nodes[i].layer = -1;
    if (is_wanted(&t->model->nodes[i]))
      worst = ir_code_worse(worst, translate_node(t, (int32_t)i));
    else
      t->out->n_left_out++;
  }
  if (worst == IR_OK && !join_names(t))
    return ir_out_of_memory(&t->model->context->diags);
  return worst;
}

ir_code ir_translate(irrun_model *model, ir_translation *out) {
  const ir_memory *memory = &model->context->memory;
  const size_t n = model->graph.n_layers, n_in = ir_most_inputs(model->nodes, n) + 1;
  *out = (ir_translation){.nodes = NULL};
  ir_graph_init(&out->graph, memory);
  out->graph.version = VERSION;
  out->graph.name = model->graph.name;
  out->graph.source = model->graph.source;
  out->graph.at = model->graph.at;
  translator t = {.model = model, .out = out};
  out->nodes = ir_arena_array(&out->graph.arena, n + 1, sizeof *out->nodes);
  out->offsets = ir_arena_array(&out->graph.arena, n + 1, sizeof *out->offsets);
  t.nodes = ir_arena_array(&out->graph.arena, n + 1, sizeof *t.nodes);
  t.in = ir_arena_array(&out->graph.arena, n_in, sizeof *t.in);
  t.in_translated = ir_arena_array(&out->graph.arena, n_in, sizeof *t.in_translated);
  const bool fine =
      out->nodes != NULL && out->offsets != NULL && t.nodes != NULL && t.in != NULL && t.in_translated != NULL;
  ir_code code = fine ? translate_all(&t) : ir_out_of_memory(&model->context->diags);
  if (code != IR_OK)
    ir_translation_reset(out);
  return code;
}

void ir_translation_reset(ir_translation *translation) {
  translation->graph.source = NULL; /* the model owns the source */
  ir_graph_reset(&translation->graph);
  translation->nodes = NULL;
}

/* ---- constants ---- */

static bool write_zeros(ir_byte_sink sink, int64_t n) {
  static const char zeros[CONSTANT_ALIGNMENT];
  return n == 0 || sink.write(sink.user, zeros, (size_t)n);
}

ir_code ir_write_constants(irrun_model *model, const ir_translation *translation, ir_byte_sink sink) {
  ir_scope scope = ir_model_scope(model);
  int64_t end = 0;
  for (size_t i = 0; i < translation->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[translation->nodes[i]];
    ir_tensor tensor;
    if (!ir_op_is(node->op, IR_RUN_CONSTANT))
      continue;
    ir_code code = node->op->run.contents(node, &node->outputs[0], &scope, &tensor);
    if (code != IR_OK)
      return code;
    bool written = tensor.bytes == 0 || (write_zeros(sink, translation->offsets[i] - end) &&
                                         sink.write(sink.user, tensor.data, tensor.bytes));
    end = tensor.bytes == 0 ? end : translation->offsets[i] + (int64_t)tensor.bytes;
    ir_tensor_release(&tensor);
    if (!written)
      break;
  }
  return IR_OK;
}

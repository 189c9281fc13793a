/* Reports duplicate names of inputs or outputs (IR102) and of tensors (IR112). In IR version 10, layers also name
 * tensors, and their names can collide (IR118). */
#include "runtime/model/name_checks.h"
#include "base/index_map.h"
#include "base/limits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ir_note_layer(irrun_model *model, const ir_layer *layer, ir_at at, const char *what) {
  ir_note(&model->context->diags, (ir_where){.source = model->graph.source, .at = ir_span_of(at)}, "%s '%s' (id %lld)",
          what, layer->name, (long long)layer->id);
}

/* ---- layers ---- */

static bool same_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const ir_layer *)user)[value].name, key) == 0;
}

/* Whether the layer's name is also its id, as in nGraph; a duplicate was then reported as a duplicate id. */
static bool is_id(const ir_layer *layer) {
  return layer->name_at.begin == layer->id_at.begin;
}

/* Whether two inputs have the same tensor names. If so, only the tensor names are reported. */
static bool share_tensor_name(const ir_layer *a, const ir_layer *b) {
  const char *names = a->n_outputs > 0 && b->n_outputs > 0 ? a->outputs[0].names : NULL;
  return names != NULL && b->outputs[0].names != NULL && strcmp(names, b->outputs[0].names) == 0;
}

/* Reports equal layer names among the model's inputs, or among its outputs. Other layers can have equal names, because
 * nobody chooses them by name. */
static ir_code check_layer_names(irrun_model *model, const int32_t *nodes, int32_t n_nodes, const char *what) {
  const ir_graph *graph = &model->graph;
  ir_index_map names;
  if (!ir_index_map_init(&names, graph->memory, (size_t)n_nodes))
    return ir_out_of_memory(&model->context->diags);
  for (int32_t i = 0; i < n_nodes; i++) {
    const ir_layer *layer = &graph->layers[nodes[i]];
    if (layer->name[0] == '\0' || layer->made)
      continue;
    int32_t before =
        ir_index_map_add(&names, ir_hash_text(layer->name), layer->name, nodes[i], same_name, graph->layers);
    if (before < 0 || (is_id(layer) && is_id(&graph->layers[before])) ||
        share_tensor_name(layer, &graph->layers[before]))
      continue;
    ir_report(&model->context->diags, IR102_DUPLICATE_LAYER_NAME, ir_layer_where(graph, layer, layer->name_at),
              "another %s is named '%s' as well: none of them can be chosen by that name", what, layer->name);
    ir_note_layer(model, &graph->layers[before], graph->layers[before].name_at, "first by layer");
  }
  ir_index_map_reset(&names);
  return IR_OK;
}

/* ---- tensor names ---- */

/* The names of an output port in the file. For a Result, `layer` and `port` are the output that feeds it. */
typedef struct named_port {
  const char *names;  /* separated by commas; NULL: none */
  const ir_layer *by; /* the layer that has the names */
  ir_at at;
  int32_t layer, port;
} named_port;

typedef struct tensor_name {
  const char *text;
  const named_port *of;
} tensor_name;

static bool same_tensor_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const tensor_name *)user)[value].text, key) == 0;
}

static size_t count_names(const named_port *ports, size_t n_ports, size_t *out_longest) {
  size_t n = 0;
  *out_longest = 0;
  for (size_t i = 0; i < n_ports; i++) {
    const char *end = ports[i].names;
    for (; end != NULL && *end != '\0'; end++)
      n += *end == ',';
    n += ports[i].names != NULL;
    if (ports[i].names != NULL && (size_t)(end - ports[i].names) > *out_longest)
      *out_longest = (size_t)(end - ports[i].names);
  }
  return n;
}

typedef struct name_index {
  ir_severity severity;    /* of duplicates */
  const named_port *inner; /* first port that is no input or output of the model */
  ir_index_map map;
  tensor_name *list;
  int32_t n;
  char *buffer; /* has room for the longest list of names */
  size_t buffer_bytes;
  bool repeated;   /* a duplicate was reported */
  bool in_silence; /* add_names reports no duplicates */
} name_index;

static bool is_same_port(const named_port *a, const named_port *b) {
  return a->layer == b->layer && a->port == b->port;
}

/* Adds a name of `port`; `text` must outlive the index. If another port has the name already, returns that port, else
 * NULL. */
static const named_port *add_name(name_index *index, const char *text, const named_port *port) {
  index->list[index->n] = (tensor_name){text, port};
  const int32_t before =
      ir_index_map_add(&index->map, ir_hash_text(text), text, index->n, same_tensor_name, index->list);
  index->n += before < 0;
  return before < 0 || is_same_port(index->list[before].of, port) ? NULL : index->list[before].of;
}

/* Reports a name of `port` that `first` has, too. Of an inner port and an input or output of the model, OpenVINO always
 * renames the inner one, so that the name still means the other. */
static void report_repeated(irrun_model *model, const name_index *index, const char *name, const named_port *port,
                            const named_port *first) {
  const bool is_inner = port >= index->inner && first < index->inner;
  ir_report_as(&model->context->diags, IR112_TENSOR_NAME_REPEATED, is_inner ? IR_NOTE : index->severity,
               ir_layer_where(&model->graph, port->by, port->at), "tensor name '%s' is already taken%s", name,
               is_inner ? ": OpenVINO renames it here" : "");
  ir_note_layer(model, first->by, first->at, "first by layer");
}

/* Adds the names of a port, and reports duplicates. False when memory is out. */
static bool add_names(irrun_model *model, name_index *index, const named_port *port) {
  const char *cursor = port->names;
  while (ir_next_tensor_name(&cursor, index->buffer, index->buffer_bytes)) {
    char *text = ir_arena_text(&model->arena, index->buffer, strlen(index->buffer));
    if (text == NULL)
      return false;
    const named_port *first = add_name(index, text, port);
    if (first == NULL || index->in_silence)
      continue;
    index->repeated = true;
    report_repeated(model, index, text, port, first);
  }
  return true;
}

static ir_code check_tensor_names(irrun_model *model, const named_port *ports, size_t n_ports, size_t n_leaves,
                                  ir_severity severity, bool *out_repeated) {
  size_t longest, n_names = count_names(ports, n_ports, &longest);
  name_index index = {.severity = severity, .inner = ports + n_leaves, .buffer_bytes = longest + 1};
  if (n_names == 0)
    return IR_OK;
  index.list = ir_arena_array(&model->arena, n_names, sizeof *index.list);
  index.buffer = ir_arena_alloc(&model->arena, index.buffer_bytes);
  bool done = index.list != NULL && index.buffer != NULL && ir_index_map_init(&index.map, model->graph.memory, n_names);
  for (size_t i = 0; done && i < n_ports; i++)
    done = add_names(model, &index, &ports[i]);
  ir_index_map_reset(&index.map);
  *out_repeated = *out_repeated || index.repeated;
  return done ? IR_OK : ir_out_of_memory(&model->context->diags);
}

static named_port port_of_link(const irrun_model *model, ir_link link) {
  const ir_layer *layer = &model->graph.layers[link.layer];
  if (link.port >= layer->n_outputs)
    return (named_port){.names = NULL};
  const ir_port *port = &layer->outputs[link.port];
  return (named_port){port->names, layer, port->names_at, link.layer, link.port};
}

/* The names of a Result: its own, else those of the output that feeds it. The names of a Parameter that feeds it are
 * left out, because they are checked as names of an input. */
static named_port port_of_result(const irrun_model *model, const ir_node *node) {
  const ir_link link = ir_node_source(node);
  if (link.layer < 0)
    return (named_port){.names = NULL};
  const ir_op *from = model->nodes[link.layer].op;
  named_port port = {.names = NULL};
  if (!ir_op_is(from, IR_RUN_INPUT))
    port = port_of_link(model, link);
  if (node->layer->output_names != NULL)
    port = (named_port){node->layer->output_names, node->layer, node->layer->output_names_at, link.layer, link.port};
  return port;
}

/* Lists the ports with the names of the model's inputs or outputs. Returns their number. */
static size_t list_side(const irrun_model *model, irrun_side side, named_port *out) {
  const int32_t *nodes = side == IRRUN_INPUTS ? model->inputs : model->outputs;
  const size_t n = (size_t)(side == IRRUN_INPUTS ? model->n_inputs : model->n_outputs);
  for (size_t i = 0; i < n; i++)
    out[i] = side == IRRUN_INPUTS ? port_of_link(model, (ir_link){nodes[i], 0})
                                  : port_of_result(model, &model->nodes[nodes[i]]);
  return n;
}

static int compare_places(const void *a, const void *b) {
  const named_port *left = a, *right = b;
  return left->layer != right->layer ? (left->layer > right->layer) - (left->layer < right->layer)
                                     : (left->port > right->port) - (left->port < right->port);
}

/* Takes the names of ports[0] to ports[n_leaves - 1] from the same ports among the others, which are in order. */
static void leave_out_leaves(named_port *ports, size_t n_leaves, size_t n) {
  for (size_t i = 0; i < n_leaves; i++) {
    named_port *same = bsearch(&ports[i], ports + n_leaves, n - n_leaves, sizeof *ports, compare_places);
    if (ports[i].names != NULL && same != NULL && same->names != NULL && strcmp(ports[i].names, same->names) == 0)
      same->names = NULL;
  }
}

/* Checks the names among the inputs and among the outputs, then, if they differ, those of all ports. OpenVINO itself
 * writes files in which an inner port has the name of an output. */
static ir_code check_all_tensor_names(irrun_model *model) {
  const ir_graph *graph = &model->graph;
  const size_t n_leaves = (size_t)model->n_inputs + (size_t)model->n_outputs;
  size_t n = n_leaves;
  bool repeated = false;
  for (size_t i = 0; i < graph->n_layers; i++)
    n += (size_t)graph->layers[i].n_outputs;
  named_port *ports = ir_alloc_zero(graph->memory, n + 1, sizeof *ports);
  if (ports == NULL)
    return ir_out_of_memory(&model->context->diags);
  n = list_side(model, IRRUN_INPUTS, ports);
  list_side(model, IRRUN_OUTPUTS, ports + n);
  ir_code code = check_tensor_names(model, ports, n, n, IR_ERROR, &repeated);
  if (code == IR_OK)
    code = check_tensor_names(model, ports + n, n_leaves - n, n_leaves - n, IR_ERROR, &repeated);
  n = n_leaves;
  for (size_t i = 0; i < graph->n_layers; i++)
    for (int32_t p = 0; p < graph->layers[i].n_outputs; p++)
      ports[n++] = port_of_link(model, (ir_link){(int32_t)i, p});
  leave_out_leaves(ports, n_leaves, n);
  if (code == IR_OK && !repeated)
    code = check_tensor_names(model, ports, n, n_leaves, IR_WARNING, &repeated);
  ir_free(graph->memory, ports);
  return code;
}

/* ---- names in IR version 10 ---- */

/* Returns the name that OpenVINO gives to the tensor of `link` in a model of IR version 10: the layer's name, with
 * .PORT if the layer has several outputs. NULL if memory is out. */
static const char *leaf_name(irrun_model *model, ir_link link) {
  const ir_node *node = &model->nodes[link.layer];
  const size_t size = strlen(node->layer->name) + 16;
  char *text = node->n_outputs == 1 ? NULL : ir_arena_alloc(&model->arena, size);
  if (text != NULL)
    snprintf(text, size, "%s.%d", node->layer->name, (int)link.port);
  return node->n_outputs == 1 ? node->layer->name : text;
}

static void report_collision(irrun_model *model, const char *name, ir_link link, const named_port *first) {
  const ir_layer *layer = model->nodes[link.layer].layer;
  ir_report(&model->context->diags, IR118_V10_NAMES_COLLIDE, ir_layer_where(&model->graph, layer, layer->name_at),
            "version 10 gives the layer's name to its tensor, and '%s' is that of another input or output", name);
  ir_note_layer(model, first->by, first->at.length > 0 ? first->at : first->by->at, "that of layer");
  ir_hint(&model->context->diags, "give the layer another name");
}

/* Reports a Parameter that feeds a Result. In IR version 10, OpenVINO makes two tensors with the names of its port. */
static void report_passed_on(irrun_model *model, ir_link link, const named_port *port) {
  const ir_node *node = &model->nodes[link.layer];
  if (!ir_op_is(node->op, IR_RUN_INPUT))
    return;
  ir_report(&model->context->diags, IR118_V10_NAMES_COLLIDE, ir_layer_where(&model->graph, node->layer, port->at),
            "version 10 gives the names of the tensor '%s' to an input and to the output that it is, too", port->names);
  ir_hint(&model->context->diags, "take the attribute 'names' out of this port");
}

/* Adds the names of `ports`, then the names that the layers of `links` give to tensors; reports collisions. The outputs
 * come before the inputs. But of an input and an output with one tensor name, OpenVINO renames the output. False when
 * memory is out. */
static bool add_leaves(irrun_model *model, name_index *index, named_port *ports, const ir_link *links, size_t n) {
  bool done = true;
  for (size_t i = n; done && i-- > 0;)
    done = add_names(model, index, &ports[i]);
  for (size_t i = 0; done && i < n; i++) {
    const char *name = leaf_name(model, links[i]);
    done = name != NULL;
    const named_port *first = done && name[0] != '\0' ? add_name(index, name, &ports[i]) : NULL;
    if (first != NULL)
      report_collision(model, name, links[i], first);
  }
  return done;
}

/* Checks the names in a model of IR version 10. If a layer is an input or feeds a Result, its tensor also has the name
 * from leaf_name. */
static ir_code check_leaf_names(irrun_model *model) {
  size_t longest, n = 0;
  const size_t n_most = (size_t)model->n_inputs + (size_t)model->n_outputs;
  ir_link *links = ir_arena_array(&model->arena, n_most, sizeof *links);
  named_port *ports = ir_arena_array(&model->arena, n_most, sizeof *ports);
  if (links == NULL || ports == NULL)
    return ir_out_of_memory(&model->context->diags);
  for (int32_t i = 0; i < model->n_outputs; i++) {
    const ir_node *result = &model->nodes[model->outputs[i]];
    if (result->n_inputs > 0 && result->inputs[0].layer >= 0)
      links[n++] = result->inputs[0];
  }
  for (int32_t i = 0; i < model->n_inputs; i++)
    links[n++] = (ir_link){model->inputs[i], 0};
  for (size_t i = 0; i < n; i++) {
    ports[i] = port_of_link(model, links[i]);
    if (i < n - (size_t)model->n_inputs && ports[i].names != NULL)
      report_passed_on(model, links[i], &ports[i]);
    ports[i].by = model->nodes[links[i].layer].layer;
    ports[i].layer = links[i].layer;
    ports[i].port = links[i].port;
  }
  const size_t n_names = count_names(ports, n, &longest);
  name_index index = {.in_silence = true, .buffer_bytes = longest + 1};
  index.list = ir_arena_array(&model->arena, n_names + n + 1, sizeof *index.list);
  index.buffer = ir_arena_alloc(&model->arena, index.buffer_bytes);
  const bool done = index.list != NULL && index.buffer != NULL &&
                    ir_index_map_init(&index.map, model->graph.memory, n_names + n) &&
                    add_leaves(model, &index, ports, links, n);
  ir_index_map_reset(&index.map);
  return done ? IR_OK : ir_out_of_memory(&model->context->diags);
}

/* ---- the room that names take ---- */

enum { NAME_BYTES = 64 }; /* of a name beside its text, as in IR_MAX_IO_NAMES */

/* Adds the room of a list of tensor names. If that is too much, forgets the list, and reports the first such list. */
static void add_room(irrun_model *model, const ir_layer *by, ir_at at, const char **names, int64_t *bytes) {
  if (*names == NULL)
    return;
  const bool had_room = *bytes <= IR_MAX_IO_NAMES;
  size_t length;
  if (had_room)
    *bytes += (int64_t)(NAME_BYTES * count_names(&(named_port){.names = *names}, 1, &length) + length);
  if (*bytes <= IR_MAX_IO_NAMES)
    return;
  *names = NULL;
  if (had_room)
    ir_report(&model->context->diags, IR004_LIMIT_EXCEEDED, ir_layer_where(&model->graph, by, at),
              "with these, the tensor names of inputs and outputs take more than %lld bytes: each its length and %d; "
              "those of an output count for each of its Results",
              (long long)IR_MAX_IO_NAMES, NAME_BYTES);
}

/* Bounds the tensor names of inputs and outputs: each has a list, though outputs may share a port. */
static void limit_io_names(irrun_model *model) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < model->n_inputs + model->n_outputs; i++) {
    const bool is_input = i < model->n_inputs;
    const int32_t own = is_input ? model->inputs[i] : model->outputs[i - model->n_inputs];
    const ir_link link = is_input ? (ir_link){own, 0} : ir_node_source(&model->nodes[own]);
    ir_layer *layer = &model->graph.layers[own], *from = link.layer >= 0 ? &model->graph.layers[link.layer] : NULL;
    add_room(model, layer, layer->output_names_at, &layer->output_names, &bytes);
    if (from != NULL && link.port < from->n_outputs)
      add_room(model, from, from->outputs[link.port].names_at, &from->outputs[link.port].names, &bytes);
  }
}

ir_code ir_check_names(irrun_model *model) {
  limit_io_names(model);
  const bool is_10 = model->graph.version == 10;
  ir_code code = is_10 ? check_leaf_names(model) : check_layer_names(model, model->inputs, model->n_inputs, "input");
  if (code == IR_OK)
    code = check_layer_names(model, model->outputs, model->n_outputs, "output");
  return code == IR_OK ? check_all_tensor_names(model) : code;
}

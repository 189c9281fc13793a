#include "runtime/read/legacy_bodies.h"
#include "graph/layer_ids.h"
#include "ops/op.h"
#include "runtime/model/port_index.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph, where layers and ports are found by id. The layers that are added have no entry. */
typedef struct wiring {
  ir_graph *graph;
  ir_layer_ids ids;
  ir_port_index ports;
  size_t *first; /* for each layer: the index in `ends` of its first input; its outputs follow its inputs */
  ir_link *ends; /* for an input: the output that feeds it; for an output: the first Result that reads it; or -1 */
  int64_t next_id;
} wiring;

/* The entry of a port in `ends`; NULL if there is no such port. */
static ir_link *end_of(const wiring *w, int32_t layer, bool is_input, int64_t port_id) {
  const int32_t port = ir_port_find(&w->ports, layer, !is_input, port_id);
  const int32_t before = is_input ? 0 : w->graph->layers[layer].n_inputs;
  return port < 0 ? NULL : &w->ends[w->first[layer] + (size_t)before + (size_t)port];
}

static void add_ends(wiring *w, const ir_edge *edge) {
  const int32_t from = ir_layer_ids_find(&w->ids, edge->from_layer), to = ir_layer_ids_find(&w->ids, edge->to_layer);
  if (from < 0 || to < 0)
    return;
  ir_link *output = end_of(w, from, false, edge->from_port), *input = end_of(w, to, true, edge->to_port);
  if (input != NULL && input->layer < 0)
    *input = (ir_link){from, ir_port_find(&w->ports, from, true, edge->from_port)};
  if (output != NULL && output->layer < 0 && strcmp(w->graph->layers[to].type, "Result") == 0)
    output->layer = to;
}

/* False if memory is out. */
static bool wiring_init(wiring *w, ir_graph *graph) {
  size_t n = 0;
  *w = (wiring){.graph = graph, .next_id = ir_graph_next_id(graph)};
  w->first = ir_alloc_zero(graph->memory, graph->n_layers + 1, sizeof *w->first);
  for (size_t i = 0; w->first != NULL && i < graph->n_layers; i++) {
    w->first[i] = n;
    n += (size_t)graph->layers[i].n_inputs + (size_t)graph->layers[i].n_outputs;
  }
  w->ends = ir_alloc_zero(graph->memory, n + 1, sizeof *w->ends);
  if (w->first == NULL || w->ends == NULL || !ir_layer_ids_init(&w->ids, graph) ||
      !ir_port_index_init(&w->ports, graph))
    return false;
  for (size_t i = 0; i < n; i++)
    w->ends[i] = (ir_link){-1, -1};
  for (size_t i = 0; i < graph->n_edges; i++)
    add_ends(w, &graph->edges[i]);
  return true;
}

static void wiring_reset(wiring *w) {
  ir_port_index_reset(&w->ports);
  ir_layer_ids_reset(&w->ids);
  ir_free(w->graph->memory, w->ends);
  ir_free(w->graph->memory, w->first);
}

/* The value of an attribute; -1 if it is absent or no number, which ops/bind.c reports. */
static int64_t number_of(const ir_layer *line, const char *name) {
  const ir_raw_attr *attr = ir_layer_attr(line, name);
  char *end;
  if (attr == NULL || attr->value == NULL)
    return -1;
  const int64_t number = strtoll(attr->value, &end, 10);
  return *end == '\0' ? number : -1;
}

/* Adds a layer with one port, and its edge to or from port `at` of layer `near`. Returns its index; -1 if memory is
 * out. */
static int32_t add_end(wiring *w, int32_t near_index, int64_t at, bool is_input) {
  ir_graph *body = w->graph;
  const ir_layer *near = &body->layers[near_index];
  const char *type = is_input ? "Input" : "Result";
  const size_t size = strlen(near->name) + 48;
  char *name = ir_arena_alloc(&body->arena, size);
  ir_port *port = ir_arena_alloc(&body->arena, sizeof *port);
  if (name == NULL || port == NULL)
    return -1;
  snprintf(name, size, "%s/%s_%" PRId64, near->name, is_input ? "input" : "result", at);
  *port = (is_input ? near->inputs : near->outputs)[ir_port_find(&w->ports, near_index, !is_input, at)];
  port->id = 0;
  ir_layer layer = {.id = w->next_id++, .name = name, .type = type, .opset = IR_OLD_OPSET};
  layer.scope_path = body->scope_path;
  layer.precision = near->precision;
  layer.at = near->at;
  layer.name_at = near->name_at;
  layer.type_at = near->type_at;
  *(is_input ? &layer.outputs : &layer.inputs) = port;
  *(is_input ? &layer.n_outputs : &layer.n_inputs) = 1;
  const int64_t near_id = near->id;
  ir_layer *added = ir_graph_add_layer(body);
  ir_edge *edge = ir_graph_add_edge(body);
  if (added == NULL || edge == NULL)
    return -1;
  *added = layer;
  *edge = is_input ? (ir_edge){.from_layer = layer.id, .to_layer = near_id, .to_port = at}
                   : (ir_edge){.from_layer = near_id, .from_port = at, .to_layer = layer.id};
  edge->at = layer.at;
  return (int32_t)(body->n_layers - 1);
}

/* Writes a number into attribute `name` of a line. */
static bool rewrite(ir_graph *body, ir_layer *line, const char *name, int64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, number);
  const char *kept = ir_arena_text(&body->arena, text, strlen(text));
  ir_raw_attr *attrs = ir_arena_array(&body->arena, (size_t)line->n_attrs + 1, sizeof *attrs);
  int32_t i = 0;
  if (kept == NULL || attrs == NULL)
    return false;
  for (; i < line->n_attrs && strcmp(line->attrs[i].name, name) != 0; i++)
    attrs[i] = line->attrs[i];
  attrs[i] = i < line->n_attrs ? line->attrs[i] : (ir_raw_attr){.name = name, .name_at = line->at, .at = line->at};
  attrs[i].value = kept;
  for (i++; i < line->n_attrs; i++)
    attrs[i] = line->attrs[i];
  line->attrs = attrs;
  line->n_attrs = i;
  return true;
}

/* The layer that is added for the port that a line names takes its place. A port that is not there stays: it is that of
 * an Input of the body, or the check of the port map reports it. Sets `*out_layer` to the layer that the line names
 * now; -1: none. */
static bool replace(wiring *w, ir_layer *line, const char *layer_name, const char *port_name, bool is_input,
                    int32_t *out_layer) {
  const int32_t near = ir_layer_ids_find(&w->ids, number_of(line, layer_name));
  const int64_t at = number_of(line, port_name);
  ir_link *end = near < 0 ? NULL : end_of(w, near, is_input, at);
  *out_layer = near;
  if (end == NULL)
    return true;
  if (end->layer < 0)
    end->layer = add_end(w, near, at, is_input);
  *out_layer = end->layer;
  return end->layer >= 0 && rewrite(w->graph, line, layer_name, w->graph->layers[end->layer].id);
}

/* The number of the outer layer's input takes the place of the id of its port, and the added Input, which is layer
 * `added` of the body, gets the declared type of what feeds it: an input port states none. */
static bool connect_input(const wiring *outer, ir_graph *body, ir_layer *line, int32_t added) {
  const int32_t owner = (int32_t)body->owner;
  const int64_t id = number_of(line, "external_port_id");
  const ir_link *from = end_of(outer, owner, true, id);
  if (from == NULL)
    return true;
  const ir_type type = from->port < 0 ? IR_DYNAMIC : outer->graph->layers[from->layer].outputs[from->port].type;
  ir_layer *input = added < 0 ? NULL : &body->layers[added];
  if (type != IR_DYNAMIC && input != NULL && strcmp(input->type, "Input") == 0 && input->n_outputs == 1)
    input->outputs[0].type = type;
  return rewrite(body, line, "external_port_id", ir_port_find(&outer->ports, owner, false, id));
}

/* Axis -1 stands for the whole tensor in each iteration: the attribute goes. */
static void drop_axis(ir_layer *line) {
  int32_t n = 0;
  for (int32_t i = 0; i < line->n_attrs; i++)
    if (strcmp(line->attrs[i].name, "axis") != 0 || strcmp(line->attrs[i].value, "-1") != 0)
      line->attrs[n++] = line->attrs[i];
  line->n_attrs = n;
}

/* The size of a part is the stride: nothing read part_size. The greater end of the range is that of the last index, and
 * was the one behind it. */
static bool convert_slices(ir_graph *body, ir_layer *line) {
  const int64_t stride = ir_layer_attr(line, "stride") == NULL ? 1 : number_of(line, "stride");
  const char *last = stride < 0 ? "start" : "end";
  /* the check of the port map reports stride 0 */
  bool done = stride == 0 || rewrite(body, line, "part_size", stride < -INT64_MAX ? INT64_MAX : llabs(stride));
  if (done && number_of(line, last) > 0)
    done = rewrite(body, line, last, number_of(line, last) - 1);
  return done;
}

/* Converts an item of the port map. */
static bool convert_item(const wiring *outer, wiring *w, ir_line *line) {
  ir_layer *layer = &line->layer;
  const bool is_input = line->kind == IR_LINE_INPUT;
  int32_t named;
  drop_axis(layer);
  return replace(w, layer, "internal_layer_id", "internal_port_id", is_input, &named) &&
         (!is_input || connect_input(outer, w->graph, layer, named)) && convert_slices(w->graph, layer);
}

static bool convert_lines(const wiring *outer, ir_graph *body) {
  wiring w;
  int32_t named;
  bool done = wiring_init(&w, body);
  for (ir_line *line = outer->graph->layers[body->owner].bodies->lines; line != NULL && done; line = line->next) {
    if (line->body != body->number)
      continue;
    if (line->kind == IR_LINE_BACK_EDGE)
      done = replace(&w, &line->layer, "from-layer", "from-port", false, &named) &&
             replace(&w, &line->layer, "to-layer", "to-port", true, &named);
    else
      done = convert_item(outer, &w, line);
  }
  wiring_reset(&w);
  return done;
}

bool ir_add_body_ends(ir_graph *outer) {
  wiring w = {.graph = NULL};
  bool done = true;
  for (size_t i = 0; i < outer->n_layers; i++)
    for (int n = 0; n < IR_MOST_BODIES && outer->layers[i].bodies != NULL && done; n++) {
      ir_graph *body = outer->layers[i].bodies->graphs[n];
      if (body != NULL)
        done = (w.graph != NULL || wiring_init(&w, outer)) && convert_lines(&w, body);
    }
  if (w.graph != NULL)
    wiring_reset(&w);
  return done;
}

#include "runtime/read/legacy_bodies.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A port of a body that a line names. */
typedef struct inner_port {
  int64_t layer, port;
} inner_port;

/* The value of an attribute; -1 if it is absent or no number, which ops/bind.c reports. */
static int64_t number_of(const ir_layer *line, const char *name) {
  const ir_raw_attr *attr = ir_layer_attr(line, name);
  char *end;
  if (attr == NULL || attr->value == NULL)
    return -1;
  const int64_t number = strtoll(attr->value, &end, 10);
  return *end == '\0' ? number : -1;
}

static const ir_port *find_port(const ir_port *ports, int32_t n, int64_t id) {
  for (int32_t i = 0; i < n; i++)
    if (ports[i].id == id)
      return &ports[i];
  return NULL;
}

/* The layer that was added for a port of the body: the one that an edge connects with the port. -1: none. */
static int64_t find_added(ir_graph *body, inner_port at, bool is_input) {
  for (size_t i = 0; i < body->n_edges; i++) {
    const ir_edge *edge = &body->edges[i];
    if (is_input && edge->to_layer == at.layer && edge->to_port == at.port)
      return edge->from_layer;
    if (is_input || edge->from_layer != at.layer || edge->from_port != at.port)
      continue;
    const ir_layer *to = ir_graph_find_layer(body, edge->to_layer);
    if (to != NULL && strcmp(to->type, "Result") == 0)
      return edge->to_layer;
  }
  return -1;
}

/* Adds a layer with one port and its edge, and returns its id. -1 if memory is out. */
static int64_t add_end(ir_graph *body, inner_port at, const ir_port *like, bool is_input) {
  const ir_layer *near = ir_graph_find_layer(body, at.layer);
  const char *type = is_input ? "Input" : "Result";
  const size_t size = strlen(near->name) + 48;
  char *name = ir_arena_alloc(&body->arena, size);
  ir_port *port = ir_arena_alloc(&body->arena, sizeof *port);
  if (name == NULL || port == NULL)
    return -1;
  snprintf(name, size, "%s/%s_%" PRId64, near->name, is_input ? "input" : "result", at.port);
  *port = *like;
  port->id = 0;
  ir_layer layer = {.id = ir_graph_next_id(body), .name = name, .type = type, .opset = IR_OLD_OPSET};
  layer.scope_path = body->scope_path;
  layer.precision = near->precision;
  layer.at = near->at;
  layer.name_at = near->name_at;
  layer.type_at = near->type_at;
  *(is_input ? &layer.outputs : &layer.inputs) = port;
  *(is_input ? &layer.n_outputs : &layer.n_inputs) = 1;
  ir_layer *added = ir_graph_add_layer(body);
  ir_edge *edge = ir_graph_add_edge(body);
  if (added == NULL || edge == NULL)
    return -1;
  *added = layer;
  *edge = is_input ? (ir_edge){.from_layer = layer.id, .to_layer = at.layer, .to_port = at.port}
                   : (ir_edge){.from_layer = at.layer, .from_port = at.port, .to_layer = layer.id};
  edge->at = layer.at;
  return layer.id;
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
 * an Input of the body, or the check of the port map reports it. */
static bool replace(ir_graph *body, ir_layer *line, const char *layer_name, const char *port_name, bool is_input) {
  const inner_port at = {number_of(line, layer_name), number_of(line, port_name)};
  const ir_layer *near = ir_graph_find_layer(body, at.layer);
  const ir_port *port = near == NULL ? NULL
                        : is_input   ? find_port(near->inputs, near->n_inputs, at.port)
                                     : find_port(near->outputs, near->n_outputs, at.port);
  if (port == NULL)
    return true;
  int64_t id = find_added(body, at, is_input);
  if (id < 0)
    id = add_end(body, at, port, is_input);
  return id >= 0 && rewrite(body, line, layer_name, id);
}

/* The declared type of what feeds a port of a layer; IR_DYNAMIC if nothing does. */
static ir_type type_of_feed(ir_graph *graph, int64_t layer, int64_t port) {
  for (size_t i = 0; i < graph->n_edges; i++) {
    const ir_edge *edge = &graph->edges[i];
    if (edge->to_layer != layer || edge->to_port != port)
      continue;
    const ir_layer *from = ir_graph_find_layer(graph, edge->from_layer);
    const ir_port *output = from == NULL ? NULL : find_port(from->outputs, from->n_outputs, edge->from_port);
    return output == NULL ? IR_DYNAMIC : output->type;
  }
  return IR_DYNAMIC;
}

/* The number of the outer layer's input takes the place of the id of its port, and the added Input gets the type of
 * what feeds it: an input port states none. */
static bool connect_input(ir_graph *body, const ir_layer *owner, ir_layer *line) {
  const int64_t id = number_of(line, "external_port_id");
  ir_layer *input = ir_graph_find_layer(body, number_of(line, "internal_layer_id"));
  const ir_type type = type_of_feed(body->outer, owner->id, id);
  if (type != IR_DYNAMIC && input != NULL && strcmp(input->type, "Input") == 0 && input->n_outputs == 1)
    input->outputs[0].type = type;
  for (int32_t i = 0; i < owner->n_inputs; i++)
    if (owner->inputs[i].id == id)
      return rewrite(body, line, "external_port_id", i);
  return true;
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
static bool convert_item(ir_graph *body, const ir_layer *owner, ir_line *line) {
  ir_layer *layer = &line->layer;
  const bool is_input = line->kind == IR_LINE_INPUT;
  drop_axis(layer);
  return replace(body, layer, "internal_layer_id", "internal_port_id", is_input) &&
         (!is_input || connect_input(body, owner, layer)) && convert_slices(body, layer);
}

bool ir_add_body_ends(ir_graph *body) {
  const ir_layer *owner = &body->outer->layers[body->owner];
  bool done = true;
  for (ir_line *line = owner->bodies->lines; line != NULL && done; line = line->next) {
    if (line->body != body->number)
      continue;
    if (line->kind == IR_LINE_BACK_EDGE)
      done = replace(body, &line->layer, "from-layer", "from-port", false) &&
             replace(body, &line->layer, "to-layer", "to-port", true);
    else
      done = convert_item(body, owner, line);
  }
  return done;
}

#include "graph/graph.h"
#include <string.h>

void ir_graph_init(ir_graph *graph, const ir_memory *memory) {
  *graph = (ir_graph){.memory = memory, .name = ""};
  ir_arena_init(&graph->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
}

static void free_lists(ir_graph *graph) {
  ir_free(graph->memory, graph->layers);
  ir_free(graph->memory, graph->edges);
  ir_free(graph->memory, graph->channels);
  ir_arena_reset(&graph->arena);
}

void ir_graph_reset(ir_graph *graph) {
  const ir_memory *memory = graph->memory;
  for (size_t i = 0; i < graph->n_bodies; i++) {
    free_lists(graph->bodies[i]);
    ir_free(memory, graph->bodies[i]);
  }
  ir_free(memory, graph->bodies);
  ir_source_free(graph->source);
  ir_weights_free(graph->weights);
  free_lists(graph);
  ir_graph_init(graph, memory);
}

ir_layer *ir_graph_add_layer(ir_graph *graph) {
  void *layers = graph->layers;
  if (graph->n_layers >= (size_t)IR_MAX_LAYERS ||
      !ir_reserve(graph->memory, &layers, graph->n_layers, &graph->layers_capacity, sizeof *graph->layers))
    return NULL;
  graph->layers = layers;
  ir_layer *layer = &graph->layers[graph->n_layers++];
  *layer = (ir_layer){0};
  return layer;
}

int64_t ir_graph_next_id(const ir_graph *graph) {
  int64_t next = 0;
  for (size_t i = 0; i < graph->n_layers; i++)
    if (graph->layers[i].id >= next && graph->layers[i].id < INT64_MAX / 2)
      next = graph->layers[i].id + 1;
  return next;
}

ir_edge *ir_graph_add_edge(ir_graph *graph) {
  void *edges = graph->edges;
  if (graph->n_edges >= (size_t)IR_MAX_EDGES ||
      !ir_reserve(graph->memory, &edges, graph->n_edges, &graph->edges_capacity, sizeof *graph->edges))
    return NULL;
  graph->edges = edges;
  ir_edge *edge = &graph->edges[graph->n_edges++];
  *edge = (ir_edge){0};
  return edge;
}

ir_graph *ir_graph_add_body(ir_graph *root, ir_graph *outer, size_t owner, int number) {
  void *bodies = root->bodies;
  ir_graph *body = ir_alloc_zero(root->memory, 1, sizeof *body);
  if (body == NULL ||
      !ir_reserve(root->memory, &bodies, root->n_bodies, &root->bodies_capacity, sizeof *root->bodies)) {
    ir_free(root->memory, body);
    return NULL;
  }
  ir_graph_init(body, root->memory);
  root->bodies = bodies;
  body->index = root->n_bodies;
  root->bodies[root->n_bodies++] = body;
  body->dialect = root->dialect;
  body->precision = root->precision;
  body->version = root->version;
  body->source = root->source;
  body->weights = root->weights;
  body->outer = outer;
  body->owner = owner;
  body->number = number;
  ir_scope_path *scope_path = ir_arena_alloc(&body->arena, sizeof *scope_path);
  if (scope_path == NULL)
    return NULL;
  *scope_path = (ir_scope_path){.name = outer->layers[owner].name, .outer = outer->scope_path};
  body->scope_path = scope_path;
  return body;
}

const ir_raw_attr *ir_layer_attr(const ir_layer *layer, const char *name) {
  for (int32_t i = 0; i < layer->n_attrs; i++)
    if (strcmp(layer->attrs[i].name, name) == 0)
      return &layer->attrs[i];
  return NULL;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool ir_next_tensor_name(const char **cursor, char *buffer, size_t size) {
  const char *text = *cursor;
  size_t length = 0; /* length of the name up to its last character that is not blank */
  while (text != NULL && *text != '\0' && length == 0) {
    size_t n = 0;
    for (; *text != '\0' && *text != ','; text++) {
      text += text[0] == '\\' && text[1] == ',';
      if (n == 0 && is_blank(*text))
        continue;
      if (n + 1 < size) {
        buffer[n++] = *text;
        length = is_blank(*text) ? length : n;
      }
    }
    text += *text == ',';
  }
  if (size > 0)
    buffer[length] = '\0';
  *cursor = text;
  return length > 0;
}

bool ir_graph_number_lines(const ir_graph *graph, ir_arena *arena) {
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_bodies *bodies = graph->layers[i].bodies;
    size_t n = 0;
    if (bodies == NULL)
      continue;
    for (const ir_line *line = bodies->lines; line != NULL; line = line->next)
      n++;
    bodies->numbered = ir_arena_array(arena, n + 1, sizeof *bodies->numbered);
    if (bodies->numbered == NULL)
      return false;
    for (const ir_line *line = bodies->lines; line != NULL; line = line->next)
      bodies->numbered[bodies->n_lines++] = line;
  }
  return true;
}

ir_code ir_graph_hint_at_layer(const ir_graph *graph, const char *text, ir_diags *diags) {
  const char **names = ir_alloc(graph->memory, (graph->n_layers + 1) * sizeof *names);
  if (names == NULL)
    return ir_out_of_memory(diags);
  for (size_t i = 0; i < graph->n_layers; i++)
    names[i] = graph->layers[i].name;
  const char *near = ir_did_you_mean(text, names, graph->n_layers);
  if (near != NULL)
    ir_hint(diags, "did you mean '%s'?", near);
  ir_free(graph->memory, names);
  return IR_OK;
}

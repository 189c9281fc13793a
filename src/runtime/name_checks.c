/* Names that stand twice: of layers (IR102) and of tensors (IR112). */
#include "runtime/name_checks.h"
#include "index_map.h"
#include <string.h>

void ir_note_layer(irrun_model *model, const ir_layer *layer, ir_at at, const char *what) {
  ir_note(&model->context->diags, (ir_where){.source = model->graph.source, .at = ir_span_of(at)}, "%s '%s' (id %lld)",
          what, layer->name, (long long)layer->id);
}

/* ---- layers ---- */

static bool same_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const ir_layer *)user)[value].name, key) == 0;
}

/* Of nGraph: the name is the id as well, and was reported as such when it is repeated. */
static bool is_id(const ir_layer *layer) {
  return layer->name_at.begin == layer->id_at.begin;
}

static ir_code check_layer_names(irrun_model *model) {
  const ir_graph *graph = &model->graph;
  ir_index_map names;
  if (!ir_index_map_init(&names, graph->memory, graph->n_layers))
    return ir_out_of_memory(&model->context->diags);
  for (size_t i = 0; i < graph->n_layers; i++) {
    const ir_layer *layer = &graph->layers[i];
    if (layer->name[0] == '\0' || layer->made)
      continue;
    int32_t before =
        ir_index_map_add(&names, ir_hash_text(layer->name), layer->name, (int32_t)i, same_name, graph->layers);
    if (before < 0 || (is_id(layer) && is_id(&graph->layers[before])))
      continue;
    ir_report(&model->context->diags, IR102_DUPLICATE_LAYER_NAME, ir_layer_where(&model->graph, layer, layer->name_at),
              "layer name '%s' is already taken; as the name of an input or output it would be ambiguous", layer->name);
    ir_note_layer(model, &graph->layers[before], graph->layers[before].name_at, "first by layer");
  }
  ir_index_map_reset(&names);
  return IR_OK;
}

/* ---- tensor names ---- */

typedef struct tensor_name {
  const char *name;
  int32_t layer, port;
} tensor_name;

static bool same_tensor_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const tensor_name *)user)[value].name, key) == 0;
}

static size_t count_tensor_names(const ir_graph *graph, size_t *out_longest) {
  size_t n = 0;
  *out_longest = 0;
  for (size_t i = 0; i < graph->n_layers; i++)
    for (int32_t p = 0; p < graph->layers[i].n_outputs; p++) {
      const char *names = graph->layers[i].outputs[p].names;
      const char *end = names;
      for (; end != NULL && *end != '\0'; end++)
        n += *end == ',';
      n += names != NULL;
      if (names != NULL && (size_t)(end - names) > *out_longest)
        *out_longest = (size_t)(end - names);
    }
  return n;
}

typedef struct name_index {
  ir_index_map map;
  tensor_name *list;
  int32_t n;
  char *buffer; /* as long as the longest list of names */
  size_t buffer_bytes;
} name_index;

/* False when memory is out. */
static bool add_port_names(irrun_model *model, name_index *names, int32_t layer_index, int32_t port) {
  const ir_layer *layer = &model->graph.layers[layer_index];
  const ir_port *declared = &layer->outputs[port];
  const char *cursor = declared->names;
  while (ir_next_tensor_name(&cursor, names->buffer, names->buffer_bytes)) {
    char *copy = ir_arena_text(&model->arena, names->buffer, strlen(names->buffer));
    if (copy == NULL)
      return false;
    names->list[names->n] = (tensor_name){copy, layer_index, port};
    int32_t before = ir_index_map_add(&names->map, ir_hash_text(copy), copy, names->n, same_tensor_name, names->list);
    if (before < 0) {
      names->n++;
      continue;
    }
    const tensor_name *first = &names->list[before];
    if (first->layer == layer_index && first->port == port)
      continue;
    ir_report(&model->context->diags, IR112_TENSOR_NAME_REPEATED,
              ir_layer_where(&model->graph, layer, declared->names_at), "tensor name '%s' is already taken", copy);
    const ir_layer *other = &model->graph.layers[first->layer];
    ir_note_layer(model, other, other->outputs[first->port].names_at, "first by an output of layer");
  }
  return true;
}

static bool add_all_names(irrun_model *model, name_index *names) {
  const ir_graph *graph = &model->graph;
  for (size_t i = 0; i < graph->n_layers; i++)
    for (int32_t p = 0; p < graph->layers[i].n_outputs; p++)
      if (graph->layers[i].outputs[p].names != NULL && !add_port_names(model, names, (int32_t)i, p))
        return false;
  return true;
}

static ir_code check_tensor_names(irrun_model *model) {
  const ir_graph *graph = &model->graph;
  size_t longest, n_names = count_tensor_names(graph, &longest);
  if (n_names == 0)
    return IR_OK;
  name_index names = {.buffer_bytes = longest + 1};
  names.list = ir_arena_array(&model->arena, n_names, sizeof *names.list);
  names.buffer = ir_arena_alloc(&model->arena, names.buffer_bytes);
  bool done = names.list != NULL && names.buffer != NULL && ir_index_map_init(&names.map, graph->memory, n_names) &&
              add_all_names(model, &names);
  ir_index_map_reset(&names.map);
  return done ? IR_OK : ir_out_of_memory(&model->context->diags);
}

ir_code ir_check_names(irrun_model *model) {
  ir_code code = check_layer_names(model);
  return code == IR_OK ? check_tensor_names(model) : code;
}

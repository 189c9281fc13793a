#include "runtime/model/port_index.h"

enum { LONG_LIST = 64 };

static const ir_port *ports_of(const ir_graph *graph, int32_t layer, bool output, int32_t *out_n) {
  const ir_layer *at = &graph->layers[layer];
  *out_n = output ? at->n_outputs : at->n_inputs;
  return output ? at->outputs : at->inputs;
}

static uint64_t hash_of(const ir_port_key *key) {
  return ir_hash_number(key->id) ^ ir_hash_number(key->layer) * UINT64_C(0x9E3779B97F4A7C15) ^
         (uint64_t)key->output << 63;
}

static bool same_port(const void *key, int32_t value, const void *user) {
  const ir_port_key *a = key, *b = &((const ir_port_key *)user)[value];
  return a->id == b->id && a->layer == b->layer && a->output == b->output;
}

static size_t count_long(const ir_graph *graph) {
  size_t n = 0;
  for (size_t i = 0; i < graph->n_layers; i++) {
    n += graph->layers[i].n_inputs > LONG_LIST ? (size_t)graph->layers[i].n_inputs : 0;
    n += graph->layers[i].n_outputs > LONG_LIST ? (size_t)graph->layers[i].n_outputs : 0;
  }
  return n;
}

static void add_list(ir_port_index *index, int32_t layer, bool output, int32_t *n_keys) {
  int32_t n;
  const ir_port *ports = ports_of(index->graph, layer, output, &n);
  for (int32_t i = 0; n > LONG_LIST && i < n; i++) {
    ir_port_key *key = &index->keys[*n_keys];
    *key = (ir_port_key){.id = ports[i].id, .layer = layer, .port = i, .output = output};
    if (ir_index_map_add(&index->map, hash_of(key), key, *n_keys, same_port, index->keys) < 0)
      ++*n_keys;
  }
}

bool ir_port_index_init(ir_port_index *index, const ir_graph *graph) {
  *index = (ir_port_index){.graph = graph};
  size_t n = count_long(graph);
  if (n == 0)
    return true;
  index->keys = ir_alloc_zero(graph->memory, n, sizeof *index->keys);
  if (n > INT32_MAX || index->keys == NULL || !ir_index_map_init(&index->map, graph->memory, n))
    return false;
  int32_t n_keys = 0;
  for (size_t i = 0; i < graph->n_layers; i++) {
    add_list(index, (int32_t)i, false, &n_keys);
    add_list(index, (int32_t)i, true, &n_keys);
  }
  return true;
}

void ir_port_index_reset(ir_port_index *index) {
  ir_index_map_reset(&index->map);
  if (index->keys != NULL)
    ir_free(index->graph->memory, index->keys);
  index->keys = NULL;
}

int32_t ir_port_find(const ir_port_index *index, int32_t layer, bool output, int64_t id) {
  int32_t n;
  const ir_port *ports = ports_of(index->graph, layer, output, &n);
  if (n > LONG_LIST) {
    ir_port_key key = {.id = id, .layer = layer, .output = output};
    int32_t found = ir_index_map_find(&index->map, hash_of(&key), &key, same_port, index->keys);
    return found < 0 ? -1 : index->keys[found].port;
  }
  for (int32_t i = 0; i < n; i++)
    if (ports[i].id == id)
      return i;
  return -1;
}

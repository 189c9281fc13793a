#include "graph/layer_ids.h"

static bool same_id(const void *key, int32_t value, const void *user) {
  return ((const ir_layer *)user)[value].id == *(const int64_t *)key;
}

bool ir_layer_ids_init(ir_layer_ids *ids, const ir_graph *graph) {
  *ids = (ir_layer_ids){.graph = graph};
  if (!ir_index_map_init(&ids->map, graph->memory, graph->n_layers))
    return false;
  for (size_t i = 0; i < graph->n_layers; i++) {
    const int64_t *id = &graph->layers[i].id;
    if (*id >= 0)
      ir_index_map_add(&ids->map, ir_hash_number(*id), id, (int32_t)i, same_id, graph->layers);
  }
  return true;
}

void ir_layer_ids_reset(ir_layer_ids *ids) {
  ir_index_map_reset(&ids->map);
}

int32_t ir_layer_ids_find(const ir_layer_ids *ids, int64_t id) {
  return id < 0 ? -1 : ir_index_map_find(&ids->map, ir_hash_number(id), &id, same_id, ids->graph->layers);
}

/* Finds layers by id, in a table: a search through all layers for each edge or line of a file takes quadratic time. */
#ifndef IR_LAYER_IDS_H
#define IR_LAYER_IDS_H

#include "base/index_map.h"
#include "graph/graph.h"

typedef struct ir_layer_ids {
  const ir_graph *graph;
  ir_index_map map;
} ir_layer_ids;

/* Enters the layers that the graph has now. Returns false if memory is out. */
bool ir_layer_ids_init(ir_layer_ids *ids, const ir_graph *graph);
void ir_layer_ids_reset(ir_layer_ids *ids);
/* Index of the first layer with the id; -1 if there is none, or if `id` is negative, which no layer's id is. */
int32_t ir_layer_ids_find(const ir_layer_ids *ids, int64_t id);

#endif

/* Finds the port of a layer by its id. Short lists are searched linearly; those of layers with very many ports are
 * hashed, so that many edges into such a layer do not take quadratic time. */
#ifndef IR_PORT_INDEX_H
#define IR_PORT_INDEX_H

#include "base/index_map.h"
#include "graph/graph.h"

typedef struct ir_port_key {
  int64_t id;
  int32_t layer, port;
  bool output;
} ir_port_key;

typedef struct ir_port_index {
  const ir_graph *graph;
  ir_index_map map; /* maps `keys`; empty if no list is long */
  ir_port_key *keys;
} ir_port_index;

/* False when memory is out. */
bool ir_port_index_init(ir_port_index *index, const ir_graph *graph);
void ir_port_index_reset(ir_port_index *index);
/* Index of the first port with the id, or -1. */
int32_t ir_port_find(const ir_port_index *index, int32_t layer, bool output, int64_t id);

#endif

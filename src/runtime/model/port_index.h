/* Finds a port of a layer by its id. Short lists of ports are searched linearly. Long lists are hashed, because linear
 * searches for n edges into a layer with n ports would take n * n steps. */
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
  ir_index_map map; /* finds an item of `keys`; empty if all lists are short */
  ir_port_key *keys;
} ir_port_index;

/* False when memory is out. */
bool ir_port_index_init(ir_port_index *index, const ir_graph *graph);
void ir_port_index_reset(ir_port_index *index);
/* Index of the first input, or output, of the layer that has the id; -1 if there is none. */
int32_t ir_port_find(const ir_port_index *index, int32_t layer, bool output, int64_t id);

#endif

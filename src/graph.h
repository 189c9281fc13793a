/* A model as it stands in its file: layers, ports, edges and raw attributes, each with its place. Readers make it,
 * nothing here is resolved, inferred or believed. Everything lives in the graph's arena. */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "arena.h"
#include "diag.h"
#include "layer.h"
#include "weights.h"

typedef enum ir_dialect { IR_OPENVINO, IR_NGRAPH } ir_dialect;

/* A number that is missing or unreadable, and reported, is -1. */
typedef struct ir_edge {
  int64_t from_layer, from_port, to_layer, to_port;
  ir_at at, from_layer_at, from_port_at, to_layer_at, to_port_at;
} ir_edge;

typedef struct ir_graph {
  ir_dialect dialect;
  int version; /* of the IR: 10 or 11; else 0 */
  const char *name;
  ir_source *source;   /* owned */
  ir_weights *weights; /* owned; may be NULL */
  ir_arena arena;
  ir_layer *layers;
  size_t n_layers, layers_capacity;
  ir_edge *edges;
  size_t n_edges, edges_capacity;
  ir_at at;             /* the root element */
  ir_at pre_process_at; /* <pre-process>, which changes what a model computes */
  bool has_layers_section, has_pre_process;
  const ir_memory *memory;
} ir_graph;

void ir_graph_init(ir_graph *graph, const ir_memory *memory);
void ir_graph_reset(ir_graph *graph);
/* Appends a zeroed layer or edge; NULL when memory is out. The pointer holds until the next append. */
ir_layer *ir_graph_add_layer(ir_graph *graph);
ir_edge *ir_graph_add_edge(ir_graph *graph);

static inline ir_where ir_layer_where(const ir_graph *graph, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = graph->source, .at = ir_span_of(at), .layer = layer};
}
/* NULL when the layer has no such attribute. */
const ir_raw_attr *ir_layer_attr(const ir_layer *layer, const char *name);

/* Walks a comma separated list of tensor names. `*cursor` begins as the text (may be NULL); copies the next name, `\,`
 * as a comma, without blanks around it, to `buffer` and returns true; false at the end. Empty items are passed over;
 * longer names are cut. */
bool ir_next_tensor_name(const char **cursor, char *buffer, size_t size);

#endif

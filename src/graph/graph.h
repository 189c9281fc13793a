/* A model as it stands in its file: layers, ports, edges and raw attributes, each with its place. Readers make it,
 * nothing here is resolved, inferred or believed. Everything lives in the graph's arena. */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/arena.h"
#include "base/layer.h"
#include "diag/diag.h"
#include "graph/weights.h"

typedef enum ir_dialect { IR_OPENVINO, IR_NGRAPH } ir_dialect;

/* A number that is missing or unreadable, and reported, is -1. */
typedef struct ir_edge {
  int64_t from_layer, from_port, to_layer, to_port;
  ir_at at, from_layer_at, from_port_at, to_layer_at, to_port_at;
} ir_edge;

/* A line of a port map or of the back edges: its attributes and its place stand in a copy of the layer that it is of.
 */
typedef enum ir_line_kind { IR_LINE_INPUT, IR_LINE_OUTPUT, IR_LINE_BACK_EDGE } ir_line_kind;
typedef struct ir_line {
  struct ir_line *next; /* in the file's order */
  ir_line_kind kind;
  int body; /* number of the body that it is for */
  ir_layer layer;
} ir_line;

enum { IR_MOST_BODIES = 2 }; /* of one layer: an If has then_body and else_body, the others body */

/* What an If, Loop or TensorIterator holds beside its ports and attributes. */
typedef struct ir_bodies {
  struct ir_graph *graphs[IR_MOST_BODIES]; /* NULL: the file has none */
  ir_line *lines, *last_line;
  bool has_map[IR_MOST_BODIES], has_back_edges;
  ir_at body_at[IR_MOST_BODIES], map_at[IR_MOST_BODIES], back_edges_at;
} ir_bodies;

typedef struct ir_graph {
  ir_dialect dialect;
  int version; /* of the IR: 10 or 11; else 0 */
  const char *name;
  ir_source *source;   /* owned; a body's is the model's */
  ir_weights *weights; /* likewise; may be NULL */
  ir_arena arena;
  ir_layer *layers;
  size_t n_layers, layers_capacity;
  ir_edge *edges;
  size_t n_edges, edges_capacity;
  ir_at at;             /* the root element */
  ir_at pre_process_at; /* <pre-process>, which changes what a model computes */
  bool has_layers_section, has_pre_process;
  const ir_memory *memory;
  /* Bodies of the whole model, owned: an outer one stands before those that it holds. Only the model's graph has them.
   */
  struct ir_graph **bodies;
  size_t n_bodies, bodies_capacity;
  /* Of a body: the graph and the layer that it belongs to, and which of the layer's it is. */
  struct ir_graph *outer;
  size_t index, owner; /* its place in `bodies`; the layer's in `outer` */
  int number;
  const ir_scope_path *scope_path; /* of its layers */
} ir_graph;

void ir_graph_init(ir_graph *graph, const ir_memory *memory);
void ir_graph_reset(ir_graph *graph);
/* Appends a zeroed layer or edge; NULL when memory is out. The pointer holds until the next append. */
ir_layer *ir_graph_add_layer(ir_graph *graph);
ir_edge *ir_graph_add_edge(ir_graph *graph);

/* Adds a body to layer `owner` of `outer`, which is the model's graph `root` or a body of it. NULL when memory is out.
 */
ir_graph *ir_graph_add_body(ir_graph *root, ir_graph *outer, size_t owner, int number);

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

/* A model as in its file: layers, ports, edges and raw attributes, each with its place. A reader makes it; nothing in
 * it is resolved, inferred or verified. The graph's arena owns everything. */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/arena.h"
#include "base/layer.h"
#include "diag/diag.h"
#include "graph/weights.h"

typedef enum ir_dialect { IR_OPENVINO, IR_NGRAPH } ir_dialect;

/* An edge. A number is -1 if it was missing or unreadable, which was reported. */
typedef struct ir_edge {
  int64_t from_layer, from_port, to_layer, to_port;
  ir_at at, from_layer_at, from_port_at, to_layer_at, to_port_at;
} ir_edge;

/* An item of a port map or of the back edges; its attributes and place are stored in a copy of its layer. */
typedef enum ir_line_kind { IR_LINE_INPUT, IR_LINE_OUTPUT, IR_LINE_BACK_EDGE } ir_line_kind;
typedef struct ir_line {
  struct ir_line *next; /* in the file's order */
  ir_line_kind kind;
  int body; /* number of its body */
  ir_layer layer;
} ir_line;

enum { IR_MOST_BODIES = 2 }; /* bodies of one layer: an If has then_body and else_body, the others one body */

/* The parts of an If, Loop or TensorIterator besides ports and attributes. */
typedef struct ir_bodies {
  struct ir_graph *graphs[IR_MOST_BODIES]; /* NULL: not in the file */
  ir_line *lines, *last_line;
  bool has_map[IR_MOST_BODIES], has_back_edges;
  ir_at body_at[IR_MOST_BODIES], map_at[IR_MOST_BODIES], back_edges_at;
} ir_bodies;

typedef struct ir_graph {
  ir_dialect dialect;
  int version; /* 10 or 11 for an IR; else 0 */
  const char *name;
  ir_source *source;   /* owned by the model's graph; bodies share it */
  ir_weights *weights; /* shared in the same way; may be NULL */
  ir_arena arena;
  ir_layer *layers;
  size_t n_layers, layers_capacity;
  ir_edge *edges;
  size_t n_edges, edges_capacity;
  ir_at at;             /* the root element */
  ir_at pre_process_at; /* place of <pre-process>, which changes what a model computes */
  bool has_layers_section, has_pre_process;
  const ir_memory *memory;
  /* All bodies of the model, owned; an outer body comes before its inner ones. Only the model's graph has them. */
  struct ir_graph **bodies;
  size_t n_bodies, bodies_capacity;
  /* If the graph is a body: the graph and layer to which it belongs, and its number in the layer. */
  struct ir_graph *outer;
  size_t index, owner; /* its index in `bodies`; its layer's index in `outer` */
  int number;
  const ir_scope_path *scope_path; /* nesting path of its layers */
} ir_graph;

void ir_graph_init(ir_graph *graph, const ir_memory *memory);
void ir_graph_reset(ir_graph *graph);
/* Appends a zeroed layer or edge; NULL when memory is out. The pointer is valid until the next append. */
ir_layer *ir_graph_add_layer(ir_graph *graph);
ir_edge *ir_graph_add_edge(ir_graph *graph);

/* Adds a body to layer `owner` of `outer`, which is the model's graph `root` or one of its bodies. NULL when memory is
 * out. */
ir_graph *ir_graph_add_body(ir_graph *root, ir_graph *outer, size_t owner, int number);

static inline ir_where ir_layer_where(const ir_graph *graph, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = graph->source, .at = ir_span_of(at), .layer = layer};
}
/* Finds an attribute; NULL if the layer has none of that name. */
const ir_raw_attr *ir_layer_attr(const ir_layer *layer, const char *name);

/* Iterates over a comma separated list of tensor names. `*cursor` is first the text (may be NULL). Copies the next name
 * to `buffer`, with `\,` as a comma and without surrounding blanks, and returns true; false at the end. Skips empty
 * items; cuts longer names. */
bool ir_next_tensor_name(const char **cursor, char *buffer, size_t size);

#endif

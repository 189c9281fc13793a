/* A graph is a model as its file states it: layers, ports, edges and raw attributes, each with its place. A reader in
 * src/parser makes it; nothing is resolved, inferred or verified. The graph owns all its data, which ir_graph_reset
 * frees. */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/arena.h"
#include "base/layer.h"
#include "diag/diag.h"
#include "graph/weights.h"

/* IR_LEGACY: layers of IR versions 2 to 7, until runtime/read/modernize.c replaces them by ops of the opsets. */
typedef enum ir_dialect { IR_OPENVINO, IR_NGRAPH, IR_LEGACY } ir_dialect;

/* An edge connects an output port to an input port, by layer and port ids. An id is -1 if it is missing or unreadable,
 * which was reported. */
typedef struct ir_edge {
  int64_t from_layer, from_port, to_layer, to_port;
  ir_at at, from_layer_at, from_port_at, to_layer_at, to_port_at;
} ir_edge;

/* An ir_line is an item of a port map or of <back_edges>. `layer` combines the id, name and type of the If, Loop or
 * TensorIterator with the attributes and place of the item. */
typedef enum ir_line_kind { IR_LINE_INPUT, IR_LINE_OUTPUT, IR_LINE_BACK_EDGE } ir_line_kind;
typedef struct ir_line {
  struct ir_line *next; /* next item in the file's order */
  ir_line_kind kind;
  int body; /* index of the item's body in ir_bodies.graphs */
  ir_layer layer;
} ir_line;

enum { IR_MOST_BODIES = 2 }; /* maximum for one layer: an If has 2 bodies, a Loop or TensorIterator 1 body */

/* ir_bodies has the bodies, port maps and back edges of an If, Loop or TensorIterator layer. */
typedef struct ir_bodies {
  struct ir_graph *graphs[IR_MOST_BODIES]; /* [0] is the then_body or the only body, [1] the else_body; NULL if the file
                                              lacks the body */
  ir_line *lines, *last_line;
  const ir_line **numbered; /* the lines in the file's order, for a search by number; NULL: not made */
  int64_t n_lines;          /* number of items of `numbered` */
  bool has_map[IR_MOST_BODIES], has_back_edges;
  ir_at body_at[IR_MOST_BODIES], map_at[IR_MOST_BODIES], back_edges_at;
} ir_bodies;

/* A channel in <pre-process> of an old IR: x becomes (x - mean) / scale. */
typedef struct ir_channel {
  int64_t id;
  double mean, scale;               /* 0 and 1 if the file says nothing */
  int64_t image_offset, image_size; /* bytes in the .bin of a mean for each pixel; size 0: none */
  bool has_mean;
  ir_at at;
} ir_channel;

typedef struct ir_graph {
  ir_dialect dialect;
  int version; /* IR version: 10 or 11, or 2 to 7; 0 for an nGraph model */
  const char *name;
  ir_source *source;   /* owned by the model's graph, shared by its bodies */
  ir_weights *weights; /* owned and shared like `source`; can be NULL */
  ir_arena arena;
  ir_layer *layers;
  size_t n_layers, layers_capacity;
  ir_edge *edges;
  size_t n_edges, edges_capacity;
  ir_at at;             /* place of the root element, or of the <body> */
  ir_at pre_process_at; /* place of <pre-process>, which changes what a model computes */
  bool has_layers_section, has_pre_process;
  /* Only in IR versions 2 to 7: the type of layers that state none, and <pre-process>. */
  ir_type precision, mean_precision;
  const char *pre_processed; /* name of the input of <pre-process>; NULL: the file names none */
  ir_channel *channels;
  size_t n_channels, channels_capacity;
  ir_at statistics_at; /* place of <statistics>, the ranges of tensors of an INT8 model */
  const ir_memory *memory;
  /* `bodies` has all bodies of the model, an outer body before its inner ones. The model's graph owns them; in a body's
   * graph, the list is empty. */
  struct ir_graph **bodies;
  size_t n_bodies, bodies_capacity;
  /* If the graph is a body, its layer (an If, Loop or TensorIterator) is in the graph `outer`. `number` is the body's
   * index in the layer's ir_bodies.graphs. */
  struct ir_graph *outer;
  size_t index, owner; /* index of this body in the model's `bodies`; index of its layer in `outer` */
  int number;
  const ir_scope_path *scope_path; /* nesting path of the layers in this graph */
} ir_graph;

void ir_graph_init(ir_graph *graph, const ir_memory *memory);
void ir_graph_reset(ir_graph *graph);
/* The opset of a layer of an IR of version 2 to 7. An op of the opsets takes its place, if there is one. */
#define IR_OLD_OPSET "legacy"

/* Whether the file is an IR of version 2 to 7. */
static inline bool ir_is_legacy(const ir_graph *graph) {
  return graph->version > 0 && graph->version < 10;
}

/* Appends a zeroed layer or edge, and returns a pointer that is valid until the next append. Returns NULL if memory is
 * out or a limit is reached. */
ir_layer *ir_graph_add_layer(ir_graph *graph);
ir_edge *ir_graph_add_edge(ir_graph *graph);
/* The first of ids for further layers: it lies above those of the layers. Ids so large that few lie above them do not
 * count. */
int64_t ir_graph_next_id(const ir_graph *graph);

/* Adds body `number` of layer `owner` in graph `outer`; `root` is the model's graph. Returns NULL if memory is out. */
ir_graph *ir_graph_add_body(ir_graph *root, ir_graph *outer, size_t owner, int number);

static inline ir_where ir_layer_where(const ir_graph *graph, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = graph->source, .at = ir_span_of(at), .layer = layer};
}
/* Returns the layer's attribute of that name, or NULL. */
const ir_raw_attr *ir_layer_attr(const ir_layer *layer, const char *name);

/* Copies the next name of a comma separated list of tensor names to `buffer`, and returns true; returns false at the
 * end. `*cursor` is first the list (or NULL). Skips blanks around names and empty items, replaces `\,` by a comma, and
 * cuts a name that is too long for `buffer`. */
bool ir_next_tensor_name(const char **cursor, char *buffer, size_t size);
/* Adds the hint "did you mean" with the layer's name that is nearest to `text`, if one is near. Returns IR_NO_MEMORY if
 * memory is out, which is reported. */
ir_code ir_graph_hint_at_layer(const ir_graph *graph, const char *text, ir_diags *diags);
/* Makes ir_bodies.numbered of all layers that have bodies. Returns false if memory is out. */
bool ir_graph_number_lines(const ir_graph *graph, ir_arena *arena);

#endif

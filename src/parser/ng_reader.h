/* Converts the tree of an nGraph model to a graph. */
#ifndef NG_READER_H
#define NG_READER_H

#include "base/index_map.h"
#include "ir_intern.h"
#include "ng_archive.h"
#include "ng_tree.h"

/* The source of a node's input. */
typedef struct ng_input {
  const char *name; /* name of the source node; NULL: faulty, and reported */
  int32_t from;     /* number of the source node; -1: faulty, and reported */
  int64_t port;     /* its output port */
  ir_at at, node_at, port_at;
} ng_input;

typedef struct ng_node {
  const ng_value *object;
  const char *name; /* the key; "" if missing, and reported */
  ir_layer layer;   /* its future layer in the graph */
  size_t first_input;
  int32_t n_inputs, function;
  bool is_parameter, is_result;
  bool listed;   /* a Parameter in the model's `parameters`, or a Result in its `result` */
  bool needed;   /* a result depends on it */
  bool unfed;    /* it depends on a Parameter that is not listed */
  bool is_taken; /* the graph will have it */
} ng_node;

/* The nodes that `parameters` or `result` lists, in order; -1 for a faulty item, which was reported. */
typedef struct ng_list {
  int32_t *nodes;
  const ng_value **items;
  size_t n;
} ng_list;

typedef struct ng_reader {
  ir_graph *graph;
  ir_diags *diags;
  const ng_tree *tree;
  ng_archive *archive; /* or NULL */
  ir_intern *intern;
  ng_node *nodes; /* nodes of all functions, in the order of the text */
  size_t n_nodes;
  ng_input *inputs;
  size_t n_inputs, inputs_capacity;
  ir_index_map names;
  ng_list parameters, results; /* of the last function, which is the model itself */
  int32_t last;                /* number of the last function */
  int n_guesses;               /* guesses made for misspelt names; each compares all nodes */
  bool names_unreliable;       /* a node has no name, so an unknown name may mean that node */
  bool lists_at_fault;         /* an item is faulty, so it may mean a node that is not listed */
} ng_reader;

/* ng_functions.c: reads the functions. Reports a code other than IR_OK; then there is no graph. The archive may be
 * NULL. */
ir_code ng_read_functions(ir_graph *graph, const ng_tree *tree, ng_archive *archive, ir_diags *diags);

/* ng_fields.c: finds a field of `object` and checks that it has the kind that the format requires. NULL if it is absent
 * or of another kind; a wrong kind is reported and sets `*at_fault`, as does a missing required field (IR204). */
const ng_value *ng_field(ng_reader *reader, const ir_layer *layer, const ng_value *object, const char *name,
                         bool required, bool *at_fault);
/* Whether a field has the kind that the format requires for its name; otherwise reports IR012. */
bool ng_check_kind(ng_reader *reader, const ir_layer *layer, const ng_value *field);
/* Reports IR012 for an item of an array. */
void ng_report_kind(ng_reader *reader, const ir_layer *layer, const ng_value *item, const char *what,
                    const char *expected);
/* Parses digits only; reports IR206, IR207. */
bool ng_field_number(ng_reader *reader, const ir_layer *layer, const ng_value *field, int64_t *out);

/* ng_links.c: resolves the inputs of nodes and the lists, and marks the nodes that the graph will have. */
ir_code ng_link(ng_reader *reader, const ng_value *model);

/* ng_node.c: fills the layer of a node, except its id, and records the places of its inputs. */
ir_code ng_read_node(ng_reader *reader, ng_node *node);
/* Escapes a tensor name for a list of names: each comma becomes `\,`. NULL when memory is out. */
const char *ng_name_list(ng_reader *reader, const char *name);

/* ng_attrs.c: converts op-specific fields to attributes. */
ir_code ng_read_attrs(ng_reader *reader, ng_node *node);

/* ng_layers.c: adds layers and edges in their order. */
ir_code ng_add_layers(ng_reader *reader);

static inline ir_where ng_where(const ng_reader *reader, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = layer};
}

#endif

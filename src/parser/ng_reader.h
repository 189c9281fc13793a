/* Converts the JSON tree of an nGraph model into a graph. */
#ifndef NG_READER_H
#define NG_READER_H

#include "base/index_map.h"
#include "ir_intern.h"
#include "ng_archive.h"
#include "ng_tree.h"

/* An input of a node: the output of another node, the producer. */
typedef struct ng_input {
  const char *name; /* name of the producer; NULL if the input is faulty, which was reported */
  int32_t from;     /* index of the producer in ng_reader.nodes; -1 if the input is faulty, which was reported */
  int64_t port;     /* output port of the producer */
  ir_at at, node_at, port_at;
} ng_input;

typedef struct ng_node {
  const ng_value *object;
  const char *name; /* the node's unique name, which inputs use; "" if it is missing, which was reported */
  ir_layer layer;   /* the layer that the graph gets for this node */
  size_t first_input;
  int32_t n_inputs, function;
  bool is_parameter, is_result;
  bool listed;   /* the field `parameters` names this Parameter, or `result` this Result */
  bool needed;   /* an item of `result` depends on this node */
  bool unfed;    /* this node is, or depends on, a Parameter that `parameters` does not name */
  bool is_taken; /* the graph gets a layer for this node */
} ng_node;

/* An ng_list has the nodes that the field `parameters` or `result` names, in the field's order. If an item is faulty,
 * which was reported, its node is -1. */
typedef struct ng_list {
  int32_t *nodes;
  const ng_value **items;
  size_t n;
} ng_list;

typedef struct ng_reader {
  ir_graph *graph;
  ir_diags *diags;
  const ng_tree *tree;
  ng_archive *archive; /* NULL if the model is a plain JSON file */
  ir_intern *intern;
  ng_node *nodes; /* nodes of all functions, in the order of the text */
  size_t n_nodes;
  ng_input *inputs;
  size_t n_inputs, inputs_capacity;
  ir_index_map names;
  ng_list parameters, results; /* `parameters` and `result` of the last function, which is the model */
  int32_t last;                /* index of the last function */
  int n_guesses; /* number of guesses ("did you mean"), which is limited because each guess compares all nodes */
  bool names_unreliable; /* a node has no readable name, or a list was not read: an unknown name is not reported */
  bool lists_at_fault;   /* an item of `parameters` or `result` is faulty: an unlisted node is not reported */
} ng_reader;

/* ng_functions.c: reads all functions into the graph. A code other than IR_OK was reported, and the graph is unusable.
 * `archive` can be NULL. */
ir_code ng_read_functions(ir_graph *graph, const ng_tree *tree, ng_archive *archive, ir_diags *diags);

/* ng_fields.c: returns the field `name` of `object`; NULL if it is absent or has the wrong kind. Reports IR012 for a
 * wrong kind, IR204 for a missing required field, and sets `*at_fault` in both cases. */
const ng_value *ng_field(ng_reader *reader, const ir_layer *layer, const ng_value *object, const char *name,
                         bool required, bool *at_fault);
/* Returns whether the field has a kind, such as string or number, that nGraph's format allows for its name. If not,
 * reports IR012. */
bool ng_check_kind(ng_reader *reader, const ir_layer *layer, const ng_value *field);
/* Reports IR012: `item`, which the message calls `what`, has the wrong kind. */
void ng_report_kind(ng_reader *reader, const ir_layer *layer, const ng_value *item, const char *what,
                    const char *expected);
/* Parses a whole number. If the text is no whole number, reports IR206; if the number is negative or exceeds INT64_MAX,
 * IR207. After a report, returns false. */
bool ng_field_number(ng_reader *reader, const ir_layer *layer, const ng_value *field, int64_t *out);

/* ng_links.c: finds the nodes that inputs, `parameters` and `result` name, and marks the nodes that the graph gets. */
ir_code ng_link(ng_reader *reader, const ng_value *model);

/* ng_node.c: reads `node->object` into `node->layer`, whose id is already set, and appends its inputs to
 * `reader->inputs`. */
ir_code ng_read_node(ng_reader *reader, ng_node *node);
/* Returns a copy of the tensor name in which each comma is `\,`, because commas separate names in a list. Returns NULL
 * if memory is out. */
const char *ng_name_list(ng_reader *reader, const char *name);

/* ng_attrs.c: converts the op-specific fields of a node to attributes of its layer. */
ir_code ng_read_attrs(ng_reader *reader, ng_node *node);

/* ng_layers.c: adds the layers and edges to the graph, in the order that ng_file.h states. */
ir_code ng_add_layers(ng_reader *reader);

static inline ir_where ng_where(const ng_reader *reader, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = layer};
}

#endif

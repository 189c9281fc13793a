/* The tree of an nGraph model -> a graph. */
#ifndef NG_READER_H
#define NG_READER_H

#include "base/index_map.h"
#include "ir_intern.h"
#include "ng_archive.h"
#include "ng_tree.h"

/* What an input of a node names. */
typedef struct ng_input {
  const char *name; /* of a node; NULL: at fault, and reported */
  int32_t from;     /* the node, or -1 likewise */
  int64_t port;     /* of it */
  ir_at at, node_at, port_at;
} ng_input;

typedef struct ng_node {
  const ng_value *object;
  const char *name; /* the key; "" when it is missing, and reported */
  ir_layer layer;   /* all that the graph will hold of it */
  size_t first_input;
  int32_t n_inputs, function;
  bool is_parameter, is_result;
  bool listed;   /* a Parameter in the model's `parameters`, a Result in its `result` */
  bool needed;   /* a result depends on it */
  bool unfed;    /* depends on a Parameter that is not listed */
  bool is_taken; /* into the graph */
} ng_node;

/* What `parameters` or `result` names, in its order; -1 for an item that is at fault, and reported. */
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
  ng_node *nodes; /* of all functions, in the order of the text */
  size_t n_nodes;
  ng_input *inputs;
  size_t n_inputs, inputs_capacity;
  ir_index_map names;
  ng_list parameters, results; /* of the last function, which is the model */
  int32_t last;                /* its number */
  int n_guesses;               /* misspelt names that were looked for: each looks at all nodes */
  bool names_unreliable;       /* a name is missing: an unknown one may be meant for that node */
  bool lists_at_fault;         /* what is not listed may be meant by an item that was reported */
} ng_reader;

/* ng_functions.c: what is not IR_OK was reported and leaves no graph. The archive may be NULL. */
ir_code ng_read_functions(ir_graph *graph, const ng_tree *tree, ng_archive *archive, ir_diags *diags);

/* ng_fields.c: a field of `object`, of the kind that the format says for one of this name. NULL when it is not there or
 * of another kind; the latter is reported and sets `*at_fault`, as does a required one that is missing (IR204). */
const ng_value *ng_field(ng_reader *reader, const ir_layer *layer, const ng_value *object, const char *name,
                         bool required, bool *at_fault);
/* Whether a field has the kind that the format says for its name; else IR012. */
bool ng_check_kind(ng_reader *reader, const ir_layer *layer, const ng_value *field);
/* IR012, for an item of an array. */
void ng_report_kind(ng_reader *reader, const ir_layer *layer, const ng_value *item, const char *what,
                    const char *expected);
/* Digits and no more: IR206, IR207. */
bool ng_field_number(ng_reader *reader, const ir_layer *layer, const ng_value *field, int64_t *out);

/* ng_links.c: finds what the inputs and the lists name, and marks what is taken into the graph. */
ir_code ng_link(ng_reader *reader, const ng_value *model);

/* ng_node.c: fills the layer of a node, but for its id, and keeps the inputs' places. */
ir_code ng_read_node(ng_reader *reader, ng_node *node);
/* A tensor name in the spelling of a list of them: each comma is `\,`. NULL when memory is out. */
const char *ng_name_list(ng_reader *reader, const char *name);

/* ng_attrs.c: the fields that are an op's own -> attributes. */
ir_code ng_read_attrs(ng_reader *reader, ng_node *node);

/* ng_layers.c: layers and edges, in their order. */
ir_code ng_add_layers(ng_reader *reader);

static inline ir_where ng_where(const ng_reader *reader, const ir_layer *layer, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = layer};
}

#endif

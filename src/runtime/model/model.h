/* A model: the graph of its file, and the nodes and values that are made from the graph. Order: parse (src/parser) ->
 * look up ops -> link -> order -> check names -> bind -> make bodies -> infer. A run adds: plan -> execute. */
#ifndef IR_MODEL_H
#define IR_MODEL_H

#define IR_LINK_NONE   (-1) /* in ir_link.layer: no edge feeds the input */
#define IR_LINK_FAULTY (-2) /* in ir_link.layer: the edge into the input is at fault, and was reported */

#include "ops/op.h"
#include "program/constants.h"
#include "runtime/context.h"

/* Results of comparing a node with its declarations in the file. The masks have one bit for each output port
 * (ir_port_bit). */
typedef struct ir_declared_check {
  uint64_t differs; /* the declaration contradicts the inferred value */
  uint64_t assumed; /* open dims were set from the declaration: the constant that decides them is unavailable */
  uint64_t tainted; /* the declaration is wrong, or follows from wrongly declared inputs */
} ir_declared_check;

/* Classes of names of inputs and outputs; an earlier class takes precedence over a later one. */
typedef enum ir_name_class { IR_NAME_TENSOR, IR_NAME_LAYER, IR_NAME_PRODUCER, IR_NAME_NUMBER } ir_name_class;

typedef struct ir_name {
  const char *text;
  ir_name_class class;
  int64_t index;
} ir_name;

/* Possible meanings of a name, in order of precedence: if a name has several meanings, the first of these wins.
 * IR_MEANS_LAYER and IR_MEANS_RESULT have equal precedence. Constants come last, because irrun never compares or cuts
 * at a constant. */
typedef enum ir_meaning {
  IR_MEANS_LAYER,
  IR_MEANS_RESULT,
  IR_MEANS_PORT,   /* "NAME.PORT", for an output of a layer with several outputs */
  IR_MEANS_TENSOR, /* a tensor name of an output port or a Result */
  IR_MEANS_CONSTANT
} ir_meaning;

enum { IR_ALL_PORTS = -1 };

typedef struct ir_tensor_name {
  const char *text;
  ir_meaning meaning;
  int32_t layer, port; /* port: IR_ALL_PORTS if `text` names the whole layer */
} ir_tensor_name;

/* The shape, the type or both that the caller sets for an input by --shape. */
typedef struct ir_narrowing {
  ir_type type; /* IR_DYNAMIC: the caller sets no type */
  int32_t node;
  ir_shape shape;
  const char *text; /* the text of --shape; the caller owns it */
} ir_narrowing;

struct irrun_model {
  irrun_context *context;
  irrun_purpose purpose;
  char *path;
  ir_graph graph; /* if the model is a body: a shallow copy of the body's graph */
  ir_arena arena; /* memory of the stages' results; freed last */
  ir_node *nodes; /* one for each layer */
  int32_t *order; /* indices of nodes in topological order; nodes that are in a cycle, or depend on one, come last */
  int32_t *inputs, *outputs; /* indices of the Parameter and the Result nodes, in the file's order */
  int32_t n_inputs, n_outputs;
  const char *const *shape_texts; /* texts of --shape, owned by the caller; valid while the model is read */
  size_t n_shape_texts;
  ir_narrowing *narrowings;
  size_t n_narrowings;
  ir_value *poisoned_outputs;  /* outputs that all nodes share until inference sets their own; all are poisoned */
  ir_declared_check *declared; /* one for each node */
  bool ids_unreliable;         /* a layer id is missing or repeated, so an edge to an unknown id can mean that layer */
  bool links_faulty; /* an id, port or edge is at fault: unneeded layers, a possible consequence, are not reported */
  bool has_ends;     /* the model has a Result or an Assign; layers that none of them needs are never computed */
  int64_t n_missing; /* number of layers whose op irrun lacks; ops of extensions do not count */
  ir_constants *constants;     /* constants in the form that plans use; runs in several threads share them */
  struct irrun_model **bodies; /* one model for each item of graph.bodies; NULL if the model itself is a body */
  struct irrun_model *outer;   /* if the model is a body: the model that contains it */
  ir_node *owner;              /* if the model is a body: its layer's node in `outer` */
  int64_t first_layer;         /* public number of the first layer (irrun_model_get_layer); 0 if it is no body */
  bool was_inferred;           /* the model was inferred at least once; a body can be inferred again */
  irrun_status status;
  int64_t errors, warnings;
  ir_name *names[2]; /* indexed by irrun_side: all names of the inputs, and of the outputs; made on first use */
  size_t n_names[2];
  const ir_name **names_by_text[2]; /* the same names, sorted by compare_names of names.c */
  size_t *first_name[2];        /* for each input or output: index in `names` of its first name, which reports use */
  ir_tensor_name *tensor_names; /* sorted, made on first use */
  bool has_tensor_names;        /* tensor_names is complete */
  size_t n_tensor_names, tensor_names_capacity;
  const ir_node **layers_by_id; /* into `nodes`, sorted by id, equal ids in the file's order; made on first use */
  struct ir_model_sizes *sizes; /* made on first use (sizes.c) */
  struct irrun_remark *remarks; /* made on first use (edit/remarks.c) */
  size_t n_remarks;
  bool has_remarks;                      /* `remarks` is complete */
  char id_text[24], formula[1024];       /* result of the last irrun_model_get_layer */
  const char *inside[IR_MAX_BODY_DEPTH]; /* result of the last irrun_model_get_layer */
  char from_text[24];                    /* result of the last irrun_model_get_layer_input */
};

static inline int32_t ir_node_index(const irrun_model *model, const ir_node *node) {
  return (int32_t)(node - model->nodes);
}
/* The output that feeds input 0 of the node, such as a Result. Its layer is IR_LINK_NONE if there is none. */
static inline ir_link ir_node_source(const ir_node *node) {
  return node->n_inputs > 0 ? node->inputs[0] : (ir_link){IR_LINK_NONE, 0};
}
static inline ir_scope ir_model_scope(irrun_model *model) {
  return (ir_scope){.graph = &model->graph,
                    .diags = &model->context->diags,
                    .arena = &model->arena,
                    .memory = &model->context->memory};
}

/* The variable of a ReadValue or Assign. NULL: the node is neither, or its variable_id is missing, which was reported.
 */
static inline const char *ir_variable_of(const ir_node *node) {
  const ir_raw_attr *id = ir_op_has_variable(node->op) ? ir_layer_attr(node->layer, "variable_id") : NULL;
  return id == NULL ? NULL : id->value;
}

/* resolve.c: finds node->op by type and opset. Warns of a type in the wrong case (IR201); ir_model_bind reports the ops
 * that were not found. */
ir_code ir_model_lookup(irrun_model *model);
/* link.c: sets ir_node.inputs from the layer ids and ports of edges. Reports IR101, IR103 to IR106, IR110 and IR113. */
ir_code ir_model_link(irrun_model *model);
/* topology.c: sets ir_node.live of the nodes that a Result or an Assign needs. If the model has neither, all nodes are
 * live. Reports nothing. */
ir_code ir_model_find_live(irrun_model *model);
/* topology.c: fills order, inputs and outputs. Reports cycles (IR107), a missing Result (IR108; IR210 if the model is
 * to run) and unneeded layers (IR109). */
ir_code ir_model_order(irrun_model *model);
/* topology.c: sets needed[i] for every node on the stack, and for every node that feeds one of them directly or
 * indirectly. Nothing is needed for a node that is given (NULL: none is). The stack has room for all nodes. */
void ir_mark_needed(const ir_node *nodes, int32_t *stack, int32_t n_stack, const bool *given, bool *needed);
/* resolve.c: reports ops that were not found (IR201 to IR203, IR210), and binds attributes (IR204 to IR211). */
ir_code ir_model_bind(irrun_model *model);
/* infer/check.c: infers every layer in order, and checks the .bin. Reports IR301 to IR408. */
ir_code ir_model_infer(irrun_model *model);

#endif

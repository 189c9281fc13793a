/* A model: its graph, bound and linked, and the inferred values. Stages: read (parser) -> link -> bind -> infer -> plan
 * -> run. */
#ifndef IR_MODEL_H
#define IR_MODEL_H

#define IR_LINK_NONE   (-1) /* ir_link.layer: not connected */
#define IR_LINK_FAULTY (-2) /* the edge is faulty, and was reported */

#include "ops/op.h"
#include "program/constants.h"
#include "runtime/context.h"

/* Results of comparing a node's declared output ports; one bit per port. */
typedef struct ir_declared_check {
  uint64_t differs;
  bool is_refused;  /* a fault was reported of the layer: its outputs are what the file declares */
  uint64_t assumed; /* its shape is the declared one, for it cannot be inferred here */
  uint64_t tainted; /* its declared value is wrong, or follows from one that is */
} ir_declared_check;

/* Classes of names of inputs and outputs; an earlier class takes precedence over a later one. */
typedef enum ir_name_class { IR_NAME_TENSOR, IR_NAME_LAYER, IR_NAME_PRODUCER, IR_NAME_NUMBER } ir_name_class;

typedef struct ir_name {
  const char *text;
  ir_name_class class;
  int64_t index;
} ir_name;

/* Meanings of a name in the whole model, in order of precedence: the first one that any layer fits wins. Results are
 * equal to other layers. Constants come last, because nothing is computed, compared or cut there. */
typedef enum ir_meaning {
  IR_MEANS_LAYER,
  IR_MEANS_RESULT,
  IR_MEANS_PORT, /* "NAME.PORT", for a layer with several outputs */
  IR_MEANS_TENSOR,
  IR_MEANS_CONSTANT
} ir_meaning;

enum { IR_ALL_PORTS = -1 };

typedef struct ir_tensor_name {
  const char *text;
  ir_meaning meaning;
  int32_t layer, port; /* port: IR_ALL_PORTS if the name is the layer's own */
} ir_tensor_name;

/* A shape that the caller gives for an input. */
typedef struct ir_narrowing {
  ir_type type; /* IR_DYNAMIC: not given */
  int32_t node;
  ir_shape shape;
  const char *text; /* the caller's text */
} ir_narrowing;

struct irrun_model {
  irrun_context *context;
  irrun_purpose purpose;
  char *path;
  ir_graph graph;            /* a body has a shallow copy */
  ir_arena arena;            /* owns all members below; freed last */
  ir_node *nodes;            /* one per layer */
  int32_t *order;            /* node numbers in topological order; nodes in or behind a cycle come last */
  int32_t *inputs, *outputs; /* nodes of role INPUT and OUTPUT, in the file's order */
  int32_t n_inputs, n_outputs;
  const char *const *shape_texts; /* --shape texts of the caller, valid while the model is read */
  size_t n_shape_texts;
  ir_narrowing *narrowings;
  size_t n_narrowings;
  ir_value *poisoned_outputs;  /* of nodes that are not inferred yet */
  ir_declared_check *declared; /* one a node */
  bool ids_unreliable; /* a layer id is missing or repeated: an edge to an unknown layer may be meant for that one */
  bool links_faulty;   /* something is wrong with ids or edges: what is missing elsewhere may follow from it */
  bool has_ends;       /* a Result or an Assign: what leads to none is never computed */
  int64_t n_missing;   /* layers of ops that irrun does not have */
  ir_constants *constants;     /* as its runs use them, of any thread */
  struct irrun_model **bodies; /* one a body of the graph; of the model itself alone */
  struct irrun_model *outer;   /* of a body: the model that it is in, and its layer there */
  ir_node *owner;
  bool was_inferred; /* if this is a body: it was inferred at least once */
  irrun_status status;
  int64_t errors, warnings;
  ir_name *names[2]; /* one list per irrun_side, made on first use */
  size_t n_names[2];
  const ir_name **names_by_text[2]; /* in the order of compare_names in names.c */
  size_t *first_name[2];            /* per input or output: index in `names` of its first name, which reports use */
  ir_tensor_name *tensor_names;     /* sorted, made on first use */
  bool has_tensor_names;            /* tensor_names is complete */
  size_t n_tensor_names, tensor_names_capacity;
  char id_text[24], formula[1024];       /* result of the last irrun_model_get_layer */
  const char *inside[IR_MAX_BODY_DEPTH]; /* result of the last irrun_model_get_layer */
  char from_text[24];                    /* result of the last irrun_model_get_layer_input */
};

static inline int32_t ir_node_index(const irrun_model *model, const ir_node *node) {
  return (int32_t)(node - model->nodes);
}
static inline ir_scope ir_model_scope(irrun_model *model) {
  return (ir_scope){.graph = &model->graph,
                    .diags = &model->context->diags,
                    .arena = &model->arena,
                    .memory = &model->context->memory};
}

/* resolve.c: finds node->op by type and opset; reports nothing yet. */
ir_code ir_model_lookup(irrun_model *model);
/* link.c: resolves layer ids and ports to ir_node.inputs. Reports IR101 to IR106, IR110, IR113. */
ir_code ir_model_link(irrun_model *model);
/* topology.c: marks the linked nodes that a Result or Assign needs. Reports nothing. */
ir_code ir_model_find_live(irrun_model *model);
/* topology.c: finds the order. Reports cycles and unneeded layers (IR107 to IR109), and IR210 for a run. */
ir_code ir_model_order(irrun_model *model);
/* Marks the nodes on the stack and all that they need; the stack has room for every node. */
void ir_mark_needed(const ir_node *nodes, int32_t *stack, int32_t n_stack, bool *needed);
/* resolve.c: reports IR201 to IR203 and IR210, and binds attributes (IR204 to IR211). */
ir_code ir_model_bind(irrun_model *model);
/* infer.c: infers every layer in order. Reports IR301 to IR405. */
ir_code ir_model_infer(irrun_model *model);

#endif

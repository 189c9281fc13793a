/* Types and shapes for a run: those of the model, and where it leaves something open, inferred again from the run's
 * inputs and from what was computed. */
#ifndef IR_RUN_SHAPES_H
#define IR_RUN_SHAPES_H

#include "runtime/infer/contents.h"
#include "runtime/model/model.h"

/* Layers in running order. */
typedef struct ir_layer_list {
  int32_t *layers;
  size_t n;
} ir_layer_list;

/* An input of a needed node, as seen from what it reads. */
typedef struct ir_node_use {
  int32_t layer, input;
} ir_node_use;

/* An input of the model. */
typedef struct ir_run_input {
  ir_tensor tensor;
  bool is_set;
  irrun_tensor shown; /* of irrun_run_input */
} ir_run_input;

/* The nodes of a run, and how far it is. A node is looked at when all that it reads is there or is planned, so that all
 * stages together look at each once or twice. */
typedef struct ir_run_nodes {
  ir_arena *arena;
  ir_node *nodes;        /* the model's, with outputs of their own where the run knows more */
  bool *decides;         /* one a node: an input whose contents decide shapes, or how a kernel is prepared */
  int32_t *place;        /* one a node: its place in a stage, while that is chosen; else -1 */
  int32_t *stack;        /* one a node: room to trace that */
  bool *done;            /* one a node: its outputs are there */
  ir_node_use *uses;     /* of node i: first_use[i] to first_use[i + 1] */
  int32_t *first_use;    /* one a node, and one more */
  int32_t *n_waited;     /* one a node: inputs that are neither there nor planned */
  int32_t *n_unread;     /* one a node: uses by nodes that are not done */
  int32_t *position;     /* one a node: in the model's order */
  uint64_t *open;        /* bits by position: nodes to look at */
  size_t first_open;     /* no word before has a bit */
  ir_layer_list ready;   /* of the stage: what can be planned */
  ir_layer_list alone;   /* of the stage: what runs alone, when that is done */
  ir_layer_list later;   /* what only the contents of tensors that are not there tell the shape of */
  ir_layer_list results; /* Results that are fed; they are of the last stage */
  size_t n_left;         /* needed nodes that are neither done, ready nor such Results */
  ir_contents contents;
  const ir_value **in, **checked; /* room for the inputs of any node */
} ir_run_nodes;

/* Makes the nodes, in nodes->arena, with all needed ones to look at. Inputs that are not set are what the model says.
 */
ir_code ir_run_nodes_begin(irrun_model *model, const ir_run_input *inputs, const bool *needed, ir_run_nodes *nodes);
void ir_run_nodes_end(ir_run_nodes *nodes);
/* Infers what is not done, as far as it can be told without computing anything, and finds the nodes of the stage.
 * Reports what the model allows and these inputs do not. */
ir_code ir_infer_stage(irrun_model *model, ir_run_nodes *nodes);
/* The node's outputs are there, or planned: what reads them may be looked at. */
void ir_run_nodes_open_users(ir_run_nodes *nodes, int32_t layer);
/* Infers a node that runs alone, of which all inputs are there, from their shapes and contents. Reports as well. */
ir_code ir_infer_alone(irrun_model *model, ir_run_nodes *nodes, ir_node *node);
/* A run of a model without faults: what is reported of a node from ir_run_blame on comes from the inputs that the node
 * needs. ir_run_blame_inputs notes them and turns IR_INVALID into IR_BAD_DATA. */
typedef struct ir_blame {
  ir_diag *last;
  ir_code before;
} ir_blame;
ir_blame ir_run_blame(irrun_model *model);
ir_code ir_run_blame_inputs(irrun_model *model, ir_run_nodes *nodes, const ir_node *node, ir_blame blame, ir_code code);
/* IR309: nothing is left to be computed that would tell the node's shape. */
ir_code ir_report_open_node(irrun_model *model, const ir_node *node);

#endif

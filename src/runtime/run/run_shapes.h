/* Types and shapes for a run: those of the model, and where it leaves them open, inferred again from the run's inputs
 * and from computed tensors. */
#ifndef IR_RUN_SHAPES_H
#define IR_RUN_SHAPES_H

#include "runtime/infer/contents.h"
#include "runtime/model/model.h"

/* Layers in running order. */
typedef struct ir_layer_list {
  int32_t *layers;
  size_t n;
} ir_layer_list;

/* A reader of a node's output: node and input number. */
typedef struct ir_node_use {
  int32_t layer, input;
} ir_node_use;

/* An input of the model. */
typedef struct ir_run_input {
  ir_tensor tensor;
  bool is_set;
  irrun_tensor shown; /* of irrun_run_input */
} ir_run_input;

/* The nodes of a run and its progress. A node is visited when all of its inputs are computed or planned, so all stages
 * together visit each node once or twice. */
typedef struct ir_run_nodes {
  ir_arena *arena;
  ir_node *nodes;        /* the model's nodes, with their own outputs if the run knows more */
  bool *decides;         /* one per node: an input whose contents decide shapes or kernels */
  int32_t *place;        /* one per node: its index in the stage while that is chosen; else -1 */
  int32_t *stack;        /* one per node: stack for tracing `decides` */
  bool *done;            /* one per node: its outputs are computed */
  ir_node_use *uses;     /* uses of node i: first_use[i] to first_use[i + 1] */
  int32_t *first_use;    /* one per node, and one more */
  int32_t *n_waited;     /* one per node: how many of its inputs are neither computed nor planned */
  int32_t *n_unread;     /* one per node: uses by nodes that are not done */
  int32_t *position;     /* one per node: its position in the model's order */
  uint64_t *open;        /* bit set by position: nodes to visit */
  size_t first_open;     /* all earlier words are 0 */
  ir_layer_list ready;   /* nodes that this stage plans */
  ir_layer_list alone;   /* nodes with a dynamic output, which run after this stage */
  ir_layer_list later;   /* nodes whose shape depends on contents that are not computed yet */
  ir_layer_list results; /* Results with a computed or planned input; they belong to the last stage */
  size_t n_left;         /* needed nodes that are not done, not ready and not such Results */
  ir_contents contents;
  const ir_value **in, **checked; /* room for the inputs of any node */
} ir_run_nodes;

/* Makes the nodes in nodes->arena and opens all needed ones. Inputs that are not set keep the model's type and
 * shape. */
ir_code ir_run_nodes_begin(irrun_model *model, const ir_run_input *inputs, const bool *needed, ir_run_nodes *nodes);
void ir_run_nodes_end(ir_run_nodes *nodes);
/* Infers as much as is possible without computing anything, and finds the nodes of the stage. Reports faults that only
 * these inputs cause. */
ir_code ir_infer_stage(irrun_model *model, ir_run_nodes *nodes);
/* The node's outputs are now computed or planned: opens the readers whose inputs are complete. */
void ir_run_nodes_open_users(ir_run_nodes *nodes, int32_t layer);
/* Infers a node with a dynamic output from the shapes and contents of its inputs, which are all computed. Reports as
 * ir_infer_stage does. */
ir_code ir_infer_alone(irrun_model *model, ir_run_nodes *nodes, ir_node *node);
/* Blames a run's inputs: the model itself is valid, so faults of a node that are reported after ir_run_blame come from
 * the inputs that the node needs. ir_run_blame_inputs notes those inputs and turns IR_INVALID into IR_BAD_DATA. */
typedef struct ir_blame {
  ir_diag *last;
  ir_code before;
} ir_blame;
ir_blame ir_run_blame(irrun_model *model);
ir_code ir_run_blame_inputs(irrun_model *model, ir_run_nodes *nodes, const ir_node *node, ir_blame blame, ir_code code);
/* Reports IR309: no further computation could determine the node's shape. */
ir_code ir_report_open_node(irrun_model *model, const ir_node *node);

#endif

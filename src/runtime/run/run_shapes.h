/* Types and shapes for a run: those of the model, and where it leaves something open, inferred again from the run's
 * inputs and from what was computed. */
#ifndef IR_RUN_SHAPES_H
#define IR_RUN_SHAPES_H

#include "runtime/model/model.h"

/* The nodes of a run, and how far it is. One flag a node. */
typedef struct ir_run_nodes {
  ir_arena *arena;
  ir_node *nodes;      /* the model's, with outputs of their own where the run knows more */
  bool *done;          /* its outputs are there */
  bool *ready;         /* it can be planned: all that it reads is there, or is computed by nodes that are ready */
  bool reads_contents; /* shapes may depend on what is in the inputs */
} ir_run_nodes;

/* Makes the nodes, in nodes->arena. `inputs[i]` counts where `set[i]`. */
ir_code ir_run_nodes_begin(irrun_model *model, const ir_tensor *inputs, const bool *set, ir_run_nodes *nodes);
/* Infers what is needed and not done, as far as it can be told without computing anything, and finds which nodes are
 * ready. Reports what the model allows and these inputs do not. */
ir_code ir_infer_stage(irrun_model *model, const bool *needed, ir_run_nodes *nodes);
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

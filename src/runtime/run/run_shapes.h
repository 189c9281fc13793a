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
  irrun_tensor shown; /* the result of irrun_run_input */
} ir_run_input;

/* Weights that are computed from constants alone. A stage that gets them as results of another one could not lay them
 * out once for the model, nor keep them packed. */
enum { IR_STAGE_EACH = -1 };

/* The progress of a run at one node. */
typedef struct ir_node_state {
  bool decides;               /* the contents of its output decide shapes or kernels */
  int32_t stage;              /* number of the stage that plans or computes the node; 0: none does yet. Results stay 0;
                                 IR_STAGE_EACH: each stage that reads the node's outputs computes them */
  int32_t listed;             /* the last stage whose layers contain this node of IR_STAGE_EACH */
  int32_t position;           /* in the model's order */
  int32_t n_waited;           /* inputs that are neither computed nor planned */
  int32_t n_unread;           /* uses by nodes that are not computed */
  int32_t first_use, end_use; /* its uses: uses[first_use] to uses[end_use - 1] */
} ir_node_state;

/* The nodes of a run and its progress. A node is visited when all of its inputs are computed or planned, so all stages
 * together visit each node once or twice. */
typedef struct ir_run_nodes {
  irrun_model *model;
  ir_scope scope;        /* for inference; its arena owns the members below */
  ir_node *nodes;        /* the model's nodes; if the run knows more of a node, the node has outputs of its own */
  ir_node_state *states; /* one per node */
  ir_node_use *uses;
  int32_t **value_of;    /* one per node; see ir_program_request */
  int32_t *stack;        /* room for tracing `decides` */
  uint64_t *open;        /* one bit per position in the model's order: the node is to be visited */
  size_t first_open;     /* all earlier words of `open` are 0 */
  ir_layer_list ready;   /* nodes that this stage plans */
  ir_layer_list alone;   /* nodes with a dynamic output, which run after this stage */
  ir_layer_list later;   /* nodes whose shape depends on contents that are not computed yet */
  ir_layer_list results; /* Results with a computed or planned input; they belong to the last stage */
  size_t n_left;         /* needed nodes that are in no stage and not in `results` */
  int32_t n_stages;      /* stages so far */
  const bool *given;     /* nodes that the run computed before, or that need no data; NULL: there are none */
  const bool *is_open;   /* given nodes whose last size can change without another plan; NULL: there are none */
  const bool *wanted;    /* nodes whose outputs are held to the end of the execution; NULL: there are none */
  bool is_visited;       /* a visitor looks at each output once: each node belongs to one stage */
  ir_contents contents;
  const ir_value **in, **checked; /* room for the inputs of any node */
} ir_run_nodes;

/* The type, shape and, if small, contents of the tensor that is set for the input. If none is set, the value of the
 * model. */
ir_value ir_run_input_value(const irrun_model *model, const ir_run_input *inputs, int32_t input);
/* Makes the nodes in scope->arena and opens all needed ones. `given`: nodes that exist already; NULL: there are none.
 */
ir_code ir_run_nodes_begin(irrun_model *model, const ir_scope *scope, const ir_run_input *inputs, const bool *needed,
                           const bool *given, ir_run_nodes *nodes);
/* Sets output 0 of a given node, and opens the readers whose inputs are complete. */
ir_code ir_run_nodes_give(ir_run_nodes *nodes, int32_t layer, const ir_value *value);
void ir_run_nodes_end(ir_run_nodes *nodes);
/* Infers as much as is possible without computing anything, and finds the nodes of the next stage. Reports faults that
 * only these inputs cause. */
ir_code ir_infer_stage(ir_run_nodes *nodes);
/* The node's outputs are now computed or planned: opens the readers whose inputs are complete. */
void ir_run_nodes_open_users(ir_run_nodes *nodes, int32_t layer);
/* Infers a node with a dynamic output from the shapes and contents of its inputs, which are all computed. Reports as
 * ir_infer_stage does. */
ir_code ir_infer_alone(ir_run_nodes *nodes, ir_node *node);
/* Blame of a run's inputs. The model is valid, so a fault of `node` comes from the inputs of the run that the node
 * needs. ir_blame_begin comes before the call that can report such faults. ir_blame_end gets that call's code, notes
 * the inputs at each fault, and turns IR_INVALID into IR_BAD_DATA. */
typedef struct ir_blame {
  ir_diag *last;
  ir_code before;
} ir_blame;
ir_blame ir_blame_begin(ir_diags *diags);
ir_code ir_blame_end(ir_run_nodes *nodes, const ir_node *node, ir_blame blame, ir_code code);
/* Reports IR309: no further computation could determine the node's shape. */
ir_code ir_report_open_node(const ir_run_nodes *nodes, const ir_node *node);

#endif

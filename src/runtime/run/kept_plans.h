/* The plans that a run has made, and the inputs for which each was made. Inputs of the same types and shapes share a
 * plan. */
#ifndef IR_KEPT_PLANS_H
#define IR_KEPT_PLANS_H

#include "program/compile.h"
#include "runtime/model/model.h"

/* The part of a model that one plan computes. Its links refer to its own nodes. */
typedef struct ir_stage {
  ir_node *nodes;  /* nodes whose outputs are given come first */
  int32_t *layers; /* one per node: its layer in the model */
  bool *needed;    /* one per node: the plan computes it */
  ir_link *kept;   /* outputs that later stages read */
  size_t n_given, n_nodes, n_kept;
} ir_stage;

/* The type, shape and contents of an input for which the plan was made. */
typedef struct ir_planned_input {
  ir_type type;
  ir_shape shape;
  ir_tensor contents; /* set if the contents decide shapes; else data is NULL */
} ir_planned_input;

typedef struct ir_kept_plan {
  struct ir_kept_plan *next; /* the plan that was used before this one */
  ir_arena arena;            /* owns all members below */
  ir_stage stage;
  ir_compiled compiled;
  int64_t n_executed;       /* how often `compiled` was executed */
  ir_planned_input *inputs; /* one per input of the model, if the plan is of a whole run; else NULL */
  int32_t *output_slots;    /* one per output of the model: its slot; -1: this plan does not make it */
} ir_kept_plan;

/* The settings of all plans of a run; when one changes, all plans are dropped. */
typedef struct ir_plan_settings {
  int n_threads;
  irrun_kernels kernels;
  unsigned skipped_passes;
  bool visited;
} ir_plan_settings;

typedef struct ir_kept_plans {
  ir_kept_plan *first; /* the most recently used plan */
  ir_plan_settings settings;
  int64_t n_made; /* plans made so far */
} ir_kept_plans;

/* Adds an empty plan at the front of the list; NULL when memory is out. */
ir_kept_plan *ir_kept_plans_add(ir_kept_plans *plans, const ir_memory *memory);
/* Frees the plan and removes it from the list. */
void ir_kept_plans_drop(ir_kept_plans *plans, ir_kept_plan *plan, const ir_memory *memory);
/* Frees all plans but the `n` most recently used. */
void ir_kept_plans_shorten(ir_kept_plans *plans, size_t n, const ir_memory *memory);
/* Moves the plan to the front: it is the most recently used one. */
void ir_kept_plans_use(ir_kept_plans *plans, ir_kept_plan *plan);
/* Finds a finished plan of the same stage: the same layers, with inputs and outputs of equal types, shapes and, if a
 * kernel inspects them in `prepare`, contents. NULL: there is none. */
ir_kept_plan *ir_kept_plans_find(const ir_kept_plans *plans, const ir_stage *stage);

#endif

/* The plans that a run has made, and what each was made for: a plan is made once for inputs of the same types and
 * shapes. */
#ifndef IR_KEPT_PLANS_H
#define IR_KEPT_PLANS_H

#include "program/compile.h"
#include "runtime/model/model.h"

/* The part of a model that a plan computes, with links among its own nodes. */
typedef struct ir_stage {
  ir_node *nodes;  /* those whose outputs are given come first */
  int32_t *layers; /* one a node: what it is in the model */
  bool *needed;    /* one a node: the plan's own, and not given */
  ir_link *kept;   /* what later stages read */
  size_t n_given, n_nodes, n_kept;
} ir_stage;

/* What an input was when the plan was made. */
typedef struct ir_planned_input {
  ir_type type;
  ir_shape shape;
  ir_tensor contents; /* of an input whose contents decide shapes; data NULL: they do not */
} ir_planned_input;

typedef struct ir_kept_plan {
  struct ir_kept_plan *next; /* used before it */
  ir_arena arena;            /* of all below */
  ir_stage stage;
  ir_compiled compiled;
  ir_planned_input *inputs; /* one an input of the model, of the plan of a whole run; else NULL */
  int32_t *output_slots;    /* one an output of the model: the slot of what it shows; -1: the plan does not make it */
} ir_kept_plan;

/* What all plans of a run are made for; when that changes, none of them serves any more. */
typedef struct ir_plan_settings {
  int n_threads;
  irrun_kernels kernels;
  unsigned skipped_passes;
  bool visited;
} ir_plan_settings;

typedef struct ir_kept_plans {
  ir_kept_plan *first; /* the one that was used last */
  ir_plan_settings settings;
  int64_t n_made; /* so far */
} ir_kept_plans;

/* An empty plan, in front of the list; NULL when memory is out. */
ir_kept_plan *ir_kept_plans_add(ir_kept_plans *plans, const ir_memory *memory);
/* Frees the plan, which is one of the list. */
void ir_kept_plans_drop(ir_kept_plans *plans, ir_kept_plan *plan, const ir_memory *memory);
/* Frees all plans, or those behind the first `n`, which were used last. */
void ir_kept_plans_shorten(ir_kept_plans *plans, size_t n, const ir_memory *memory);
/* The plan is the one that was used last. */
void ir_kept_plans_use(ir_kept_plans *plans, ir_kept_plan *plan);
/* A finished plan of the list for the same stage: the same layers, with inputs and outputs of the same types, shapes
 * and, where a kernel is prepared for them, contents. NULL: there is none. */
ir_kept_plan *ir_kept_plans_find(const ir_kept_plans *plans, const ir_stage *stage);

#endif

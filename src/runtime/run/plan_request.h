/* What a plan is made of. */
#ifndef IR_PLAN_REQUEST_H
#define IR_PLAN_REQUEST_H

#include "ops/plan.h"
#include "runtime/model/model.h"

typedef struct ir_plan_request {
  irrun_model *model;
  ir_node *nodes;     /* the model's, or a run's with its own shapes */
  const bool *needed; /* one a node; of a Result: it is asked for */
  const bool *later;  /* one a node: a later plan of the run computes it, of what this one keeps; or NULL */
  ir_arena *arena;
  bool is_fast; /* products may go to the fast module */
  bool visited; /* somebody looks at all that is computed: outputs that nothing reads are computed too */
  size_t held;  /* bytes of memory that inputs of the run have taken already */
} ir_plan_request;

#endif

/* What a plan is made of. */
#ifndef IR_PLAN_REQUEST_H
#define IR_PLAN_REQUEST_H

#include "diag/account.h"
#include "irrun.h"
#include "ops/plan.h"
#include "runtime/model/model.h"

typedef struct ir_plan_request {
  irrun_model *model;
  ir_node *nodes; /* in running order, and before them those whose outputs the plan is given */
  size_t n_nodes;
  const int32_t *layers;      /* one a node: what it is in the model */
  const ir_node *given_nodes; /* set by ir_plan_build: the nodes as they were given, where it made others (widen.h) */
  const bool *needed;         /* one a node: the plan computes it; of a Result: it is asked for */
  const ir_link *kept;        /* outputs that later plans of the run read; one may be there several times */
  size_t n_kept;
  ir_account *account;     /* the run's */
  ir_arena *arena;         /* which takes of that */
  bool is_fast;            /* products may go to the fast module */
  unsigned skipped_passes; /* bits of irrun_pass */
  bool visited;            /* somebody looks at all that is computed: outputs that nothing reads are computed too */
} ir_plan_request;

static inline bool ir_lacks_pass(const ir_plan_request *request, irrun_pass pass) {
  return (request->skipped_passes & (unsigned)pass) != 0;
}

#endif

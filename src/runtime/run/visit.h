/* Looking at what the layers of a run compute, in running order, while it is there. */
#ifndef IR_VISIT_H
#define IR_VISIT_H

#include "irrun_debug.h"
#include "ops/plan.h"
#include "runtime/model/model.h"

typedef struct ir_visitor {
  irrun_visit *call; /* NULL: nobody looks */
  void *user;
  irrun_model *model;
  const bool *needed; /* one a node */
  size_t at;          /* in the model's order: layers before were visited */
} ir_visitor;

/* Whether the node is one whose outputs are looked at: it is computed, or an input. */
static inline bool ir_is_visited(const ir_node *node) {
  return node->op != NULL && (node->op->role == IR_ROLE_COMPUTED || node->op->role == IR_ROLE_INPUT);
}
/* Visits the layers of which all steps are among the first `n_done`, and that were not visited. */
ir_code ir_visit(ir_plan *plan, size_t n_done);

#endif

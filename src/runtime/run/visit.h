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
  size_t at; /* nodes of the plan before that were visited */
} ir_visitor;

/* Whether the node is one whose outputs are looked at: it is computed, or an input. */
static inline bool ir_is_visited(const ir_node *node) {
  return node->op != NULL && (node->op->role == IR_ROLE_COMPUTED || node->op->role == IR_ROLE_INPUT);
}
/* Visits one output; one of the layer's own memory may be replaced. */
ir_code ir_visit_tensor(const ir_visitor *visitor, int32_t layer, int32_t port, ir_tensor *tensor, bool is_own);
/* Visits the layers of which all steps are among the first `n_done`, and that were not visited. */
ir_code ir_visit(ir_plan *plan, size_t n_done);

#endif

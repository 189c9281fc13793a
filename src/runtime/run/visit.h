/* Looking at what the layers of a run compute, in running order, while it is there. */
#ifndef IR_VISIT_H
#define IR_VISIT_H

#include "exec/plan.h"
#include "irrun_debug.h"
#include "runtime/context.h"

typedef struct ir_visitor {
  irrun_visit *call; /* NULL: nobody looks */
  void *user;
  irrun_context *context;
} ir_visitor;

/* Visits one output; one of the layer's own memory may be replaced. */
ir_code ir_visit_tensor(const ir_visitor *visitor, int32_t layer, int32_t port, ir_tensor *tensor, bool is_own);
/* ir_plan.visit, whose user is an ir_visitor. */
ir_code ir_visit_point_of(void *visitor, const ir_visit_point *point, ir_tensor *tensor, bool is_own);

#endif

/* Visits the results of layers in running order, while they exist. */
#ifndef IR_VISIT_H
#define IR_VISIT_H

#include "exec/plan.h"
#include "irrun_debug.h"
#include "runtime/context.h"

typedef struct ir_visitor {
  irrun_visit *call; /* NULL: there is no visitor */
  void *user;
  irrun_context *context;
} ir_visitor;

/* Visits one output; the visitor may replace a tensor that the layer owns. */
ir_code ir_visit_tensor(const ir_visitor *visitor, int32_t layer, int32_t port, ir_tensor *tensor, bool is_own);
/* Serves as ir_plan.visit, whose user is an ir_visitor. */
ir_code ir_visit_point_of(void *visitor, const ir_visit_point *point, ir_tensor *tensor, bool is_own);

#endif

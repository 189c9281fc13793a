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
  bool in_bodies;      /* layers of bodies are visited too */
  int64_t first_layer; /* number of layer 0 of the run's model, which can be a body */
} ir_visitor;

/* Shows one output to the visitor, which can replace the elements of a tensor that the layer owns. Serves as
 * ir_plan.visit; `visitor` is an ir_visitor. */
ir_code ir_visit_output(void *visitor, const ir_visit_point *point, ir_tensor *tensor, bool is_own);

#endif

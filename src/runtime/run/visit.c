#include "runtime/run/visit.h"

#include <string.h>

ir_code ir_visit_tensor(const ir_visitor *visitor, int32_t layer, int32_t port, ir_tensor *tensor, bool is_own) {
  const irrun_tensor shown = {.context = visitor->model->context, .tensor = *tensor};
  const irrun_tensor *instead = NULL;
  ir_code code = (ir_code)visitor->call(visitor->user, layer, port, &shown, &instead);
  if (instead == NULL || !is_own || instead->tensor.type != tensor->type || instead->tensor.bytes != tensor->bytes ||
      tensor->bytes == 0)
    return code;
  memcpy(tensor->data, instead->tensor.data, tensor->bytes);
  return code;
}

ir_code ir_visit(ir_plan *plan, size_t n_done) {
  ir_visitor *visitor = plan->visitor;
  const ir_node *next = n_done < plan->n_steps ? plan->steps[n_done].node : NULL;
  ir_code code = IR_OK;
  for (; code == IR_OK && visitor->at < plan->n_nodes; visitor->at++) {
    const ir_node *node = &plan->nodes[visitor->at];
    if (node == next)
      break;
    const bool is_visited = plan->planned[visitor->at] && ir_is_visited(node);
    for (int32_t p = 0; is_visited && p < node->n_outputs && code == IR_OK; p++) {
      int32_t slot = ir_plan_output_slot(plan, node, p);
      if (slot >= 0)
        /* A view, and what lies in a mapped file, is not the layer's own to be written to. */
        code = ir_visit_tensor(visitor, plan->layers[visitor->at], p, &plan->slots[slot].tensor,
                               plan->slots[slot].is_made);
    }
  }
  return code;
}

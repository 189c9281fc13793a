#include "ops/math/elementwise_infer.h"

ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node, (void)scope;
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->poisoned = in[0]->poisoned;
  return IR_OK;
}

int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in) {
  (void)in;
  int64_t elements;
  const ir_value *out = &node->outputs[0];
  return !out->poisoned && ir_shape_known(&out->shape) && ir_shape_elements(&out->shape, &elements) ? elements : -1;
}

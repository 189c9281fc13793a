#include "ops/shape/same_elements.h"
#include <string.h>

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step, (void)exec;
  if (out[0]->bytes > 0)
    memcpy(out[0]->data, in[0]->data, out[0]->bytes);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "copy", .isa = "any", .run = run};

ir_code ir_same_elements_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in, (void)scope;
  int32_t from = ir_plan_input_slot(plan, node, 0), to = ir_plan_output_slot(plan, node, 0);
  return ir_plan_step_on(plan, node, &kernel, NULL, 0, &from, 1, &to, 1);
}

#include "ops/math/elementwise.h"
#include "ops/shape/same_elements.h"

ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node, (void)scope;
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->unknown = in[0]->unknown;
  return IR_OK;
}

int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in) {
  (void)in;
  int64_t elements;
  const ir_value *out = &node->outputs[0];
  return !out->unknown && ir_shape_known(&out->shape) && ir_shape_elements(&out->shape, &elements) ? elements : -1;
}

typedef struct elements {
  ir_elementwise_row *row;
  const unsigned char *from;
  unsigned char *to;
  size_t from_size, to_size;
} elements;

static void do_elements(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const elements *all = user;
  all->row(all->from + (size_t)begin * all->from_size, all->to + (size_t)begin * all->to_size, end - begin);
}

ir_code ir_elementwise_run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_elementwise_kernel *kernel = step->state;
  elements all = {kernel->row, in[0]->data, out[0]->data, ir_type_size(in[0]->type), ir_type_size(out[0]->type)};
  exec->share(exec, ir_tensor_elements(out[0]), (int64_t)(in[0]->bytes + out[0]->bytes), do_elements, &all);
  return IR_OK;
}

ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_elementwise_kernel *kernels, ir_scope *scope) {
  const ir_elementwise_kernel *found = ir_kernel_row(node, kernels, sizeof *kernels, scope);
  if (found == NULL)
    return IR_UNSUPPORTED;
  return found->row == NULL ? ir_same_elements_prepare(node, NULL, plan, scope)
                            : ir_plan_step(plan, node, &found->kernel, found, 0);
}

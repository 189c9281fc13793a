#include "runtime/convert/tensor_numbers.h"

bool ir_tensor_numbers_init(ir_tensor_numbers *n, const irrun_model *model) {
  const size_t n_layers = model->graph.n_layers;
  size_t n_outputs = 0;
  *n = (ir_tensor_numbers){.memory = &model->context->memory};
  n->first = ir_alloc_zero(n->memory, n_layers + 1, sizeof *n->first);
  for (size_t i = 0; i < n_layers && n->first != NULL; i++) {
    n->first[i] = n_outputs;
    n_outputs += (size_t)model->nodes[i].n_outputs;
  }
  n->numbers = n->first == NULL ? NULL : ir_alloc_zero(n->memory, n_outputs + 1, sizeof *n->numbers);
  for (size_t i = 0; i < n_outputs && n->numbers != NULL; i++)
    n->numbers[i] = -1;
  return n->numbers != NULL;
}

void ir_tensor_numbers_reset(ir_tensor_numbers *n) {
  ir_free(n->memory, n->first);
  ir_free(n->memory, n->numbers);
}

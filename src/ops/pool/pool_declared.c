#include "ops/pool/pool_declared.h"
#include "ops/pool/pool.h"

static bool is_pool(const ir_node *node) {
  return node->op != NULL && node->op->formula == ir_pool_formula;
}

bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared) {
  if (!is_pool(node) || ((const ir_pool_params *)node->params)->rounding_type != IR_ROUND_CEIL)
    return false;
  const ir_shape *from = &in[0]->shape, *out = &node->outputs[0].shape;
  const ir_auto_pad auto_pad = ir_pool_auto_pad(node, ir_shape_known(from));
  if (from->rank < 3 || from->rank != out->rank || declared->rank != out->rank)
    return false;
  for (int i = 0; i < out->rank; i++) {
    ir_dim torch;
    if (ir_dims_meet(declared->dims[i], out->dims[i]))
      continue;
    if (i < 2 ||
        !ir_window_count_interval(ir_pool_axis(node->params, i - 2), auto_pad, IR_ROUND_CEIL_TORCH, from->dims[i],
                                  &torch) ||
        !ir_dims_meet(declared->dims[i], torch))
      return false;
  }
  return true;
}

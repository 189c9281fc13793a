#include "program/fuse_chain.h"
#include "ops/math/binary.h"

bool ir_have_one_shape(const ir_program *program, int32_t a, int32_t b) {
  const ir_value *x = ir_program_value_of(program, a), *y = ir_program_value_of(program, b);
  return x->type == y->type && ir_shapes_equal(&x->shape, &y->shape);
}

bool ir_is_per_channel(const ir_program *program, const ir_chain *c, int32_t value) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  const ir_shape *out = &ir_program_value_of(program, c->out)->shape;
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  const int channel = is_matmul ? out->rank - 1 : 1;
  if (is_matmul && out->rank > 0 && out->dims[channel].lo != c->desc.n) /* b is a vector: the last axis counts rows */
    return false;
  if (ir_program_value_of(program, value)->type != ir_program_value_of(program, c->out)->type ||
      shape->rank > out->rank || channel < out->rank - shape->rank)
    return false;
  for (int i = 0; i < shape->rank; i++) {
    const int axis = out->rank - shape->rank + i;
    if (shape->dims[i].lo != (axis == channel ? out->dims[axis].lo : 1))
      return false;
  }
  return true;
}

bool ir_chain_append(ir_chain *c, ir_post_op post_op) {
  if (c->desc.n_post_ops == IR_FAST_MOST_POST_OPS || ir_fast_find(&c->desc, post_op.kind) >= 0 ||
      (c->desc.kind == IR_FAST_BACKPROP && post_op.kind == IR_POST_SIGMOID))
    return false;
  c->desc.post_ops[c->desc.n_post_ops++] = post_op;
  return true;
}

bool ir_is_pdpd(const ir_program *program, const ir_match *m) {
  const ir_binary_params *params = program->operations[m->operations[m->n - 1]].node.params;
  return params->auto_broadcast == IR_BROADCAST_PDPD;
}

#include "program/fuse_chain.h"
#include "ops/math/binary.h"

bool ir_have_one_shape(const ir_program *program, int32_t a, int32_t b) {
  const ir_value *x = ir_program_value_of(program, a), *y = ir_program_value_of(program, b);
  return x->type == y->type && ir_shapes_equal(&x->shape, &y->shape);
}

bool ir_is_along(const ir_shape *shape, const ir_shape *to, int axis) {
  const int skipped = to->rank - shape->rank;
  bool fits = skipped >= 0 && axis >= skipped;
  for (int i = 0; i < shape->rank && fits; i++)
    fits = shape->dims[i].lo == (skipped + i == axis ? to->dims[axis].lo : 1);
  return fits;
}

bool ir_is_one_number(const ir_program *program, int32_t value, int most_rank) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  int64_t elements;
  return ir_shape_elements(shape, &elements) && elements == 1 && shape->rank <= most_rank;
}

bool ir_is_per_channel(const ir_program *program, const ir_chain *c, int32_t value) {
  const ir_value *numbers = ir_program_value_of(program, value), *out = ir_program_value_of(program, c->out);
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  const int channel = is_matmul ? out->shape.rank - 1 : 1;
  if (is_matmul && channel >= 0 && out->shape.dims[channel].lo != c->desc.n)
    return false; /* the second matrix is a vector: the last axis counts rows */
  return numbers->type == out->type && ir_is_along(&numbers->shape, &out->shape, channel);
}

bool ir_has_matrices(const ir_program *program, const ir_chain *c) {
  const ir_shape *shape = &ir_program_value_of(program, c->weights)->shape;
  const ir_fast_desc *desc = &c->desc;
  if (desc->kind != IR_FAST_MATMUL)
    return true;
  const int64_t rows = desc->b.is_transposed ? desc->n : desc->k, columns = desc->b.is_transposed ? desc->k : desc->n;
  return shape->rank >= 2 && !desc->b.are_beside && shape->dims[shape->rank - 2].lo == rows &&
         shape->dims[shape->rank - 1].lo == columns;
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

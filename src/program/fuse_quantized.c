/* Chains of the pass "fuse" whose products multiply 8-bit integers. */
#include "program/fuse_chain.h"
#include "program/quantized.h"

static ir_fast_type fast_type(const ir_program *program, int32_t value) {
  const ir_type type = ir_program_value_of(program, value)->type;
  return type == IR_U8 ? IR_FAST_U8 : type == IR_I8 ? IR_FAST_I8 : IR_FAST_F32;
}

bool ir_chain_add_stored(ir_program *program, ir_chain *c, int32_t value) {
  const ir_quantization *q = ir_program_quantization(program, value);
  if (c->desc.in_type == IR_FAST_F32 || q == NULL || q->zero != 0 || c->desc.n_post_ops > 1 + (c->bias >= 0))
    return false;
  ir_chain with = *c;
  const double step = ir_quantization_step(q);
  with.scales = ir_program_scales(program, c->product, c->scales, 1 / step);
  with.bias = c->bias < 0 ? -1 : ir_program_scales(program, c->product, c->bias, 1 / step);
  if (with.scales < 0 || (c->bias >= 0 && with.bias < 0) ||
      !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_ADD}) ||
      !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_LINEAR, .a = (float)step}))
    return false;
  with.add = ir_program_stored(program, value);
  with.desc.added_type = fast_type(program, with.add);
  *c = with;
  return true;
}

/* Removes the multiplication by a step that ir_chain_add_stored appended, so that it becomes a part of the next one.
 * Returns the step; 1: there is none. 0: another function follows it, which cannot be computed before it. */
static float remove_step(ir_fast_desc *desc) {
  const int at = ir_fast_find(desc, IR_POST_LINEAR);
  if (at < 0)
    return 1;
  const float step = desc->post_ops[at].a;
  for (int i = at + 1; i < desc->n_post_ops; i++) {
    ir_post_op post_op = desc->post_ops[i];
    if (post_op.kind != IR_POST_RELU && post_op.kind != IR_POST_CLAMP)
      return 0;
    if (post_op.kind == IR_POST_CLAMP) {
      post_op.a /= step;
      post_op.b /= step;
    }
    desc->post_ops[i - 1] = post_op;
  }
  desc->n_post_ops--;
  return step;
}

bool ir_chain_take_quantize(ir_program *program, ir_chain *c, const ir_match *m) {
  const ir_quantization *q = program->operations[m->operations[0]].node.params;
  const ir_level_line line = ir_level_line_of(q->in_low, q->in_high, (float)q->last);
  const float offset = (float)q->offset;
  ir_chain with = *c;
  const float step = remove_step(&with.desc);
  if (c->desc.in_type == IR_FAST_F32 || step == 0 ||
      !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_LINEAR, .a = step * line.scale, .b = line.shift - offset}) ||
      (q->last < 255 &&
       !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_CLAMP, .a = -offset, .b = (float)q->last - offset})))
    return false;
  with.desc.out_type = q->offset == 0 ? IR_FAST_U8 : IR_FAST_I8;
  *c = with;
  return true;
}

/* Whether the scales are one number, or one number for each output channel of the product. */
static bool scales_fit(const ir_program *program, const ir_chain *c, const ir_quantized_weights *parts) {
  const ir_shape *weights = &ir_program_value_of(program, parts->weights)->shape, *shape = &parts->scales_shape;
  const ir_shape wanted = ir_chain_scales_shape(c, weights);
  const int skipped = weights->rank - shape->rank;
  int64_t n;
  if (ir_shape_elements(shape, &n) && n == 1)
    return true;
  for (int i = 0; i < weights->rank && skipped >= 0; i++)
    if ((i < skipped ? 1 : shape->dims[i - skipped].lo) != wanted.dims[i].lo)
      return false;
  return skipped >= 0 && weights->rank >= 2 && ir_has_matrices(program, c);
}

bool ir_chain_quantize(ir_program *program, ir_chain *c) {
  const ir_quantization *data = ir_program_quantization(program, c->data);
  const ir_quantization *other = ir_program_quantization(program, c->weights);
  ir_quantized_weights parts = {.scales = -1};
  if (data == NULL || c->desc.n_post_ops > 0)
    return false;
  double factor = ir_quantization_step(data);
  if (other != NULL && other->zero == 0 && ir_quantization_type(other) == IR_I8) {
    parts.weights = ir_program_stored(program, c->weights);
    factor *= ir_quantization_step(other);
  } else if (!ir_program_quantized_weights(program, c->weights, c->product, &parts) ||
             !scales_fit(program, c, &parts)) {
    return false;
  }
  c->scales = ir_program_scales(program, c->product, parts.scales, factor);
  if (c->scales < 0)
    return false;
  ir_chain_append(c, (ir_post_op){.kind = IR_POST_SCALES});
  c->desc.has_one_scale = ir_program_value_of(program, c->scales)->shape.dims[0].lo == 1;
  c->data = ir_program_stored(program, c->data);
  c->weights = parts.weights;
  c->desc.in_type = fast_type(program, c->data);
  c->desc.weights_type = IR_FAST_I8;
  c->desc.in_zero_point = data->zero;
  return true;
}

/* Chains of the pass "fuse" whose products multiply 8-bit integers. */
#include "program/fuse_chain.h"
#include "program/quantized.h"
#include <math.h>

static ir_fast_type fast_type(const ir_program *program, int32_t value) {
  const ir_type type = ir_program_value_of(program, value)->type;
  return type == IR_U8 ? IR_FAST_U8 : type == IR_I8 ? IR_FAST_I8 : IR_FAST_F32;
}

/* Multiplies the scales of the product by n factors: one, or one for each output channel. */
static bool multiply_scales(ir_program *program, ir_fast_desc *desc, const float *factors, int64_t n) {
  const int64_t n_scales = n > desc->n_scales ? n : desc->n_scales;
  float *scales = ir_arena_array(program->arena, (size_t)n_scales, sizeof *scales);
  for (int64_t i = 0; i < n_scales && scales != NULL; i++)
    scales[i] = desc->scales[desc->n_scales == 1 ? 0 : i] * factors[n == 1 ? 0 : i];
  desc->scales = scales;
  desc->n_scales = n_scales;
  return scales != NULL;
}

bool ir_chain_divide_bias(ir_program *program, ir_chain *c, int32_t value) {
  int64_t n = 0;
  float *numbers = ir_program_numbers(program, value, &n);
  for (int64_t i = 0; i < n && numbers != NULL; i++) {
    numbers[i] /= c->desc.scales[c->desc.n_scales == 1 ? 0 : i];
    if (!isfinite(numbers[i])) /* the scale is 0, or as small */
      return false;
  }
  const int32_t bias = numbers == NULL ? -1 : ir_program_add_numbers(program, c->product, numbers, n);
  if (bias < 0)
    return false;
  c->bias = bias;
  c->desc.has_bias = true;
  return true;
}

bool ir_chain_add_stored(ir_program *program, ir_chain *c, int32_t value) {
  const ir_quantization *q = ir_program_quantization(program, value);
  if (!ir_fast_is_integer(&c->desc) || q == NULL || q->n > 1 || !q->has_zero || q->zero != 0 || c->desc.n_post_ops > 0)
    return false;
  ir_chain with = *c;
  const float step = (float)ir_quantization_step(q, 0), factor = 1 / step;
  if (!multiply_scales(program, &with.desc, &factor, 1) || !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_ADD}) ||
      !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_LINEAR, .a = step}))
    return false;
  with.add = ir_program_stored(program, value);
  with.desc.added_type = fast_type(program, with.add);
  *c = with;
  return true;
}

/* ---- the Quantize of a product's result ---- */

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

bool ir_is_needless(const ir_post_op *post_op, const ir_level_line *lines, int64_t n, int last) {
  const bool is_relu = post_op->kind == IR_POST_RELU && post_op->a == 0;
  bool is_first = is_relu || post_op->kind == IR_POST_CLAMP, is_last = is_first;
  for (int64_t i = 0; i < n && is_first && is_last; i++) {
    is_first = (is_relu ? 0 : post_op->a) * lines[i].scale + lines[i].shift < 0.5F;
    is_last = is_relu || post_op->b * lines[i].scale + lines[i].shift > (float)last - 0.5F;
  }
  return is_first && is_last;
}

/* Moves the multiplications by lines[..].scale from behind the post-ops to the scales of the product, where they cost
 * no time. False: a post-op is none that allows that. */
static bool scale_before_post_ops(ir_program *program, ir_fast_desc *desc, const ir_level_line *lines, int64_t n) {
  float *factors = ir_arena_array(program->arena, (size_t)n, sizeof *factors);
  if (factors == NULL)
    return false;
  for (int i = 0; i < desc->n_post_ops; i++) {
    ir_post_op *post_op = &desc->post_ops[i];
    if (post_op->kind != IR_POST_RELU && (post_op->kind != IR_POST_CLAMP || n > 1))
      return false;
    if (post_op->kind == IR_POST_CLAMP) {
      post_op->a *= lines[0].scale;
      post_op->b *= lines[0].scale;
    }
  }
  for (int64_t i = 0; i < n; i++)
    factors[i] = lines[i].scale;
  return multiply_scales(program, desc, factors, n);
}

/* Makes the line of each channel, from the product's result to levels. NULL: the channels have different shifts, or
 * memory is out. */
static ir_level_line *make_lines(const ir_program *program, const ir_quantization *q, float step) {
  ir_level_line *lines = ir_arena_array(program->arena, (size_t)q->n, sizeof *lines);
  for (int64_t i = 0; i < q->n && lines != NULL; i++) {
    lines[i] = ir_level_line_of(q->limits[i].in_low, q->limits[i].in_high, (float)q->last);
    lines[i].scale *= step;
    lines[i].shift = (float)ir_whole_level((double)lines[i].shift, q->last);
    if (!(lines[i].shift == lines[0].shift))
      return NULL;
  }
  return lines;
}

bool ir_chain_take_quantize(ir_program *program, ir_chain *c, const ir_match *m) {
  const ir_quantization *q = program->operations[m->operations[0]].node.params;
  const float offset = (float)q->offset;
  ir_chain with = *c, scaled;
  ir_fast_desc *desc = &with.desc;
  const float step = remove_step(desc);
  if (!ir_fast_is_integer(desc) || step == 0 || (q->n > 1 && desc->kind == IR_FAST_MATMUL))
    return false;
  const ir_level_line *lines = make_lines(program, q, step);
  if (lines == NULL)
    return false;
  while (desc->n_post_ops > 0 && ir_is_needless(&desc->post_ops[desc->n_post_ops - 1], lines, q->n, q->last))
    desc->n_post_ops--;
  ir_post_op to_level = {.kind = IR_POST_LINEAR, .a = lines[0].scale, .b = lines[0].shift - offset};
  scaled = with;
  if (scale_before_post_ops(program, &scaled.desc, lines, q->n)) {
    with = scaled;
    to_level.a = 1;
  } else if (q->n > 1) {
    return false;
  }
  if ((to_level.a != 1 || to_level.b != 0) && !ir_chain_append(&with, to_level))
    return false;
  if (q->last < 255 &&
      !ir_chain_append(&with, (ir_post_op){.kind = IR_POST_CLAMP, .a = -offset, .b = (float)q->last - offset}))
    return false;
  desc->out_type = q->offset == 0 ? IR_FAST_U8 : IR_FAST_I8;
  *c = with;
  return true;
}

/* ---- the product ---- */

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

/* The value whose elements the constant weights show in another shape. Files have a Reshape between the weights of a
 * depthwise convolution and the groups. */
static int32_t before_views(const ir_program *program, int32_t value) {
  int32_t producer = program->values[value].producer;
  while (producer >= 0 && program->operations[producer].node.op->function == IR_FUNCTION_VIEW &&
         program->values[value].value.is_constant) {
    value = program->operations[producer].in[0];
    producer = program->values[value].producer;
  }
  return value;
}

/* Makes parts of the weights from the parts of `source`, which has the same elements. */
static bool view_parts(ir_program *program, const ir_chain *c, int32_t source, ir_quantized_weights *parts) {
  const ir_shape from = ir_program_value_of(program, source)->shape;
  const ir_shape shape = ir_program_value_of(program, c->weights)->shape;
  if (source == c->weights)
    return scales_fit(program, c, parts);
  if (c->desc.kind != IR_FAST_CONVOLUTION ||
      (parts->n_scales > 1 &&
       (parts->n_scales != c->desc.groups * c->desc.channels_out || !ir_is_along(&parts->scales_shape, &from, 0))))
    return false;
  parts->weights = ir_view_constant(program, c->product, parts->weights, &shape);
  return parts->weights >= 0;
}

/* Whether each output channel reads one channel of the data. */
static bool is_depthwise(const ir_fast_desc *desc) {
  return desc->kind != IR_FAST_MATMUL && desc->channels_in == 1;
}

/* Multiplies the scales by the steps of the data. */
static bool multiply_by_steps(ir_program *program, ir_fast_desc *desc, const ir_quantization *data) {
  const int64_t of_each = data->n > 1 ? desc->channels_out : 1, n = data->n * of_each;
  float *steps = ir_arena_array(program->arena, (size_t)n, sizeof *steps);
  for (int64_t i = 0; i < n && steps != NULL; i++)
    steps[i] = (float)ir_quantization_step(data, i / of_each);
  return steps != NULL && multiply_scales(program, desc, steps, n);
}

bool ir_chain_quantize(ir_program *program, ir_chain *c) {
  static const float one = 1;
  const ir_quantization *data = ir_program_quantization(program, c->data);
  const ir_quantization *other = ir_program_quantization(program, c->weights);
  ir_quantized_weights parts = {.scales = &one, .n_scales = 1};
  if (data == NULL || !data->has_zero || (data->n > 1 && !is_depthwise(&c->desc)))
    return false;
  if (other != NULL && other->n == 1 && ir_quantization_type(other) == IR_I8) {
    float *step = ir_arena_alloc(program->arena, sizeof *step);
    if (step == NULL)
      return false;
    *step = (float)ir_quantization_step(other, 0);
    parts = (ir_quantized_weights){.weights = ir_program_stored(program, c->weights), .scales = step, .n_scales = 1};
  } else {
    const int32_t source = before_views(program, c->weights);
    if (!ir_program_quantized_weights(program, source, c->product, &parts) || !view_parts(program, c, source, &parts))
      return false;
  }
  c->desc.scales = parts.scales;
  c->desc.n_scales = parts.n_scales;
  if (!multiply_by_steps(program, &c->desc, data))
    return false;
  c->data = ir_program_stored(program, c->data);
  c->weights = parts.weights;
  c->desc.in_type = fast_type(program, c->data);
  c->desc.weights_type = IR_FAST_I8;
  c->desc.in_zero_point = data->zero;
  return true;
}

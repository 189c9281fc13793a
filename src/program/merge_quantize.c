#include "program/merge_quantize.h"
#include "ops/fast/fast.h"
#include "ops/math/binary.h"
#include "ops/quantization/quantized_binary.h"
#include "program/fuse_chain.h"
#include "program/quantized.h"
#include <math.h>

/* Whether only one operation reads the value. */
static bool is_read_once(const ir_program *program, int32_t value) {
  return program->values[value].n_uses == 1 && !program->values[value].is_kept;
}

/* ---- sums and products of two quantized tensors ---- */

/* If a ReLU or Clamp makes `*io_value`, sets the ends of `out`, and sets `*io_value` to the input of the ReLU or
 * Clamp. */
static void skip_clamp(const ir_program *program, int32_t *io_value, ir_quantized_binary *out) {
  const int32_t producer = program->values[*io_value].producer;
  const ir_node *node = producer < 0 ? NULL : &program->operations[producer].node;
  ir_post_op post_op;
  *out = (ir_quantized_binary){.least = -INFINITY, .most = INFINITY};
  if (node == NULL || node->op->post_op == NULL || !is_read_once(program, *io_value) ||
      !node->op->post_op(node, &post_op))
    return;
  const bool is_relu = post_op.kind == IR_POST_RELU && post_op.a == 0;
  if (!is_relu && post_op.kind != IR_POST_CLAMP)
    return;
  out->least = is_relu ? 0 : post_op.a;
  out->most = is_relu ? INFINITY : post_op.b;
  *io_value = program->operations[producer].in[0];
}

static bool is_simple(const ir_quantization *q) {
  return q != NULL && q->n == 1 && q->has_zero;
}

/* Whether `b` has the shape of `a`, or one element for each of the channels of `a`. */
static bool fits(const ir_program *program, int32_t a, int32_t b) {
  const ir_shape *shape = &ir_program_value_of(program, a)->shape, *other = &ir_program_value_of(program, b)->shape;
  bool fits_channels = shape->rank > 1 && shape->rank == other->rank;
  for (int i = 0; i < shape->rank && fits_channels; i++)
    fits_channels = other->dims[i].lo == (i < 2 ? shape->dims[i].lo : 1);
  return fits_channels || ir_shapes_equal(shape, other);
}

/* Replaces a Quantize of the sum or product of two quantized tensors, perhaps clamped, by one operation on bytes. */
static ir_code merge_binary(ir_program *program, int32_t at, int64_t *count) {
  ir_quantized_binary binary;
  int32_t value = program->operations[at].in[0];
  if (!is_read_once(program, value))
    return IR_OK;
  skip_clamp(program, &value, &binary);
  const int32_t producer = program->values[value].producer;
  if (producer < 0 || !is_read_once(program, value))
    return IR_OK;
  const ir_operation *operation = &program->operations[producer];
  const ir_function function = operation->node.op->function;
  const ir_binary_params *params = operation->node.params;
  binary.is_product = function == IR_FUNCTION_MULTIPLY;
  if ((function != IR_FUNCTION_ADD && !binary.is_product) || params->auto_broadcast == IR_BROADCAST_PDPD)
    return IR_OK;
  const bool swaps = !fits(program, operation->in[0], operation->in[1]);
  const int32_t a = operation->in[swaps], b = operation->in[!swaps];
  binary.a = ir_program_quantization(program, a);
  binary.b = ir_program_quantization(program, b);
  binary.out = program->operations[at].node.params;
  if (!fits(program, a, b) || !is_simple(binary.a) || !is_simple(binary.b) || binary.out->n > 1)
    return IR_OK;
  ir_quantized_binary *kept = ir_arena_alloc(program->arena, sizeof *kept);
  if (kept == NULL)
    return ir_out_of_memory(program->diags);
  *kept = binary;
  const ir_operation quantize = program->operations[at];
  const int32_t in[] = {ir_program_stored(program, a), ir_program_stored(program, b)};
  if (ir_program_add(program, at, &ir_op_quantized_binary, kept, &quantize.node, quantize.layer, in, 2, quantize.out,
                     1) < 0)
    return IR_NO_MEMORY;
  program->operations[at].is_dead = true;
  ++*count;
  return IR_OK;
}

/* ---- clamps and lines before a Quantize ---- */

/* The result so far: the Quantize will read `value`, and make levels of it by these lines. */
typedef struct merging {
  ir_program *program;
  int32_t value;
  ir_quantize_lines lines;
  bool is_line; /* a multiplication or addition is merged */
} merging;

static bool begin_lines(merging *m, int32_t at) {
  const ir_operation *quantize = &m->program->operations[at];
  const ir_quantization *q = quantize->node.params;
  ir_level_line *lines = ir_arena_array(m->program->arena, (size_t)q->n, sizeof *lines);
  for (int64_t i = 0; i < q->n && lines != NULL; i++)
    lines[i] = ir_level_line_of(q->limits[i].in_low, q->limits[i].in_high, (float)q->last);
  m->value = quantize->in[0];
  m->lines = (ir_quantize_lines){.lines = lines, .n = q->n, .axis = 1, .last = q->last, .offset = q->offset};
  return lines != NULL;
}

/* Leaves out a ReLU or Clamp that has no effect on levels. */
static bool skip_needless(merging *m, const ir_operation *operation) {
  ir_post_op post_op;
  if (m->is_line || operation->node.op->post_op == NULL || !operation->node.op->post_op(&operation->node, &post_op) ||
      !ir_is_needless(&post_op, m->lines.lines, m->lines.n, m->lines.last))
    return false;
  m->value = operation->in[0];
  return true;
}

/* Returns the axis of `value` along which the constants lie; 0 for one number. -1: they do not broadcast along one
 * axis. */
static int axis_of(const ir_program *program, int32_t constant, int32_t value) {
  const ir_shape *shape = &ir_program_value_of(program, constant)->shape;
  const ir_shape *to = &ir_program_value_of(program, value)->shape;
  if (ir_is_one_number(program, constant, to->rank))
    return 0;
  for (int axis = 0; axis < to->rank; axis++)
    if (ir_is_along(shape, to, axis))
      return axis;
  return -1;
}

/* Merges a multiplication or addition of constants. False: the constants are not stored in the file, or lie along
 * another axis than constants that are already merged. */
static bool merge_line(merging *m, const ir_operation *operation, bool is_product) {
  const ir_binary_params *params = operation->node.params;
  int64_t n = 0;
  for (int i = 0; i < 2 && params->auto_broadcast != IR_BROADCAST_PDPD; i++) {
    const int32_t from = operation->in[i], constant = operation->in[1 - i];
    const int axis = axis_of(m->program, constant, m->value);
    if (axis < 0 || !ir_have_one_shape(m->program, from, m->value) ||
        !ir_program_value_of(m->program, constant)->is_constant)
      continue;
    const float *numbers = ir_program_numbers(m->program, constant, &n);
    const int64_t most = n > m->lines.n ? n : m->lines.n;
    ir_level_line *lines = ir_arena_array(m->program->arena, (size_t)most, sizeof *lines);
    if (numbers == NULL || lines == NULL || (n > 1 && m->lines.n > 1 && axis != m->lines.axis))
      return false;
    for (int64_t at = 0; at < most; at++) {
      const ir_level_line line = m->lines.lines[m->lines.n > 1 ? at : 0];
      const double number = (double)numbers[n > 1 ? at : 0], scale = (double)line.scale, shift = (double)line.shift;
      lines[at].scale = is_product ? (float)(number * scale) : line.scale;
      lines[at].shift = is_product ? line.shift : (float)(number * scale + shift);
      if (!isfinite(lines[at].scale) || !isfinite(lines[at].shift))
        return false;
    }
    m->lines.axis = n > 1 ? axis : m->lines.axis;
    m->lines.lines = lines;
    m->lines.n = most;
    m->value = from;
    m->is_line = true;
    return true;
  }
  return false;
}

/* Merges the operation that makes the value. */
static bool merge_next(merging *m) {
  const int32_t producer = m->program->values[m->value].producer;
  if (producer < 0 || !is_read_once(m->program, m->value))
    return false;
  const ir_operation *operation = &m->program->operations[producer];
  const ir_function function = operation->node.op->function;
  if (function == IR_FUNCTION_MULTIPLY || function == IR_FUNCTION_ADD)
    return merge_line(m, operation, function == IR_FUNCTION_MULTIPLY);
  return skip_needless(m, operation);
}

/* Whether a product makes the elements of the value: pass "fuse" computes the operations behind a product with it. */
static bool is_of_product(const ir_program *program, int32_t value) {
  int32_t producer = program->values[value].producer;
  while (producer >= 0 && program->operations[producer].node.op->function == IR_FUNCTION_VIEW)
    producer = program->values[program->operations[producer].in[0]].producer;
  return producer >= 0 && program->operations[producer].node.op->contraction != NULL;
}

static ir_code merge_lines(ir_program *program, int32_t at, int64_t *count) {
  merging m = {.program = program};
  if (!begin_lines(&m, at))
    return ir_out_of_memory(program->diags);
  int64_t n = 0;
  while (merge_next(&m))
    n++;
  if (n == 0 || is_of_product(program, m.value))
    return IR_OK;
  *count += n;
  if (!m.is_line) {
    program->operations[at].in[0] = m.value;
    return IR_OK;
  }
  const ir_operation quantize = program->operations[at];
  ir_quantize_lines *kept = ir_arena_alloc(program->arena, sizeof *kept);
  if (kept == NULL)
    return ir_out_of_memory(program->diags);
  *kept = m.lines;
  if (ir_program_add(program, at, &ir_op_quantize_lines, kept, &quantize.node, quantize.layer, &m.value, 1,
                     quantize.out, 1) < 0)
    return IR_NO_MEMORY;
  program->operations[at].is_dead = true;
  return IR_OK;
}

ir_code ir_merge_into_quantize(ir_program *program, int32_t at, int64_t *count) {
  const ir_code code = merge_binary(program, at, count);
  return code != IR_OK || program->operations[at].is_dead ? code : merge_lines(program, at, count);
}

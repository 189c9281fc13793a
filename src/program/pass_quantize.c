/* The pass "quantize". Before: FakeQuantize operations, which round f32 tensors to at most 256 levels. After: each of
 * them with limits for the tensor, or for each channel, is a Quantize to 8 bits and a Dequantize back. The Dequantize
 * operations follow the operations that only move elements, so these move bytes. The pass "fuse" then finds products of
 * quantized tensors. */
#include "ops/math/binary.h"
#include "program/fuse_chain.h"
#include "program/merge_quantize.h"
#include "program/passes.h"
#include "program/quantized.h"

typedef struct quantizing {
  ir_program *program;
  int64_t *count;
} quantizing;

/* Adds the operation `op` of the layer of operation `of`, in front of operation `before`, from the value `in` to the
 * value `out`. */
static bool add(ir_program *program, int32_t before, const ir_op *op, const ir_quantization *q, int32_t of, int32_t in,
                int32_t out) {
  const ir_operation layer_of = program->operations[of];
  return ir_program_add(program, before, op, q, &layer_of.node, layer_of.layer, &in, 1, &out, 1) >= 0;
}

/* Adds a value of one byte an element beside `value`; -1 when memory is out (reported). */
static int32_t add_stored(ir_program *program, int32_t value, const ir_quantization *q) {
  ir_program_value stored = program->values[value];
  stored.value.type = ir_quantization_type(q);
  stored.value.is_constant = stored.is_kept = stored.is_given = false;
  stored.key.type = stored.value.type;
  stored.producer = -1;
  return ir_program_add_value(program, &stored);
}

/* Reads limit `port` of a FakeQuantize of `data`: a constant number, or one for each channel. */
static const float *read_limit(const ir_program *program, const ir_operation *operation, int port, int64_t *out_n) {
  const ir_binary_params *params = operation->node.params;
  const ir_shape *data = &ir_program_value_of(program, operation->in[0])->shape;
  const ir_shape *shape = &ir_program_value_of(program, operation->in[port])->shape;
  const float *numbers = ir_program_numbers(program, operation->in[port], out_n);
  const bool are_channels =
      params->auto_broadcast == IR_BROADCAST_NUMPY && data->rank > 1 && ir_is_along(shape, data, 1);
  return numbers != NULL && (*out_n == 1 || are_channels) ? numbers : NULL;
}

/* Reads the limits of a FakeQuantize, if all are constant numbers, or one for each channel. */
static bool read_quantization(const ir_program *program, const ir_operation *operation, ir_quantization *out) {
  const float *numbers[4];
  int64_t n[4], most = 1;
  for (int i = 0; i < 4; i++) {
    numbers[i] = read_limit(program, operation, 1 + i, &n[i]);
    if (numbers[i] == NULL)
      return false;
    most = n[i] > most ? n[i] : most;
  }
  ir_limits *limits = ir_arena_array(program->arena, (size_t)most, sizeof *limits);
  for (int64_t i = 0; i < most && limits != NULL; i++)
    limits[i] = (ir_limits){numbers[0][n[0] > 1 ? i : 0], numbers[1][n[1] > 1 ? i : 0], numbers[2][n[2] > 1 ? i : 0],
                            numbers[3][n[3] > 1 ? i : 0]};
  return limits != NULL && ir_quantization_of(limits, most, ir_fake_quantize_levels(&operation->node), out);
}

static ir_code split_fake_quantize(quantizing *z, int32_t at) {
  ir_program *program = z->program;
  const ir_operation operation = program->operations[at];
  const int32_t out = operation.out[0];
  ir_quantization q;
  if (out < 0 || program->values[out].value.is_constant || program->values[out].value.type != IR_F32 ||
      program->values[operation.in[0]].value.type != IR_F32 || !read_quantization(program, &operation, &q))
    return IR_OK;
  ir_quantization *kept = ir_arena_alloc(program->arena, sizeof *kept);
  const int32_t stored = add_stored(program, out, &q);
  if (kept == NULL || stored < 0)
    return ir_out_of_memory(program->diags);
  *kept = q;
  if (!add(program, at, &ir_op_quantize, kept, at, operation.in[0], stored) ||
      !add(program, at, &ir_op_dequantize, kept, at, stored, out))
    return IR_NO_MEMORY;
  program->operations[at].is_dead = true;
  ++*z->count;
  return IR_OK;
}

/* The quantization with single limits that all moved inputs share; NULL: there is none. */
static const ir_quantization *shared_quantization(const ir_program *program, const ir_operation *operation) {
  const ir_quantization *shared = NULL;
  for (int32_t i = 0; i < ir_count_moved(operation); i++) {
    const ir_quantization *q = ir_program_quantization(program, operation->in[i]);
    if (q == NULL || q->n > 1 || (shared != NULL && !ir_quantizations_equal(q, shared)))
      return NULL;
    shared = q;
  }
  return shared;
}

/* Makes the operation move stored elements, and dequantizes each output. */
static ir_code move_stored(quantizing *z, int32_t at) {
  ir_program *program = z->program;
  const ir_quantization *q = shared_quantization(program, &program->operations[at]);
  if (q == NULL)
    return IR_OK;
  for (int32_t i = 0; i < ir_count_moved(&program->operations[at]); i++)
    program->operations[at].in[i] = ir_program_stored(program, program->operations[at].in[i]);
  const int32_t next = program->operations[at].next;
  for (int32_t p = 0; p < program->operations[at].n_out; p++) {
    const int32_t out = program->operations[at].out[p];
    if (out < 0 || program->values[out].value.type != IR_F32) /* the indices of a MaxPool */
      continue;
    const int32_t stored = add_stored(program, out, q);
    if (stored < 0)
      return IR_NO_MEMORY;
    program->operations[at].out[p] = stored;
    program->values[stored].producer = at;
    if (!add(program, next, &ir_op_dequantize, q, at, stored, out))
      return IR_NO_MEMORY;
  }
  ++*z->count;
  return IR_OK;
}

/* A Quantize of a Dequantize with equal params changes nothing. */
static void remove_pair(ir_program *program, int32_t at) {
  ir_operation *operation = &program->operations[at];
  const ir_quantization *q = ir_program_quantization(program, operation->in[0]);
  if (q == NULL || !ir_quantizations_equal(q, operation->node.params))
    return;
  ir_program_replace(program, operation->out[0], ir_program_stored(program, operation->in[0]), -1);
  operation->is_dead = true;
}

ir_code ir_pass_quantize(ir_program *program, int64_t *count) {
  quantizing z = {program, count};
  ir_code code = IR_OK;
  for (int32_t next, at = program->first; at >= 0 && code == IR_OK; at = next) {
    next = program->operations[at].next;
    if (program->operations[at].node.op->function == IR_FUNCTION_FAKE_QUANTIZE)
      code = split_fake_quantize(&z, at);
  }
  for (int32_t at = program->first; at >= 0 && code == IR_OK; at = program->operations[at].next) {
    const ir_function function = program->operations[at].node.op->function;
    if (program->operations[at].is_dead)
      continue;
    if (function == IR_FUNCTION_MOVE || function == IR_FUNCTION_TRANSPOSE || function == IR_FUNCTION_VIEW)
      code = move_stored(&z, at);
    else if (function == IR_FUNCTION_QUANTIZE)
      remove_pair(program, at);
  }
  if (code == IR_OK && !ir_program_find_uses(program))
    code = IR_NO_MEMORY;
  for (int32_t at = program->first; at >= 0 && code == IR_OK; at = program->operations[at].next)
    if (!program->operations[at].is_dead && program->operations[at].node.op->function == IR_FUNCTION_QUANTIZE)
      code = ir_merge_into_quantize(program, at, count);
  return code;
}

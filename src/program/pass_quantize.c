/* The pass "quantize". Before: FakeQuantize operations, which round f32 tensors to at most 256 levels. After: each of
 * them with scalar limits is a Quantize to 8 bits and a Dequantize back. The Dequantize operations follow the
 * operations that only move elements, so these move bytes. The pass "fuse" then finds products of quantized tensors. */
#include "ops/quantization/quantize.h"
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

/* Reads the limits of a FakeQuantize, if they are constant scalars. */
static bool read_quantization(ir_program *program, const ir_operation *operation, ir_quantization *out) {
  double limits[4];
  for (int i = 0; i < 4; i++)
    if (!ir_program_number(program, operation->in[1 + i], &limits[i]))
      return false;
  return ir_quantization_of(limits, ir_fake_quantize_levels(&operation->node), out);
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

/* The quantization that all moved inputs share; NULL: there is none. */
static const ir_quantization *shared_quantization(const ir_program *program, const ir_operation *operation) {
  const ir_quantization *shared = NULL;
  for (int32_t i = 0; i < ir_count_moved(operation); i++) {
    const ir_quantization *q = ir_program_quantization(program, operation->in[i]);
    if (q == NULL || (shared != NULL && !ir_quantizations_equal(q, shared)))
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
  return code;
}

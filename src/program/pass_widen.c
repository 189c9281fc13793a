/* The pass "widen". Before: a network in f16 or bf16. After: it is computed in f32, as OpenVINO's CPU plugin does;
 * inputs, constants and kept outputs of 16 bits are converted. */
#include "ops/math/convert_values.h"
#include "program/passes.h"

static bool is_half(ir_type type) {
  return type == IR_F16 || type == IR_BF16;
}

static bool has_half_contraction(const ir_program *program) {
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    if (operation->node.op->contraction != NULL && is_half(program->values[operation->out[0]].value.type))
      return true;
  }
  return false;
}

/* Converts the contents of a value, if they are known, to f32: `prepare` of an op can read them. */
static bool widen_contents(const ir_program *program, ir_value *value) {
  const ir_tensor *narrow = value->contents;
  if (narrow == NULL)
    return true;
  const int64_t n = ir_tensor_elements(narrow);
  const ir_shape shape = ir_tensor_shape(narrow);
  ir_tensor *wide = ir_arena_alloc(program->arena, sizeof *wide);
  float *numbers = ir_arena_array(program->arena, (size_t)n + 1, sizeof *numbers);
  if (wide == NULL || numbers == NULL)
    return false;
  for (int64_t i = 0; i < n; i++)
    numbers[i] = (float)ir_number_as_double(ir_tensor_get(narrow, i));
  *wide = ir_tensor_borrow(IR_F32, &shape, numbers, (size_t)n * sizeof *numbers);
  value->contents = wide;
  return true;
}

ir_code ir_pass_widen(ir_program *program, int64_t *count) {
  const ir_op *convert = &ir_op_convert_1;
  const size_t n = program->n_values;
  if (!has_half_contraction(program))
    return IR_OK;
  program->mode |= IR_MODE_WIDENED;
  for (size_t i = 0; i < n; i++) {
    ir_program_value *value = &program->values[i];
    const int32_t producer = value->producer, from = (int32_t)i;
    if (!is_half(value->value.type) || (producer >= 0 && program->operations[producer].is_dead))
      continue;
    ir_value wide = value->value, narrow = value->value;
    wide.type = IR_F32;
    if (!widen_contents(program, &wide))
      return IR_NO_MEMORY;
    if (producer < 0) {
      if (value->n_uses == 0)
        continue;
      const int32_t to = ir_program_convert(program, program->first, convert, from, &wide);
      if (to < 0)
        return IR_NO_MEMORY;
      program->values[to].value.contents = wide.contents;
      ir_program_producer(program, to)->why = "this network of 16-bit floats is computed in f32";
      ir_program_replace(program, from, to, program->values[to].producer);
    } else {
      const bool is_kept = value->is_kept;
      value->value.type = IR_F32;
      value->key.type = IR_F32;
      value->value.contents = wide.contents;
      value->is_kept = false;
      if (is_kept) {
        const int32_t to = ir_program_convert(program, -1, convert, from, &narrow);
        if (to < 0)
          return IR_NO_MEMORY;
        ir_program_producer(program, to)->why = "computed in f32, and rounded once to the type of the output";
        program->values[to].is_kept = true;
      }
    }
    *count += 1;
  }
  return IR_OK;
}

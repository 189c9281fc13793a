#include "program/wide_weights.h"
#include "ops/math/convert_values.h"

static bool is_half(ir_type type) {
  return type == IR_F16 || type == IR_BF16;
}

/* Whether the operation converts a float of 32 or 64 bits to a float of 16, or the other way round. */
static bool converts(const ir_program *program, const ir_operation *operation, bool to_half) {
  const ir_type type = program->values[to_half ? operation->in[0] : operation->out[0]].value.type;
  return operation->node.op->function == IR_FUNCTION_CONVERT && ir_type_in(type, IR_SET(IR_F32) | IR_SET(IR_F64));
}

/* The output of the operation, if it is a 16-bit float of constants and all readers either convert it to a longer float
 * or make values that are computed in f32; else NULL. A model that rounds a longer float to 16 bits wants that. */
static ir_program_value *find_weights(const ir_program *program, const ir_operation *operation) {
  if (operation->is_dead || operation->n_out != 1 || operation->out[0] < 0)
    return NULL;
  ir_program_value *value = &program->values[operation->out[0]];
  bool all = value->is_foldable && !value->is_kept && is_half(value->value.type) && !converts(program, operation, true);
  for (int32_t u = 0; u < value->n_uses && all; u++) {
    const ir_operation *reader = &program->operations[program->uses[value->first_use + u].operation];
    all = converts(program, reader, false) || (reader->n_out == 1 && program->values[reader->out[0]].is_wide);
  }
  return all ? value : NULL;
}

/* Converts the 16-bit inputs of an operation whose output is f32 now. */
static ir_code widen_inputs(ir_program *program, int32_t at) {
  const ir_operation operation = program->operations[at];
  for (int32_t i = 0; i < operation.n_in; i++) {
    ir_value wide = program->values[operation.in[i]].value;
    if (!is_half(wide.type))
      continue;
    wide.type = IR_F32;
    wide.contents = NULL;
    operation.in[i] = ir_program_convert(program, at, &ir_op_convert_1, operation.in[i], &wide);
    if (operation.in[i] < 0)
      return IR_NO_MEMORY;
  }
  return IR_OK;
}

ir_code ir_program_widen_weights(ir_program *program) {
  ir_code code = IR_OK;
  const int32_t n = (int32_t)program->n_operations;
  for (int32_t at = n - 1; at >= 0; at--) {
    ir_program_value *value = find_weights(program, &program->operations[at]);
    if (value == NULL)
      continue;
    value->is_wide = true;
    value->value.type = value->key.type = IR_F32;
  }
  for (int32_t at = 0; at < n && code == IR_OK; at++) {
    const ir_operation *operation = &program->operations[at];
    if (!operation->is_dead && operation->node.op->function != IR_FUNCTION_CONVERT && operation->n_out == 1 &&
        operation->out[0] >= 0 && program->values[operation->out[0]].is_wide)
      code = widen_inputs(program, at);
  }
  return code == IR_OK && !ir_program_find_uses(program) ? IR_NO_MEMORY : code;
}

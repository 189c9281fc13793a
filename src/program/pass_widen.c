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
    if (producer < 0) {
      if (value->n_uses == 0)
        continue;
      const int32_t to = ir_program_convert(program, program->first, convert, from, &wide);
      if (to < 0)
        return IR_NO_MEMORY;
      ir_program_producer(program, to)->why = "this network of 16-bit floats is computed in f32";
      ir_program_replace(program, from, to, program->values[to].producer);
    } else {
      const bool is_kept = value->is_kept;
      value->value.type = IR_F32;
      value->key.type = IR_F32;
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

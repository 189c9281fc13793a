#include "program/quantized.h"

/* The value before all conversions. */
static int32_t before_converts(const ir_program *program, int32_t value) {
  for (;;) {
    const int32_t producer = program->values[value].producer;
    if (producer < 0 || program->operations[producer].node.op->function != IR_FUNCTION_CONVERT)
      return value;
    value = program->operations[producer].in[0];
  }
}

/* Borrows or loads a constant that is stored in the file or in the program, or converted from there. False: the value
 * is something else. The caller releases the tensor. */
static bool load_stored(const ir_program *program, int32_t value, ir_tensor *out) {
  const ir_program_value *from = &program->values[before_converts(program, value)];
  ir_scope scope = ir_program_scope(program);
  if (from->producer < 0 && from->is_local) {
    *out = *from->value.contents;
    out->release = NULL;
    return true;
  }
  return from->producer < 0 && from->node != NULL && ir_op_is(from->node->op, IR_RUN_CONSTANT) &&
         from->node->op->run.contents(from->node, &from->node->outputs[0], &scope, out) == IR_OK;
}

bool ir_program_number(const ir_program *program, int32_t value, double *out) {
  ir_tensor tensor;
  if (!load_stored(program, value, &tensor))
    return false;
  const bool is_one = ir_tensor_elements(&tensor) == 1;
  if (is_one)
    *out = ir_number_as_double(ir_tensor_get(&tensor, 0));
  ir_tensor_release(&tensor);
  return is_one;
}

int32_t ir_program_scales(ir_program *program, int32_t of, int32_t value, int64_t n_channels, double factor) {
  ir_tensor tensor = {.data = NULL};
  int64_t n = 1;
  if (value >= 0 && !load_stored(program, value, &tensor))
    return -1;
  if (value >= 0)
    n = ir_tensor_elements(&tensor);
  const bool fits = n == 1 || n == n_channels || n_channels < 0;
  ir_tensor *contents = ir_arena_alloc(program->arena, sizeof *contents);
  float *numbers = fits ? ir_arena_array(program->arena, (size_t)n, sizeof *numbers) : NULL;
  for (int64_t i = 0; i < n && numbers != NULL; i++)
    numbers[i] = (float)(value < 0 ? factor : factor * ir_number_as_double(ir_tensor_get(&tensor, i)));
  ir_tensor_release(&tensor);
  if (contents == NULL || numbers == NULL)
    return -1;
  ir_program_value made = {.value = {.type = IR_F32, .shape = ir_shape_of(1, &n), .is_constant = true},
                           .producer = -1,
                           .layer = -1,
                           .is_local = true,
                           .key = {.layer = program->operations[of].layer}};
  *contents = ir_tensor_borrow(IR_F32, &made.value.shape, numbers, (size_t)n * sizeof *numbers);
  made.value.contents = contents;
  return ir_program_add_value(program, &made);
}

const ir_quantization *ir_program_quantization(const ir_program *program, int32_t value) {
  const int32_t producer = program->values[value].producer;
  return producer >= 0 && program->operations[producer].node.op == &ir_op_dequantize
             ? program->operations[producer].node.params
             : NULL;
}

int32_t ir_program_stored(const ir_program *program, int32_t value) {
  return ir_program_producer(program, value)->in[0];
}

bool ir_program_quantized_weights(const ir_program *program, int32_t value, ir_quantized_weights *out) {
  const int32_t product = before_converts(program, value), producer = program->values[product].producer;
  if (!program->values[value].value.is_constant || producer < 0 ||
      program->operations[producer].node.op->function != IR_FUNCTION_MULTIPLY)
    return false;
  for (int i = 0; i < 2; i++) {
    const int32_t weights = before_converts(program, program->operations[producer].in[i]);
    const ir_program_value *v = &program->values[weights];
    if (v->value.type != IR_I8 || v->producer >= 0 ||
        !ir_shapes_equal(&v->value.shape, &program->values[product].value.shape))
      continue;
    *out = (ir_quantized_weights){weights, program->operations[producer].in[1 - i]};
    return true;
  }
  return false;
}

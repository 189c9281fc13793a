#include "program/quantized.h"
#include "ops/math/convert_values.h"

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

static bool find_scaled(const ir_program *program, int32_t product, ir_quantized_weights *out) {
  const ir_operation *multiplication = ir_program_producer(program, product);
  for (int i = 0; i < 2; i++) {
    const int32_t weights = before_converts(program, multiplication->in[i]);
    const ir_program_value *v = &program->values[weights];
    if (v->value.type != IR_I8 || v->producer >= 0 ||
        !ir_shapes_equal(&v->value.shape, &program->values[product].value.shape))
      continue;
    const int32_t scales = multiplication->in[1 - i];
    *out = (ir_quantized_weights){weights, scales, program->values[scales].value.shape};
    return true;
  }
  return false;
}

/* ---- weights of a FakeQuantize ---- */

/* The elements of a constant as a new constant, f32[n]; NULL: they are not known. */
static const ir_tensor *numbers_of(ir_program *program, int32_t of, int32_t value) {
  const int32_t made = ir_program_scales(program, of, value, -1, 1);
  return made < 0 ? NULL : program->values[made].value.contents;
}

/* Reads the outputs of the first and last level, which may differ by channel. The element of 0 must be one for all
 * channels. Fills q, and writes (high - low) / last to a new constant. */
static bool read_output_limits(ir_program *program, int32_t of, int64_t levels, ir_quantization *q,
                               int32_t *out_scales) {
  const ir_operation operation = program->operations[of];
  const ir_tensor *lows = numbers_of(program, of, operation.in[3]), *highs = numbers_of(program, of, operation.in[4]);
  *out_scales = ir_program_scales(program, of, operation.in[4], -1, 1);
  if (lows == NULL || highs == NULL || *out_scales < 0)
    return false;
  float *scales = program->values[*out_scales].value.contents->data;
  const int64_t n = ir_tensor_elements(highs), n_lows = ir_tensor_elements(lows);
  int offset = -1;
  for (int64_t i = 0; i < n; i++) {
    const float low = ((const float *)lows->data)[n_lows == n ? i : 0], high = ((const float *)highs->data)[i];
    ir_quantization one;
    if ((n_lows != n && n_lows != 1) || !ir_quantization_of((const double[]){0, 1, low, high}, levels, &one) ||
        one.zero != 0 || (offset >= 0 && one.offset != offset))
      return false;
    offset = one.offset;
    *q = one;
    scales[i] = (float)ir_quantization_step(&one);
  }
  return offset > 0;
}

/* Makes i8 weights and scales from the FakeQuantize operation `of` on constants. */
static bool make_levels(ir_program *program, int32_t of, int32_t before, ir_quantized_weights *out) {
  const ir_operation operation = program->operations[of];
  ir_quantization *q = ir_arena_alloc(program->arena, sizeof *q);
  int32_t scales;
  if (q == NULL || !read_output_limits(program, of, ir_fake_quantize_levels(&operation.node), q, &scales))
    return false;
  ir_program_value made = program->values[operation.out[0]];
  made.key.made = IR_MADE_LEVELS;
  made.producer = -1;
  const int32_t levels = ir_program_add_value(program, &made);
  if (levels < 0 || ir_program_add(program, before, &ir_op_levels, q, &operation.node, operation.layer, operation.in, 3,
                                   &levels, 1) < 0)
    return false;
  ir_value stored = made.value;
  stored.type = IR_I8;
  const int32_t weights = ir_program_convert(program, before, &ir_op_convert_1, levels, &stored);
  if (weights < 0)
    return false;
  program->values[weights].key.made = IR_MADE_STORED_WEIGHTS;
  *out = (ir_quantized_weights){weights, scales, program->values[operation.in[4]].value.shape};
  return true;
}

bool ir_program_quantized_weights(ir_program *program, int32_t value, int32_t before, ir_quantized_weights *out) {
  const int32_t product = before_converts(program, value), producer = program->values[product].producer;
  if (!program->values[value].value.is_constant || producer < 0)
    return false;
  switch (program->operations[producer].node.op->function) {
  case IR_FUNCTION_MULTIPLY:
    return find_scaled(program, product, out);
  case IR_FUNCTION_FAKE_QUANTIZE:
    return program->values[product].value.type == IR_F32 && make_levels(program, producer, before, out);
  default:
    return false;
  }
}

#include "program/quantized.h"
#include "ops/math/binary.h"
#include "ops/math/convert_values.h"

/* Whether the value is another one as float, and not rounded to a shorter float unless `may_round`. */
static bool is_converted(const ir_program *program, int32_t value, bool may_round) {
  const int32_t producer = program->values[value].producer;
  if (producer < 0 || program->operations[producer].node.op->function != IR_FUNCTION_CONVERT)
    return false;
  const ir_type type = program->values[value].value.type;
  const ir_type from = program->values[program->operations[producer].in[0]].value.type;
  const bool rounds = ir_type_in(from, IR_SET_FLOATS) && ir_type_bits(type) < ir_type_bits(from);
  return ir_type_in(type, IR_SET_FLOATS) && (may_round || !rounds);
}

/* The value before the conversions to floats. A conversion to integers cuts numbers, so it counts. */
static int32_t before(const ir_program *program, int32_t value, bool may_round) {
  while (is_converted(program, value, may_round))
    value = ir_program_producer(program, value)->in[0];
  return value;
}

static int32_t before_converts(const ir_program *program, int32_t value) {
  return before(program, value, true);
}

int32_t ir_program_before_widening(const ir_program *program, int32_t value) {
  return before(program, value, false);
}

/* Borrows or loads a constant that is stored in the file or in the program, or converted to floats from there. False:
 * the value is something else. The caller releases the tensor. */
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

float *ir_program_numbers(const ir_program *program, int32_t value, int64_t *out_n) {
  ir_tensor tensor;
  if (!load_stored(program, value, &tensor))
    return NULL;
  *out_n = ir_tensor_elements(&tensor);
  float *numbers = ir_arena_array(program->arena, (size_t)*out_n, sizeof *numbers);
  for (int64_t i = 0; i < *out_n && numbers != NULL; i++)
    numbers[i] = (float)ir_number_as_double(ir_tensor_get(&tensor, i));
  ir_tensor_release(&tensor);
  return numbers;
}

int32_t ir_program_add_numbers(ir_program *program, int32_t of, float *numbers, int64_t n) {
  ir_tensor *contents = ir_arena_alloc(program->arena, sizeof *contents);
  if (contents == NULL)
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

/* The value before a subtraction of zeros, which files have as the zero point of weights that need none. */
static int32_t before_zeros(const ir_program *program, int32_t value) {
  const int32_t producer = program->values[value].producer;
  const ir_operation *operation = producer < 0 ? NULL : &program->operations[producer];
  if (operation == NULL || operation->node.op != &ir_op_subtract_1 ||
      !ir_shapes_equal(&program->values[operation->in[0]].value.shape, &program->values[value].value.shape))
    return value;
  int64_t n = 0;
  const float *zeros = ir_program_numbers(program, operation->in[1], &n);
  bool are_zeros = zeros != NULL;
  for (int64_t i = 0; i < n && are_zeros; i++)
    are_zeros = ir_whole_level((double)zeros[i], UINT8_MAX) == 0;
  return are_zeros ? operation->in[0] : value;
}

static bool find_scaled(const ir_program *program, int32_t product, ir_quantized_weights *out) {
  const ir_operation *multiplication = ir_program_producer(program, product);
  for (int i = 0; i < 2; i++) {
    const int32_t levels = before_zeros(program, before_converts(program, multiplication->in[i]));
    const int32_t weights = before_converts(program, levels);
    const ir_program_value *v = &program->values[weights];
    if (v->value.type != IR_I8 || v->producer >= 0 ||
        !ir_shapes_equal(&v->value.shape, &program->values[product].value.shape))
      continue;
    *out = (ir_quantized_weights){.weights = weights};
    out->scales_shape = program->values[multiplication->in[1 - i]].value.shape;
    out->scales = ir_program_numbers(program, multiplication->in[1 - i], &out->n_scales);
    return out->scales != NULL;
  }
  return false;
}

/* ---- weights of a FakeQuantize ---- */

/* Reads the outputs of the first and last level, which can differ by channel. The element of 0 must be one for all
 * channels. Fills q, and the scales of `out`. */
static bool read_output_limits(const ir_program *program, const ir_operation *operation, ir_quantization *q,
                               ir_quantized_weights *out) {
  int64_t n = 0, n_lows = 0;
  const float *lows = ir_program_numbers(program, operation->in[3], &n_lows);
  float *highs = ir_program_numbers(program, operation->in[4], &n);
  ir_limits *limits = ir_arena_array(program->arena, (size_t)n, sizeof *limits);
  if (lows == NULL || highs == NULL || limits == NULL || (n_lows != n && n_lows != 1))
    return false;
  for (int64_t i = 0; i < n; i++)
    limits[i] = (ir_limits){0, 1, lows[n_lows == n ? i : 0], highs[i]};
  if (!ir_quantization_of(limits, n, ir_fake_quantize_levels(&operation->node), q) || !q->has_zero || q->offset == 0)
    return false;
  for (int64_t i = 0; i < n; i++)
    highs[i] = (float)ir_quantization_step(q, i);
  out->scales = highs;
  out->n_scales = n;
  out->scales_shape = program->values[operation->in[4]].value.shape;
  return true;
}

/* Makes i8 weights and scales from the FakeQuantize operation `of` on constants. */
static bool make_levels(ir_program *program, int32_t of, int32_t before, ir_quantized_weights *out) {
  const ir_operation operation = program->operations[of];
  ir_quantization *q = ir_arena_alloc(program->arena, sizeof *q);
  if (q == NULL || !read_output_limits(program, &operation, q, out))
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
  out->weights = ir_program_convert(program, before, &ir_op_convert_1, levels, &stored);
  if (out->weights < 0)
    return false;
  program->values[out->weights].key.made = IR_MADE_STORED_WEIGHTS;
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

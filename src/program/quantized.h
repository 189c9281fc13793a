/* Questions of passes about quantized values of a program. */
#ifndef IR_QUANTIZED_H
#define IR_QUANTIZED_H

#include "ops/quantization/quantize.h"
#include "program/program.h"

/* The value before the conversions to floats that round no float to a shorter one. A conversion to integers cuts
 * numbers, so it counts. */
int32_t ir_program_before_widening(const ir_program *program, int32_t value);
/* Reads the elements of a constant that is stored in the file or in the program, or converted from there, into the
 * arena. NULL: the value is something else, or memory is out. */
float *ir_program_numbers(const ir_program *program, int32_t value, int64_t *out_n);
/* Adds a constant of the program, f32[n], of the layer of operation `of`. -1 when memory is out. */
int32_t ir_program_add_numbers(ir_program *program, int32_t of, float *numbers, int64_t n);

/* The params of the Dequantize that makes the value; NULL: another operation makes it. */
const ir_quantization *ir_program_quantization(const ir_program *program, int32_t value);
/* The stored value that this Dequantize reads. */
int32_t ir_program_stored(const ir_program *program, int32_t value);

/* Constant weights of 8 bits: `weights` is i8, and the product's weights are weights * scales. */
typedef struct ir_quantized_weights {
  int32_t weights;
  const float *scales;
  int64_t n_scales;
  ir_shape scales_shape; /* the shape with which the scales broadcast to the weights */
} ir_quantized_weights;
/* Finds the parts of weights that are made as Multiply(Convert(i8 constant), scales), perhaps converted between these
 * steps, perhaps with a zero point of 0. Or makes the parts of the constant FakeQuantize that makes the weights, in
 * front of operation `before`. False: the value is made in another way, or memory is out (reported). */
bool ir_program_quantized_weights(ir_program *program, int32_t value, int32_t before, ir_quantized_weights *out);

#endif

/* Questions of passes about quantized values of a program. */
#ifndef IR_QUANTIZED_H
#define IR_QUANTIZED_H

#include "ops/quantization/quantize.h"
#include "program/program.h"

/* Reads a constant with one element. False: the value is something else. */
bool ir_program_number(const ir_program *program, int32_t value, double *out);
/* The params of the Dequantize that makes the value; NULL: another operation makes it. */
const ir_quantization *ir_program_quantization(const ir_program *program, int32_t value);
/* The stored value that this Dequantize reads. */
int32_t ir_program_stored(const ir_program *program, int32_t value);

/* Constant weights of 8 bits: `weights` is i8, and the product's weights are weights * scales. */
typedef struct ir_quantized_weights {
  int32_t weights, scales;
  ir_shape scales_shape; /* the shape with which the scales broadcast to the weights */
} ir_quantized_weights;
/* Finds the parts of weights that are made as Multiply(Convert(i8 constant), scales), perhaps converted between these
 * steps. Or makes the parts of the constant FakeQuantize that makes the weights, in front of operation `before`. False:
 * the value is made in another way, or memory is out (reported). */
bool ir_program_quantized_weights(ir_program *program, int32_t value, int32_t before, ir_quantized_weights *out);

/* Adds a constant of the program, f32[n]: the constant `value` times `factor`. `value` -1: `factor` alone. The layer is
 * that of operation `of`. -1: `value` is not stored in the file, or memory is out (reported). */
int32_t ir_program_scales(ir_program *program, int32_t of, int32_t value, double factor);

#endif

/* Weights that a program computes in f32, although the model computes them in 16-bit floats. */
#ifndef IR_WIDE_WEIGHTS_H
#define IR_WIDE_WEIGHTS_H

#include "program/program.h"

/* Computes weights in f32: compressors write them as a product of 16-bit floats, which is converted to f32, and
 * OpenVINO multiplies in f32, too. Call it for a lowered program, whose operations are in running order. */
ir_code ir_program_widen_weights(ir_program *program);

#endif

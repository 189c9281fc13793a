/* Transposes that a matrix product replaces by other strides. */
#ifndef IR_TRANSPOSES_H
#define IR_TRANSPOSES_H

#include "ops/axes.h"
#include "ops/fast/fast.h"
#include "program/program.h"

/* Whether the operation is a Transpose of known order; if so, reads the order. */
bool ir_program_order(const ir_program *program, const ir_operation *operation, ir_axes *out);

/* `sizes` are those of [batch, heads, rows, columns]. If a Transpose makes the operand `*io_value` of a product, and
 * the product can read the Transpose's input instead, updates `*io_value` and how it lies. */
bool ir_skip_transpose(const ir_program *program, const int64_t *sizes, int32_t *io_value, ir_fast_matrices *io_lie);
/* Whether a product whose result the Transpose reads can write the Transpose's result instead. */
bool ir_writes_transposed(const ir_program *program, const ir_operation *transpose, const int64_t *sizes,
                          ir_fast_matrices *out_lie);

#endif

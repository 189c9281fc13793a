/* A part of the pass "quantize": elementwise operations whose result only a Quantize reads become a part of it. */
#ifndef IR_MERGE_QUANTIZE_H
#define IR_MERGE_QUANTIZE_H

#include "program/program.h"

/* Merges what makes the input of the Quantize operation `at`, and adds the number of changes to `count`:
 * - a sum or product of two quantized tensors, perhaps clamped
 * - a ReLU or Clamp that changes only numbers which become the first or last level anyway
 * - multiplications and additions of constants: one number, or one for each index of an axis */
ir_code ir_merge_into_quantize(ir_program *program, int32_t at, int64_t *count);

#endif

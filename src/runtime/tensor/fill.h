/* Fills tensors by a rule: random[:SEED], zeros, ones, iota, LO..HI[:SEED], or a number. */
#ifndef IR_FILL_H
#define IR_FILL_H

#include "base/tensor.h"
#include "diag/diag.h"

/* Fills a tensor; SEED is 0 if it is missing. The values are the same on every machine. Reports IR801 for an unknown
 * kind, and for numbers that the type cannot represent. The kinds:
 *   random    floats: uniform in [0, 1), multiples of 2^-n for a type with n bits of significand (f8, f4, nf4: n = 8,
 *             then rounded); integers: 0 to 255, or to the type's maximum if that is less; booleans: 0 or 1
 *   LO..HI    floats: in [LO, HI); integers: from LO to HI, both included
 *   iota      0, 1, 2, ... in row-major order
 *   zeros, ones or a number: the same value in all elements */
ir_code ir_tensor_fill(ir_diags *diags, const char *kind, ir_tensor *tensor);

#endif

/* Fills tensors by a rule: random[:SEED], zeros, ones, iota, LO..HI[:SEED], or a number. */
#ifndef IR_FILL_H
#define IR_FILL_H

#include "base/tensor.h"
#include "diag/diag.h"

/* Fills a tensor of a stored type; without SEED it is 0. The same values on every machine:
 *   random   floats from [0, 1), every multiple of 2^-N with N the bits of the type's significand alike; integers from
 * 0..255 or as far as the type goes; booleans LO..HI   floats from [LO, HI), integers from LO to HI with both ends iota
 * 0, 1, 2, ... row-major IR801 for another kind and for numbers that the type cannot hold. */
ir_code ir_tensor_fill(ir_diags *diags, const char *kind, ir_tensor *tensor);

#endif

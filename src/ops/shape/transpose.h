/* The order of a Transpose, as passes need it. */
#ifndef IR_TRANSPOSE_H
#define IR_TRANSPOSE_H

#include "ops/axes.h"

/* Reads the axes that a Transpose, whose inputs are in[0] and in[1], permutes: axis i of the output is axis items[i] of
 * the input. False if they are unknown or at fault. */
bool ir_transpose_order(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *out);

#endif

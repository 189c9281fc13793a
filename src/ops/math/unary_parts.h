/* ir_op.parts of ops that make each element of their output of one of their input: what exports round sizes with. */
#ifndef IR_UNARY_PARTS_H
#define IR_UNARY_PARTS_H

#include "ops/op.h"

typedef ir_code ir_unary_parts(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

ir_unary_parts ir_abs_parts, ir_ceiling_parts, ir_floor_parts, ir_negative_parts, ir_not_parts, ir_relu_parts,
    ir_round_away_parts, ir_round_to_even_parts, ir_sqrt_parts;

#endif

/* Functions for ir_op.ranges of ops with one input. Exported models round sizes with such ops. */
#ifndef IR_UNARY_RANGES_H
#define IR_UNARY_RANGES_H

#include "ops/op.h"

typedef ir_code ir_unary_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

ir_unary_ranges ir_abs_ranges, ir_ceiling_ranges, ir_floor_ranges, ir_negative_ranges, ir_not_ranges, ir_relu_ranges,
    ir_round_away_ranges, ir_round_to_even_ranges, ir_sqrt_ranges;

#endif

/* The elements of a tensor as another type: Convert and ConvertLike.
 *
 * To a float: rounded once, to nearest, ties to even; what is too large is infinite.
 * To an integer: an integer keeps its low bits. A float is cut toward zero, into 32 bits with sign for i8, u8, i16, u16
 * and i32, into 64 for u32, i64 and u64 (there what is below 2^64 fits too); what does not fit, and NaN, is the lowest
 * number of those bits, of which the low ones are kept. So -1.5 is 255 as u8, and 3e9 is 0 as u8, -2147483648 as i32,
 * 3e9 as u32. OpenVINO's CPU plugin does the same from f32, but in 32 bits for all types. To a boolean: whether it is
 * not 0, which NaN is not. */
#ifndef IR_CONVERT_VALUES_H
#define IR_CONVERT_VALUES_H

#include "ops/plan.h"

/* ir_op.prepare: converts input 0 to the type of output 0. */
ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif

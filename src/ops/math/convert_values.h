/* Converts the elements of a tensor by the rules of ir_compute_store and ir_narrow_of: Convert, ConvertLike,
 * ConvertPromoteTypes. */
#ifndef IR_CONVERT_VALUES_H
#define IR_CONVERT_VALUES_H

#include "ops/prepare.h"

/* Convert-1, which passes insert. */
extern const ir_op ir_op_convert_1;

/* ir_op.prepare that converts input 0 to the type of output 0. */
ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Appends a step that converts input `port` to the type of output `port`, if that output is read. */
ir_code ir_convert_step(ir_plan *plan, const ir_node *node, int port);
/* The same from one slot to another. */
ir_code ir_convert_step_on(ir_plan *plan, const ir_node *node, int32_t in, int32_t out);

#endif

/* Conversion of a tensor's elements to another type, for Convert, ConvertLike and ConvertPromoteTypes. ir_compute_store
 * and ir_narrow_of define the rounding. */
#ifndef IR_CONVERT_VALUES_H
#define IR_CONVERT_VALUES_H

#include "ops/prepare.h"

/* Row of Convert-1. Passes of src/program insert Convert operations. */
extern const ir_op ir_op_convert_1;

/* Implements ir_op.prepare: converts input 0 to the type of output 0. */
ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Appends a step that converts input `port` to the type of output `port`. If nothing reads that output, appends no
 * step. */
ir_code ir_convert_step(ir_plan *plan, const ir_node *node, int port);
/* Appends a step that converts the tensor in slot `in` to the type of slot `out`. */
ir_code ir_convert_step_on(ir_plan *plan, const ir_node *node, int32_t in, int32_t out);

#endif

/* Joins tensors along an axis (Concat), or splits a tensor along an axis (Split, VariadicSplit). */
#ifndef IR_CONCAT_SPLIT_H
#define IR_CONCAT_SPLIT_H

#include "ops/prepare.h"

/* Appends the step that concatenates all inputs of the node to output 0. */
ir_code ir_concat_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis);
/* Appends the step that splits input 0 into all outputs of the node; it reads no other input. */
ir_code ir_split_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis);

#endif

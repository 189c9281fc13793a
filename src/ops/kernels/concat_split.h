/* A tensor and its parts along an axis: Concat joins them, Split and VariadicSplit take it apart. */
#ifndef IR_CONCAT_SPLIT_H
#define IR_CONCAT_SPLIT_H

#include "ops/plan.h"

/* Appends the step that joins all inputs of the node into output 0. */
ir_code ir_concat_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis);
/* Appends the step that takes input 0 apart into all outputs of the node, and reads no other input. */
ir_code ir_split_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis);

#endif

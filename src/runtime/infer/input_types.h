/* Checks the element types of a layer's inputs against the row of its op. */
#ifndef IR_INPUT_TYPES_H
#define IR_INPUT_TYPES_H

#include "ops/op.h"

/* Reports a type of input `i` that neither the row nor OpenVINO accepts, and returns false; notes a type that only
 * OpenVINO accepts. */
bool ir_check_input_type(const ir_node *node, int32_t i, const ir_value *value, ir_scope *scope);
/* Reports inputs of one type variable that differ, once per variable, and returns false; notes them if OpenVINO does
 * not compare them. Skips unknown types and types that ir_check_input_type reports. */
bool ir_check_type_variables(const ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

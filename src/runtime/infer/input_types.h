/* Checks the element types of a layer's inputs against its op's row. */
#ifndef IR_INPUT_TYPES_H
#define IR_INPUT_TYPES_H

#include "ops/op.h"

/* Returns false and reports a fault if neither the row nor OpenVINO accepts the type of input `i`. If only OpenVINO
 * accepts it, reports a note and returns true. */
bool ir_check_input_type(const ir_node *node, int32_t i, const ir_value *value, ir_scope *scope);
/* Checks that inputs with the same type variable have the same type; returns false and reports one fault for each
 * variable. If OpenVINO does not compare an input's type, reports only a note. Skips unknown types, and types that
 * ir_check_input_type reports. */
bool ir_check_type_variables(const ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* The element types of a layer's inputs against the rows of its op. */
#ifndef IR_INPUT_TYPES_H
#define IR_INPUT_TYPES_H

#include "ops/op.h"

/* False, and reported, when input `i` has a type that neither the row nor OpenVINO takes; a note where OpenVINO alone
 * takes it. */
bool ir_check_input_type(const ir_node *node, int32_t i, const ir_value *value, ir_scope *scope);
/* False, and reported, when inputs of one type variable differ: a fault for each variable, a note where OpenVINO does
 * not compare them. What has no known type, or a type that ir_check_input_type reports, is passed over. */
bool ir_check_type_variables(const ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* Elements of an nGraph Constant, as text: a list of strings, one for each element or one for all. */
#ifndef IR_CONSTANT_TEXT_H
#define IR_CONSTANT_TEXT_H

#include "ops/op.h"

/* True for element types that text can give. */
bool ir_constant_text_has(ir_type type);
/* Reports, once each: text that is no number (IR206), numbers that the type cannot represent (IR207; a warning if
 * nGraph takes their low bits), and a wrong count (IR208). True if the elements can be read. */
bool ir_constant_text_check(const ir_node *node, const ir_raw_attr *value, const ir_value *out, ir_scope *scope);
/* Writes the elements of checked text. False if something is wrong with it. */
bool ir_constant_text_read(const ir_raw_attr *value, ir_tensor *tensor);

#endif

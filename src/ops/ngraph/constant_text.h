/* The elements of an nGraph Constant as its file spells them: strings between commas, one an element or one for all. */
#ifndef IR_CONSTANT_TEXT_H
#define IR_CONSTANT_TEXT_H

#include "ops/op.h"

/* True for the element types that can be written so. */
bool ir_constant_text_has(ir_type type);
/* Reports, once each, text that is no number (IR206), numbers that the type does not hold (IR207; those of which
 * nGraph takes the low bits, as a warning) and a wrong count (IR208). True when the elements can be had. */
bool ir_constant_text_check(const ir_node *node, const ir_raw_attr *value, const ir_value *out, ir_scope *scope);
/* Writes the elements of text that was checked. False when there is something wrong with it. */
bool ir_constant_text_read(const ir_raw_attr *value, ir_tensor *tensor);

#endif

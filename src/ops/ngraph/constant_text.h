/* Reads the elements of an nGraph Constant from text: a list of strings, one for each element or a single one for
 * all. */
#ifndef IR_CONSTANT_TEXT_H
#define IR_CONSTANT_TEXT_H

#include "ops/op.h"

/* Returns true if text can represent elements of the type. */
bool ir_constant_text_has(ir_type type);
/* Reports strings that are no numbers (IR206), numbers that the type cannot represent (IR207), and a wrong count
 * (IR208); at most one report for each of these. IR207 is a warning if nGraph takes the low bits of the number. Returns
 * true if ir_constant_text_read can read the elements. */
bool ir_constant_text_check(const ir_node *node, const ir_raw_attr *value, const ir_value *out, ir_scope *scope);
/* Writes the elements to `tensor`. Returns false if ir_constant_text_check would not accept the text. */
bool ir_constant_text_read(const ir_raw_attr *value, ir_tensor *tensor);

#endif

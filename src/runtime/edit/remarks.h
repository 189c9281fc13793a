/* Remarks of an IR: tensor names and <rt_info>, which describe a model and change no result. */
#ifndef IR_REMARKS_H
#define IR_REMARKS_H

#include "parser/ir_element.h"
#include "runtime/model/model.h"

/* Returns the key of an element in the model's <rt_info>: the name of its tag, or NAME of <info name="NAME">, which
 * OpenVINO writes if the key is no name of XML. NULL if memory is out. */
const char *ir_rt_key(ir_arena *arena, const char *text, const ir_element *element);
/* Returns the decoded value of an attribute; NULL if the element has none, or if memory is out. */
const char *ir_rt_attribute(ir_arena *arena, const char *text, const ir_element *element, const char *name);

#endif

/* Params -> the text of attributes: the rows of a schema, read backwards. */
#ifndef IR_ATTR_WRITE_H
#define IR_ATTR_WRITE_H

#include "ops/op.h"

/* The text that ir_bind_attributes reads as the value that the row's field has in `params`, in the arena; a list that
 * repeats one item gets `n_spatial` of them. Of rows that have a field. NULL when memory is out. */
const char *ir_attr_write(const ir_attr_spec *spec, const void *params, int n_spatial, ir_arena *arena);

#endif

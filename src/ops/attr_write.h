/* Writes params as the text of attributes: uses the rows of a schema in reverse. */
#ifndef IR_ATTR_WRITE_H
#define IR_ATTR_WRITE_H

#include "ops/op.h"

/* Text, in the arena, that ir_bind_attributes reads back as the value of the row's field in `params`; a list that
 * repeats one item gets `n_spatial` of them. The row must have a field. NULL if memory is out. */
const char *ir_attr_write(const ir_attr_spec *spec, const void *params, int n_spatial, ir_arena *arena);

#endif

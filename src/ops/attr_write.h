/* Writes params as attribute text, by the rows of a schema: the reverse of ir_bind_attributes. */
#ifndef IR_ATTR_WRITE_H
#define IR_ATTR_WRITE_H

#include "ops/op.h"

/* Text, in the arena, from which ir_bind_attributes would read the value of the row's field in `params`. A list with
 * one item for all axes (IR_REPEATED) is written with `n_spatial` items. The row must have a field. NULL if memory
 * is out. */
const char *ir_attr_write(const ir_attr_spec *spec, const void *params, int n_spatial, ir_arena *arena);

#endif

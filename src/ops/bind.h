/* The binder: converts the attributes of a layer from text to typed params, by the op's schema. */
#ifndef IR_BIND_H
#define IR_BIND_H

#include "ops/op.h"

/* Allocates and fills node->params, and sets node->attrs_at_fault. Reports attributes of node->layer that are
 * unknown, misspelt, missing, unreadable or out of range. Returns IR_NO_MEMORY only if memory is out. */
ir_code ir_bind_attributes(ir_node *node, ir_scope *scope);

/* Checks the lengths of the lists with IR_COUNT_SPATIAL. Each must have `n_spatial` items; if `n_spatial` is -1, all
 * must have equal lengths. Reports a fault and returns false if not. The params do not change, because other nodes
 * can share them. */
bool ir_check_spatial_lengths(ir_node *node, int64_t n_spatial, ir_scope *scope);

#endif

/* Converts raw attributes to typed params by the op's schema. Nothing else reads attribute text. */
#ifndef IR_BIND_H
#define IR_BIND_H

#include "ops/op.h"

/* Fills node->params (allocated here) and node->attrs_at_fault; reports unknown, misspelt, missing, unreadable and
 * out-of-range attributes of node->layer. Returns IR_NO_MEMORY only when memory is out. */
ir_code ir_bind_attributes(ir_node *node, ir_scope *scope);

/* Compares the lengths of the SPATIAL lists with `n_spatial`, or with each other if it is -1. False if one is at fault;
 * the params stay as they are, because other nodes may share them. */
bool ir_check_spatial_lengths(ir_node *node, int64_t n_spatial, ir_scope *scope);

#endif

#ifndef IR_SOFT_MAX_H
#define IR_SOFT_MAX_H

#include "ops/op.h"

/* Whether the node is a SoftMax along the last axis of its input, which has `rank` axes. */
bool ir_is_soft_max_of_rows(const ir_node *node, int rank);

#endif

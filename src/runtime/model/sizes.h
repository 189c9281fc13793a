/* Sizes of a model's weights and variables. */
#ifndef IR_SIZES_H
#define IR_SIZES_H

#include "runtime/model/model.h"

/* The axis of a variable's shape that grows with each token: the only open one behind the first, the batch. -1: there
 * is none, or more than one. */
int ir_token_axis(const ir_shape *shape);

#endif

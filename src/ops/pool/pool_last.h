/* Pools of f32 tensors that lie as [N, D.., C]: between convolutions of the fast module. */
#ifndef IR_POOL_LAST_H
#define IR_POOL_LAST_H

#include "ops/pool/pool_step.h"

/* ir_op.takes_channels_last of pools. */
bool ir_pool_takes_channels_last(const ir_node *node);
/* Appends the step; for a maximum `average` is NULL. The rules are those of the plain kernels; sums are made in f32. */
ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average);

#endif

/* A pool that is a fold, as a step of a plan. */
#ifndef IR_POOL_FOLD_STEP_H
#define IR_POOL_FOLD_STEP_H

#include "ops/pool/pool_average.h"
#include "ops/pool/pool_fold_kernels.h"
#include "ops/pool/pool_max.h"

/* Appends the step of the node from its input 0 to its output 0. `start` is of maxima. Reports when memory is out, and
 * types that have no kernel. */
ir_code ir_fold_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_fold_op op, ir_max_start start,
                     ir_scope *scope);

#endif

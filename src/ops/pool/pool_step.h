/* The step of a plan that pools. */
#ifndef IR_POOL_STEP_H
#define IR_POOL_STEP_H

#include "ops/pool/pool_average.h"
#include "ops/pool/pool_kernels.h"
#include "ops/pool/pool_max.h"

/* Appends it where there is a kernel for the windows and the type: `*out_done`. Of a maximum only the windows count,
 * and `start`. */
ir_code ir_pool_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_pool_op op, ir_max_start start,
                     ir_scope *scope, bool *out_done);

#endif

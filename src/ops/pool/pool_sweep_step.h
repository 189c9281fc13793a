/* The step of a plan that sweeps. */
#ifndef IR_POOL_SWEEP_STEP_H
#define IR_POOL_SWEEP_STEP_H

#include "ops/pool/pool_average.h"
#include "ops/pool/pool_max.h"
#include "ops/pool/pool_sweep_kernels.h"

/* Appends it where there is a sweep for the windows and the type: `*out_done`. Of a maximum only the windows count, and
 * `start`. */
ir_code ir_sweep_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_sweep_op op, ir_max_start start,
                      ir_scope *scope, bool *out_done);

#endif

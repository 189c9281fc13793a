/* The step of a plan that sweeps for maxima and indices. */
#ifndef IR_POOL_SWEEP_INDICES_STEP_H
#define IR_POOL_SWEEP_INDICES_STEP_H

#include "ops/pool/pool_max.h"

/* Appends it where there is such a sweep for the windows and the type: `*out_done`. Output 1 of the node is read;
 * output 0 may not be. */
ir_code ir_indices_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t modulus, ir_scope *scope, bool *out_done);

#endif

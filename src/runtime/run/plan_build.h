/* From inferred nodes to a plan: slots for the tensors that asked-for outputs need, constants bound, steps prepared. */
#ifndef IR_PLAN_BUILD_H
#define IR_PLAN_BUILD_H

#include "runtime/run/plan_request.h"

/* Reports the ops of layers that are needed, one flag a node, and only checked: each once, at its first layer (IR210).
 * Before shapes are inferred: what such a layer holds may decide them. */
ir_code ir_plan_check_ops(irrun_model *model, const bool *needed, ir_arena *arena);
/* Reports what else cannot be run here (IR210), constants that cannot be had, and tensors that take more memory than
 * the run may (memory_limit.h): the latter before constants are read. */
ir_code ir_plan_build(const ir_plan_request *request, ir_plan *plan);
/* Releases the tensors and lists of a plan; accepts a half-built one. */
void ir_plan_reset(ir_plan *plan);

#endif

/* Executing a plan: its steps in order, tensors made when a step writes them and freed after their last reader. */
#ifndef IR_EXECUTE_H
#define IR_EXECUTE_H

#include "ops/plan.h"

/* Bytes of scratch that the workers of a run take, in cache lines of their own; SIZE_MAX: more than there can be. */
size_t ir_plan_scratch(const ir_plan *plan, size_t *out_stride);

/* The tensors of slots that no step writes are bound before. `arena` holds what the steps share. Reports when memory is
 * out. */
ir_code ir_plan_execute(ir_plan *plan, ir_arena *arena);

#endif

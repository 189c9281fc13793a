/* The memory of a plan: how long its tensors live, and the one block that holds those which its steps make. */
#ifndef IR_PLAN_MEMORY_H
#define IR_PLAN_MEMORY_H

#include "exec/plan.h"

/* Bytes of a block that nothing lives in, from which on dead tensors are given back: each page that is touched again
 * takes a microsecond. */
enum { IR_LEAST_UNUSED = 1 << 20 };

/* Finds first and last step of every slot, and where made ones lie in the block. Reports when memory is out. */
ir_code ir_plan_lay_out(ir_plan *plan);

/* Takes what a plan that is laid out runs in: plan->place grows to it. Reports when memory is out. */
ir_code ir_plan_take_memory(ir_plan *plan);
/* Binds made slots to their places and views to what they show: before every run, for the caller's places and inputs
 * may be others. */
void ir_plan_bind(ir_plan *plan);
/* After a step: gives back the pages of what is not needed any more, where the peak would show them. */
void ir_plan_end_step(ir_plan *plan, size_t step);
void ir_plan_release_memory(ir_plan_memory *place);

/* Bytes of scratch that the workers of a run take, in cache lines of their own; SIZE_MAX: more than there can be. */
size_t ir_plan_scratch(const ir_plan *plan, size_t *out_stride);

/* An input of the step that is mapped, and that no later step of the first run needs; NULL when there is none. */
const ir_tensor *ir_plan_ending_input(ir_plan *plan, size_t step);

#endif

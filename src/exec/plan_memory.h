/* The memory of a plan: the lifetimes of its tensors, and the block that holds the tensors that steps make. */
#ifndef IR_PLAN_MEMORY_H
#define IR_PLAN_MEMORY_H

#include "exec/plan.h"

/* Unused bytes of a block from which on the pages of dead tensors are released: touching a page again takes a
 * microsecond. */
enum { IR_LEAST_UNUSED = 1 << 20 };

/* Finds first and last step of every slot, and the offsets of made ones in the block. Reports when memory is out. */
ir_code ir_plan_lay_out(ir_plan *plan);

/* Allocates the memory of a laid-out plan: plan->place grows if needed. Reports when memory is out. */
ir_code ir_plan_take_memory(ir_plan *plan);
/* Binds made slots to their places and views to their owners. Call it before every run, because the caller can change
 * places and inputs. */
void ir_plan_bind(ir_plan *plan);
/* Call it after a step: releases the pages of dead tensors if they would raise the peak. */
void ir_plan_end_step(ir_plan *plan, size_t step);
void ir_plan_release_memory(ir_plan_memory *place);

/* Bytes of scratch for the workers of a run, each on its own cache lines; SIZE_MAX: more than possible. */
size_t ir_plan_scratch(const ir_plan *plan, size_t *out_stride);

/* In the plan's first execution: a mapped input of the step that no later step reads. NULL if there is none, and in
 * later executions. */
const ir_tensor *ir_plan_ending_input(ir_plan *plan, size_t step);

#endif

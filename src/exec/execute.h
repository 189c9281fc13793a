/* Executes a plan: its steps in order, in memory that the first execution allocates. */
#ifndef IR_EXECUTE_H
#define IR_EXECUTE_H

#include "exec/plan.h"

/* Executes a plan that is laid out (plan_memory.h) and whose inputs and constants are bound. Reports when memory is
 * out; a stop is only noted, in plan->stopped_at. */
ir_code ir_plan_execute(ir_plan *plan);

#endif

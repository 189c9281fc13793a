/* Executing a plan: its steps in order, in the memory that the first execution takes. */
#ifndef IR_EXECUTE_H
#define IR_EXECUTE_H

#include "exec/plan.h"

/* The plan is laid out (plan_memory.h), and the tensors of inputs and constants are bound. Reports when memory is out,
 * but not that it was stopped: plan->stopped_at says that. */
ir_code ir_plan_execute(ir_plan *plan);

#endif

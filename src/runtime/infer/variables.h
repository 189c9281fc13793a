/* Variables: values that an Assign keeps for the ReadValue of the same variable_id in the next run. */
#ifndef IR_VARIABLES_H
#define IR_VARIABLES_H

#include "runtime/model/model.h"

/* Compares every Assign of an inferred model with the first ReadValue of its variable: reports IR330 where there is
 * none, and where types or shapes have nothing in common. */
ir_code ir_check_variables(irrun_model *model);

#endif

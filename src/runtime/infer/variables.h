/* Variables: values that an Assign keeps for the ReadValue of the same variable_id in the next run. */
#ifndef IR_VARIABLES_H
#define IR_VARIABLES_H

#include "runtime/model/model.h"

/* Compares every Assign of an inferred model with the first ReadValue of its variable. Reports IR330 if there is none,
 * or if their types or shapes are incompatible. */
ir_code ir_check_variables(irrun_model *model);

#endif

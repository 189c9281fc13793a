/* Checks variables: tensors that an Assign keeps for the ReadValue with the same variable_id in the next execution. */
#ifndef IR_VARIABLES_H
#define IR_VARIABLES_H

#include "runtime/model/model.h"

/* Compares every Assign of an inferred model with the first ReadValue of its variable. Reports IR330 if no ReadValue
 * exists, or if type or shape are incompatible. */
ir_code ir_check_variables(irrun_model *model);

#endif

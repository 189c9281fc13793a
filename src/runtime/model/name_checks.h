/* Finds duplicate names. */
#ifndef IR_NAME_CHECKS_H
#define IR_NAME_CHECKS_H

#include "runtime/model/model.h"

/* Reports IR102 and IR112. The model's inputs and outputs must be listed (ir_model_order). */
ir_code ir_check_names(irrun_model *model);
/* Adds a note that names a layer and points at it: "first by layer 'pool' (id 1)". */
void ir_note_layer(irrun_model *model, const ir_layer *layer, ir_at at, const char *what);

#endif

/* Reports duplicate names. */
#ifndef IR_NAME_CHECKS_H
#define IR_NAME_CHECKS_H

#include "runtime/model/model.h"

/* Reports names that are not unique: IR102, IR112, and IR118 in IR version 10. ir_model_order must have listed the
 * model's inputs and outputs. */
ir_code ir_check_names(irrun_model *model);
/* Adds a note to the last diagnostic. The note begins with `what`, names the layer and points at `at`: "first by layer
 * 'pool' (id 1)". */
void ir_note_layer(irrun_model *model, const ir_layer *layer, ir_at at, const char *what);

#endif

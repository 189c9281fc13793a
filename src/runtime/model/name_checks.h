/* Names that stand twice. */
#ifndef IR_NAME_CHECKS_H
#define IR_NAME_CHECKS_H

#include "runtime/model/model.h"

/* Reports IR102 and IR112, of a model whose inputs and outputs are listed (ir_model_order). */
ir_code ir_check_names(irrun_model *model);
/* A note that names a layer, at a place of it: "first by layer 'pool' (id 1)". */
void ir_note_layer(irrun_model *model, const ir_layer *layer, ir_at at, const char *what);

#endif

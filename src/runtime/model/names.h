/* Names of inputs and outputs. */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include "runtime/model/model.h"

/* Makes the list of names of one side on first use. */
ir_code ir_names_make(irrun_model *model, irrun_side side);
/* The name for reports: the first tensor name, else the layer's name. Never NULL. */
const char *ir_name_shown(irrun_model *model, irrun_side side, int64_t index);
/* Resolves a name, or "#ID.PORT", in the whole model. An ambiguous name has several results: `index` counts them from
 * 0; after the last one `out->layer` is -1. */
ir_code ir_tensor_named(irrun_model *model, const char *text, size_t index, ir_tensor_name *out);
/* Frees the lists of both sides and the list for irrun_model_find_tensor. */
void ir_names_free(irrun_model *model);

#endif

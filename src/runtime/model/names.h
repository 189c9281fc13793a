/* Finds inputs, outputs and layers by their names. */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include "runtime/model/model.h"

/* Returns the number of inputs or outputs; 0 if `side` is neither. */
int64_t ir_names_count(const irrun_model *model, irrun_side side);
/* Makes model->names[side] on first use. Refuses a `side` that is neither inputs nor outputs (IR801). */
ir_code ir_names_make(irrun_model *model, irrun_side side);
/* Returns the name of an input or output for reports: its first tensor name, else its layer's name. Never NULL. */
const char *ir_name_shown(irrun_model *model, irrun_side side, int64_t index);
/* Resolves a name, or "#ID.PORT", in the whole model. An ambiguous name has several meanings; `index` selects one, from
 * 0. If the name has no meaning `index`, sets `out->layer` to -1. */
ir_code ir_tensor_named(irrun_model *model, const char *text, size_t index, ir_tensor_name *out);
/* Whether everything that has the name, as a layer or a tensor, is one tensor. */
ir_code ir_names_one_tensor(irrun_model *model, const char *text, bool *out_is_one);
/* The first layer with the id. NULL if there is none, or when memory is out. */
const ir_node *ir_node_with_id(irrun_model *model, int64_t id);
/* The key "#ID.PORT" of an output. NULL when memory is out. */
const char *ir_key_by_id(irrun_model *model, int64_t layer, int port);
/* Frees model->names and model->tensor_names. */
void ir_names_free(irrun_model *model);

#endif

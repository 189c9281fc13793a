/* Infers a model's layers in order, and those of its bodies where their layers stand. */
#ifndef IR_WALK_H
#define IR_WALK_H

#include "runtime/model/model.h"

/* Infers every layer and compares it with what it declares. A body is inferred when its layer is reached, once with
 * what its Parameters get first, and in silence again until what back edges bring fits; a body that cannot be entered
 * is inferred with what its Parameters declare. IR_NO_MEMORY when memory is out. */
ir_code ir_model_walk(irrun_model *model);

#endif

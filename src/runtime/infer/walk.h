/* Infers a model's layers in order; a body is inferred when its layer is reached. */
#ifndef IR_WALK_H
#define IR_WALK_H

#include "runtime/model/model.h"

/* Infers every layer and compares it with its declaration. A body is inferred with the first values of its Parameters,
 * then again without reports until the values of the back edges fit; if its inputs are unusable it is inferred with the
 * declared shapes of its Parameters. IR_NO_MEMORY when memory is out. */
ir_code ir_model_walk(irrun_model *model);

#endif

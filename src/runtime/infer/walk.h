/* Infers the layers of a model and its bodies in order. */
#ifndef IR_WALK_H
#define IR_WALK_H

#include "runtime/model/model.h"

/* Infers every layer and compares it with its declaration. A body is inferred when its layer is reached: first with the
 * values that enter its Parameters, then without reports until the back edges change no shape. If a layer is at fault,
 * its bodies are inferred with the declared shapes of their Parameters. Returns IR_NO_MEMORY if memory is out. */
ir_code ir_model_walk(irrun_model *model);

#endif

/* Shapes that the caller gives for inputs whose model leaves them open: --shape. */
#ifndef IR_NARROW_H
#define IR_NARROW_H

#include "runtime/model/model.h"

/* A stage between bind and infer: reads model->shape_texts, each "[NAME=]1,3,?,1..640", into model->narrowings.
 * Reports texts that are no shape (IR801) and names that no input has (IR502). */
ir_code ir_model_narrow(irrun_model *model);

/* A shape as the caller writes it, in the grammar of a Parameter's `shape`. False when it is none. */
bool ir_shape_from_text(const ir_memory *memory, const char *text, ir_shape *out);
/* A type, a shape in brackets, or both: "f32", "[1,3]", "f32[1,3]"; what is not said is IR_DYNAMIC, or any shape. */
bool ir_value_from_text(const ir_memory *memory, const char *text, ir_type *out_type, ir_shape *out_shape);

/* Narrows the inferred output of an input's node, when a shape was given for it. A dim `?` keeps the model's own;
 * another has to lie within it (IR503). */
void ir_narrow_input(irrun_model *model, ir_node *node);

#endif

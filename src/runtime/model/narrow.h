/* Reads --shape: shapes that the caller gives for inputs with open shapes. */
#ifndef IR_NARROW_H
#define IR_NARROW_H

#include "runtime/model/model.h"

/* Runs between bind and infer: parses model->shape_texts, each "[NAME=]1,3,?,1..640", into model->narrowings. Reports
 * malformed shapes (IR801) and names that no input has (IR502). */
ir_code ir_model_narrow(irrun_model *model);

/* Parses a shape in the grammar of a Parameter's `shape`. False if it is malformed. */
bool ir_shape_from_text(const ir_memory *memory, const char *text, ir_shape *out);
/* Parses a type, a shape in brackets, or both: "f32", "[1,3]", "f32[1,3]". A missing type is IR_DYNAMIC, a missing
 * shape is any shape. */
bool ir_value_from_text(const ir_memory *memory, const char *text, ir_type *out_type, ir_shape *out_shape);

/* Narrows the inferred output of an input's node to the caller's shape, if there is one. A dim `?` keeps the model's
 * dim; any other dim has to lie within it (IR503). */
void ir_narrow_input(irrun_model *model, ir_node *node);

#endif

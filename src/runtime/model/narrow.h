/* Implements --shape: the caller sets shapes and types of inputs that the model leaves open. */
#ifndef IR_NARROW_H
#define IR_NARROW_H

#include "runtime/model/model.h"

/* Parses model->shape_texts, each "[NAME=]1,3,?,1..640", into model->narrowings. Reports malformed shapes (IR801) and
 * names that no input has (IR502). Runs between bind and infer. */
ir_code ir_model_narrow(irrun_model *model);

/* Parses a shape in the grammar of a Parameter's `shape`. False if it is malformed. */
bool ir_shape_from_text(const ir_memory *memory, const char *text, ir_shape *out);
/* Parses a type, a shape in brackets, or both: "f32", "[1,3]", "f32[1,3]". A missing type becomes IR_DYNAMIC, and a
 * missing shape becomes a shape of unknown rank. False if the text is malformed. */
bool ir_value_from_text(const ir_memory *memory, const char *text, ir_type *out_type, ir_shape *out_shape);

/* If the caller set a shape for the input, narrows the node's inferred output to that shape. A dim `?` keeps the
 * model's dim; any other dim must lie within the model's dim (else IR503). */
void ir_narrow_input(irrun_model *model, ir_node *node);

#endif

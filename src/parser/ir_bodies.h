/* Reads the parts of an If, Loop or TensorIterator: bodies, which are graphs of their own, port maps and back edges. */
#ifndef IR_BODIES_READER_H
#define IR_BODIES_READER_H

#include "ir_reader_state.h"

/* Whether <name> is allowed in the open layer: then_body in an If, back_edges in a Loop. */
bool ir_takes_body_part(const ir_layer *layer, const ir_text *name);
/* Makes a body, for which the caller opens a reader; NULL if the layer has a body of that name, which is reported. */
ir_code ir_begin_body(ir_reader *reader, const ir_tag *tag, ir_graph **out_body);
ir_code ir_begin_map(ir_reader *reader, ir_element element, const ir_tag *tag);
/* Reads an item of a port map or of the back edges. */
ir_code ir_begin_line(ir_reader *reader, ir_line_kind kind, const ir_tag *tag);

#endif

/* Reads the children of an If, Loop or TensorIterator layer: bodies, port maps and back edges. A body is a graph of its
 * own. */
#ifndef IR_BODIES_READER_H
#define IR_BODIES_READER_H

#include "ir_reader_state.h"

/* Returns whether the layer can have a child <name>: for example, an If can have a <then_body>, a Loop <back_edges>. */
bool ir_takes_body_part(const ir_layer *layer, const ir_text *name);
/* Makes the graph of a body, for which the caller opens a reader. If the layer already has a body of that name, reports
 * IR007 and sets `*out_body` to NULL. */
ir_code ir_begin_body(ir_reader *reader, const ir_tag *tag, ir_graph **out_body);
ir_code ir_begin_map(ir_reader *reader, ir_element element, const ir_tag *tag);
/* Reads one item (ir_line) of a port map or of <back_edges>. */
ir_code ir_begin_line(ir_reader *reader, ir_line_kind kind, const ir_tag *tag);

#endif

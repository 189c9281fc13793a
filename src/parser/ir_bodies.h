/* What an If, Loop or TensorIterator holds: bodies, which are graphs of their own, port maps and back edges. */
#ifndef IR_BODIES_READER_H
#define IR_BODIES_READER_H

#include "ir_reader_state.h"

/* Whether <name> may stand in the open layer: then_body in an If, back_edges in a Loop. */
bool ir_takes_body_part(const ir_layer *layer, const ir_text *name);
/* Of <body>, <then_body>, <else_body>, and of the port maps: which of the layer's bodies is meant. */
int ir_number_of_body(const ir_text *name);
/* Makes the body and opens `reader->inner`, which reads it. */
ir_code ir_begin_body(ir_reader *reader, const ir_tag *tag);
void ir_end_body(ir_reader *reader);
ir_code ir_begin_map(ir_reader *reader, ir_element element, const ir_tag *tag);
/* A line of a port map or of the back edges. */
ir_code ir_begin_line(ir_reader *reader, ir_line_kind kind, const ir_tag *tag);

/* The reader of the innermost open body, which is `reader` itself when none is open. */
static inline ir_reader *ir_innermost(ir_reader *reader) {
  while (reader->inner != NULL)
    reader = reader->inner;
  return reader;
}

#endif

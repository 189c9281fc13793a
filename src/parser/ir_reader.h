/* Start tags, end tags and texts of an IR -> a graph. Knows nothing of the XML parser in front of it. */
#ifndef IR_READER_H
#define IR_READER_H

#include "ir_reader_state.h"

/* False when memory is out. */
bool ir_reader_init(ir_reader *reader, ir_graph *graph, ir_diags *diags);
void ir_reader_reset(ir_reader *reader);

/* What is not IR_OK ends the reading; faults that leave the rest readable are only reported. */
ir_code ir_reader_start(ir_reader *reader, const ir_tag *tag);
/* `at`: the text of a <dim>, without the blanks around it; else not looked at. */
ir_code ir_reader_end(ir_reader *reader, ir_at at);
/* Text of the open <dim>, CDATA too, in as many pieces as it comes. */
void ir_reader_add_text(ir_reader *reader, const char *text, size_t length);
/* Text that is not blank, elsewhere. */
void ir_reader_stray_text(ir_reader *reader, ir_at at);

/* Whether what comes next up to the end of an element is passed over; then ir_reader_pass does for ir_reader_start. */
static inline bool ir_reader_passes(ir_reader *outermost) {
  const ir_reader *reader = ir_innermost(outermost);
  return reader->n_passed > (reader->in_stranger ? 1 : 0) || reader->port_is_read;
}
static inline void ir_reader_pass(ir_reader *outermost) {
  ir_innermost(outermost)->n_passed++;
}
static inline bool ir_reader_in_dim(ir_reader *outermost) {
  const ir_reader *reader = ir_innermost(outermost);
  return reader->n_passed == 0 && reader->n_levels > 0 &&
         reader->levels[reader->n_levels - 1].element == IR_ELEMENT_DIM;
}

#endif

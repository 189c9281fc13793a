/* Converts start tags, end tags and texts of an IR to a graph. It is independent of the XML parser that calls it. */
#ifndef IR_READER_H
#define IR_READER_H

#include "ir_reader_state.h"

/* Initializes a reader. False when memory is out. */
bool ir_reader_init(ir_reader *reader, ir_graph *graph, ir_diags *diags);
void ir_reader_reset(ir_reader *reader);

/* Reads a start tag. A code other than IR_OK ends the reading; lesser faults are only reported. */
ir_code ir_reader_start(ir_reader *reader, const ir_tag *tag);
/* Reads an end tag. `at`: the text of a <dim> without surrounding blanks; ignored for other elements. */
ir_code ir_reader_end(ir_reader *reader, ir_at at);
/* Adds text of the open <dim>, also CDATA, in any number of pieces. */
void ir_reader_add_text(ir_reader *reader, const char *text, size_t length);
/* Reports text other than blanks in another element. */
void ir_reader_stray_text(ir_reader *reader, ir_at at);

/* Whether the content up to the end of an element is skipped; then call ir_reader_pass instead of ir_reader_start. */
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

/* Converts the start tags, end tags and texts of an IR into a graph. The caller parses the XML, so this reader depends
 * on no XML parser. */
#ifndef IR_READER_H
#define IR_READER_H

#include "ir_reader_state.h"

/* Returns false if memory is out. */
bool ir_reader_init(ir_reader *reader, ir_graph *graph, ir_diags *diags);
void ir_reader_reset(ir_reader *reader);

/* Reads a start tag. A code other than IR_OK ends the reading of the file. If a fault was reported but reading can
 * continue, the code is IR_OK. */
ir_code ir_reader_start(ir_reader *reader, const ir_tag *tag);
/* Reads an end tag. For a <dim>, `at` is the place of the element's text without surrounding blanks; else `at` is
 * ignored. */
ir_code ir_reader_end(ir_reader *reader, ir_at at);
/* Appends a piece of the text of the open <dim>. CDATA is text, too. */
void ir_reader_add_text(ir_reader *reader, const char *text, size_t length);
/* Reports non-blank text, at place `at`, in an element other than <dim>. */
void ir_reader_stray_text(ir_reader *reader, ir_at at);

/* Returns whether the content of the innermost open element is skipped. If so, the caller calls ir_reader_pass_element
 * instead of ir_reader_start. */
static inline bool ir_reader_passes(ir_reader *outermost) {
  const ir_reader *reader = ir_innermost(outermost);
  return reader->n_passed > (reader->in_stranger ? 1 : 0) || reader->port_is_read;
}
static inline void ir_reader_pass(ir_reader *outermost) {
  ir_innermost(outermost)->n_passed++;
}
/* Skips an element. If it is a <data> with an offset in the .bin, records that in the open layer. `attributes` has five
 * pointers for each attribute, the first to the name, as libxml2's startElementNs gets them. */
void ir_reader_pass_element(ir_reader *outermost, const char *name, int n_attributes, const unsigned char **attributes);
static inline bool ir_reader_in_dim(ir_reader *outermost) {
  const ir_reader *reader = ir_innermost(outermost);
  return reader->n_passed == 0 && reader->n_levels > 0 &&
         reader->levels[reader->n_levels - 1].element == IR_ELEMENT_DIM;
}

#endif

/* Writes a graph as the XML of an IR, the reverse of the reader. */
#ifndef IR_WRITE_H
#define IR_WRITE_H

#include "base/byte_stream.h"
#include "graph/graph.h"

/* The first character that XML forbids in a text (UTF-8, or NULL); 0 if there is none. */
uint32_t ir_xml_forbids(const char *text);
/* Writes the graph as an IR of its version; an unknown dim is -1, a port of unknown rank has no dims. Reports only when
 * memory is out; the sink keeps its own failures. `texts` has for each layer its XML, or NULL to write its fields (not
 * possible for a layer with bodies); `texts` NULL: all layers are written from fields. */
ir_code ir_write_graph(const ir_graph *graph, const char *const *texts, ir_byte_sink sink, ir_diags *diags);

#endif

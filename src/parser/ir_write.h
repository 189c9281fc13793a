/* Writes a graph as the XML of an IR. */
#ifndef IR_WRITE_H
#define IR_WRITE_H

#include "base/byte_stream.h"
#include "graph/graph.h"

/* Returns the first character of `text` (UTF-8, or NULL) that XML forbids; 0 if there is none. */
uint32_t ir_xml_forbids(const char *text);
/* Writes the graph as an IR of its version; an open dim becomes -1, and a port of unknown rank gets no <dim>.
 * `texts[i]` is the XML of layer i; if `texts[i]` or `texts` is NULL, the layer is written from its fields, without
 * bodies. Reports only if memory is out; the sink keeps the reason of its own failure. */
ir_code ir_write_graph(const ir_graph *graph, const char *const *texts, ir_byte_sink sink, ir_diags *diags);

#endif

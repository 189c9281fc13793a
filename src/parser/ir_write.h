/* Graph -> the XML of an IR: the reader's other direction. */
#ifndef IR_WRITE_H
#define IR_WRITE_H

#include "base/byte_stream.h"
#include "graph/graph.h"

/* The first character of a text, which is UTF-8 or NULL, that XML does not allow; 0 when there is none. */
uint32_t ir_xml_forbids(const char *text);
/* Writes the graph as an IR of its version; a dim that is not known is -1, a port of unknown rank has none. The sink
 * knows of its own failures; reported is only when memory is out. `texts` has for each layer its XML, or NULL for one
 * that is made of its fields, as bodies are not; NULL: all are. */
ir_code ir_write_graph(const ir_graph *graph, const char *const *texts, ir_byte_sink sink, ir_diags *diags);

#endif

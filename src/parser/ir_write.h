/* Graph -> the XML of an IR: the reader's other direction. */
#ifndef IR_WRITE_H
#define IR_WRITE_H

#include "byte_stream.h"
#include "graph.h"

/* Reports every name of the graph that XML cannot hold (IR213), at the place that its layer has in graph->source. */
ir_code ir_check_writable(const ir_graph *graph, ir_diags *diags);
/* Writes the graph as an IR of its version; a dim that is not known is -1, a port of unknown rank has none. The sink
 * knows of its own failures; reported is only when memory is out. */
ir_code ir_write_graph(const ir_graph *graph, ir_byte_sink sink, ir_diags *diags);

#endif

/* Reads the XML of an OpenVINO IR, version 10 or 11, into a graph, in one pass. The memory for reading depends on the
 * size of the graph, not of the file. */
#ifndef IR_XML_H
#define IR_XML_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`. After IR_OK, the graph can be checked further, even if faults
 * were reported. After any other code, the graph is unusable, for example because the XML is malformed, the root is not
 * <net>, or a limit was exceeded. */
ir_code ir_xml_read(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

/* Reads OpenVINO IR, versions 10 and 11, from XML to a graph. One pass; memory grows with the graph, not with the
 * file. */
#ifndef IR_XML_H
#define IR_XML_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`. IR_OK: the graph can be checked further, though faults may have
 * been reported. Any other code: the graph is unusable, because the XML is malformed, the root is not <net>, the
 * version is not 10 or 11, or a limit or memory was exceeded. */
ir_code ir_xml_read(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

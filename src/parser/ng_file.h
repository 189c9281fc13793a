/* Reads nGraph's JSON models, plain or in a cpio archive, into a graph. */
#ifndef NG_FILE_H
#define NG_FILE_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`; after a code other than IR_OK, the graph is unusable. Its
 * layers are the Parameters in the order of `parameters`, the other nodes in the order of `ops`, then the Results in
 * the order of `result`. */
ir_code ir_ng_read(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

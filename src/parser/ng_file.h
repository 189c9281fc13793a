/* Reads nGraph's JSON models, plain or in a cpio archive, to a graph. */
#ifndef NG_FILE_H
#define NG_FILE_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`. IR_OK: the graph can be checked further, though faults may have
 * been reported. Its layers are the model's Parameters in the order of `parameters`, the other nodes in the order of
 * `ops`, then the Results in the order of `result`. Any other code: the graph is unusable, because the text is no JSON,
 * has no function, or exceeds a limit or memory. */
ir_code ir_ng_read(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

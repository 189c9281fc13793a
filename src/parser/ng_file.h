/* nGraph's JSON models, plain or in a cpio archive -> graph. */
#ifndef NG_FILE_H
#define NG_FILE_H

#include "graph/graph.h"

/* Fills an initialized graph, which owns `source` from now on. IR_OK: the graph can be checked further, though faults
 * may have been reported. Layers: the model's Parameters in the order of `parameters`, then the other nodes in the
 * order of `ops`, then the Results in the order of `result`. Else nothing can be concluded from it: the text is no
 * JSON, has no function, or a limit or memory was exceeded. */
ir_code ir_ng_read(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

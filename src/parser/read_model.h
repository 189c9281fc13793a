/* Reads a model file, which is an IR or an nGraph model, into a graph. */
#ifndef IR_READ_MODEL_H
#define IR_READ_MODEL_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`. After IR_OK, the graph can be checked further. If the file is
 * no IR and no nGraph model, reports IR002 with the kind of the file. */
ir_code ir_read_model(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

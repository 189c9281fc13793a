/* A model file of any kind -> a graph. */
#ifndef IR_READ_MODEL_H
#define IR_READ_MODEL_H

#include "graph/graph.h"

/* Fills an initialized graph, which owns `source` from now on, by the reader for the kind of file that it is. IR_OK:
 * the graph can be checked further. A file that is no model, or of a kind that is not read, is reported as what it is.
 */
ir_code ir_read_model(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

/* Reads a model file of any kind to a graph. */
#ifndef IR_READ_MODEL_H
#define IR_READ_MODEL_H

#include "graph/graph.h"

/* Fills an initialized graph, which then owns `source`, with the reader for the file's kind. IR_OK: the graph can be
 * checked further. A file that is no model, or of an unsupported kind, is reported with its kind. */
ir_code ir_read_model(ir_source *source, ir_graph *graph, ir_diags *diags);

#endif

/* Bodies of TensorIterator in IR versions 2 to 7. Their port maps and back edges name ports of any layers of the body;
 * those of the opsets name Parameters and Results. */
#ifndef IR_LEGACY_BODIES_H
#define IR_LEGACY_BODIES_H

#include "graph/graph.h"

/* Adds to the bodies of the layers of `outer` a layer Input for each input port that the port map or a back edge feeds,
 * a layer Result for each output port that they read, and their edges; the lines then name these layers. Converts the
 * lines' other attributes too. Call it for the model first, and for a body before the bodies in it. Returns false if
 * memory is out. */
bool ir_add_body_ends(ir_graph *outer);

#endif

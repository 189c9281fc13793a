/* Copies the XML text of chosen layers from the file of an IR. */
#ifndef IR_LAYER_TEXTS_H
#define IR_LAYER_TEXTS_H

#include "graph/graph.h"

/* An ir_move_constant is called for each constant. `*offset` is the constant's offset in the .bin (bytes), which the
 * callback can change. */
typedef ir_code (*ir_move_constant)(void *user, int64_t *offset, int64_t size);

/* Sets `texts[i]` to the XML of layer i if `wanted[i]`, with the layer's bodies and the elements that irrun does not
 * read. The arena owns the texts; the graph must have been read without a fault. If `move` is not NULL, it is called
 * for each constant in these layers and in their bodies. */
ir_code ir_layer_texts(const ir_graph *graph, const bool *wanted, ir_move_constant move, void *user, ir_arena *arena,
                       ir_diags *diags, const char **texts);

#endif

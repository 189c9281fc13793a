/* Copies layers of an IR as they are spelled in its file. */
#ifndef IR_LAYER_TEXTS_H
#define IR_LAYER_TEXTS_H

#include "graph/graph.h"

/* Called with the place of a constant in the .bin; sets its new place. */
typedef ir_code (*ir_move_constant)(void *user, int64_t *offset, int64_t size);

/* Fills `texts` with the XML of each wanted layer, including bodies and parts that irrun does not read; leaves the
 * others alone. The arena owns the texts. `move` is called for every constant of these layers, also in bodies; NULL:
 * constants keep their places. The graph must have been read without a fault. */
ir_code ir_layer_texts(const ir_graph *graph, const bool *wanted, ir_move_constant move, void *user, ir_arena *arena,
                       ir_diags *diags, const char **texts);

#endif

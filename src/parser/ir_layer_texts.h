/* Layers of an IR as they stand in its file. */
#ifndef IR_LAYER_TEXTS_H
#define IR_LAYER_TEXTS_H

#include "graph/graph.h"

/* Gets where a constant lies in the .bin, and puts where it is to lie. */
typedef ir_code (*ir_move_constant)(void *user, int64_t *offset, int64_t size);

/* `texts` gets the XML of each wanted layer, bodies and all that irrun does not read included; others are left alone.
 * It lives in the arena. `move` is called for every constant of them, also in bodies; NULL: they stay where they are.
 * The graph was read without a fault. */
ir_code ir_layer_texts(const ir_graph *graph, const bool *wanted, ir_move_constant move, void *user, ir_arena *arena,
                       ir_diags *diags, const char **texts);

#endif

/* The one way to infer a node: when a model is checked, and again when a run knows sizes that the model leaves open. */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "runtime/model/model.h"

/* The most inputs that any of the nodes has. */
size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes);

/* One of which nothing is known. */
const ir_value *ir_poisoned_value(void);

/* Points in[i] at what feeds input i in `nodes`; at an unknown value when nothing does. `in` has node->n_inputs places.
 */
void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in);

/* Gives the node a copy of its outputs, to be changed: others may share them, nodes or the model that a run was made
 * of. False when memory is out; it has them still. */
bool ir_own_outputs(ir_node *node, ir_arena *arena);

/* Checks the inputs against the op's rows, binds what depends on the rank, and infers the outputs. */
ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* The one way to infer a node: when a model is checked, and again when a run knows sizes that the model leaves open. */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "runtime/model/node_values.h"

/* Gives the node a copy of its outputs, to be changed: others may share them, nodes or the model that a run was made
 * of. False when memory is out; it has them still. */
bool ir_own_outputs(ir_node *node, ir_arena *arena);

/* Whether what is told of the node's outputs comes of what an input of the run holds. */
bool ir_reads_input(const ir_node *nodes, const ir_node *node);

/* Checks the inputs against the op's rows, binds what depends on the rank, and infers the outputs. */
ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

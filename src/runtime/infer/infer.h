/* Infers a node: when a model is checked, and again when a run knows sizes that the model leaves open. */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "runtime/model/node_values.h"

/* Gives the node its own copy of its outputs, which other nodes or the run's model may share. If memory is out, returns
 * false and leaves them shared. */
bool ir_own_outputs(ir_node *node, ir_arena *arena);

/* Whether anything known about the node's outputs depends on the contents of a run's input. */
bool ir_reads_input(const ir_node *nodes, const ir_node *node);

/* Checks the inputs against the op's row, binds attributes that depend on the rank, and infers the outputs. */
ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* Infers a single node: in the check of a model, and in a run, whose inputs determine open sizes. */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "runtime/model/node_values.h"

/* Replaces the node's outputs, which other nodes or the run's model can share, by a copy in the arena. If memory is
 * out, returns false and changes nothing. */
bool ir_own_outputs(ir_node *node, ir_arena *arena);

/* Whether the contents or ranges of the node's outputs depend on the elements of a run's input. */
bool ir_reads_input(const ir_node *nodes, const ir_node *node);

/* Checks the inputs against the op's row, checks the lengths of attribute lists that have one item for each spatial
 * axis, and infers the outputs. */
ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* Infers a node: when a model is checked, and again when a run knows sizes that the model leaves open. */
#ifndef IR_INFER_H
#define IR_INFER_H

#include "runtime/model/model.h"

/* The largest number of inputs of any node. */
size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes);

/* A value about which nothing is known. */
const ir_value *ir_poisoned_value(void);

/* Points in[i] at the output in `nodes` that feeds input i, or at a poisoned value if there is none. `in` has room for
 * node->n_inputs. */
void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in);

/* Gives the node its own copy of its outputs, which other nodes or the run's model may share. If memory is out, returns
 * false and leaves them shared. */
bool ir_own_outputs(ir_node *node, ir_arena *arena);

/* Whether anything known about the node's outputs depends on the contents of a run's input. */
bool ir_reads_input(const ir_node *nodes, const ir_node *node);

/* Checks the inputs against the op's row, binds attributes that depend on the rank, and infers the outputs. */
ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope);

#endif

/* Finds the values that feed a node, and the values that the file declares for its ports. */
#ifndef IR_NODE_VALUES_H
#define IR_NODE_VALUES_H

#include "runtime/model/model.h"

/* The largest number of inputs that a node has. */
size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes);

/* The address of a static value that is poisoned. */
const ir_value *ir_poisoned_value(void);

/* Whether inference accepted the node, so that its formula and cost can be computed. */
bool ir_is_inferred(const ir_node *node);

/* Points in[i] at the output that feeds input i; `nodes` are all nodes of the model. If no output feeds the input, or
 * the node is in a cycle, in[i] is poisoned. `in` has room for node->n_inputs. */
void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in);

/* The bit of a port in the masks of ir_declared_check. Ports from 63 on share the last bit. */
static inline uint64_t ir_port_bit(int32_t port) {
  return UINT64_C(1) << (port < 63 ? port : 63);
}

/* Whether the port's declaration is compatible with the value's type and shape; true for a poisoned value. The next two
 * functions compare only the type, or only the shape. */
bool ir_port_agrees(const ir_port *port, const ir_value *value);
bool ir_port_type_agrees(const ir_port *port, const ir_value *value);
bool ir_port_shape_agrees(const ir_port *port, const ir_value *value);
/* The declared type and shape as a value; poisoned if the port declares neither. */
ir_value ir_port_value(const ir_port *port);

#endif

/* The values around a node: what feeds its inputs, and what the file declares of its ports. */
#ifndef IR_NODE_VALUES_H
#define IR_NODE_VALUES_H

#include "runtime/model/model.h"

/* The largest number of inputs of any node. */
size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes);

/* A value about which nothing is known. */
const ir_value *ir_poisoned_value(void);

/* Points in[i] at the output in `nodes` that feeds input i, or at a poisoned value if there is none. `in` has room for
 * node->n_inputs. */
void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in);

/* The bit of a port in ir_declared_check; ports from 63 on share the last bit. */
static inline uint64_t ir_port_bit(int32_t port) {
  return UINT64_C(1) << (port < 63 ? port : 63);
}

/* Whether the port's declaration fits this value's type and shape; the others compare only the type or the shape. */
bool ir_port_agrees(const ir_port *port, const ir_value *value);
bool ir_port_type_agrees(const ir_port *port, const ir_value *value);
bool ir_port_shape_agrees(const ir_port *port, const ir_value *value);
/* The port's declaration as a value; a poisoned one if it declares nothing. */
ir_value ir_port_value(const ir_port *port);

#endif

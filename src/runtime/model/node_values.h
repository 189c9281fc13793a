/* The values around a node: what feeds its inputs, and what the file declares of its ports. */
#ifndef IR_NODE_VALUES_H
#define IR_NODE_VALUES_H

#include "runtime/model/model.h"

/* The most inputs that any of the nodes has. */
size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes);

/* One of which nothing is known. */
const ir_value *ir_poisoned_value(void);

/* Points in[i] at what feeds input i in `nodes`; at an unknown value when nothing does. `in` has node->n_inputs places.
 */
void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in);

/* The bit of a port in ir_declared_check; the last one stands for all that follow. */
static inline uint64_t ir_port_bit(int32_t port) {
  return UINT64_C(1) << (port < 63 ? port : 63);
}

/* True when the port's declaration may be of this value; of its type and its shape alone. */
bool ir_port_agrees(const ir_port *port, const ir_value *value);
bool ir_port_type_agrees(const ir_port *port, const ir_value *value);
bool ir_port_shape_agrees(const ir_port *port, const ir_value *value);
/* The port's declaration as a value; unknown when it declares nothing. */
ir_value ir_port_value(const ir_port *port);

#endif

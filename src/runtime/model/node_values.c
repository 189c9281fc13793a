#include "runtime/model/node_values.h"
#include <string.h>

static const ir_value poisoned_value = {.poisoned = true, .shape = {.rank = IR_RANK_UNKNOWN}};

size_t ir_most_inputs(const ir_node *nodes, size_t n_nodes) {
  int32_t most = 0;
  for (size_t i = 0; i < n_nodes; i++)
    most = nodes[i].n_inputs > most ? nodes[i].n_inputs : most;
  return (size_t)most;
}

const ir_value *ir_poisoned_value(void) {
  return &poisoned_value;
}

/* A refused layer can lack inputs that its cost function reads. */
bool ir_is_inferred(const ir_node *node) {
  return node->op != NULL && node->params != NULL && node->n_outputs > 0 && !node->outputs[0].poisoned &&
         !node->refused;
}

void ir_gather_inputs(const ir_node *nodes, const ir_node *node, const ir_value **in) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    ir_link link = node->inputs[i];
    in[i] = link.layer < 0 || node->in_cycle ? &poisoned_value : &nodes[link.layer].outputs[link.port];
  }
}

ir_value ir_port_value(const ir_port *port) {
  ir_value value = {
      .type = port->type, .shape = ir_shape_unknown(), .poisoned = port->rank < 0 && port->type == IR_DYNAMIC};
  if (port->rank >= 0) {
    value.shape.rank = port->rank;
    memcpy(value.shape.dims, port->dims, (size_t)port->rank * sizeof *port->dims);
  }
  return value;
}

bool ir_port_type_agrees(const ir_port *port, const ir_value *value) {
  return port->type == IR_DYNAMIC || value->type == IR_DYNAMIC || port->type == value->type;
}

bool ir_port_shape_agrees(const ir_port *port, const ir_value *value) {
  if (port->rank < 0 || value->shape.rank < 0)
    return true;
  bool agrees = port->rank == value->shape.rank;
  for (int i = 0; agrees && i < port->rank; i++)
    agrees = ir_dims_meet(port->dims[i], value->shape.dims[i]);
  return agrees;
}

bool ir_port_agrees(const ir_port *port, const ir_value *value) {
  return value->poisoned || (ir_port_type_agrees(port, value) && ir_port_shape_agrees(port, value));
}

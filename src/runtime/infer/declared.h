/* What a file declares of its ports, compared with what was inferred. */
#ifndef IR_DECLARED_H
#define IR_DECLARED_H

#include "runtime/model/model.h"

/* Gives the unknown outputs of a refused layer the values that it declares, so that faults of later layers are found as
 * well. */
void ir_go_on_as_declared(irrun_model *model, ir_node *node);

/* Compares the ports of a node that was inferred from in[..]: IR301 and IR302, once where a declaration is first wrong.
 * A declaration that is what the op gives for wrongly declared inputs follows from those and is not reported. */
void ir_compare_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Compares a Parameter's port with its attribute 'shape': they have to be equal. If they differ and that is an error,
 * the Parameter gets the shape that fits both, so that no later layer is reported for it. Called before --shape or an
 * input narrows the shape. */
void ir_check_parameter_port(irrun_model *model, ir_node *node);

/* Where a shape depends on contents that cannot be seen in this check (ir_value.contents_unavailable), takes from the
 * declared outputs the dims that inference leaves open, if the rest fits; ir_declared_check.assumed tells of which.
 * True when it did. */
bool ir_assume_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Whether the op refuses in[..] by an echo of a fault that was reported: the file declares one of them wrongly where it
 * comes from, and the op takes them as they are declared. */
bool ir_refusal_is_echo(irrun_model *model, const ir_node *node, const ir_value *const *in);

/* The outputs alone, for a node inferred again with the sizes of a run: reports IR301. */
void ir_check_declared_outputs(irrun_model *model, const ir_node *node, const ir_value *const *in);

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

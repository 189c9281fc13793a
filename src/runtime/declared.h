/* What a file declares of its ports, compared with what was inferred. */
#ifndef IR_DECLARED_H
#define IR_DECLARED_H

#include "runtime/model.h"

/* Compares the ports of a node that was inferred from in[..]: IR301 and IR302, once where a declaration is first wrong.
 * A declaration that is what the op gives for wrongly declared inputs follows from those and is not reported. */
void ir_compare_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* The outputs alone, for a node inferred again with the sizes of a run: reports IR301. */
void ir_check_declared_outputs(irrun_model *model, const ir_node *node, const ir_value *const *in);

/* True when the port's declaration may be of this value; of its type and its shape alone. */
bool ir_port_agrees(const ir_port *port, const ir_value *value);
bool ir_port_type_agrees(const ir_port *port, const ir_value *value);
bool ir_port_shape_agrees(const ir_port *port, const ir_value *value);
/* The port's declaration as a value; unknown when it declares nothing. */
ir_value ir_port_value(const ir_port *port);

#endif

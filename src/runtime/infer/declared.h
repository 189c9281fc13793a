/* Compares declared types and shapes of ports with the inferred ones. */
#ifndef IR_DECLARED_H
#define IR_DECLARED_H

#include "runtime/model/node_values.h"

/* Replaces poisoned outputs of a layer that is at fault by their declared values, so later layers are checked too. */
void ir_go_on_as_declared(irrun_model *model, ir_node *node);

/* Compares the declarations of a node's ports with its inputs in[..] and its inferred outputs. Reports IR301 and IR302.
 * A wrong declaration is not reported if it follows from wrongly declared inputs. */
void ir_compare_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Whether a dim that a Parameter's port declares is that of its attribute 'shape': the same number, or -1 if that is
 * open. OpenVINO writes wrong sizes in bodies, so that there the dims only have to meet, as in other ports. */
bool ir_parameter_dim_agrees(ir_dim declared, ir_dim dim);

/* Compares a Parameter's port with its attribute 'shape', which must be equal. If the difference is an error, widens
 * the Parameter's shape to include both, so that later layers are not reported. Call before --shape or a run's input
 * narrows the shape. */
void ir_check_parameter_port(irrun_model *model, ir_node *node);

/* If an output shape depends on unavailable contents (ir_value.contents_unavailable), sets open dims from the declared
 * outputs. Outputs whose other dims contradict the declaration are left open. Returns true if dims were set, and
 * records the outputs in ir_declared_check.assumed. */
bool ir_assume_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Whether the op refuses in[..] only because of a fault that was reported: a producer declares its output wrongly, and
 * the op accepts the inputs as declared. */
bool ir_refusal_is_echo(irrun_model *model, const ir_node *node, const ir_value *const *in);

/* Compares only the outputs, after the node was inferred again with the sizes of a run. Reports IR301. */
void ir_check_declared_outputs(irrun_model *model, const ir_node *node, const ir_value *const *in);

#endif

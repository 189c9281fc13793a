/* Compares the declared types and shapes of ports with the inferred ones. */
#ifndef IR_DECLARED_H
#define IR_DECLARED_H

#include "runtime/model/node_values.h"

/* Gives the poisoned outputs of a refused layer their declared values, so that faults of later layers are found too. */
void ir_go_on_as_declared(irrun_model *model, ir_node *node);

/* Compares the ports of a node that was inferred from in[..]. Reports IR301 and IR302 where a declaration is first
 * wrong; a wrong declaration that follows from wrongly declared inputs is not reported. */
void ir_compare_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Compares a Parameter's port with its attribute 'shape', which must be equal. If the difference is an error, the
 * Parameter gets the shape that fits both, so that later layers are not reported for it. Runs before --shape or an
 * input narrows the shape. */
void ir_check_parameter_port(irrun_model *model, ir_node *node);

/* If a shape depends on contents that this check cannot see (ir_value.contents_unavailable), fills open dims from
 * the declared outputs, provided that the other dims fit; records it in ir_declared_check.assumed. True if it filled
 * any. */
bool ir_assume_declared(irrun_model *model, ir_node *node, const ir_value *const *in);

/* Whether the op's refusal of in[..] only repeats a reported fault: the producer of an input declared it wrongly, and
 * the op accepts the declared inputs. */
bool ir_refusal_is_echo(irrun_model *model, const ir_node *node, const ir_value *const *in);

/* Compares only the outputs of a node that was inferred again with the sizes of a run: reports IR301. */
void ir_check_declared_outputs(irrun_model *model, const ir_node *node, const ir_value *const *in);

#endif

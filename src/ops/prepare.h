/* How an op becomes steps of a plan: what its `prepare` (ops/op.h) may call. */
#ifndef IR_PREPARE_H
#define IR_PREPARE_H

#include "exec/plan.h"
#include "ops/axes.h"
#include "ops/op.h"

/* Prepares an operation: node->op with these inputs, whose slots are in_slots[i], and outputs, -1 where nothing reads
 * one. `number` is the layer's in its model, `operation` the program's. */
ir_code ir_plan_prepare(ir_plan *plan, const ir_node *node, const ir_value *const *in, const int32_t *in_slots,
                        const int32_t *out_slots, int32_t number, int32_t operation, ir_scope *scope);

/* True when elements of an input or output of the node are of a type that the op's kernels do not take, `*out_type`. */
bool ir_lacks_kernel(const ir_node *node, const ir_value *const *in, ir_type *out_type);
/* IR210: no kernel computes with elements of the type. */
ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type);

/* The slot of an input or output of the operation that is being prepared; -1 for an output that nothing reads. */
static inline int32_t ir_plan_input_slot(const ir_plan *plan, int port) {
  return plan->in_slots[port];
}
static inline int32_t ir_plan_output_slot(const ir_plan *plan, int port) {
  return plan->out_slots[port];
}

/* Appends a step that reads the operation's inputs and writes its outputs. `state` has to lie in plan->arena. Reports
 * when memory is out. */
ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes);
/* A step with slots of its own choice, for ops that are several steps. Inputs of checked ports may change while they
 * are read, in a mapped file or by another thread of the caller: the step reads copies of them. */
ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* No step: output 0 is a view of input 0, with the same bytes under its own shape. */
void ir_plan_view(ir_plan *plan);

/* ---- layouts ---- */

/* ir_op.takes_channels_last of ops that do whatever their attributes are. */
bool ir_always_channels_last(const ir_node *node);
/* A shape with its axes in the order in which they lie in memory; and the places of one or more of `rank` axes in that
 * order. */
ir_shape ir_laid_shape(ir_layout layout, const ir_shape *shape);
int ir_laid_axis(ir_layout layout, int axis, int rank);
ir_axes ir_laid_axes(ir_layout layout, const ir_axes *axes, int rank);

#endif

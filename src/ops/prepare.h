/* Functions that an op's `prepare` (ops/op.h) calls to add steps to a plan. */
#ifndef IR_PREPARE_H
#define IR_PREPARE_H

#include "exec/plan.h"
#include "ops/axes.h"
#include "ops/op.h"

/* Prepares an operation: node->op with these inputs in the slots in_slots[i], and output slots, -1 if nothing reads the
 * output. `number` is the layer's number in its model, `operation` the program's. */
ir_code ir_plan_prepare(ir_plan *plan, const ir_node *node, const ir_value *const *in, const int32_t *in_slots,
                        const int32_t *out_slots, int32_t number, int32_t operation, ir_scope *scope);

/* True if the op's kernels do not take the type, `*out_type`, of an input or output of the node. */
bool ir_lacks_kernel(const ir_node *node, const ir_value *const *in, ir_type *out_type);
/* Reports IR210: no kernel computes with elements of the type. */
ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type);

/* Slot of an input or output of the operation in preparation; -1 for an output that nothing reads. */
static inline int32_t ir_plan_input_slot(const ir_plan *plan, int port) {
  return plan->in_slots[port];
}
static inline int32_t ir_plan_output_slot(const ir_plan *plan, int port) {
  return plan->out_slots[port];
}

/* Appends a step that reads the operation's inputs and writes its outputs. `state` must lie in plan->arena. Reports if
 * memory is out. */
ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes);
/* Appends a step with slots of its own choice, for ops of several steps. Inputs of checked ports may change while they
 * are read (a mapped file, another thread of the caller), so the step reads copies of them. */
ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* Makes output 0 a view of input 0: the same bytes under its own shape, without a step. */
void ir_plan_view(ir_plan *plan);

/* ---- layouts ---- */

/* ir_op.takes_channels_last for ops that accept this layout with any attributes. */
bool ir_always_channels_last(const ir_node *node);
/* The shape with its axes in memory order; and the positions of axes of a tensor of rank `rank` in that order. */
ir_shape ir_laid_shape(ir_layout layout, const ir_shape *shape);
int ir_laid_axis(ir_layout layout, int axis, int rank);
ir_axes ir_laid_axes(ir_layout layout, const ir_axes *axes, int rank);

#endif

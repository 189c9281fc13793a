/* Functions that an op's `prepare` (ops/op.h) calls to add steps to a plan. */
#ifndef IR_PREPARE_H
#define IR_PREPARE_H

#include "exec/plan.h"
#include "ops/axes.h"
#include "ops/op.h"

/* Calls node->op->run.prepare to add the steps of an operation to the plan. Inputs in[i] have the slots in_slots[i];
 * outputs have the slots out_slots[p], -1 if nothing reads the output. `number` is the layer's number in its model,
 * `operation` the operation's number in the program. */
ir_code ir_plan_prepare(ir_plan *plan, const ir_node *node, const ir_value *const *in, const int32_t *in_slots,
                        const int32_t *out_slots, int32_t number, int32_t operation, ir_scope *scope);

/* Whether the op's kernels do not support the type of some input or output of the node. `*out_type` is that type. */
bool ir_lacks_kernel(const ir_node *node, const ir_value *const *in, ir_type *out_type);
/* Reports IR210: no kernel computes with elements of the type. */
ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type);

/* Slots of the operation that is being prepared; -1 for an output that nothing reads. */
static inline int32_t ir_plan_input_slot(const ir_plan *plan, int port) {
  return plan->in_slots[port];
}
static inline int32_t ir_plan_output_slot(const ir_plan *plan, int port) {
  return plan->out_slots[port];
}

/* Appends a step that reads all inputs of the operation and writes all its outputs. `state` must lie in plan->arena.
 * Reports if memory is out. */
ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes);
/* Appends a step that reads the slots `in` and writes the slots `out`, for operations of several steps. A slot of a
 * `checked` input port is first copied, if its memory can change during a run: a mapped file, or the caller's
 * memory. */
ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* Makes output 0 a view of input 0: the same bytes under its own shape, without a step. */
void ir_plan_view(ir_plan *plan);

/* ---- layouts ---- */

/* Serves as ir_op.takes_channels_last of ops that accept this layout with any attributes. */
bool ir_always_channels_last(const ir_node *node);
/* Convert a shape, one axis or several axes from the order [N, C, D..] to the order in memory. `rank` is the rank of
 * the tensor. */
ir_shape ir_laid_shape(ir_layout layout, const ir_shape *shape);
int ir_laid_axis(ir_layout layout, int axis, int rank);
ir_axes ir_laid_axes(ir_layout layout, const ir_axes *axes, int rank);

#endif

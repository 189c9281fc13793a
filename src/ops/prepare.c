#include "ops/prepare.h"
#include <string.h>

/* ---- kernels ---- */

static bool takes(const ir_op *op, const ir_value *value, ir_type *out_type) {
  const uint64_t types = ir_op_is_computed(op) ? IR_SET_STORED | op->narrow : IR_SET_HELD;
  *out_type = value->type;
  return value->poisoned || ir_type_in(value->type, types);
}

bool ir_lacks_kernel(const ir_node *node, const ir_value *const *in, ir_type *out_type) {
  bool takes_all = true;
  for (int32_t i = 0; takes_all && i < node->n_inputs; i++)
    takes_all = takes(node->op, in[i], out_type);
  for (int32_t p = 0; takes_all && p < node->n_outputs; p++)
    takes_all = takes(node->op, &node->outputs[p], out_type);
  return !takes_all;
}

ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type) {
  return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, where, "irrun does not compute with elements of type %s",
                        ir_type_name(type));
}

/* ---- steps ---- */

ir_code ir_plan_prepare(ir_plan *plan, const ir_node *node, const ir_value *const *in, const int32_t *in_slots,
                        const int32_t *out_slots, int32_t number, int32_t operation, ir_scope *scope) {
  plan->in_slots = in_slots;
  plan->out_slots = out_slots;
  plan->operation = operation;
  plan->layer = node->layer;
  plan->layer_number = number;
  return node->op->run.prepare(node, in, plan, scope);
}

static ir_code run_copy(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step, (void)exec;
  if (out[0]->bytes > 0)
    memcpy(out[0]->data, in[0]->data, out[0]->bytes);
  return IR_OK;
}

/* Looks at the ports with a row of their own: an op can have many variadic ports, but none of them is checked. */
static bool is_of_checked_port(const ir_plan *plan, const ir_node *node, int32_t slot) {
  const int32_t n = ir_op_n_inputs(node->op);
  for (int32_t i = 0; i < n && i < node->n_inputs; i++)
    if (node->op->inputs[i].checked && plan->in_slots[i] == slot)
      return true;
  return false;
}

/* If the memory of `*slot` can change during a run, appends a step that copies it, and sets `*slot` to the copy.
 * Constants need no copy here: they are copied when they are bound to the plan. */
static ir_code hold_slot(ir_plan *plan, int32_t *slot) {
  static const ir_kernel kernel = {.name = "copy_checked",
                                   .isa = "any",
                                   .run = run_copy,
                                   .why = "the next step checks these elements; nobody else can change the copy"};
  const int32_t from = *slot;
  ir_slot *whole = ir_plan_owner(plan, from);
  whole->is_checked = true;
  if (!whole->may_change || whole->is_constant)
    return IR_OK;
  const ir_shape shape = plan->slots[from].shape;
  *slot = ir_plan_temporary(plan, plan->slots[from].type, &shape);
  return *slot < 0 ? IR_NO_MEMORY : ir_plan_append(plan, &kernel, NULL, 0, &from, 1, slot, 1);
}

ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out) {
  int32_t *held = ir_arena_array(plan->arena, (size_t)n_in + 1, sizeof *held);
  ir_code code = held == NULL ? ir_out_of_memory(plan->diags) : IR_OK;
  for (int32_t i = 0; i < n_in && code == IR_OK; i++) {
    held[i] = in[i];
    if (is_of_checked_port(plan, node, in[i]))
      code = hold_slot(plan, &held[i]);
  }
  return code == IR_OK ? ir_plan_append(plan, kernel, state, scratch_bytes, held, n_in, out, n_out) : code;
}

ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes) {
  return ir_plan_step_on(plan, node, kernel, state, scratch_bytes, plan->in_slots, node->n_inputs, plan->out_slots,
                         node->n_outputs);
}

void ir_plan_view(ir_plan *plan) {
  ir_plan_show(plan, plan->in_slots[0], plan->out_slots[0]);
}

/* ---- layouts ---- */

bool ir_always_channels_last(const ir_node *node) {
  (void)node;
  return true;
}

ir_shape ir_laid_shape(ir_layout layout, const ir_shape *shape) {
  return layout == IR_LAYOUT_CHANNELS_LAST ? ir_channels_last_shape(shape) : *shape;
}

int ir_laid_axis(ir_layout layout, int axis, int rank) {
  if (axis == 0 || layout == IR_LAYOUT_PLAIN)
    return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

ir_axes ir_laid_axes(ir_layout layout, const ir_axes *axes, int rank) {
  ir_axes laid = {.n = axes->n};
  for (int i = 0; i < axes->n; i++)
    laid.items[i] = ir_laid_axis(layout, axes->items[i], rank);
  return laid;
}

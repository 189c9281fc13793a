#include "ops/plan.h"
#include "ops/kernels/nd_iter.h"
#include <stdio.h>
#include <string.h>

static int32_t value_slot(const ir_plan *plan, int32_t node, int32_t port) {
  return plan->slot_of[plan->first_slot[node] + port];
}

bool ir_plan_is_channels_last(const ir_plan *plan, const ir_node *node) {
  return plan->is_channels_last != NULL && plan->is_channels_last[node - plan->nodes];
}

bool ir_plan_lies_last(const ir_plan *plan, ir_link from) {
  const ir_node *node = &plan->nodes[from.layer];
  return ir_plan_is_channels_last(plan, node) && !ir_lies_alike(&node->outputs[from.port].shape);
}

int32_t ir_plan_input_slot(const ir_plan *plan, const ir_node *node, int port) {
  const ir_link link = node->inputs[port];
  if (ir_plan_lies_last(plan, link) && !ir_plan_is_channels_last(plan, node))
    return plan->turned_of[plan->first_slot[link.layer] + link.port];
  return value_slot(plan, link.layer, link.port);
}

bool ir_always_channels_last(const ir_node *node) {
  (void)node;
  return true;
}

ir_shape ir_plan_laid_shape(const ir_plan *plan, const ir_node *node, const ir_shape *shape) {
  return ir_plan_is_channels_last(plan, node) ? ir_channels_last_shape(shape) : *shape;
}

int ir_plan_laid_axis(const ir_plan *plan, const ir_node *node, int axis, int rank) {
  if (axis == 0 || !ir_plan_is_channels_last(plan, node))
    return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

void ir_plan_laid_steps(const ir_plan *plan, const ir_node *node, const ir_shape *shape, int64_t *steps) {
  if (ir_plan_is_channels_last(plan, node))
    ir_nd_iter_steps_last(shape, steps);
  else
    ir_nd_iter_steps(shape, 0, shape->rank, steps);
}

ir_axes ir_plan_laid_axes(const ir_plan *plan, const ir_node *node, const ir_axes *axes, int rank) {
  ir_axes laid = {.n = axes->n};
  for (int i = 0; i < axes->n; i++)
    laid.items[i] = ir_plan_laid_axis(plan, node, axes->items[i], rank);
  return laid;
}

typedef struct ir_owned {
  struct ir_owned *next;
  void *what;
  void (*end)(void *what);
} ir_owned;

bool ir_plan_own(ir_plan *plan, void *what, void (*end)(void *what)) {
  ir_owned *owned = ir_arena_alloc(plan->arena, sizeof *owned);
  if (owned == NULL) {
    end(what);
    ir_out_of_memory(plan->diags);
    return false;
  }
  *owned = (ir_owned){plan->owned, what, end};
  plan->owned = owned;
  return true;
}

void ir_plan_end_owned(ir_plan *plan) {
  for (const ir_owned *owned = plan->owned; owned != NULL; owned = owned->next)
    owned->end(owned->what);
  plan->owned = NULL;
}

int32_t ir_plan_output_slot(const ir_plan *plan, const ir_node *node, int port) {
  return value_slot(plan, (int32_t)(node - plan->nodes), port);
}

int32_t ir_plan_outside_slot(const ir_plan *plan, ir_link from) {
  const int32_t slot = plan->outside_of == NULL ? -1 : plan->outside_of[plan->first_slot[from.layer] + from.port];
  return slot >= 0 ? slot : value_slot(plan, from.layer, from.port);
}

int32_t ir_plan_temporary(ir_plan *plan, ir_type type, const ir_shape *shape) {
  void *slots = plan->slots;
  if (plan->n_slots >= INT32_MAX ||
      !ir_reserve(plan->memory, &slots, plan->n_slots, &plan->slots_capacity, sizeof *plan->slots)) {
    ir_out_of_memory(plan->diags);
    return -1;
  }
  plan->slots = slots;
  plan->slots[plan->n_slots] = (ir_slot){.type = type, .shape = *shape, .view_of = -1};
  return (int32_t)plan->n_slots++;
}

void ir_plan_view(ir_plan *plan, const ir_node *node) {
  int32_t from = ir_plan_input_slot(plan, node, 0), to = ir_plan_output_slot(plan, node, 0);
  plan->slots[to].view_of = plan->slots[from].view_of >= 0 ? plan->slots[from].view_of : from;
}

const ir_kernel *ir_plan_kernel(ir_plan *plan, const char *name, ir_type type,
                                ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out,
                                               ir_exec *exec)) {
  enum { MOST = 48 };
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  char *text = ir_arena_alloc(plan->arena, MOST);
  if (kernel == NULL || text == NULL)
    return NULL;
  snprintf(text, MOST, "%s_%s", name, ir_type_name(type));
  *kernel = (ir_kernel){.name = text, .isa = "any", .run = run};
  return kernel;
}

static bool takes(const ir_op *op, const ir_value *value, ir_type *out_type) {
  const uint64_t types = op->role == IR_ROLE_COMPUTED ? IR_SET_STORED | op->narrow : IR_SET_HELD;
  *out_type = value->type;
  return value->poisoned || ir_type_in(value->type, types);
}

bool ir_lacks_kernel(const ir_node *node, const ir_node *nodes, ir_type *out_type) {
  bool takes_all = true;
  for (int32_t i = 0; takes_all && i < node->n_inputs; i++) {
    const ir_link from = node->inputs[i];
    takes_all = from.layer < 0 || takes(node->op, &nodes[from.layer].outputs[from.port], out_type);
  }
  for (int32_t p = 0; takes_all && p < node->n_outputs; p++)
    takes_all = takes(node->op, &node->outputs[p], out_type);
  return !takes_all;
}

ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type) {
  return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, where, "irrun does not compute with elements of type %s",
                        ir_type_name(type));
}

static ir_code append_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                           size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out) {
  void *steps = plan->steps;
  int32_t *slots = ir_arena_array(plan->arena, (size_t)n_in + (size_t)n_out, sizeof *slots);
  if (slots == NULL || !ir_reserve(plan->memory, &steps, plan->n_steps, &plan->steps_capacity, sizeof *plan->steps))
    return ir_out_of_memory(plan->diags);
  plan->steps = steps;
  if (n_in > 0)
    memcpy(slots, in, (size_t)n_in * sizeof *slots);
  memcpy(slots + n_in, out, (size_t)n_out * sizeof *slots);
  plan->steps[plan->n_steps++] = (ir_step){.kernel = kernel,
                                           .state = state,
                                           .scratch_bytes = scratch_bytes,
                                           .in = slots,
                                           .out = slots + n_in,
                                           .n_in = n_in,
                                           .n_out = n_out,
                                           .node = node};
  for (int32_t i = 0; i < n_out; i++)
    if (out[i] >= 0)
      plan->slots[out[i]].is_made = true;
  if (scratch_bytes > plan->scratch_bytes)
    plan->scratch_bytes = scratch_bytes;
  return IR_OK;
}

/* ---- checked inputs ---- */

static ir_code run_copy(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step, (void)exec;
  if (out[0]->bytes > 0)
    memcpy(out[0]->data, in[0]->data, out[0]->bytes);
  return IR_OK;
}

static bool is_of_checked_port(const ir_plan *plan, const ir_node *node, int32_t slot) {
  for (int32_t i = 0; i < node->n_inputs && i < IR_MAX_OP_PORTS; i++)
    if (node->op->inputs[i].checked && ir_plan_input_slot(plan, node, i) == slot)
      return true;
  return false;
}

/* Has `*slot`, of a checked port, stay as it is while a step reads it. */
static ir_code hold_slot(ir_plan *plan, const ir_node *node, int32_t *slot) {
  static const ir_kernel kernel = {.name = "copy_checked", .isa = "any", .run = run_copy};
  const int32_t from = *slot, view_of = plan->slots[from].view_of;
  ir_slot *whole = &plan->slots[view_of >= 0 ? view_of : from];
  whole->is_checked = true;
  if (whole->is_made)
    return IR_OK;
  const ir_shape shape = plan->slots[from].shape;
  *slot = ir_plan_temporary(plan, plan->slots[from].type, &shape);
  return *slot < 0 ? IR_IO : append_step(plan, node, &kernel, NULL, 0, &from, 1, slot, 1);
}

ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out) {
  int32_t *held = ir_arena_array(plan->arena, (size_t)n_in + 1, sizeof *held);
  ir_code code = held == NULL ? ir_out_of_memory(plan->diags) : IR_OK;
  for (int32_t i = 0; i < n_in && code == IR_OK; i++) {
    held[i] = in[i];
    if (is_of_checked_port(plan, node, in[i]))
      code = hold_slot(plan, node, &held[i]);
  }
  return code == IR_OK ? append_step(plan, node, kernel, state, scratch_bytes, held, n_in, out, n_out) : code;
}

ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes) {
  int32_t n = node->n_inputs + node->n_outputs;
  int32_t *slots = ir_arena_array(plan->arena, (size_t)n, sizeof *slots);
  if (slots == NULL)
    return ir_out_of_memory(plan->diags);
  for (int32_t i = 0; i < node->n_inputs; i++)
    slots[i] = ir_plan_input_slot(plan, node, i);
  for (int32_t i = 0; i < node->n_outputs; i++)
    slots[node->n_inputs + i] = ir_plan_output_slot(plan, node, i);
  return ir_plan_step_on(plan, node, kernel, state, scratch_bytes, slots, node->n_inputs, slots + node->n_inputs,
                         node->n_outputs);
}

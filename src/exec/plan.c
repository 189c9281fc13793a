#include "exec/plan.h"
#include <stdio.h>
#include <string.h>

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

void ir_plan_reset(ir_plan *plan) {
  for (const ir_owned *owned = plan->owned; owned != NULL; owned = owned->next)
    owned->end(owned->what);
  for (size_t i = 0; i < plan->n_slots; i++)
    ir_tensor_release(&plan->slots[i].tensor);
  if (plan->memory != NULL) {
    ir_free(plan->memory, plan->slots);
    ir_free(plan->memory, plan->steps);
  }
  *plan = (ir_plan){.slots = NULL};
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

int32_t ir_plan_make(ir_plan *plan, const ir_kernel *kernel, const void *state, int32_t from, ir_type type,
                     const ir_shape *shape) {
  const int32_t to = ir_plan_temporary(plan, type, shape);
  if (to < 0)
    return -1;
  if (!plan->slots[from].is_constant)
    return ir_plan_append(plan, kernel, state, 0, &from, 1, &to, 1) == IR_OK ? to : -1;
  ir_made_constant *made = ir_arena_alloc(plan->arena, sizeof *made);
  if (made == NULL) {
    ir_out_of_memory(plan->diags);
    return -1;
  }
  const int number = plan->made != NULL && plan->made->operation == plan->operation ? plan->made->number + 1 : 0;
  *made = (ir_made_constant){.next = plan->made,
                             .kernel = kernel,
                             .state = state,
                             .from = from,
                             .to = to,
                             .operation = plan->operation,
                             .layer_number = plan->layer_number,
                             .number = number,
                             .layer = plan->layer};
  plan->made = made;
  plan->slots[to].is_constant = true;
  return to;
}

void ir_plan_show(ir_plan *plan, int32_t from, int32_t to) {
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

ir_code ir_plan_append(ir_plan *plan, const ir_kernel *kernel, const void *state, size_t scratch_bytes,
                       const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out) {
  void *steps = plan->steps;
  int32_t *slots = ir_arena_array(plan->arena, (size_t)n_in + (size_t)n_out + 1, sizeof *slots);
  if (slots == NULL || !ir_reserve(plan->memory, &steps, plan->n_steps, &plan->steps_capacity, sizeof *plan->steps))
    return ir_out_of_memory(plan->diags);
  plan->steps = steps;
  if (n_in > 0)
    memcpy(slots, in, (size_t)n_in * sizeof *slots);
  if (n_out > 0)
    memcpy(slots + n_in, out, (size_t)n_out * sizeof *slots);
  plan->steps[plan->n_steps++] = (ir_step){.kernel = kernel,
                                           .state = state,
                                           .scratch_bytes = scratch_bytes,
                                           .in = slots,
                                           .out = slots + n_in,
                                           .n_in = n_in,
                                           .n_out = n_out,
                                           .operation = plan->operation,
                                           .layer = plan->layer,
                                           .layer_number = plan->layer_number};
  for (int32_t i = 0; i < n_in; i++)
    if (!kernel->reads_unaligned)
      ir_plan_owner(plan, in[i])->is_aligned = true;
  for (int32_t i = 0; i < n_out; i++)
    if (out[i] >= 0)
      plan->slots[out[i]].is_made = true;
  if (scratch_bytes > plan->scratch_bytes)
    plan->scratch_bytes = scratch_bytes;
  return IR_OK;
}

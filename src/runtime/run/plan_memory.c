#include "runtime/run/plan_memory.h"
#include "runtime/run/memory_layout.h"

static ir_slot *owner_of(ir_plan *plan, int32_t slot) {
  int32_t of = plan->slots[slot].view_of;
  return &plan->slots[of >= 0 ? of : slot];
}

/* ---- laying out ---- */

static void lives_to(ir_slot *slot, size_t step) {
  slot->last = slot->last > step ? slot->last : step;
}

/* By the first execution, for all that follow. */
static bool is_made_once(const ir_slot *slot) {
  return slot->is_fixed && slot->is_made;
}

static void lives_always(const ir_plan *plan, ir_slot *slot) {
  slot->first = 0;
  slot->last = plan->n_steps;
}

static void find_lifetimes(ir_plan *plan) {
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        plan->slots[step->out[i]].first = plan->slots[step->out[i]].last = s;
    for (int32_t i = 0; i < step->n_in; i++)
      owner_of(plan, step->in[i])->last = s;
  }
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->n_in && !step->is_once; i++)
      if (is_made_once(owner_of(plan, step->in[i])))
        lives_always(plan, owner_of(plan, step->in[i]));
  }
  for (size_t i = 0; i < plan->n_slots; i++) {
    if (plan->slots[i].is_kept && is_made_once(owner_of(plan, (int32_t)i)))
      lives_always(plan, owner_of(plan, (int32_t)i));
    if (plan->slots[i].visited > 0)
      lives_to(owner_of(plan, (int32_t)i), plan->slots[i].visited - 1);
    if (plan->slots[i].is_kept)
      lives_to(owner_of(plan, (int32_t)i), plan->n_steps);
  }
}

static bool add_buffer(const ir_slot *slot, ir_buffer *buffers, const ir_slot **slots, size_t *n) {
  ir_buffer *buffer = &buffers[*n];
  buffer->first = slot->first;
  buffer->last = slot->last;
  slots[(*n)++] = slot;
  return ir_tensor_bytes(slot->type, &slot->shape, &buffer->bytes);
}

static bool is_always(const ir_plan *plan, const ir_slot *slot) {
  return is_made_once(slot) && slot->last == plan->n_steps;
}

/* The buffers of the tensors that steps make: those that live always, then in the order in which they are made. */
static bool gather_buffers(const ir_plan *plan, ir_buffer *buffers, const ir_slot **slots, size_t *out_n) {
  for (int always = 1; always >= 0; always--)
    for (size_t s = 0; s < plan->n_steps; s++)
      for (int32_t i = 0; i < plan->steps[s].n_out; i++) {
        const int32_t slot = plan->steps[s].out[i];
        if (slot >= 0 && is_always(plan, &plan->slots[slot]) == (always == 1) &&
            !add_buffer(&plan->slots[slot], buffers, slots, out_n))
          return false;
      }
  return true;
}

ir_code ir_plan_lay_out(ir_plan *plan) {
  size_t n = 0;
  ir_layout layout;
  ir_buffer *buffers = ir_alloc_zero(plan->memory, plan->n_slots + 1, sizeof *buffers);
  const ir_slot **slots = ir_alloc_zero(plan->memory, plan->n_slots + 1, sizeof *slots);
  find_lifetimes(plan);
  bool found = buffers != NULL && slots != NULL && gather_buffers(plan, buffers, slots, &n) &&
               ir_layout_find(buffers, n, plan->memory, &layout);
  for (size_t i = 0; found && i < n; i++)
    plan->slots[slots[i] - plan->slots].offset = buffers[i].offset;
  if (found) {
    plan->block_bytes = layout.block_bytes;
    const size_t unused = layout.block_bytes - layout.live_bytes;
    plan->is_loose = unused >= IR_LEAST_UNUSED && unused > layout.live_bytes / 20;
  }
  ir_free(plan->memory, buffers);
  ir_free(plan->memory, slots);
  return found ? IR_OK : ir_out_of_memory(plan->diags);
}

/* ---- taking ---- */

size_t ir_plan_scratch(const ir_plan *plan, size_t *out_stride) {
  enum { CACHE_LINE = 64 };
  size_t stride, bytes;
  *out_stride = 0;
  if (__builtin_add_overflow(plan->scratch_bytes, CACHE_LINE - 1, &stride))
    return SIZE_MAX;
  *out_stride = stride / CACHE_LINE * CACHE_LINE;
  size_t n_workers = plan->n_workers > 1 ? (size_t)plan->n_workers : 1;
  return __builtin_mul_overflow(*out_stride, n_workers, &bytes) ? SIZE_MAX : bytes;
}

static bool take_bytes(ir_tensor *tensor, const ir_memory *memory, size_t bytes) {
  ir_shape shape = ir_shape_of(1, &(int64_t){(int64_t)bytes});
  return tensor->data != NULL || ir_tensor_alloc(tensor, memory, IR_U8, &shape);
}

/* Places for the tensors that a step is given. */
static bool take_lists(ir_plan *plan) {
  size_t most = 0;
  for (size_t i = 0; i < plan->n_steps; i++) {
    most = (size_t)plan->steps[i].n_in > most ? (size_t)plan->steps[i].n_in : most;
    most = (size_t)plan->steps[i].n_out > most ? (size_t)plan->steps[i].n_out : most;
  }
  if (plan->in == NULL)
    plan->in = ir_arena_array(plan->arena, most + 1, sizeof *plan->in);
  if (plan->out == NULL)
    plan->out = ir_arena_array(plan->arena, most + 1, sizeof *plan->out);
  return plan->in != NULL && plan->out != NULL;
}

static ir_tensor tensor_at(const ir_slot *slot, void *data) {
  size_t bytes;
  ir_tensor_bytes(slot->type, &slot->shape, &bytes);
  return ir_tensor_borrow(slot->type, &slot->shape, data, bytes);
}

ir_code ir_plan_take_memory(ir_plan *plan) {
  if (plan->block.data != NULL && plan->scratch.data != NULL)
    return IR_OK;
  const size_t scratch = ir_plan_scratch(plan, &plan->scratch_stride);
  if (scratch > INT64_MAX || !take_lists(plan) || !take_bytes(&plan->block, plan->memory, plan->block_bytes) ||
      !take_bytes(&plan->scratch, plan->memory, scratch))
    return ir_out_of_memory(plan->diags);
  /* Of scratch only as much is ever touched as there is work. */
  ir_ask_for_small_pages(plan->scratch.data, plan->scratch.bytes);
  if (plan->is_loose)
    ir_ask_for_small_pages(plan->block.data, plan->block.bytes);
  for (size_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].is_made)
      plan->slots[i].tensor = tensor_at(&plan->slots[i], NULL);
  return IR_OK;
}

void ir_plan_bind(ir_plan *plan) {
  for (size_t i = 0; i < plan->n_slots; i++) {
    ir_slot *slot = &plan->slots[i];
    if (slot->is_made)
      slot->tensor.data = slot->given != NULL ? slot->given : (char *)plan->block.data + slot->offset;
  }
  for (size_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].view_of >= 0)
      plan->slots[i].tensor = tensor_at(&plan->slots[i], plan->slots[plan->slots[i].view_of].tensor.data);
}

static void end_slot(ir_plan *plan, int32_t slot, size_t step) {
  if (slot < 0)
    return;
  ir_slot *owner = owner_of(plan, slot);
  if (owner->last == step && (owner->is_made ? plan->is_loose : owner->tensor.is_mapped))
    ir_release_pages(owner->tensor.data, owner->tensor.bytes);
}

const ir_tensor *ir_plan_ending_input(ir_plan *plan, size_t step) {
  for (int32_t i = 0; i < plan->steps[step].n_in && !plan->was_run; i++) {
    const ir_slot *owner = owner_of(plan, plan->steps[step].in[i]);
    if (owner->last == step && !owner->is_made && owner->tensor.is_mapped)
      return &owner->tensor;
  }
  return NULL;
}

/* Only in the first run: whoever runs a plan again wants speed, and finds the pages where they were. */
void ir_plan_end_step(ir_plan *plan, size_t step) {
  if (plan->was_run || step + 1 >= plan->n_steps)
    return;
  for (int32_t i = 0; i < plan->steps[step].n_in; i++)
    end_slot(plan, plan->steps[step].in[i], step);
  for (int32_t i = 0; i < plan->steps[step].n_out; i++)
    end_slot(plan, plan->steps[step].out[i], step);
}

void ir_plan_release_memory(ir_plan *plan) {
  ir_tensor_release(&plan->block);
  ir_tensor_release(&plan->scratch);
}

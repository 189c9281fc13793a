#include "exec/plan_memory.h"
#include "exec/memory_layout.h"

/* ---- laying out ---- */

static void lives_to(ir_slot *slot, size_t step) {
  slot->last = slot->last > step ? slot->last : step;
}

static void find_lifetimes(ir_plan *plan) {
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        plan->slots[step->out[i]].first = plan->slots[step->out[i]].last = s;
    for (int32_t i = 0; i < step->n_in; i++)
      ir_plan_owner(plan, step->in[i])->last = s;
  }
  for (size_t i = 0; i < plan->n_slots; i++) {
    if (plan->slots[i].visited > 0)
      lives_to(ir_plan_owner(plan, (int32_t)i), plan->slots[i].visited - 1);
    if (plan->slots[i].is_kept)
      lives_to(ir_plan_owner(plan, (int32_t)i), plan->n_steps);
  }
}

static bool add_buffer(const ir_slot *slot, ir_buffer *buffers, const ir_slot **slots, size_t *n) {
  ir_buffer *buffer = &buffers[*n];
  buffer->first = slot->first;
  buffer->last = slot->last;
  slots[(*n)++] = slot;
  return ir_tensor_bytes(slot->type, &slot->shape, &buffer->bytes);
}

/* Lists the buffers of the tensors that steps make, in the order in which they are made. */
static bool gather_buffers(const ir_plan *plan, ir_buffer *buffers, const ir_slot **slots, size_t *out_n) {
  for (size_t s = 0; s < plan->n_steps; s++)
    for (int32_t i = 0; i < plan->steps[s].n_out; i++) {
      const int32_t slot = plan->steps[s].out[i];
      if (slot >= 0 && !plan->slots[slot].is_placed && !add_buffer(&plan->slots[slot], buffers, slots, out_n))
        return false;
    }
  return true;
}

static ir_tensor tensor_at(const ir_slot *slot, void *data) {
  size_t bytes;
  ir_tensor_bytes(slot->type, &slot->shape, &bytes);
  return ir_tensor_borrow(slot->type, &slot->shape, data, bytes);
}

ir_code ir_plan_lay_out(ir_plan *plan) {
  size_t n = 0;
  ir_block_layout layout;
  ir_buffer *buffers = ir_alloc_zero(plan->memory, plan->n_slots + 1, sizeof *buffers);
  const ir_slot **slots = ir_alloc_zero(plan->memory, plan->n_slots + 1, sizeof *slots);
  find_lifetimes(plan);
  bool found = buffers != NULL && slots != NULL && gather_buffers(plan, buffers, slots, &n) &&
               ir_layout_find(buffers, n, plan->memory, &layout);
  for (size_t i = 0; found && i < n; i++)
    plan->slots[slots[i] - plan->slots].offset = buffers[i].offset;
  for (size_t i = 0; found && i < plan->n_slots; i++)
    if (plan->slots[i].is_made)
      plan->slots[i].tensor = tensor_at(&plan->slots[i], NULL);
  if (found) {
    plan->block_bytes = layout.block_bytes;
    const size_t unused = layout.block_bytes - layout.live_bytes;
    plan->is_loose = unused >= IR_LEAST_UNUSED && unused > layout.live_bytes / 20;
  }
  ir_free(plan->memory, buffers);
  ir_free(plan->memory, slots);
  return found ? IR_OK : ir_out_of_memory(plan->diags);
}

/* ---- allocating ---- */

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
  if (tensor->data != NULL && tensor->bytes >= bytes)
    return true;
  const ir_shape shape = ir_shape_of(1, &(int64_t){(int64_t)bytes});
  ir_tensor_release(tensor);
  return ir_tensor_alloc(tensor, memory, IR_U8, &shape);
}

/* Allocates the argument lists of steps. */
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

ir_code ir_plan_take_memory(ir_plan *plan) {
  ir_plan_memory *place = plan->place;
  const size_t scratch = ir_plan_scratch(plan, &plan->scratch_stride);
  if (scratch > INT64_MAX || !take_lists(plan) || !take_bytes(&place->block, plan->memory, plan->block_bytes) ||
      !take_bytes(&place->scratch, plan->memory, scratch))
    return ir_out_of_memory(plan->diags);
  if (plan->keeps_pages)
    return IR_OK;
  /* a small step touches little scratch, and a huge page would be allocated as a whole */
  ir_ask_for_small_pages(place->scratch.data, place->scratch.bytes);
  if (plan->is_loose)
    ir_ask_for_small_pages(place->block.data, place->block.bytes);
  return IR_OK;
}

void ir_plan_bind(ir_plan *plan) {
  for (size_t i = 0; i < plan->n_slots; i++) {
    ir_slot *slot = &plan->slots[i];
    if (slot->is_made)
      slot->tensor.data = slot->given != NULL ? slot->given : (char *)plan->place->block.data + slot->offset;
  }
  for (size_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].view_of >= 0)
      plan->slots[i].tensor = tensor_at(&plan->slots[i], plan->slots[plan->slots[i].view_of].tensor.data);
}

static void end_slot(ir_plan *plan, int32_t slot, size_t step) {
  if (slot < 0)
    return;
  ir_slot *owner = ir_plan_owner(plan, slot);
  if (owner->last == step && (owner->is_made ? plan->is_loose : owner->tensor.is_mapped))
    ir_release_pages(owner->tensor.data, owner->tensor.bytes);
}

const ir_tensor *ir_plan_ending_input(ir_plan *plan, size_t step) {
  for (int32_t i = 0; i < plan->steps[step].n_in && !plan->keeps_pages; i++) {
    const ir_slot *owner = ir_plan_owner(plan, plan->steps[step].in[i]);
    if (owner->last == step && !owner->is_made && owner->tensor.is_mapped)
      return &owner->tensor;
  }
  return NULL;
}

/* Later executions are repeated for speed, and keep their pages. */
void ir_plan_end_step(ir_plan *plan, size_t step) {
  if (plan->keeps_pages || step + 1 >= plan->n_steps)
    return;
  for (int32_t i = 0; i < plan->steps[step].n_in; i++)
    end_slot(plan, plan->steps[step].in[i], step);
  for (int32_t i = 0; i < plan->steps[step].n_out; i++)
    end_slot(plan, plan->steps[step].out[i], step);
}

void ir_plan_release_memory(ir_plan_memory *place) {
  ir_tensor_release(&place->block);
  ir_tensor_release(&place->scratch);
}

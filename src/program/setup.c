/* The constants of a plan: taken from the model, or computed by a plan of their own, which is executed once. */
#include "ops/const.h"
#include "program/compile.h"
#include "program/emit.h"
#include "program/fast_contraction.h"
#include <string.h>

ir_constant_key ir_program_key(const ir_program *program, int32_t value) {
  ir_constant_key key = program->values[value].key;
  key.mode = program->values[value].producer >= 0 ? program->mode : 0;
  return key;
}

/* ---- constants of the file ---- */

/* Checks the memory limit after a copy was made, with the memory that the plan will need; releases the copy if it
 * exceeds the limit. */
static ir_code count(ir_program *program, ir_tensor *made) {
  ir_account *account = program->request->account;
  const ir_code code = ir_account_check(account, ir_emit_bytes(program->request->plan), account->where,
                                        "with this constant and those before it, the run takes");
  ir_account_note(account);
  if (code != IR_OK)
    ir_tensor_release(made);
  return code;
}

/* Uses the constant in the mapped file if possible, else copies it. */
static ir_code load(ir_program *program, const ir_program_value *value, ir_tensor *out) {
  const ir_program_request *request = program->request;
  ir_scope scope = ir_program_scope(program);
  scope.memory = ir_constants_memory(request->constants);
  request->account->where = ir_layer_where(request->graph, value->node->layer, value->node->layer->at);
  const ir_code code = value->node->op->run.contents(value->node, &value->value, &scope, out);
  if (code != IR_OK)
    return code;
  ir_note_not_finite(value->node, out, &scope);
  return out->release == NULL ? IR_OK : count(program, out);
}

/* Makes a private copy in the constants of the model. */
static ir_code copy(ir_program *program, const ir_tensor *tensor, ir_tensor *out) {
  if (!ir_tensor_copy(ir_constants_memory(program->request->constants), tensor, out))
    return ir_out_of_memory(program->diags);
  return count(program, out);
}

/* Gives the tensor to the model; releases it if there is no memory for that. */
static ir_code keep_of_file(ir_program *program, const ir_constant_key *key, ir_tensor *tensor) {
  if (ir_constants_put(program->request->constants, key, tensor))
    return IR_OK;
  ir_tensor_release(tensor);
  return ir_out_of_memory(program->diags);
}

/* Whether the steps cannot read the constant where it lies in its file: a step checks the bytes first, so they must not
 * change afterwards, or a kernel needs them aligned. */
static bool needs_copy(const ir_slot *slot, const ir_tensor *tensor) {
  return (slot->is_checked && tensor->is_mapped) || (slot->is_aligned && !ir_tensor_is_aligned(tensor));
}

/* Binds the slot of a stored constant, once for the model. */
static ir_code bind_of_file(ir_program *program, ir_plan *plan, int32_t value) {
  ir_constants *constants = program->request->constants;
  ir_constant_key key = ir_program_key(program, value);
  ir_slot *slot = &plan->slots[value];
  ir_tensor tensor;
  ir_code code = IR_OK;
  if (!ir_constants_find(constants, &key, &tensor)) {
    code = load(program, &program->values[value], &tensor);
    if (code == IR_OK)
      code = keep_of_file(program, &key, &tensor);
  }
  key.is_own = true;
  if (code == IR_OK && needs_copy(slot, &tensor) && !ir_constants_find(constants, &key, &tensor)) {
    const ir_tensor of_file = tensor;
    code = copy(program, &of_file, &tensor);
    if (code == IR_OK)
      code = keep_of_file(program, &key, &tensor);
  }
  slot->tensor = tensor;
  slot->tensor.release = NULL;
  return code;
}

/* ---- existing constants ---- */

/* Binds the slot; if the constant has to be computed first, sets `*out_lacks` instead. */
static ir_code bind_constant(ir_program *program, ir_plan *plan, int32_t value, bool *out_lacks) {
  const ir_program_value *v = &program->values[value];
  const ir_constant_key key = ir_program_key(program, value);
  *out_lacks = false;
  if (v->producer < 0 && !v->is_local)
    return bind_of_file(program, plan, value);
  if (v->producer < 0) {
    plan->slots[value].tensor =
        ir_tensor_borrow(v->value.type, &v->value.shape, v->value.contents->data, v->value.contents->bytes);
    return IR_OK;
  }
  *out_lacks = v->is_local ? plan->slots[value].tensor.data == NULL
                           : !ir_constants_find(program->request->constants, &key, &plan->slots[value].tensor);
  return IR_OK;
}

static ir_code bind_what_is_there(ir_compiled *c, ir_setup *setup) {
  ir_code code = IR_OK;
  bool lacks;
  for (size_t i = 0; i < c->n_constants && code == IR_OK; i++) {
    code = bind_constant(&c->program, &c->plan, c->constants[i], &lacks);
    if (code == IR_OK && lacks)
      setup->roots[setup->n_roots++] = c->constants[i];
  }
  return code;
}

/* ---- constants that operations compute ---- */

/* The key within the layer: operations of one layer compute the same in every plan of a mode. */
static ir_constant_key key_of_made(const ir_program *program, const ir_plan *plan, const ir_made_constant *made) {
  return (ir_constant_key){.layer = made->layer_number,
                           .type = plan->slots[made->to].type,
                           .made = IR_MADE_BY_OPERATION + made->number,
                           .mode = program->mode};
}

/* Binds existing constants and marks what the missing ones are computed from. True if any are missing. */
static bool find_made(ir_compiled *c, bool *needed) {
  bool any = false;
  for (const ir_made_constant *made = c->plan.made; made != NULL; made = made->next) {
    const ir_constant_key key = key_of_made(&c->program, &c->plan, made);
    ir_slot *slot = &c->plan.slots[made->to];
    if (slot->tensor.data != NULL || ir_constants_find(c->request.constants, &key, &slot->tensor))
      continue;
    any = true;
    needed[ir_plan_owner(&c->plan, made->from) - c->plan.slots] = true;
  }
  return any;
}

/* Emits the steps for an operation on constants. */
static ir_code emit_made(ir_compiled *c, int32_t operation) {
  ir_code code = IR_OK;
  ir_plan *plan = &c->setup.plan;
  for (ir_made_constant *made = c->plan.made; made != NULL && code == IR_OK; made = made->next) {
    ir_slot *slot = &c->plan.slots[made->to];
    if (made->operation != operation || slot->tensor.data != NULL)
      continue;
    const int32_t to = ir_plan_temporary(plan, slot->type, &slot->shape);
    plan->layer = made->layer;
    plan->layer_number = made->layer_number;
    code = to < 0 ? IR_NO_MEMORY : ir_plan_append(plan, made->kernel, made->state, 0, &made->from, 1, &to, 1);
    if (code == IR_OK)
      code = ir_account_check(c->request.account, 0, c->request.account->where, "with constants, the run takes");
    if (code == IR_OK &&
        !ir_tensor_alloc(&slot->tensor, ir_constants_memory(c->request.constants), slot->type, &slot->shape))
      code = ir_out_of_memory(c->plan.diags);
    if (code != IR_OK)
      return code;
    ir_account_note(c->request.account);
    plan->slots[to].is_placed = true;
    plan->slots[to].given = slot->tensor.data;
  }
  return code;
}

/* Moves the computed constants to the model; releases the others. */
static ir_code keep_made(ir_compiled *c, ir_code code) {
  for (const ir_made_constant *made = c->plan.made; made != NULL; made = made->next) {
    const ir_constant_key key = key_of_made(&c->program, &c->plan, made);
    ir_tensor *tensor = &c->plan.slots[made->to].tensor;
    if (tensor->release == NULL)
      continue;
    if (code == IR_OK && !ir_constants_put(c->request.constants, &key, tensor))
      code = ir_out_of_memory(c->plan.diags);
    if (code != IR_OK)
      ir_tensor_release(tensor);
  }
  return code;
}

/* Finds contractions whose weights are laid out already; true if some are not. */
static bool find_weights(ir_program *program) {
  bool any = false;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    ir_contraction *contraction = program->operations[at].node.params;
    if (!ir_is_contraction(&program->operations[at]) || !ir_lacks_weights(contraction))
      continue;
    contraction->weights_key = ir_program_key(program, program->operations[at].in[1]);
    if (!contraction->are_weights_local)
      contraction->weights =
          ir_constants_find_weights(program->request->constants, &contraction->weights_key, contraction->primitive);
    any = any || contraction->weights == NULL;
  }
  return any;
}

/* ---- making the missing constants ---- */

/* Marks the producers of the value. Producers come before readers, so one backward walk is enough. */
static void mark_needed(const ir_program *program, const int32_t *order, size_t n, bool *needed) {
  while (n-- > 0) {
    const ir_operation *operation = &program->operations[order[n]];
    bool is_needed = false;
    for (int32_t p = 0; p < operation->n_out; p++)
      is_needed = is_needed || (operation->out[p] >= 0 && needed[operation->out[p]]);
    if (!is_needed || !ir_program_is_foldable(program, operation))
      continue;
    for (int32_t i = 0; i < operation->n_in; i++)
      needed[operation->in[i]] = true;
  }
}

static bool makes_needed(const ir_program *program, const ir_operation *operation, const bool *needed) {
  bool makes = false;
  for (int32_t p = 0; p < operation->n_out; p++)
    makes = makes || (operation->out[p] >= 0 && needed[operation->out[p]] &&
                      program->values[operation->out[p]].value.is_constant);
  return makes;
}

/* Emits the operations on constants, and each contraction's weight layout at the position of the contraction: so few
 * unlaid weights exist at once. */
static ir_code emit(ir_compiled *c, ir_setup *setup, const bool *needed) {
  ir_program *program = &c->program;
  const ir_value **in = ir_program_room(program);
  ir_code code = in != NULL && ir_emit_slots(program, &setup->plan) ? IR_OK : IR_NO_MEMORY;
  for (int32_t at = program->first; at >= 0 && code == IR_OK; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    if (makes_needed(program, operation, needed))
      code = ir_emit_operation(program, at, &setup->plan, in);
    else if (ir_is_contraction(operation) && ir_lacks_weights(operation->node.params))
      code = ir_lay_out_step(&setup->plan, operation, operation->in[1], program->request);
    if (code == IR_OK)
      code = emit_made(c, at);
  }
  for (size_t i = 0; i < program->n_values && code == IR_OK; i++)
    if (program->values[i].producer < 0 && program->values[i].value.is_constant && needed[i]) {
      bool lacks;
      code = bind_constant(program, &setup->plan, (int32_t)i, &lacks);
    }
  return code;
}

/* Gives each root its own memory, which outlives the plan. */
static ir_code place_roots(ir_compiled *c, ir_setup *setup) {
  ir_code code = IR_OK;
  for (size_t r = 0; r < setup->n_roots && code == IR_OK; r++) {
    ir_slot *owner = ir_plan_owner(&setup->plan, setup->roots[r]);
    owner->is_aligned = true;
    const bool is_local = c->program.values[setup->roots[r]].is_local;
    const ir_memory *memory = is_local ? c->plan.memory : ir_constants_memory(c->request.constants);
    if (!owner->is_made || owner->is_placed)
      continue;
    if (!is_local) {
      size_t bytes;
      ir_tensor_bytes(owner->type, &owner->shape, &bytes);
      code = ir_account_check(c->request.account, bytes, c->request.account->where,
                              "with constants that are computed, the run takes");
      if (code != IR_OK)
        return code;
    }
    if (!ir_tensor_alloc(&setup->made[r], memory, owner->type, &owner->shape))
      return ir_out_of_memory(c->plan.diags);
    ir_account_note(c->request.account);
    owner->is_placed = true;
    owner->given = setup->made[r].data;
  }
  return code;
}

ir_code ir_setup_begin(ir_compiled *c) {
  ir_setup *out = &c->setup;
  ir_program *program = &c->program;
  ir_arena *arena = c->plan.arena;
  *out = (ir_setup){.is_ready = true};
  out->roots = ir_arena_array(arena, c->n_constants + 1, sizeof *out->roots);
  out->made = ir_arena_array(arena, c->n_constants + 1, sizeof *out->made);
  bool *needed = ir_arena_array(arena, program->n_values + 1, sizeof *needed);
  int32_t *order = ir_arena_array(arena, program->n_operations + 1, sizeof *order);
  if (out->roots == NULL || out->made == NULL || needed == NULL || order == NULL)
    return ir_out_of_memory(c->plan.diags);
  ir_code code = bind_what_is_there(c, out);
  if (code != IR_OK)
    return code;
  const bool lacks_weights = find_weights(program), lacks_made = find_made(c, needed);
  if (out->n_roots == 0 && !lacks_weights && !lacks_made)
    return IR_OK;
  size_t n = 0;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    order[n++] = at;
    if (ir_is_contraction(operation) && ir_lacks_weights(operation->node.params))
      needed[operation->in[1]] = true;
  }
  for (size_t r = 0; r < out->n_roots; r++)
    needed[out->roots[r]] = true;
  mark_needed(program, order, n, needed);
  out->plan = (ir_plan){.arena = arena,
                        .memory = c->plan.memory,
                        .diags = c->plan.diags,
                        .workers = c->plan.workers,
                        .is_fast = c->plan.is_fast,
                        .omp_pool = c->plan.omp_pool,
                        .place = &out->place};
  code = emit(c, out, needed);
  if (code == IR_OK)
    code = place_roots(c, out);
  return code == IR_OK ? ir_emit_end(&c->request, &out->plan) : code;
}

/* ---- keeping the computed constants ---- */

static void end_tensor(void *tensor) {
  ir_tensor_release(tensor);
}

static ir_code keep_root(ir_compiled *c, ir_setup *setup, size_t r) {
  const int32_t value = setup->roots[r];
  const ir_program_value *v = &c->program.values[value];
  const ir_constant_key key = ir_program_key(&c->program, value);
  ir_tensor tensor = setup->plan.slots[value].tensor, *made = &setup->made[r];
  tensor.release = NULL;
  if (v->is_local) {
    ir_tensor *own = ir_arena_alloc(c->plan.arena, sizeof *own);
    if (own == NULL)
      return ir_out_of_memory(c->plan.diags);
    *own = *made;
    made->release = NULL;
    c->plan.slots[value].tensor = tensor;
    return made->data == NULL || ir_plan_own(&c->plan, own, end_tensor) ? IR_OK : IR_NO_MEMORY;
  }
  ir_tensor kept = tensor;
  if (made->data == NULL && ir_plan_owner(&setup->plan, value)->is_made) {
    /* It is a view of another root, whose memory another thread's constant may replace. */
    const ir_code code = copy(&c->program, &tensor, &kept);
    if (code != IR_OK)
      return code;
  } else {
    kept.memory = made->memory;
    kept.base = made->base;
    kept.base_bytes = made->base_bytes;
    kept.release = made->release;
  }
  if (!ir_constants_put(c->request.constants, &key, &kept)) {
    if (made->data == NULL)
      ir_tensor_release(&kept);
    return ir_out_of_memory(c->plan.diags);
  }
  made->release = NULL;
  c->plan.slots[value].tensor = kept;
  return IR_OK;
}

ir_code ir_setup_end(ir_compiled *c, ir_code code) {
  ir_setup *setup = &c->setup;
  for (size_t r = 0; r < setup->n_roots && code == IR_OK; r++)
    code = keep_root(c, setup, r);
  code = keep_made(c, code);
  for (size_t r = 0; r < setup->n_roots; r++)
    ir_tensor_release(&setup->made[r]);
  for (size_t i = 0; i < setup->plan.n_slots; i++)
    setup->plan.slots[i].tensor.release = NULL;
  ir_plan_reset(&setup->plan);
  ir_plan_release_memory(&setup->place);
  *setup = (ir_setup){.is_ready = false};
  c->has_constants = code == IR_OK;
  return code;
}

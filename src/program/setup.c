/* The constants of a plan: taken from the model, or computed by a plan of their own, which is executed once. */
#include "ops/const.h"
#include "program/compile.h"
#include "program/emit.h"
#include "program/fast_contraction.h"
#include <stdlib.h>
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

/* Whether steps need a copy of a constant that lies in its file. A step that checks bytes before it uses them needs
 * bytes that nobody changes, and some kernels need aligned bytes. */
static bool needs_copy(const ir_slot *slot, const ir_tensor *tensor) {
  return (slot->is_checked && tensor->is_mapped) || (slot->is_aligned && !ir_tensor_is_aligned(tensor));
}

/* Binds the slot of a constant of the file. The first call for a model loads the constant. */
static ir_code bind_of_file(ir_program *program, ir_plan *plan, int32_t value) {
  ir_constants *constants = program->request->constants;
  ir_constant_key key = ir_program_key(program, value);
  ir_slot *slot = &plan->slots[value];
  ir_tensor tensor;
  ir_code code = IR_OK;
  const bool is_new = !ir_constants_find(constants, &key, &tensor);
  if (is_new) {
    code = load(program, &program->values[value], &tensor);
    if (code == IR_OK)
      code = keep_of_file(program, &key, &tensor);
  }
  if (code != IR_OK)
    return code;
  key.is_own = true;
  const ir_tensor of_file = tensor;
  const bool is_copied = needs_copy(slot, &of_file);
  if (is_copied && !ir_constants_find(constants, &key, &tensor)) {
    code = copy(program, &of_file, &tensor);
    if (code == IR_OK)
      code = keep_of_file(program, &key, &tensor);
  }
  /* The plan reads its constants again, where they lie; other ones are read by the setup alone. */
  if (is_new && of_file.is_mapped && (is_copied || plan != program->request->plan))
    ir_release_pages(of_file.data, of_file.bytes);
  slot->tensor = tensor;
  slot->tensor.release = NULL;
  return code;
}

/* ---- which constants are missing ---- */

/* Binds the slot if the constant exists. Otherwise sets `*out_lacks`. */
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

/* Finds missing values of the program. `needed` has one item per value: the setup plan has to compute or load it. */
static ir_code find_values(ir_compiled *c, bool *needed) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < c->n_constants && code == IR_OK; i++) {
    const int32_t value = c->constants[i];
    bool lacks;
    code = bind_constant(&c->program, &c->plan, value, &lacks);
    if (code != IR_OK || !lacks)
      continue;
    needed[value] = true;
    c->setup.missing[c->setup.n_missing++] = (ir_missing_constant){.key = ir_program_key(&c->program, value),
                                                                   .is_local = c->program.values[value].is_local,
                                                                   .slot = value,
                                                                   .setup_slot = value};
  }
  return code;
}

/* Finds missing constants that steps of operations make (ir_plan_make). All plans of a mode make the same ones for a
 * layer, except from local constants. */
static void find_made(ir_compiled *c, bool *needed) {
  for (const ir_made_constant *made = c->plan.made; made != NULL; made = made->next) {
    ir_slot *slot = &c->plan.slots[made->to];
    const bool is_local = c->program.values[made->from].is_local;
    const ir_constant_key key = {.layer = made->layer_number,
                                 .type = slot->type,
                                 .made = IR_MADE_BY_OPERATION + made->number,
                                 .mode = c->program.mode};
    if (slot->tensor.data != NULL || (!is_local && ir_constants_find(c->request.constants, &key, &slot->tensor)))
      continue;
    needed[made->from] = true;
    c->setup.missing[c->setup.n_missing++] =
        (ir_missing_constant){.key = key, .is_local = is_local, .slot = made->to, .setup_slot = -1, .made = made};
  }
}

/* Finds the laid-out weights of contractions. True if some weights are not laid out yet. */
static bool find_weights(ir_program *program, bool *needed) {
  bool any = false;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    ir_contraction *contraction = operation->node.params;
    if (!ir_is_contraction(operation) || !ir_lacks_weights(contraction))
      continue;
    contraction->weights_key = ir_program_key(program, operation->in[1]);
    if (!contraction->are_weights_local)
      contraction->weights =
          ir_constants_find_weights(program->request->constants, &contraction->weights_key, contraction->primitive);
    if (contraction->weights == NULL)
      needed[operation->in[1]] = any = true;
  }
  return any;
}

/* ---- planning how to make them ---- */

static bool makes_needed(const ir_program *program, const ir_operation *operation, const bool *needed) {
  bool makes = false;
  for (int32_t p = 0; p < operation->n_out; p++)
    makes = makes || (operation->out[p] >= 0 && needed[operation->out[p]] &&
                      program->values[operation->out[p]].value.is_constant);
  return makes;
}

/* Lists the operations in running order. NULL when memory is out. */
static int32_t *list_operations(const ir_program *program, size_t *out_n) {
  int32_t *order = ir_arena_array(program->arena, program->n_operations + 1, sizeof *order);
  *out_n = 0;
  for (int32_t at = program->first; at >= 0 && order != NULL; at = program->operations[at].next)
    order[(*out_n)++] = at;
  return order;
}

/* Marks the inputs of operations that make needed values. Producers come before readers, so one backward walk is
 * enough. */
static void mark_inputs(const ir_program *program, const int32_t *order, size_t n, bool *needed) {
  while (n-- > 0) {
    const ir_operation *operation = &program->operations[order[n]];
    if (!makes_needed(program, operation, needed))
      continue;
    for (int32_t i = 0; i < operation->n_in; i++)
      needed[operation->in[i]] = true;
  }
}

/* An operation, and the place of the first operation that needs its result. */
typedef struct placed {
  int32_t place, operation;
} placed;

static int compare_places(const void *a, const void *b) {
  const placed *x = a, *y = b;
  return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                              : (x->operation > y->operation) - (x->operation < y->operation);
}

/* Moves operations on constants, which come early in `order`, to right before the operation that needs their results,
 * so that few weights exist in two layouts at the same time. False when memory is out. */
static bool delay(const ir_program *program, int32_t *order, size_t n, const bool *needed) {
  placed *places = ir_arena_array(program->arena, n + 1, sizeof *places);
  int32_t *place_of = ir_arena_array(program->arena, program->n_operations + 1, sizeof *place_of);
  if (places == NULL || place_of == NULL)
    return false;
  for (size_t i = n; i-- > 0;) {
    const ir_operation *operation = &program->operations[order[i]];
    int32_t first = INT32_MAX;
    for (int32_t p = 0; p < operation->n_out && makes_needed(program, operation, needed); p++)
      for (int32_t u = 0; operation->out[p] >= 0 && u < program->values[operation->out[p]].n_uses; u++) {
        const int32_t reader = program->uses[program->values[operation->out[p]].first_use + u].operation;
        first = place_of[reader] < first ? place_of[reader] : first;
      }
    place_of[order[i]] = first < INT32_MAX ? first : (int32_t)i;
    places[i] = (placed){place_of[order[i]], (int32_t)i};
  }
  qsort(places, n, sizeof *places, compare_places);
  for (size_t i = 0; i < n; i++)
    place_of[i] = order[places[i].operation];
  memcpy(order, place_of, n * sizeof *order);
  return true;
}

/* Appends the steps that make constants for the operation. Such constants are the last ones of setup.missing. */
static ir_code emit_made(ir_compiled *c, int32_t operation) {
  ir_code code = IR_OK;
  ir_plan *plan = &c->setup.plan;
  for (size_t i = c->setup.n_missing; i > 0 && c->setup.missing[i - 1].made != NULL && code == IR_OK; i--) {
    ir_missing_constant *missing = &c->setup.missing[i - 1];
    const ir_made_constant *made = missing->made;
    if (made->operation != operation)
      continue;
    plan->layer = made->layer;
    plan->layer_number = made->layer_number;
    missing->setup_slot = ir_plan_temporary(plan, c->plan.slots[made->to].type, &c->plan.slots[made->to].shape);
    code = missing->setup_slot < 0
               ? IR_NO_MEMORY
               : ir_plan_append(plan, made->kernel, made->state, 0, &made->from, 1, &missing->setup_slot, 1);
  }
  return code;
}

/* Emits the operations on constants, and the layout of weights at the position of their contraction. */
static ir_code emit(ir_compiled *c, const int32_t *order, size_t n, const bool *needed) {
  ir_program *program = &c->program;
  const ir_value **in = ir_program_room(program);
  ir_code code = in != NULL && ir_emit_slots(program, &c->setup.plan) ? IR_OK : IR_NO_MEMORY;
  for (size_t o = 0; o < n && code == IR_OK; o++) {
    const int32_t at = order[o];
    const ir_operation *operation = &program->operations[at];
    if (makes_needed(program, operation, needed))
      code = ir_emit_operation(program, at, &c->setup.plan, in);
    else if (ir_is_contraction(operation) && ir_lacks_weights(operation->node.params))
      code = ir_lay_out_step(&c->setup.plan, operation, operation->in[1], program->request);
    if (code == IR_OK)
      code = emit_made(c, at);
  }
  for (size_t i = 0; i < program->n_values && code == IR_OK; i++)
    if (program->values[i].producer < 0 && program->values[i].value.is_constant && needed[i]) {
      bool lacks;
      code = bind_constant(program, &c->setup.plan, (int32_t)i, &lacks);
    }
  return code;
}

/* Gives each missing constant its own memory, which outlives the setup plan. */
static ir_code place_missing(ir_compiled *c, ir_missing_constant *missing) {
  ir_account *account = c->request.account;
  ir_slot *owner = ir_plan_owner(&c->setup.plan, missing->setup_slot);
  const ir_memory *memory = missing->is_local ? c->plan.memory : ir_constants_memory(c->request.constants);
  size_t bytes;
  owner->is_aligned = true;
  if (!owner->is_made || owner->is_placed)
    return IR_OK;
  ir_tensor_bytes(owner->type, &owner->shape, &bytes);
  if (!missing->is_local &&
      ir_account_check(account, bytes, account->where, "with constants that are computed, the run takes") != IR_OK)
    return IR_NO_MEMORY;
  if (!ir_tensor_alloc(&missing->memory, memory, owner->type, &owner->shape))
    return ir_out_of_memory(c->plan.diags);
  ir_account_note(account);
  owner->is_placed = true;
  owner->given = missing->memory.data;
  return IR_OK;
}

static ir_code plan_missing(ir_compiled *c, bool *needed) {
  size_t n;
  int32_t *order = list_operations(&c->program, &n);
  if (order == NULL)
    return ir_out_of_memory(c->plan.diags);
  mark_inputs(&c->program, order, n, needed);
  c->setup.plan = (ir_plan){.arena = c->plan.arena,
                            .memory = c->plan.memory,
                            .diags = c->plan.diags,
                            .workers = c->plan.workers,
                            .is_fast = c->plan.is_fast,
                            .omp_pool = c->plan.omp_pool,
                            .place = &c->setup.place};
  ir_code code = delay(&c->program, order, n, needed) ? emit(c, order, n, needed) : ir_out_of_memory(c->plan.diags);
  for (size_t i = 0; i < c->setup.n_missing && code == IR_OK; i++)
    code = place_missing(c, &c->setup.missing[i]);
  return code == IR_OK ? ir_emit_end(&c->request, &c->setup.plan) : code;
}

ir_code ir_setup_begin(ir_compiled *c) {
  size_t most = c->n_constants;
  for (const ir_made_constant *made = c->plan.made; made != NULL; made = made->next)
    most++;
  c->setup = (ir_setup){.is_ready = true};
  c->setup.missing = ir_arena_array(c->plan.arena, most + 1, sizeof *c->setup.missing);
  bool *needed = ir_arena_array(c->plan.arena, c->program.n_values + 1, sizeof *needed);
  if (c->setup.missing == NULL || needed == NULL)
    return ir_out_of_memory(c->plan.diags);
  const ir_code code = find_values(c, needed);
  if (code != IR_OK)
    return code;
  find_made(c, needed);
  return find_weights(&c->program, needed) || c->setup.n_missing > 0 ? plan_missing(c, needed) : IR_OK;
}

/* ---- keeping the computed constants ---- */

static void end_tensor(void *tensor) {
  ir_tensor_release(tensor);
}

/* Gives the memory to the plan that reads the constant. */
static ir_code keep_local(ir_compiled *c, ir_missing_constant *missing) {
  ir_tensor *own = ir_arena_alloc(c->plan.arena, sizeof *own);
  if (own == NULL)
    return ir_out_of_memory(c->plan.diags);
  *own = missing->memory;
  missing->memory.release = NULL;
  return own->data == NULL || ir_plan_own(&c->plan, own, end_tensor) ? IR_OK : IR_NO_MEMORY;
}

/* Gives the memory to the model. `io_tensor` is the tensor of the constant in the setup plan. Replaces `io_tensor` by
 * one that borrows the model's memory. */
static ir_code keep_shared(ir_compiled *c, ir_missing_constant *missing, ir_tensor *io_tensor) {
  ir_tensor kept = *io_tensor, *memory = &missing->memory;
  if (memory->data == NULL && ir_plan_owner(&c->setup.plan, missing->setup_slot)->is_made) {
    /* `io_tensor` is a view of a constant that this setup also computes. If another thread stores that constant first,
     * ir_constants_put frees the memory of this setup's constant. So copy the elements. */
    const ir_code code = copy(&c->program, io_tensor, &kept);
    if (code != IR_OK)
      return code;
  } else {
    kept.memory = memory->memory;
    kept.base = memory->base;
    kept.base_bytes = memory->base_bytes;
    kept.release = memory->release;
  }
  if (!ir_constants_put(c->request.constants, &missing->key, &kept)) {
    if (memory->data == NULL)
      ir_tensor_release(&kept);
    return ir_out_of_memory(c->plan.diags);
  }
  memory->release = NULL;
  *io_tensor = kept;
  return IR_OK;
}

static ir_code keep(ir_compiled *c, ir_missing_constant *missing) {
  ir_tensor tensor = c->setup.plan.slots[missing->setup_slot].tensor;
  tensor.release = NULL;
  const ir_code code = missing->is_local ? keep_local(c, missing) : keep_shared(c, missing, &tensor);
  if (code == IR_OK)
    c->plan.slots[missing->slot].tensor = tensor;
  return code;
}

ir_code ir_setup_end(ir_compiled *c, ir_code code) {
  ir_setup *setup = &c->setup;
  for (size_t i = 0; i < setup->n_missing && code == IR_OK; i++)
    code = keep(c, &setup->missing[i]);
  for (size_t i = 0; i < setup->n_missing; i++)
    ir_tensor_release(&setup->missing[i].memory);
  for (size_t i = 0; i < setup->plan.n_slots; i++)
    setup->plan.slots[i].tensor.release = NULL;
  ir_plan_reset(&setup->plan);
  ir_plan_release_memory(&setup->place);
  *setup = (ir_setup){.is_ready = false};
  c->has_constants = code == IR_OK;
  return code;
}

/* Emits the plan of a program. Slot i is value i; slots that ops add for themselves follow. */
#include "program/emit.h"
#include "exec/plan_memory.h"
#include "exec/workers.h"

/* ---- slots ---- */

/* Whether the value's memory can change while steps read it: the caller can write to an input, any process to the
 * mapped file of a constant. */
static bool may_change(const ir_program_value *value) {
  return value->node != NULL && value->node->op != NULL &&
         (value->is_given ? ir_op_is(value->node->op, IR_RUN_INPUT) : value->producer < 0 && !value->is_local);
}

bool ir_emit_slots(const ir_program *program, ir_plan *plan) {
  for (size_t i = 0; i < program->n_values; i++) {
    const ir_program_value *value = &program->values[i];
    if (ir_plan_temporary(plan, value->value.type, &value->value.shape) < 0)
      return false;
    plan->slots[i].is_constant = value->value.is_constant;
    plan->slots[i].may_change = may_change(value);
  }
  return true;
}

/* ---- steps ---- */

ir_code ir_emit_operation(ir_program *program, int32_t at, ir_plan *plan, const ir_value **in) {
  ir_operation *operation = &program->operations[at];
  const ir_program_request *request = program->request;
  ir_scope scope = ir_program_scope(program);
  request->account->where = ir_layer_where(request->graph, operation->node.layer, operation->node.layer->at);
  ir_program_gather(program, operation, in);
  const size_t n_before = plan->n_steps;
  const ir_code code =
      ir_plan_prepare(plan, &operation->node, in, operation->in, operation->out, operation->layer, at, &scope);
  if (code == IR_OK && plan->n_steps > n_before)
    plan->steps[plan->n_steps - 1].macs = operation->macs; /* steps before the last one prepare its inputs */
  return code;
}

ir_code ir_emit_operations(ir_program *program, ir_plan *plan, size_t *n_done) {
  const ir_value **in = ir_program_room(program);
  ir_code code = in == NULL ? IR_NO_MEMORY : IR_OK;
  for (int32_t at = program->first; at >= 0 && code == IR_OK; at = program->operations[at].next) {
    if (!ir_program_makes_constants(program, &program->operations[at]))
      code = ir_emit_operation(program, at, plan, in);
    n_done[at] = plan->n_steps;
  }
  return code;
}

/* ---- visits ---- */

static void add_point(ir_plan *plan, size_t n_done, int32_t slot, int32_t layer, int32_t port) {
  plan->slots[slot].visited = n_done;
  plan->visits[plan->n_visits++] = (ir_visit_point){n_done, slot, layer, port};
}

/* Notes the visits in running order: an input is visited when the layers before it are done. */
ir_code ir_emit_visits(const ir_program *program, ir_plan *plan, const size_t *n_done) {
  const ir_program_request *request = program->request;
  plan->visits = ir_arena_array(plan->arena, program->n_values + 1, sizeof *plan->visits);
  if (plan->visits == NULL)
    return ir_out_of_memory(plan->diags);
  int32_t at = program->first;
  size_t done = 0, input = 0;
  for (size_t i = 0; i < request->n_layers; i++) {
    const ir_node *node = &request->model_nodes[request->layers[i]];
    if (ir_op_is(node->op, IR_RUN_INPUT)) {
      while (program->values[input].node != node) /* each input has a value, in running order, too */
        input++;
      add_point(plan, done, (int32_t)input, program->values[input].layer, 0);
    } else if (ir_op_is_computed(node->op)) {
      const ir_operation *operation = &program->operations[at];
      done = n_done[at];
      for (int32_t p = 0; p < operation->n_out; p++)
        if (operation->out[p] >= 0)
          add_point(plan, done, operation->out[p], operation->layer, p);
      at = operation->next;
    }
  }
  return IR_OK;
}

/* ---- memory of the whole run ---- */

static size_t add_bytes(size_t a, size_t b) {
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static size_t slot_bytes(const ir_slot *slot) {
  size_t bytes;
  return ir_tensor_bytes(slot->type, &slot->shape, &bytes) ? bytes : SIZE_MAX;
}

/* The most workers that any step can use. The bytes are an upper bound: a kernel with overlapping windows counts an
 * element once per window. */
static int workers_of(const ir_plan *plan) {
  enum { MOST_READS = 64 };
  if (plan->omp_pool != NULL)
    return ir_workers_most(plan->workers);
  size_t most = 0;
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    size_t bytes = 0;
    for (int32_t i = 0; i < step->n_in; i++)
      bytes = add_bytes(bytes, slot_bytes(&plan->slots[step->in[i]]));
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        bytes = add_bytes(bytes, slot_bytes(&plan->slots[step->out[i]]));
    most = bytes > most ? bytes : most;
  }
  int64_t read = most < INT64_MAX / MOST_READS ? (int64_t)most * MOST_READS : INT64_MAX;
  if (ir_workers_worth(IR_MOST_WORKERS, INT64_MAX, read) == 1)
    return 1; /* too little work for threads: do not count the cores, which takes time */
  return ir_workers_worth(ir_workers_most(plan->workers), INT64_MAX, read);
}

/* For each step: the bytes of the tensors that no later step needs. NULL when memory is out. */
static size_t *bytes_that_end(const ir_plan *plan) {
  size_t *ending = ir_arena_array(plan->arena, plan->n_steps + 1, sizeof *ending);
  for (size_t i = 0; ending != NULL && i < plan->n_slots; i++)
    if (plan->slots[i].is_made)
      ending[plan->slots[i].last] = add_bytes(ending[plan->slots[i].last], slot_bytes(&plan->slots[i]));
  return ending;
}

size_t ir_emit_bytes(const ir_plan *plan) {
  size_t stride;
  const size_t needed = add_bytes(ir_plan_scratch(plan, &stride), plan->block_bytes);
  const size_t held = plan->place->block.bytes + plan->place->scratch.bytes;
  return needed > held ? needed - held : 0;
}

/* Reports a run that exceeds its memory limit, at the step with the highest peak. */
static ir_code check_peak(const ir_program_request *request, const ir_plan *plan) {
  size_t live = 0, most = 0, *ending = bytes_that_end(plan);
  ir_where where = {.at = IR_NOWHERE};
  if (ending == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        live += slot_bytes(&plan->slots[step->out[i]]);
    if (live > most)
      where = ir_layer_where(request->graph, step->layer, step->layer->at);
    most = live > most ? live : most;
    live -= ending[s];
  }
  return ir_account_check(request->account, ir_emit_bytes(plan), where,
                          plan->n_steps > 0 ? "with what this layer needs, the run takes" : "the inputs take");
}

ir_code ir_emit_end(const ir_program_request *request, ir_plan *plan) {
  plan->n_workers = workers_of(plan);
  const ir_code code = ir_plan_lay_out(plan);
  return code == IR_OK ? check_peak(request, plan) : code;
}

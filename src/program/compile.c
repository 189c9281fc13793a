#include "program/compile.h"
#include "program/emit.h"
#include "program/passes.h"

/* Lists the slots that are bound before an execution, those that are read after it, and the constants that steps read.
 */
static ir_code bind(ir_compiled *c) {
  const ir_program *program = &c->program;
  ir_plan *plan = &c->plan;
  const size_t n = program->n_values + 1;
  bool *is_read = ir_arena_array(plan->arena, n, sizeof *is_read);
  c->given = ir_arena_array(plan->arena, n, sizeof *c->given);
  c->kept = ir_arena_array(plan->arena, n, sizeof *c->kept);
  c->constants = ir_arena_array(plan->arena, n, sizeof *c->constants);
  if (is_read == NULL || c->given == NULL || c->kept == NULL || c->constants == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t s = 0; s < plan->n_steps; s++)
    for (int32_t i = 0; i < plan->steps[s].n_in; i++)
      if (ir_plan_owner(plan, plan->steps[s].in[i]) < plan->slots + program->n_values)
        is_read[ir_plan_owner(plan, plan->steps[s].in[i]) - plan->slots] = true;
  for (size_t i = 0; i < program->n_values; i++) {
    const ir_program_value *value = &program->values[i];
    const ir_binding binding = {(int32_t)i, value->layer, value->port};
    plan->slots[i].is_kept = value->is_kept;
    if (value->is_given)
      c->given[c->n_given++] = binding;
    if (value->is_kept) {
      c->kept[c->n_kept++] = binding;
      ir_plan_owner(plan, (int32_t)i)->is_aligned = true;
      is_read[ir_plan_owner(plan, (int32_t)i) - plan->slots] = true;
    }
  }
  for (size_t i = 0; i < program->n_values; i++)
    if (is_read[i] && program->values[i].value.is_constant && !plan->slots[i].is_made && plan->slots[i].view_of < 0)
      c->constants[c->n_constants++] = (int32_t)i;
  return IR_OK;
}

ir_code ir_compile_program(const ir_program_request *given, const char *until, ir_compiled *out) {
  *out = (ir_compiled){.request = *given};
  ir_program_request *request = &out->request;
  ir_plan *plan = request->plan = &out->plan;
  *plan = (ir_plan){.arena = request->arena,
                    .memory = &request->account->memory,
                    .diags = request->diags,
                    .workers = request->workers,
                    .place = request->place,
                    .is_fast = request->is_fast};
  const ir_code code = ir_program_lower(request, &out->program);
  return code == IR_OK ? ir_program_run_passes(&out->program, until) : code;
}

ir_code ir_compile(const ir_program_request *given, ir_compiled *out) {
  ir_code code = ir_compile_program(given, NULL, out);
  const ir_program_request *request = &out->request;
  ir_plan *plan = &out->plan;
  if (code != IR_OK)
    return code;
  size_t *n_done = ir_arena_array(plan->arena, out->program.n_operations + 1, sizeof *n_done);
  if (n_done == NULL)
    return ir_out_of_memory(plan->diags);
  code = ir_emit_slots(&out->program, plan) ? ir_emit_operations(&out->program, plan, n_done) : IR_NO_MEMORY;
  if (code == IR_OK && request->visited)
    code = ir_emit_visits(&out->program, plan, n_done);
  if (code == IR_OK)
    code = bind(out);
  if (code == IR_OK)
    code = ir_emit_end(request, plan);
  return code == IR_OK ? ir_setup_begin(out) : code;
}

void ir_compiled_reset(ir_compiled *compiled) {
  ir_setup_end(compiled, IR_NO_MEMORY);
  ir_plan_reset(&compiled->plan);
  *compiled = (ir_compiled){.constants = NULL};
}

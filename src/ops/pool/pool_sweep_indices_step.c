#include "ops/pool/pool_sweep_indices_step.h"
#include "ops/pool/pool_max_first.h"
#include "ops/pool/pool_sweep_indices_kernels.h"

typedef struct indices_state {
  ir_kernel row; /* named after the instruction set */
  ir_indices plan;
  const ir_indices_kernel *kernel;
  ir_windows windows;
  bool is_from_first; /* a maximum from its window's first element */
} indices_state;

typedef struct indices_work {
  const indices_state *state;
  const ir_exec *exec;
  ir_indices_job job;
} indices_work;

static void work_on(void *user, int64_t begin, int64_t end, int worker) {
  const indices_work *work = user;
  const indices_state *state = work->state;
  const ir_indices_job *job = &work->job;
  const ir_first_indices indices = {job->indices, job->is_i64, state->plan.modulus};
  state->kernel->units(job, ir_exec_scratch(work->exec, worker), begin, end);
  if (state->is_from_first)
    ir_max_from_first(&state->windows, state->kernel->type, job->in, job->out, &indices,
                      ir_indices_row_of(&state->plan, begin), ir_indices_row_of(&state->plan, end));
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const indices_state *state = step->state;
  const size_t bytes = in[0]->bytes + (out[0] != NULL ? out[0]->bytes : 0) + out[1]->bytes;
  indices_work work = {
      .state = state,
      .exec = exec,
      .job = {.plan = &state->plan,
              .in = in[0]->data,
              .n_in = state->plan.n_planes * state->plan.plane_in,
              .out = out[0] != NULL ? out[0]->data : NULL,
              .indices = out[1]->data,
              .is_i64 = out[1]->type == IR_I64,
              .in_is_far = in[0]->bytes >= IR_INDICES_FAR,
              .way = ir_indices_way_to(&state->plan, out[0] != NULL ? out[0]->data : NULL, out[1]->data, bytes)}};
  exec->share(exec, state->plan.n_units, (int64_t)bytes, work_on, &work);
  return IR_OK;
}

ir_code ir_indices_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t modulus, ir_scope *scope, bool *out_done) {
  const ir_indices_kernel *kernel = ir_indices_kernel_for(node->outputs[0].type);
  const int32_t from = ir_plan_input_slot(plan, node, 0),
                to[2] = {ir_plan_output_slot(plan, node, 0), ir_plan_output_slot(plan, node, 1)};
  ir_indices sweep;
  /* From the first element it is the values that tell whether there is anything to mend. */
  const bool is_from_first = start == IR_MAX_FROM_FIRST;
  *out_done = kernel != NULL && !(is_from_first && to[0] < 0) && ir_indices_make(windows, modulus, &sweep);
  if (!*out_done)
    return IR_OK;
  indices_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state =
      (indices_state){.row = {.types = IR_SET(kernel->type), .name = "maximum_indices", .isa = kernel->isa, .run = run},
                      .plan = sweep,
                      .kernel = kernel,
                      .windows = *windows,
                      .is_from_first = is_from_first};
  return ir_plan_step_on(plan, node, &state->row, state, sweep.n_scratch * sizeof(float), &from, 1, to, 2);
}

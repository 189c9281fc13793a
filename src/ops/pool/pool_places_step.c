#include "ops/pool/pool_places_step.h"
#include "ops/pool/pool_kernels.h"
#include "ops/pool/pool_max_first.h"
#include "ops/pool/pool_numbers.h"

typedef struct places_state {
  ir_kernel row; /* named after the instruction set */
  ir_places plan;
  const ir_pool_kernel *kernel;
  ir_windows windows;
  bool is_from_first; /* a maximum from its window's first element */
} places_state;

typedef struct places_run {
  const places_state *state;
  const ir_exec *exec;
  ir_places_job job;
} places_run;

static void make_units(void *user, int64_t begin, int64_t end, int worker) {
  const places_run *run = user;
  run->state->kernel->places(&run->job, ir_exec_scratch(run->exec, worker), begin, end);
}

static void begin_with_first(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const places_run *run = user;
  const ir_places_job *job = &run->job;
  const ir_first_indices indices = {job->indices, job->is_i64, run->state->plan.modulus};
  ir_max_from_first(&run->state->windows, run->state->kernel->type, job->in, job->out, &indices, begin, end);
}

static ir_code run_places(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const places_state *state = step->state;
  const ir_places *plan = &state->plan;
  const int64_t bytes = (int64_t)(in[0]->bytes + (out[0] != NULL ? out[0]->bytes : 0) + out[1]->bytes);
  places_run run = {.state = state,
                    .exec = exec,
                    .job = {.plan = plan,
                            .type = state->kernel->type,
                            .in = in[0]->data,
                            .out = out[0] != NULL ? out[0]->data : NULL,
                            .indices = out[1]->data,
                            .is_i64 = out[1]->type == IR_I64}};
  exec->share(exec, plan->n_units, bytes, make_units, &run);
  if (state->is_from_first)
    exec->share(exec,
                plan->n_planes * (plan->plane_out / most(1, state->windows.axes[state->windows.n_axes - 1].n_out)),
                bytes, begin_with_first, &run);
  return IR_OK;
}

ir_code ir_places_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                       int64_t modulus, ir_scope *scope, bool *out_done) {
  const ir_pool_kernel *kernel = ir_pool_kernel_for(node->outputs[0].type, IR_POOL_MAX);
  const int32_t from = ir_plan_input_slot(plan, node, 0),
                to[2] = {ir_plan_output_slot(plan, node, 0), ir_plan_output_slot(plan, node, 1)};
  ir_places places;
  /* From the first element it is the values that tell whether there is anything to mend. */
  const bool is_from_first = start == IR_MAX_FROM_FIRST;
  *out_done = kernel != NULL && !(is_from_first && to[0] < 0) && ir_places_make(windows, modulus, &places);
  if (!*out_done)
    return IR_OK;
  places_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (places_state){
      .row = {.types = IR_SET(kernel->type), .name = "maximum.places", .isa = kernel->isa, .run = run_places},
      .plan = places,
      .kernel = kernel,
      .windows = *windows,
      .is_from_first = is_from_first};
  return ir_plan_step_on(plan, node, &state->row, state, places.n_scratch * sizeof(float), &from, 1, to, 2);
}

#include "ops/pool/pool_sweep_step.h"
#include "ops/pool/pool_max_first.h"

typedef struct sweep_state {
  ir_windows windows;
  ir_sweep sweep;
  ir_sweep_means means;
  const ir_sweep_kernel *kernel;
  bool is_from_first; /* a maximum from its window's first element */
} sweep_state;

typedef struct sweep_work {
  const sweep_state *state;
  const ir_exec *exec;
  ir_sweep_job job;
} sweep_work;

/* The first row of the output that is of the unit: a unit is a few positions of the outermost axis. */
static int64_t row_of(const sweep_state *state, int64_t unit) {
  const ir_sweep *sweep = &state->sweep;
  const ir_sweep_cross *outer = &sweep->cross[0];
  const int64_t at = ir_sweep_plane_of(sweep, unit) * outer->n_out + unit % sweep->n_bands * sweep->band;
  return at * (sweep->plane_out / outer->n_out) / state->windows.axes[state->windows.n_axes - 1].n_out;
}

static void work_on(void *user, int64_t begin, int64_t end, int worker) {
  const sweep_work *work = user;
  const sweep_state *state = work->state;
  state->kernel->units(&work->job, ir_exec_scratch(work->exec, worker), begin, end);
  if (state->is_from_first)
    ir_max_from_first(&state->windows, state->kernel->type, work->job.in, work->job.out, NULL, row_of(state, begin),
                      row_of(state, end));
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const sweep_state *state = step->state;
  const int64_t bytes = (int64_t)(in[0]->bytes + out[0]->bytes);
  sweep_work work = {.state = state,
                     .exec = exec,
                     .job = {.sweep = &state->sweep,
                             .means = &state->means,
                             .windows = &state->windows,
                             .in = in[0]->data,
                             .out = out[0]->data,
                             .in_is_far = in[0]->bytes >= IR_SWEEP_FAR,
                             .out_is_far = bytes >= 2 * IR_SWEEP_FAR}};
  const int64_t n = bytes / (int64_t)ir_type_size(state->kernel->type);
  exec->share(exec, state->sweep.n_units, bytes + n / 2 * state->sweep.effort, work_on, &work);
  return IR_OK;
}

/* One a kind and instruction set: a step's kernel has a name. */
static const ir_kernel *kernel_of(ir_plan *plan, const ir_sweep_kernel *sweep) {
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  if (kernel != NULL)
    *kernel = (ir_kernel){.types = IR_SET(sweep->type),
                          .name = sweep->op == ir_sweep_average ? "average" : "maximum",
                          .isa = sweep->isa,
                          .run = run};
  return kernel;
}

ir_code ir_sweep_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_sweep_op op, ir_max_start start,
                      ir_scope *scope, bool *out_done) {
  const ir_sweep_kernel *kernel = ir_sweep_kernel_for(node->outputs[0].type, op);
  const int32_t from = ir_plan_input_slot(plan, node, 0), to[2] = {ir_plan_output_slot(plan, node, 0), -1};
  *out_done = false;
  if (kernel == NULL || to[0] < 0)
    return IR_OK;
  sweep_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (sweep_state){.windows = average->windows,
                         .kernel = kernel,
                         .is_from_first = op == ir_sweep_maximum && start == IR_MAX_FROM_FIRST};
  bool done;
  const ir_code code = ir_sweep_make(plan, &state->windows, &kernel->vectors, &state->sweep, &done);
  if (code != IR_OK || !done || state->sweep.most_taps > kernel->most_taps)
    return code;
  if (op == ir_sweep_average &&
      !ir_sweep_make_means(plan, &state->sweep, average->divisor, average->nan_if_empty, &state->means))
    return IR_IO;
  const ir_kernel *row = kernel_of(plan, kernel);
  if (row == NULL)
    return ir_out_of_memory(scope->diags);
  *out_done = true;
  return ir_plan_step_on(plan, node, row, state, state->sweep.n_scratch * sizeof(float), &from, 1, to,
                         node->n_outputs > 1 ? 2 : 1);
}

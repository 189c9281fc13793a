#include "ops/pool/pool_fold_step.h"
#include "ops/pool/pool_max_first.h"

typedef struct fold_state {
  ir_kernel row; /* named after the instruction set */
  ir_fold fold;
  const ir_fold_kernel *kernel;
  ir_max_start start;
} fold_state;

typedef struct fold_work {
  const fold_state *state;
  const ir_exec *exec;
  ir_fold_job job;
} fold_work;

static void work_on(void *user, int64_t begin, int64_t end, int worker) {
  const fold_work *work = user;
  const fold_state *state = work->state;
  state->kernel->units(&work->job, ir_exec_scratch(work->exec, worker), begin, end);
  if (state->kernel->op == ir_fold_maximum && state->start == IR_MAX_FROM_FIRST)
    ir_max_from_first(&state->fold.windows, state->kernel->type, work->job.in, work->job.out, NULL, begin, end);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const fold_state *state = step->state;
  fold_work work = {
      .state = state, .exec = exec, .job = {.fold = &state->fold, .in = in[0]->data, .out = out[0]->data}};
  enum { EFFORT = 4 }; /* of a byte, in times that it takes to copy it */
  exec->share(exec, state->fold.n_rows, EFFORT * (int64_t)(in[0]->bytes + out[0]->bytes), work_on, &work);
  return IR_OK;
}

ir_code ir_fold_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_fold_op op, ir_max_start start,
                     ir_scope *scope) {
  fold_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (fold_state){.start = start};
  const ir_type type = node->outputs[0].type;
  const bool nan_if_empty = average->nan_if_empty && ir_type_in(type, IR_SET_FLOATS);
  if (!ir_fold_make(plan, &average->windows, average->divisor, nan_if_empty, &state->fold))
    return IR_IO;
  state->kernel = ir_fold_kernel_for(type, op, state->fold.most_taps);
  if (state->kernel == NULL)
    return ir_report_no_kernel(scope, ir_node_where(scope, node), type);
  state->row = (ir_kernel){.types = IR_SET(type),
                           .name = op == ir_fold_average ? "average" : "maximum",
                           .isa = state->kernel->isa,
                           .run = run};
  const int32_t from = ir_plan_input_slot(plan, node, 0), to[2] = {ir_plan_output_slot(plan, node, 0), -1};
  return ir_plan_step_on(plan, node, &state->row, state, ir_fold_scratch(&state->fold, state->kernel->term_bytes),
                         &from, 1, to, node->n_outputs > 1 ? 2 : 1);
}

#include "ops/pool/pool_step.h"
#include "ops/kernels/numbers.h"
#include "ops/pool/pool_kernels.h"
#include "ops/pool/pool_plain.h"
#include <stdio.h>

enum {
  FAR = 8 << 20, /* bytes: tensors of this size or more exceed the caches */
  NAME_SIZE = 32
};

/* ---- maxima from the first element ---- */

static void mend_rows(void *user, int64_t begin, int64_t end, int worker) {
  ir_first_job job = *(const ir_first_job *)user;
  job.worker = worker;
  ir_max_from_first(&job, begin, end);
}

/* Corrects maxima if `start` is IR_MAX_FROM_FIRST: see ir_max_from_first. */
static void begin_with_first(ir_first_job job, ir_max_start start, int64_t bytes, ir_exec *exec) {
  const int64_t row = job.windows->axes[job.windows->n_axes - 1].n_out;
  const int64_t n_rows = job.windows->n_planes * ir_windows_plane_out(job.windows) / row;
  job.stop = exec->stop;
  if (start == IR_MAX_FROM_FIRST)
    exec->share(exec, n_rows, bytes, mend_rows, &job);
}

/* ---- averages, and maxima without indices ---- */

typedef struct pool_state {
  ir_kernel row;
  char name[NAME_SIZE]; /* text of row.name: operation and route */
  ir_pool_plan plan;
  const ir_pool_kernel *kernel;
  ir_max_start start; /* start value of maxima */
} pool_state;

typedef struct pool_work {
  const pool_state *state;
  const ir_exec *exec;
  ir_pool_job job;
} pool_work;

static void make_units(void *user, int64_t begin, int64_t end, int worker) {
  const pool_work *work = user;
  ir_pool_job job = work->job;
  job.worker = worker;
  work->state->kernel->units(&job, ir_exec_scratch(work->exec, worker), begin, end);
}

static void repair_rows(void *user, int64_t begin, int64_t end, int worker) {
  ir_pool_job job = ((const pool_work *)user)->job;
  job.worker = worker;
  ir_pool_repair(&job, begin, end);
}

static ir_code run_values(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const pool_state *state = step->state;
  const int64_t bytes = (int64_t)(in[0]->bytes + out[0]->bytes);
  atomic_bool wants_repair = false;
  pool_work work = {.state = state,
                    .exec = exec,
                    .job = {.plan = &state->plan,
                            .type = state->kernel->type,
                            .in = in[0]->data,
                            .out = out[0]->data,
                            .in_is_far = in[0]->bytes >= FAR,
                            .out_is_far = bytes >= 2 * FAR,
                            .wants_repair = &wants_repair,
                            .stop = exec->stop}};
  if (!ir_pool_ready(&state->plan, exec->stop))
    return IR_OK;
  exec->share(exec, state->plan.n_units, bytes, make_units, &work);
  if (wants_repair)
    exec->share(exec, state->plan.n_lines, bytes, repair_rows, &work);
  begin_with_first(
      (ir_first_job){
          .windows = &state->plan.windows, .type = state->kernel->type, .in = work.job.in, .out = work.job.out},
      state->start, bytes, exec);
  return IR_OK;
}

static const char *const reasons[] = {[IR_POOL_STRIPS] = "small windows: straight from rows to outputs",
                                      [IR_POOL_PLANES] = "small planes: 16 of them side by side",
                                      [IR_POOL_ROWS] = "long rows at stride 1: one after the other",
                                      [IR_POOL_TURNED] = "windows that no other route takes: 16 rows side by side"};

static ir_code values_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_pool_op op,
                           ir_max_start start, ir_scope *scope, bool *out_done) {
  const ir_pool_kernel *kernel = ir_pool_kernel_for(node->outputs[0].type, op);
  const int32_t from = ir_plan_input_slot(plan, 0), to[2] = {ir_plan_output_slot(plan, 0), -1};
  *out_done = false;
  if (kernel == NULL || to[0] < 0 || average->windows.n_planes == 0)
    return IR_OK;
  pool_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (pool_state){.kernel = kernel, .start = start};
  if (!ir_pool_make_plan(plan, &average->windows, op, average->divisor, average->nan_if_empty, IR_POOL_ROUTES,
                         &state->plan))
    return IR_NO_MEMORY;
  if (state->plan.taps > kernel->most_taps || state->plan.taps >= 1 << 24)
    return IR_OK;
  snprintf(state->name, sizeof state->name, "%s.%s", op == IR_POOL_SUM ? "average" : "maximum",
           ir_pool_route_names[state->plan.route]);
  state->row =
      (ir_kernel){.name = state->name, .isa = kernel->isa, .run = run_values, .why = reasons[state->plan.route]};
  *out_done = true;
  return ir_plan_step_on(plan, node, &state->row, state, state->plan.n_scratch * sizeof(float), &from, 1, to,
                         node->n_outputs > 1 ? 2 : 1);
}

/* ---- maxima with indices ---- */

typedef struct places_state {
  ir_kernel row;
  ir_places plan;
  const ir_pool_kernel *kernel;
  ir_windows windows;
  ir_max_start start;
} places_state;

typedef struct places_run {
  const places_state *state;
  const ir_exec *exec;
  ir_places_job job;
} places_run;

static void make_places(void *user, int64_t begin, int64_t end, int worker) {
  const places_run *run = user;
  ir_places_job job = run->job;
  job.worker = worker;
  run->state->kernel->places(&job, ir_exec_scratch(run->exec, worker), begin, end);
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
                            .is_i64 = out[1]->type == IR_I64,
                            .stop = exec->stop}};
  exec->share(exec, plan->n_units, bytes, make_places, &run);
  const ir_first_indices indices = {run.job.indices, run.job.is_i64, plan->modulus};
  begin_with_first((ir_first_job){.windows = &state->windows,
                                  .type = state->kernel->type,
                                  .in = run.job.in,
                                  .out = run.job.out,
                                  .indices = &indices},
                   state->start, bytes, exec);
  return IR_OK;
}

static ir_code places_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                           int64_t modulus, ir_scope *scope, bool *out_done) {
  const ir_pool_kernel *kernel = ir_pool_kernel_for(node->outputs[0].type, IR_POOL_MAX);
  const int32_t from = ir_plan_input_slot(plan, 0),
                to[2] = {ir_plan_output_slot(plan, 0), ir_plan_output_slot(plan, 1)};
  ir_places places;
  /* If `start` is not IR_MAX_FROM_LOWEST, begin_with_first reads the maxima from output 0. If output 0 is not stored in
   * this case, plain loops compute the indices. */
  *out_done =
      kernel != NULL && !(start != IR_MAX_FROM_LOWEST && to[0] < 0) && ir_places_make(windows, modulus, &places);
  if (!*out_done)
    return IR_OK;
  places_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (places_state){.row = {.name = "maximum.places",
                                  .isa = kernel->isa,
                                  .run = run_places,
                                  .why = "somebody reads the indices of the maxima"},
                          .plan = places,
                          .kernel = kernel,
                          .windows = *windows,
                          .start = start};
  return ir_plan_step_on(plan, node, &state->row, state, places.n_scratch * sizeof(float), &from, 1, to, 2);
}

/* ---- channels last ---- */

typedef struct last_state {
  ir_pool_last pool;
  ir_pool_last_rows *rows;
  ir_kernel kernel;
} last_state;

typedef struct last_work {
  const last_state *state;
  ir_stop *stop;
  const void *in;
  void *out;
} last_work;

bool ir_pool_takes_channels_last(const ir_node *node) {
  const ir_type type = node->outputs[0].type;
  const bool are_bytes = node->op->function == IR_FUNCTION_MOVE && (type == IR_U8 || type == IR_I8);
  return (type == IR_F32 || are_bytes) && node->outputs_read <= 1; /* bit 0 only: output 1, the indices, is not read */
}

static void make_last_rows(void *user, int64_t begin, int64_t end, int worker) {
  const last_work *work = user;
  ir_pool_last pool = work->state->pool;
  pool.stop = work->stop;
  pool.worker = worker;
  work->state->rows(&pool, work->in, work->out, begin, end);
}

static ir_code run_last(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const last_state *state = step->state;
  last_work work = {state, exec->stop, in[0]->data, out[0]->data};
  const int64_t row = state->pool.axes[IR_POOL_LAST_AXES - 1].n_out * state->pool.channels;
  if (row > 0)
    exec->share(exec, ir_tensor_elements(out[0]) / row, (int64_t)(in[0]->bytes + out[0]->bytes), make_last_rows, &work);
  return IR_OK;
}

ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average) {
  const ir_pool_kernel *kernel = ir_pool_kernel_for(IR_F32, average != NULL ? IR_POOL_SUM : IR_POOL_MAX);
  const ir_type type = node->outputs[0].type;
  last_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (last_state){.pool = {.is_average = average != NULL, .channels = node->outputs[0].shape.dims[1].lo},
                        .rows = type == IR_F32  ? kernel->last
                                : type == IR_U8 ? ir_pool_last_rows_u8
                                                : ir_pool_last_rows_i8,
                        .kernel = {.name = average != NULL ? "average.last" : "maximum.last",
                                   .isa = type == IR_F32 ? kernel->isa : "any",
                                   .run = run_last,
                                   .why = "its input has channels last"}};
  if (average != NULL) {
    state->pool.divisor = average->divisor;
    state->pool.nan_if_empty = average->nan_if_empty;
  }
  for (int i = 0; i < IR_POOL_LAST_AXES; i++) {
    const int own = i - (IR_POOL_LAST_AXES - windows->n_axes);
    state->pool.axes[i] =
        own >= 0 ? windows->axes[own] : (ir_windows_axis){.n_in = 1, .n_out = 1, .step = 1, .kernel = 1, .stride = 1};
  }
  const int32_t in = ir_plan_input_slot(plan, 0), out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &state->kernel, state, 0, &in, 1, &out, 1);
}

/* ---- vector kernels, or plain loops ---- */

ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope) {
  bool done = false;
  ir_code code = values_step(plan, node, average, IR_POOL_SUM, IR_MAX_FROM_LOWEST, scope, &done);
  const ir_plain_what what = {.op = IR_PLAIN_AVERAGE,
                              .type = node->outputs[0].type,
                              .divisor = average->divisor,
                              .nan_if_empty = average->nan_if_empty};
  /* The step reads input 0 only. A second input, of sizes or axes, was used when the shape was inferred. */
  return done || code != IR_OK ? code : ir_plain_step(plan, node, &average->windows, &what, scope);
}

ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope) {
  const bool reads_indices = node->n_outputs > 1 && ir_plan_output_slot(plan, 1) >= 0;
  const ir_average maxima = {.windows = *windows};
  bool done = false;
  const ir_code code = reads_indices ? places_step(plan, node, windows, start, index_modulus, scope, &done)
                                     : values_step(plan, node, &maxima, IR_POOL_MAX, start, scope, &done);
  const ir_plain_what what = {.op = reads_indices ? IR_PLAIN_INDICES : IR_PLAIN_MAXIMUM,
                              .type = node->outputs[0].type,
                              .start = start,
                              .modulus = index_modulus};
  return done || code != IR_OK ? code : ir_plain_step(plan, node, windows, &what, scope);
}

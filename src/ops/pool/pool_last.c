#include "ops/pool/pool_last.h"
#include "ops/pool/pool_kernels.h"

typedef struct last_state {
  ir_pool_last pool;
  ir_pool_last_rows *rows;
  ir_kernel kernel;
} last_state;

typedef struct last_work {
  const last_state *state;
  const float *in;
  float *out;
} last_work;

bool ir_pool_takes_channels_last(const ir_node *node) {
  return node->outputs[0].type == IR_F32 && node->outputs_read <= 1; /* nobody reads indices */
}

static void make_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const last_work *work = user;
  work->state->rows(&work->state->pool, work->in, work->out, begin, end);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const last_state *state = step->state;
  last_work work = {state, in[0]->data, out[0]->data};
  const int64_t row = state->pool.axes[IR_POOL_LAST_AXES - 1].n_out * state->pool.channels;
  if (row > 0)
    exec->share(exec, ir_tensor_elements(out[0]) / row, (int64_t)(in[0]->bytes + out[0]->bytes), make_rows, &work);
  return IR_OK;
}

ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average) {
  const ir_pool_kernel *kernel = ir_pool_kernel_for(IR_F32, average != NULL ? IR_POOL_SUM : IR_POOL_MAX);
  last_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (last_state){
      .pool = {.is_average = average != NULL, .channels = node->outputs[0].shape.dims[1].lo},
      .rows = kernel->last,
      .kernel = {.name = average != NULL ? "average.last" : "maximum.last", .isa = kernel->isa, .run = run}};
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

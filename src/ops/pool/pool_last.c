#include "ops/pool/pool_last.h"
#include <float.h>
#include <math.h>

enum { MOST_AXES = 3 };

typedef struct last_state {
  ir_windows_axis axes[MOST_AXES]; /* those that are not there have one window of one element, in front */
  int64_t channels;
  bool is_average, nan_if_empty;
  int64_t divisor; /* 0: the number of taps in the input */
} last_state;

typedef struct last_work {
  const last_state *state;
  const float *in;
  float *out;
} last_work;

bool ir_pool_takes_channels_last(const ir_node *node) {
  return node->outputs[0].type == IR_F32 && node->outputs_read <= 1; /* nobody reads indices */
}

static void take_maximum(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t c = 0; c < n; c++)
    to[c] = from[c] > to[c] ? from[c] : to[c];
}

static void take_sum(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t c = 0; c < n; c++)
    to[c] += from[c];
}

static void finish_average(const last_state *state, float *to, int64_t n_taps) {
  const float divisor = (float)(state->divisor > 0 ? state->divisor : n_taps);
  const float empty = state->nan_if_empty ? NAN : 0;
  for (int64_t c = 0; c < state->channels; c++)
    to[c] = n_taps == 0 ? empty : to[c] / divisor;
}

/* One place of the output: all its channels. `plane` is where the image of the input begins. */
static void pool_place(const last_state *state, const float *plane, const int64_t *at, float *to) {
  const ir_windows_axis *axes = state->axes;
  ir_range ranges[MOST_AXES];
  int64_t n_taps = 1;
  for (int i = 0; i < MOST_AXES; i++) {
    ranges[i] = ir_windows_range(&axes[i], at[i]);
    n_taps *= ranges[i].count;
  }
  for (int64_t c = 0; c < state->channels; c++)
    to[c] = state->is_average ? 0 : -FLT_MAX;
  for (int64_t z = 0; z < ranges[0].count; z++)
    for (int64_t y = 0; y < ranges[1].count; y++)
      for (int64_t x = 0; x < ranges[2].count; x++) {
        const int64_t place =
            ((ranges[0].begin + z * axes[0].step) * axes[1].n_in + ranges[1].begin + y * axes[1].step) * axes[2].n_in +
            ranges[2].begin + x * axes[2].step;
        (state->is_average ? take_sum : take_maximum)(plane + place * state->channels, to, state->channels);
      }
  if (state->is_average)
    finish_average(state, to, n_taps);
}

/* Items are rows of the output: along its last axis. */
static void pool_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const last_work *work = user;
  const last_state *state = work->state;
  const ir_windows_axis *axes = state->axes;
  const int64_t plane = axes[0].n_in * axes[1].n_in * axes[2].n_in * state->channels;
  for (int64_t row = begin; row < end; row++) {
    int64_t at[MOST_AXES] = {row / axes[1].n_out % axes[0].n_out, row % axes[1].n_out, 0};
    const float *from = work->in + row / axes[1].n_out / axes[0].n_out * plane;
    for (; at[2] < axes[2].n_out; at[2]++)
      pool_place(state, from, at, work->out + (row * axes[2].n_out + at[2]) * state->channels);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const last_state *state = step->state;
  last_work work = {state, in[0]->data, out[0]->data};
  const int64_t places = state->axes[2].n_out * state->channels;
  if (places > 0)
    exec->share(exec, ir_tensor_elements(out[0]) / places, (int64_t)(in[0]->bytes + out[0]->bytes), pool_rows, &work);
  return IR_OK;
}

static const ir_kernel maximum = {.name = "maximum.last", .isa = "any", .run = run};
static const ir_kernel mean = {.name = "average.last", .isa = "any", .run = run};

ir_code ir_pool_channels_last_step(ir_plan *plan, const ir_node *node, const ir_windows *windows,
                                   const ir_average *average) {
  last_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (last_state){.is_average = average != NULL, .channels = node->outputs[0].shape.dims[1].lo};
  if (average != NULL) {
    state->divisor = average->divisor;
    state->nan_if_empty = average->nan_if_empty;
  }
  for (int i = 0; i < MOST_AXES; i++) {
    const int own = i - (MOST_AXES - windows->n_axes);
    state->axes[i] =
        own >= 0 ? windows->axes[own] : (ir_windows_axis){.n_in = 1, .n_out = 1, .step = 1, .kernel = 1, .stride = 1};
  }
  const int32_t in = ir_plan_input_slot(plan, node, 0), out = ir_plan_output_slot(plan, node, 0);
  return ir_plan_step_on(plan, node, average != NULL ? &mean : &maximum, state, 0, &in, 1, &out, 1);
}

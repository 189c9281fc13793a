/* STFT-15 and ISTFT-16: Fourier transforms of frames of a signal, and their inverse. A signal of n samples has (n -
 * frame_size) / frame_step + 1 frames. The transform of a frame has frame_size / 2 + 1 complex numbers (results).
 * Specification: operation-specs/signals. */
#include "ops/agree.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/fourier.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include "ops/ranges.h"
#include <math.h>
#include <string.h>

typedef struct stft_params {
  bool transpose_frames, center, normalized;
} stft_params;

enum { SIGNAL, WINDOW, FRAME_SIZE, FRAME_STEP, LENGTH };

/* Reads the number in input `port` as an interval. Returns false, after a report, if the number cannot be at least
 * 1. */
static bool read_number(const ir_node *node, const ir_value *const *in, int port, ir_dim *out, ir_scope *scope) {
  *out = !in[port]->poisoned && ir_ranges_count(in[port]) == 1 ? ir_range_at(in[port], 0) : ir_range_any();
  if (out->hi >= 1)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' is %lld; it has to be at least 1", ir_op_input(node->op, port)->name, (long long)out->hi);
  return false;
}

/* Checks that dim `axis` of input `port` can be at most `limit`. */
static bool check_longest(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim limit,
                          const char *text, ir_scope *scope) {
  if (!ir_input_told(node, in, port) || in[port]->shape.dims[axis].lo <= limit.hi)
    return true;
  char found[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis), text,
            ir_dim_text(in[port]->shape.dims[axis], found, sizeof found), (long long)limit.hi);
  return false;
}

static bool check_frames(const ir_node *node, const ir_value *const *in, ir_dim *size, ir_dim *step, ir_scope *scope) {
  bool fine = read_number(node, in, FRAME_SIZE, size, scope);
  fine = read_number(node, in, FRAME_STEP, step, scope) && fine;
  fine = ir_size_check(node, in, WINDOW, 0, (ir_dim){1, IR_DIM_MAX}, "a window has values", scope) && fine;
  return fine && check_longest(node, in, WINDOW, 0, *size, "the window has %s values, a frame %lld", scope);
}

static void infer_type(const ir_value *const *in, ir_value *out) {
  out->type = in[SIGNAL]->type;
  for (int i = SIGNAL; i <= FRAME_STEP; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
}

/* ---- STFT ---- */

static bool check_signal(const ir_node *node, const ir_value *const *in, ir_dim signal, ir_dim size, ir_scope *scope) {
  if (size.lo <= signal.hi)
    return true;
  char found[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, SIGNAL, in[SIGNAL]->shape.rank - 1),
            "the signal has %s samples, a frame %lld", ir_dim_text(signal, found, sizeof found), (long long)size.lo);
  return false;
}

static int64_t frames_of(int64_t samples, int64_t size, int64_t step) {
  return samples == IR_DIM_MAX ? samples : samples < size ? 1 : (samples - size) / step + 1;
}

static ir_code infer_stft(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim size, step;
  infer_type(in, out);
  const bool fine = check_frames(node, in, &size, &step, scope);
  out->poisoned = out->poisoned || !fine || !ir_attr_usable(node, "transpose_frames");
  if (!ir_input_told(node, in, SIGNAL))
    return IR_OK;
  ir_shape shape = in[SIGNAL]->shape;
  const ir_dim signal = shape.dims[--shape.rank];
  ir_dim frames = ir_dim_any(), results = ir_dim_any();
  out->poisoned = !check_signal(node, in, signal, size, scope) || out->poisoned;
  if (out->poisoned)
    return IR_OK;
  if (ir_dim_known(size) && ir_dim_known(step)) {
    frames = (ir_dim){frames_of(signal.lo, size.lo, step.lo), frames_of(signal.hi, size.lo, step.lo)};
    results = ir_dim_of(size.lo / 2 + 1);
  }
  const bool transposed = ((const stft_params *)node->params)->transpose_frames;
  shape.dims[shape.rank++] = transposed ? results : frames;
  shape.dims[shape.rank++] = transposed ? frames : results;
  shape.dims[shape.rank++] = ir_dim_of(2);
  out->shape = shape;
  return IR_OK;
}

/* ---- ISTFT ---- */

static int64_t samples_of(int64_t frames, int64_t step, int64_t more) {
  int64_t samples;
  if (frames == IR_DIM_MAX || !ir_mul(frames > 1 ? frames - 1 : 0, step, &samples) || !ir_add(samples, more, &samples))
    return IR_DIM_MAX;
  return samples;
}

/* Returns the length of ISTFT's signal. With `center`, the signal was extended by half a frame at both ends, and the
 * extension is cut off. For an odd frame_size, OpenVINO and irrun return one sample more than the specification. */
static ir_dim restored_length(const ir_node *node, const ir_value *const *in, ir_dim frames, ir_dim size, ir_dim step) {
  const bool center = ((const stft_params *)node->params)->center;
  if (node->n_inputs > LENGTH) {
    const ir_dim given = ir_ranges_count(in[LENGTH]) == 1 ? ir_range_at(in[LENGTH], 0) : ir_range_any();
    return given.lo >= 0 ? given : ir_dim_any();
  }
  if (!ir_dim_known(size) || !ir_dim_known(step))
    return ir_dim_any();
  const int64_t more = center ? size.lo % 2 : size.lo;
  return (ir_dim){samples_of(frames.lo, step.lo, more), samples_of(frames.hi, step.lo, more)};
}

/* Checks the dims of `data`, [.., results, frames, 2], and that signal_length has one element. */
static bool check_data(const ir_node *node, const ir_value *const *in, ir_dim size, ir_scope *scope) {
  ir_dim results = ir_dim_known(size) ? ir_dim_of(size.lo / 2 + 1) : ir_dim_any(), two = ir_dim_of(2),
         one = ir_dim_of(1);
  const int rank = in[SIGNAL]->shape.rank;
  bool fine = true;
  if (ir_input_told(node, in, SIGNAL)) {
    fine = ir_dim_agrees(node, in, SIGNAL, rank - 3, "frame_size / 2 + 1", &results, scope);
    fine = ir_dim_agrees(node, in, SIGNAL, rank - 1, "the size of a complex number", &two, scope) && fine;
  }
  if (ir_input_told(node, in, LENGTH) && in[LENGTH]->shape.rank == 1)
    fine = ir_dim_agrees(node, in, LENGTH, 0, "the number of lengths", &one, scope) && fine;
  return fine;
}

static ir_code infer_istft(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim size, step;
  infer_type(in, out);
  bool fine = check_frames(node, in, &size, &step, scope);
  fine = check_data(node, in, size, scope) && fine;
  fine = (node->n_inputs <= LENGTH || ir_elements_check(node, in, LENGTH, -1, scope)) && fine;
  out->poisoned = out->poisoned || !fine || !ir_attr_usable(node, "center");
  if (out->poisoned || !ir_input_told(node, in, SIGNAL))
    return IR_OK;
  out->shape = in[SIGNAL]->shape;
  out->shape.rank -= 2;
  out->shape.dims[out->shape.rank - 1] = restored_length(node, in, in[SIGNAL]->shape.dims[out->shape.rank], size, step);
  return IR_OK;
}

/* ---- running ---- */

typedef struct stft_state {
  ir_fft *fft; /* tables for transforms of frame_size numbers */
  int64_t step, n_signals, n_frames, n_results, n_samples;
  int64_t frame_step, result_step; /* distances between frames, and between the results of a frame */
  int64_t begin;                   /* ISTFT: index of the signal's first sample in the sum of frames */
  double scale;                    /* ISTFT: factor of the sums, for `normalized` */
} stft_state;

typedef struct stft_work {
  const stft_state *state;
  const ir_tensor *in, *window;
  ir_tensor *out;
  const ir_exec *exec;
} stft_work;

/* Scratch of a worker. `line` and `window` have frame_size numbers, `sums` and `weights` one for each sample. */
typedef struct stft_scratch {
  ir_complex *line, *work;
  double *window, *sums, *weights;
} stft_scratch;

/* Prepares the scratch. A window shorter than a frame is centered in the frame. */
static stft_scratch begin_work(const stft_work *work, int worker) {
  const int64_t n = work->state->fft->n, n_window = ir_tensor_elements(work->window);
  ir_complex *line = ir_exec_scratch(work->exec, worker);
  double *window = (double *)(line + n + ir_fft_work(work->state->fft));
  memset(window, 0, (size_t)n * sizeof *window);
  ir_compute_load(work->window->type, work->window->data, IR_COMPUTE_F64, window + (n - n_window) / 2, n_window);
  return (stft_scratch){line, line + n, window, window + n, window + n + work->state->n_samples};
}

static void transform_frames(void *user, int64_t begin, int64_t end, int worker) {
  const stft_work *work = user;
  const stft_state *state = work->state;
  const stft_scratch scratch = begin_work(work, worker);
  for (int64_t i = begin; i < end; i++) {
    const int64_t batch = i / state->n_frames, frame = i % state->n_frames;
    ir_fft_load(work->in, (ir_fft_place){batch * state->n_samples + frame * state->step, 1, true}, state->fft->n,
                scratch.line);
    for (int64_t k = 0; k < state->fft->n; k++)
      scratch.line[k].re *= scratch.window[k];
    ir_fft_run(state->fft, false, scratch.line, scratch.work, work->exec->stop, worker);
    const int64_t at = batch * state->n_frames * state->n_results + frame * state->frame_step;
    ir_fft_store(scratch.line, state->n_results, work->out, (ir_fft_place){at, state->result_step, false});
  }
}

/* Adds the samples of a frame, times the window, to `sums`, and the squared window to `weights`. The frame's first
 * sample is sample `at` of the signal. */
static void add_frame(const stft_state *state, const stft_scratch *scratch, int64_t at) {
  for (int64_t i = at < 0 ? -at : 0; i < state->fft->n && at + i < state->n_samples; i++) {
    scratch->sums[at + i] += scratch->line[i].re * scratch->window[i];
    scratch->weights[at + i] += scratch->window[i] * scratch->window[i];
  }
}

static void restore_signals(void *user, int64_t begin, int64_t end, int worker) {
  const stft_work *work = user;
  const stft_state *state = work->state;
  const stft_scratch scratch = begin_work(work, worker);
  const size_t bytes = (size_t)state->n_samples * ir_type_size(work->out->type);
  for (int64_t batch = begin; batch < end; batch++) {
    const int64_t first = batch * state->n_frames * state->n_results;
    memset(scratch.sums, 0, 2 * (size_t)state->n_samples * sizeof *scratch.sums);
    for (int64_t frame = 0, at; frame < state->n_frames; frame++) {
      if (!ir_mul(frame, state->step, &at) || at - state->begin >= state->n_samples ||
          ir_stop_asked_of(work->exec->stop, worker))
        break;
      ir_fft_load(work->in, (ir_fft_place){first + frame * state->frame_step, state->result_step, false},
                  state->n_results, scratch.line);
      ir_fft_mirror(scratch.line, state->fft->n);
      ir_fft_run(state->fft, true, scratch.line, scratch.work, work->exec->stop, worker);
      add_frame(state, &scratch, at - state->begin);
    }
    for (int64_t i = 0; i < state->n_samples; i++)
      if (scratch.weights[i] != 0)
        scratch.sums[i] *= state->scale / scratch.weights[i];
    ir_compute_store(IR_COMPUTE_F64, scratch.sums, work->out->type, (char *)work->out->data + (size_t)batch * bytes,
                     state->n_samples);
  }
}

static ir_code run_stft(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const stft_state *state = step->state;
  if (!ir_fft_ready(state->fft, exec->stop))
    return IR_OK;
  stft_work work = {state, in[0], in[1], out[0], exec};
  exec->share(exec, state->n_signals * state->n_frames, (int64_t)(in[0]->bytes + out[0]->bytes), transform_frames,
              &work);
  return IR_OK;
}

static ir_code run_istft(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const stft_state *state = step->state;
  if (!ir_fft_ready(state->fft, exec->stop))
    return IR_OK;
  stft_work work = {state, in[0], in[1], out[0], exec};
  exec->share(exec, state->n_signals, (int64_t)(in[0]->bytes + out[0]->bytes), restore_signals, &work);
  return IR_OK;
}

static const ir_kernel stft_kernel = {.name = "stft", .isa = "any", .run = run_stft};
static const ir_kernel istft_kernel = {.name = "istft", .isa = "any", .run = run_istft};

static int64_t signals_of(const ir_shape *shape) {
  return shape->rank > 1 ? shape->dims[0].lo : 1;
}

/* Adds the step. `n_sums` is the number of samples that ISTFT sums in a worker's scratch; 0 for STFT. */
static ir_code add_step(const ir_node *node, const ir_value *const *in, const stft_state *told, int64_t n_sums,
                        const ir_kernel *kernel, ir_plan *plan, ir_scope *scope) {
  const int64_t n = ir_range_at(in[FRAME_SIZE], 0).lo;
  stft_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int64_t numbers, bytes;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = *told;
  state->step = ir_range_at(in[FRAME_STEP], 0).lo;
  state->fft = ir_fft_make(n, plan->arena);
  if (state->fft == NULL || !ir_add(n + ir_fft_work(state->fft), n, &numbers) || !ir_add(numbers, n_sums, &numbers) ||
      !ir_mul(numbers, (int64_t)sizeof(ir_complex), &bytes))
    return ir_out_of_memory(scope->diags);
  const int32_t slots[] = {ir_plan_input_slot(plan, SIGNAL), ir_plan_input_slot(plan, WINDOW)};
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, kernel, state, (size_t)bytes, slots, 2, &out, 1);
}

static ir_code prepare_stft(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool transposed = ((const stft_params *)node->params)->transpose_frames;
  const ir_shape *shape = &node->outputs[0].shape, *signal = &in[SIGNAL]->shape;
  const int64_t rows = shape->dims[shape->rank - 3].lo, columns = shape->dims[shape->rank - 2].lo;
  const stft_state state = {.n_signals = signals_of(signal),
                            .n_samples = signal->dims[signal->rank - 1].lo,
                            .n_frames = transposed ? columns : rows,
                            .n_results = transposed ? rows : columns,
                            .frame_step = transposed ? 1 : columns,
                            .result_step = transposed ? columns : 1};
  return add_step(node, in, &state, 0, &stft_kernel, plan, scope);
}

/* Adds the step. Samples that no window covers, or where all windows are 0, are 0. With signal_length, a centered
 * signal can be longer than the default: the rest of the last frame follows, like in OpenVINO, then zeros. */
static ir_code prepare_istft(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const stft_params *params = node->params;
  const ir_shape *shape = &in[SIGNAL]->shape, *signal = &node->outputs[0].shape;
  const int64_t size = ir_range_at(in[FRAME_SIZE], 0).lo, n_frames = shape->dims[shape->rank - 2].lo;
  const stft_state state = {.n_signals = signals_of(signal),
                            .n_samples = signal->dims[signal->rank - 1].lo,
                            .n_frames = n_frames,
                            .n_results = shape->dims[shape->rank - 3].lo,
                            .frame_step = 1,
                            .result_step = n_frames,
                            .begin = params->center ? size / 2 : 0,
                            .scale = params->normalized ? sqrt((double)size) : 1};
  return add_step(node, in, &state, state.n_samples, &istft_kernel, plan, scope);
}

/* Implements ir_op.cost: counts additions as if frame sizes were powers of two; -1 if sizes are unknown. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const ir_value *results = node->op->run.prepare == prepare_stft ? &node->outputs[0] : in[SIGNAL];
  int64_t n, sums;
  if (results->poisoned || !ir_shape_known(&results->shape) || !ir_shape_elements(&results->shape, &n) ||
      in[FRAME_SIZE]->poisoned || ir_ranges_count(in[FRAME_SIZE]) != 1)
    return -1;
  int log = 0;
  while (ir_range_at(in[FRAME_SIZE], 0).lo >> log > 1)
    log++;
  return ir_mul(n, 3 * log, &sums) ? sums : -1;
}

/* ---- the rows ---- */

#define FLAG(attribute, field)                                                                                         \
  { .name = attribute, .kind = IR_ATTR_BOOL, .offset = offsetof(stft_params, field), .required = true }
static const ir_attr_spec stft_attrs[] = {FLAG("transpose_frames", transpose_frames), {.name = NULL}};
static const ir_attr_spec istft_attrs[] = {FLAG("center", center), FLAG("normalized", normalized), {.name = NULL}};

#define FLOATS(port, least, most)                                                                                      \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .rank_min = least, .rank_max = most }
#define NUMBER(port, most, may_be_absent)                                                                              \
  {                                                                                                                    \
    .name = port, .type_var = "T_INT", .types = IR_SET(IR_I32) | IR_SET(IR_I64), .types_may_differ = true,             \
    .rank_min = 0, .rank_max = most, .contents = true, .optional = may_be_absent                                       \
  }

const ir_op ir_op_istft_16 = {
    .dialect = IR_OPENVINO,
    .type = "ISTFT",
    .version = 16,
    .spec = IR_SPEC_PAGE("signals/istft-16"),
    .params_size = sizeof(stft_params),
    .attrs = istft_attrs,
    .inputs = IR_PORTS(FLOATS("data", 3, 4), FLOATS("window", 1, 1), NUMBER("frame_size", 0, false),
                       NUMBER("frame_step", 0, false), NUMBER("signal_length", 1, true)),
    .outputs = IR_PORTS(FLOATS("signal", 1, 2)),
    .infer = infer_istft,
    .run = {IR_RUN_PREPARED, .prepare = prepare_istft},
    .cost = cost,
};

const ir_op ir_op_stft_15 = {
    .dialect = IR_OPENVINO,
    .type = "STFT",
    .version = 15,
    .spec = IR_SPEC_PAGE("signals/stft-15"),
    .params_size = sizeof(stft_params),
    .attrs = stft_attrs,
    .inputs = IR_PORTS(FLOATS("signal", 1, 2), FLOATS("window", 1, 1), NUMBER("frame_size", 0, false),
                       NUMBER("frame_step", 0, false)),
    .outputs = IR_PORTS(FLOATS("output", 3, 4)),
    .infer = infer_stft,
    .run = {IR_RUN_PREPARED, .prepare = prepare_stft},
    .cost = cost,
};

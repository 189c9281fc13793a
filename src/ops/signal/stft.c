/* STFT-15 and ISTFT-16: Fourier transforms of frames of a signal, and back; checked and not run. Pages:
 * operation-specs/signals.
 * A signal of n samples has (n - frame_size) / frame_step + 1 frames of frame_size / 2 + 1 complex numbers. */
#include "ops/agree.h"
#include "ops/bind.h"
#include "ops/parts.h"

typedef struct stft_params {
  bool transpose_frames, center, normalized;
} stft_params;

enum { SIGNAL, WINDOW, FRAME_SIZE, FRAME_STEP, LENGTH };

/* The number that input `port` holds, as an interval; false, and reported, when it cannot be at least 1. */
static bool read_number(const ir_node *node, const ir_value *const *in, int port, ir_dim *out, ir_scope *scope) {
  *out = !in[port]->unknown && ir_parts_count(in[port]) == 1 ? ir_part_at(in[port], 0) : ir_part_any();
  if (out->hi >= 1)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' is %lld; it has to be at least 1", ir_op_input(node->op, port)->name, (long long)out->hi);
  return false;
}

/* A window is not longer than a frame, nor a frame than the signal. */
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
    out->unknown = out->unknown || in[i]->unknown;
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
  out->unknown = out->unknown || !fine || !ir_attr_usable(node, "transpose_frames");
  if (!ir_input_told(node, in, SIGNAL))
    return IR_OK;
  ir_shape shape = in[SIGNAL]->shape;
  const ir_dim signal = shape.dims[--shape.rank];
  ir_dim frames = ir_dim_any(), results = ir_dim_any();
  out->unknown = !check_signal(node, in, signal, size, scope) || out->unknown;
  if (out->unknown)
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

/* Of a centered signal half a frame was added at both ends; of an odd frame one sample more comes back than the page
 * says. */
static ir_dim restored_length(const ir_node *node, const ir_value *const *in, ir_dim frames, ir_dim size, ir_dim step) {
  const bool center = ((const stft_params *)node->params)->center;
  if (node->n_inputs > LENGTH) {
    const ir_dim given = ir_parts_count(in[LENGTH]) == 1 ? ir_part_at(in[LENGTH], 0) : ir_part_any();
    return given.lo >= 0 ? given : ir_dim_any();
  }
  if (!ir_dim_known(size) || !ir_dim_known(step))
    return ir_dim_any();
  const int64_t more = center ? size.lo % 2 : size.lo;
  return (ir_dim){samples_of(frames.lo, step.lo, more), samples_of(frames.hi, step.lo, more)};
}

/* [.., results, frames, 2], and a list of one length. */
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
  out->unknown = out->unknown || !fine || !ir_attr_usable(node, "center");
  if (out->unknown || !ir_input_told(node, in, SIGNAL))
    return IR_OK;
  out->shape = in[SIGNAL]->shape;
  out->shape.rank -= 2;
  out->shape.dims[out->shape.rank - 1] = restored_length(node, in, in[SIGNAL]->shape.dims[out->shape.rank], size, step);
  return IR_OK;
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
    .inputs = {FLOATS("data", 3, 4), FLOATS("window", 1, 1), NUMBER("frame_size", 0, false),
               NUMBER("frame_step", 0, false), NUMBER("signal_length", 1, true)},
    .outputs = {FLOATS("signal", 1, 2)},
    .infer = infer_istft,
};

const ir_op ir_op_stft_15 = {
    .dialect = IR_OPENVINO,
    .type = "STFT",
    .version = 15,
    .spec = IR_SPEC_PAGE("signals/stft-15"),
    .params_size = sizeof(stft_params),
    .attrs = stft_attrs,
    .inputs = {FLOATS("signal", 1, 2), FLOATS("window", 1, 1), NUMBER("frame_size", 0, false),
               NUMBER("frame_step", 0, false)},
    .outputs = {FLOATS("output", 3, 4)},
    .infer = infer_stft,
};

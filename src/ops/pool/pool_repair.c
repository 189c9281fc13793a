#include "ops/pool/pool_repair.h"
#include <math.h>
#include <string.h>

static float load(ir_type type, const void *elements, int64_t i) {
  switch (type) {
  case IR_F16:
    return ir_f16_to_f32(((const uint16_t *)elements)[i]);
  case IR_BF16:
    return ir_bf16_to_f32(((const uint16_t *)elements)[i]);
  default:
    return ((const float *)elements)[i];
  }
}

static void store(ir_type type, void *elements, int64_t i, double value) {
  if (type == IR_F16)
    ((uint16_t *)elements)[i] = ir_f64_to_f16(value);
  else if (type == IR_BF16)
    ((uint16_t *)elements)[i] = ir_f64_to_bf16(value);
  else
    ((float *)elements)[i] = (float)value;
}

/* ---- taps ---- */

typedef struct taps {
  const ir_windows *windows;
  int64_t plane, where[IR_MAX_RANK], tap[IR_MAX_RANK];
  int64_t count, left;
} taps;

/* The window of element `at` of the output. */
static taps taps_of(const ir_windows *windows, int64_t at) {
  taps walk = {.windows = windows, .plane = at / ir_windows_plane_out(windows), .count = 1};
  for (int a = windows->n_axes - 1; a >= 0; a--) {
    walk.where[a] = at % windows->axes[a].n_out;
    at /= windows->axes[a].n_out;
    walk.count *= ir_windows_range(&windows->axes[a], walk.where[a]).count;
  }
  walk.left = walk.count;
  return walk;
}

/* The next element of the input. */
static int64_t next_tap(taps *walk) {
  const int n = walk->windows->n_axes;
  int64_t i = walk->plane;
  for (int a = 0; a < n; a++) {
    const ir_windows_axis *axis = &walk->windows->axes[a];
    i = i * axis->n_in + ir_windows_range(axis, walk->where[a]).begin + walk->tap[a] * axis->step;
  }
  for (int a = n - 1; a >= 0 && ++walk->tap[a] == ir_windows_range(&walk->windows->axes[a], walk->where[a]).count; a--)
    walk->tap[a] = 0;
  walk->left--;
  return i;
}

/* ---- repairs ---- */

/* A sum that is finite in double is divided; once it is not, neither is the mean. */
static void repair_mean(const ir_pool_job *job, int64_t at) {
  taps walk = taps_of(&job->plan->windows, at);
  double sum = 0;
  while (walk.left > 0 && isfinite(sum))
    sum += (double)load(job->type, job->in, next_tap(&walk));
  if (walk.count > 0 && isfinite(sum))
    store(job->type, job->out, at, sum / (double)(job->plan->divisor > 0 ? job->plan->divisor : walk.count));
}

static bool is_zero(const void *elements, int64_t i, size_t size) {
  if (size == 2)
    return (((const uint16_t *)elements)[i] & 0x7fff) == 0;
  return size == 4 ? ((const float *)elements)[i] == 0 : ((const double *)elements)[i] == 0;
}

void ir_pool_mend_zeros(const ir_windows *windows, const void *in, void *out, int64_t at, int64_t n, size_t size) {
  for (int64_t o = at; o < at + n; o++) {
    if (!is_zero(out, o, size))
      continue;
    taps walk = taps_of(windows, o);
    for (bool found = false; !found && walk.left > 0;) {
      const int64_t i = next_tap(&walk);
      found = is_zero(in, i, size);
      if (found)
        memcpy((char *)out + (size_t)o * size, (const char *)in + (size_t)i * size, size);
    }
  }
}

/* Whether there is a zero of which the sign has to be looked for: with none below no maximum has one. */
static bool has_minus_zero(const ir_pool_job *job, int64_t begin, int64_t n) {
  const uint32_t *wide = (const uint32_t *)job->in + begin;
  const uint16_t *narrow = (const uint16_t *)job->in + begin;
  uint32_t found = 0;
  if (job->type == IR_F32)
    for (int64_t i = 0; i < n; i++)
      found |= wide[i] == UINT32_C(1) << 31;
  else
    for (int64_t i = 0; i < n; i++)
      found |= narrow[i] == 1 << 15;
  return found != 0;
}

void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end) {
  const ir_pool_plan *plan = job->plan;
  const int64_t n_out = plan->windows.axes[plan->n_cross].n_out, n = (end - begin) * n_out;
  const int64_t plane = begin / plan->plane_lines, behind = (end - 1) / plan->plane_lines + 1;
  if (plan->op == IR_POOL_SUM) {
    for (int64_t at = begin * n_out; at < end * n_out; at++)
      if (!isfinite(load(job->type, job->out, at)))
        repair_mean(job, at);
  } else if (has_minus_zero(job, plane * plan->plane_in, (behind - plane) * plan->plane_in)) {
    ir_pool_mend_zeros(&plan->windows, job->in, job->out, begin * n_out, n, ir_type_size(job->type));
  }
}

/* ---- windows of NaN ---- */

enum { MOST_TAPS = 1 << 22 }; /* that are looked at: some hundredths of a second */

/* The step of a kernel, and what is looked for when it is done. */
typedef struct watch_state {
  ir_kernel row;
  const ir_kernel *kernel;
  const void *state;
  ir_windows windows;
  int64_t channels;
  ir_where where;
  ir_diags *diags;
} watch_state;

/* The bits of a type's lowest finite number: the maximum of a window of NaN, which is greater than nothing. */
static uint64_t lowest_bits(ir_type type) {
  return type == IR_F64   ? UINT64_C(0xFFEFFFFFFFFFFFFF)
         : type == IR_F32 ? UINT64_C(0xFF7FFFFF)
         : type == IR_F16 ? UINT64_C(0xFBFF)
                          : UINT64_C(0xFF7F);
}

#define HAS(element)                                                                                                   \
  static bool has_##element(const void *elements, int64_t at, int64_t n, uint64_t bits) {                              \
    const element *x = (const element *)elements + at;                                                                 \
    element found = 0;                                                                                                 \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      found |= x[i] == (element)bits;                                                                                  \
    return found != 0;                                                                                                 \
  }
HAS(uint16_t)
HAS(uint32_t)
HAS(uint64_t)

static bool has_lowest(const ir_tensor *out, int64_t at, int64_t n) {
  const uint64_t bits = lowest_bits(out->type);
  const size_t size = ir_type_size(out->type);
  return size == 2   ? has_uint16_t(out->data, at, n, bits)
         : size == 4 ? has_uint32_t(out->data, at, n, bits)
                     : has_uint64_t(out->data, at, n, bits);
}

/* Where element `at` lies, planes of so many elements counted one behind the other. */
static int64_t place_of(const watch_state *state, int64_t at, int64_t plane) {
  const int64_t n = state->channels, channel = at / plane % n;
  return (at / plane / n * plane + at % plane) * n + channel;
}

/* Window `at`: some NaN, and nothing above -inf. */
static bool is_of_nan(const watch_state *state, const ir_tensor *in, int64_t at, int64_t *taps_left) {
  const int64_t plane = ir_windows_plane_in(&state->windows);
  bool has_nan = false;
  for (taps walk = taps_of(&state->windows, at); walk.left > 0; (*taps_left)--) {
    const double x = ir_number_as_double(ir_tensor_get(in, place_of(state, next_tap(&walk), plane)));
    has_nan = has_nan || isnan(x);
    if (x > -HUGE_VAL || *taps_left <= 0)
      return false;
  }
  return has_nan;
}

static ir_code report_nan(const watch_state *state, const ir_tensor *out, int64_t n, int64_t first, bool are_all) {
  char place[IR_SHAPE_TEXT], number[IR_NUMBER_TEXT];
  int64_t at[IR_MAX_RANK];
  const ir_number maximum = ir_tensor_get(out, place_of(state, first, ir_windows_plane_out(&state->windows)));
  for (int64_t axis = out->rank - 1, left = first; axis >= 0; left /= out->dims[axis--])
    at[axis] = left % out->dims[axis];
  const ir_shape index = ir_shape_of(out->rank, at);
  return ir_report(state->diags, IR321_WINDOW_OF_NAN, state->where,
                   "%s%lld of %lld windows hold NaN and no number, first the one of output %s; their maximum is %s",
                   are_all ? "" : "at least ", (long long)n, (long long)ir_tensor_elements(out),
                   ir_shape_text(&index, place, sizeof place),
                   ir_number_text(out->type, maximum, number, sizeof number));
}

static ir_code run_watched(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const watch_state *state = step->state;
  ir_step own = *step;
  own.kernel = state->kernel;
  own.state = state->state;
  const ir_code code = state->kernel->run(&own, in, out, exec);
  if (code != IR_OK || !exec->is_watched || out[0] == NULL)
    return code;
  const int64_t n_out = ir_tensor_elements(out[0]), plane = ir_windows_plane_out(&state->windows);
  int64_t n = 0, first = 0, taps_left = MOST_TAPS;
  if (!has_lowest(out[0], 0, n_out))
    return IR_OK;
  for (int64_t at = 0; at < n_out && taps_left > 0; at++)
    if (has_lowest(out[0], place_of(state, at, plane), 1) && is_of_nan(state, in[0], at, &taps_left))
      first = n++ == 0 ? at : first;
  return n > 0 ? report_nan(state, out[0], n, first, taps_left > 0) : IR_OK;
}

ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, int64_t channels, ir_scope *scope) {
  if (!ir_type_in(node->outputs[0].type, IR_SET_FLOATS) || windows->n_planes == 0)
    return IR_OK;
  ir_step *step = &plan->steps[plan->n_steps - 1];
  watch_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (watch_state){.row = {step->kernel->name, step->kernel->isa, run_watched},
                         .kernel = step->kernel,
                         .state = step->state,
                         .windows = *windows,
                         .channels = channels,
                         .where = ir_node_where(scope, node),
                         .diags = plan->diags};
  step->kernel = &state->row;
  step->state = state;
  return IR_OK;
}

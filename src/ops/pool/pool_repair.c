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

/* Bit patterns of extreme numbers of a type. Integers have no infinity, so theirs is UINT64_MAX, which no element
 * equals. If `size` is 0, maxima of the type need no correction. */
typedef struct extreme_bits {
  size_t size;
  uint64_t infinity, lowest, lowest_infinity;
} extreme_bits;

static const extreme_bits extremes[IR_TYPE_COUNT] = {
    [IR_F64] = {8, UINT64_C(0x7FF) << 52, 0xFFEFFFFFFFFFFFFF, UINT64_C(0xFFF) << 52},
    [IR_F32] = {4, 0x7F800000, 0xFF7FFFFF, 0xFF800000},
    [IR_F16] = {2, 0x7C00, 0xFBFF, 0xFC00},
    [IR_BF16] = {2, 0x7F80, 0xFF7F, 0xFF80},
    [IR_I8] = {1, UINT64_MAX, 0x80, UINT64_MAX},
    [IR_U8] = {1, UINT64_MAX, 0, UINT64_MAX}};

/* Forces inlining: calls with a constant element size compile to a copy for each size. */
#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t bits_at(const void *elements, int64_t i, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)elements + (size_t)i * size, size);
  return bits;
}

/* ---- scans of elements as bits, which the compiler vectorizes ---- */

/* Defines has_TYPE: whether any of n elements equals `bits`; and has_nan_TYPE: whether any is NaN. Without the sign
 * bit, floats are in the order of their bits as integers, and every NaN is above infinity. */
#define SCANS(type, ordered)                                                                                           \
  static bool has_##type(const char *x, int64_t n, type bits) {                                                        \
    type found = 0, e;                                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      memcpy(&e, x + i * (int64_t)sizeof e, sizeof e);                                                                 \
      found |= (type)(e == bits);                                                                                      \
    }                                                                                                                  \
    return found != 0;                                                                                                 \
  }                                                                                                                    \
  static bool has_nan_##type(const char *x, int64_t n, const extreme_bits *bits) {                                     \
    const type sign = (type)(bits->lowest_infinity ^ bits->infinity), infinity = (type)bits->infinity;                 \
    type found = 0, e;                                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      memcpy(&e, x + i * (int64_t)sizeof e, sizeof e);                                                                 \
      found |= (type)((ordered)(e & (type)~sign) > (ordered)infinity);                                                 \
    }                                                                                                                  \
    return found != 0;                                                                                                 \
  }
SCANS(uint16_t, int16_t)
SCANS(uint32_t, int32_t)
SCANS(uint64_t, int64_t)

/* Whether any of elements [at, at + n), `size` bytes each, equals `bits`. */
static bool has(const void *elements, size_t size, int64_t at, int64_t n, uint64_t bits) {
  const char *x = (const char *)elements + (size_t)at * size;
  return size == 1   ? n > 0 && memchr(x, (int)bits, (size_t)n) != NULL
         : size == 2 ? has_uint16_t(x, n, (uint16_t)bits)
         : size == 4 ? has_uint32_t(x, n, (uint32_t)bits)
                     : has_uint64_t(x, n, bits);
}

static bool has_nan(const void *x, int64_t n, const extreme_bits *bits) {
  return bits->size == 1   ? false
         : bits->size == 2 ? has_nan_uint16_t(x, n, bits)
         : bits->size == 4 ? has_nan_uint32_t(x, n, bits)
                           : has_nan_uint64_t(x, n, bits);
}

/* ---- taps ---- */

typedef struct taps {
  const ir_windows *windows;
  int64_t plane, where[IR_MAX_RANK], tap[IR_MAX_RANK];
  int64_t count, left;
} taps;

/* Returns an iterator over the input elements of the window of output element `at`. */
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

/* Returns the position in the input of the current tap, then advances to the next tap. */
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

/* Computes the average of output `at` again in double. If the sum is not finite in double, the average stays as it is.
 */
static void repair_mean(const ir_pool_job *job, int64_t at, int64_t *since) {
  taps walk = taps_of(&job->plan->windows, at);
  double sum = 0;
  while (walk.left > 0 && isfinite(sum) && !ir_stop_asked_after(job->stop, job->worker, 1, since))
    sum += (double)load(job->type, job->in, next_tap(&walk));
  if (walk.count > 0 && isfinite(sum))
    store(job->type, job->out, at, sum / (double)(job->plan->divisor > 0 ? job->plan->divisor : walk.count));
}

static bool is_zero(const void *elements, int64_t i, size_t size) {
  return size == 2 ? (((const uint16_t *)elements)[i] & 0x7fff) == 0 : ((const float *)elements)[i] == 0;
}

/* If output `at` is zero, replaces it by the first zero of its window. The first of equal elements has to win, but
 * kernels compare in another order. */
static void mend_zero(const ir_pool_job *job, int64_t at, int64_t *since) {
  const size_t size = ir_type_size(job->type);
  if (!is_zero(job->out, at, size))
    return;
  taps walk = taps_of(&job->plan->windows, at);
  for (bool found = false; !found && walk.left > 0 && !ir_stop_asked_after(job->stop, job->worker, 1, since);) {
    const int64_t i = next_tap(&walk);
    found = is_zero(job->in, i, size);
    if (found)
      memcpy((char *)job->out + (size_t)at * size, (const char *)job->in + (size_t)i * size, size);
  }
}

void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end) {
  const ir_pool_plan *plan = job->plan;
  const int64_t n_out = plan->windows.axes[plan->n_cross].n_out;
  const int64_t plane = begin / plan->plane_lines, behind = (end - 1) / plan->plane_lines + 1;
  const size_t size = ir_type_size(job->type);
  /* If the input has no -0, no maximum can be -0. */
  if (plan->op == IR_POOL_MAX &&
      !has(job->in, size, plane * plan->plane_in, (behind - plane) * plan->plane_in, UINT64_C(1) << (8 * size - 1)))
    return;
  int64_t since = 0;
  for (int64_t at = begin * n_out; at < end * n_out && !ir_stop_asked_after(job->stop, job->worker, 1, &since); at++)
    if (plan->op == IR_POOL_MAX)
      mend_zero(job, at, &since);
    else if (!isfinite(load(job->type, job->out, at)))
      repair_mean(job, at, &since);
}

/* ---- maxima from the first element ---- */

typedef struct first_row {
  const ir_first_job *job;
  const ir_windows_axis *axis;
  const void *plane;
  ir_row_walk *walk;
  extreme_bits bits;
  int64_t plane_at; /* position of the plane's first element in the input */
  int64_t since;    /* windows and elements since the last look at the stop */
} first_row;

static bool is_stopped(first_row *row, int64_t n) {
  return ir_stop_asked_after(row->job->stop, row->job->worker, n, &row->since);
}

INLINE bool is_nan(const first_row *row, uint64_t bits) {
  return (bits & ~(row->bits.lowest_infinity ^ row->bits.infinity)) > row->bits.infinity;
}

/* Returns the position in the plane of the window's first element that is the type's lowest number; -1 if there is
 * none.
 */
static int64_t find_lowest(first_row *row, ir_tap_range range) {
  const ir_windows *windows = row->job->windows;
  for (int64_t left = ir_walk_taps(windows, row->walk); left > 0 && !is_stopped(row, range.count); left--) {
    const int64_t at = ir_walk_row(windows, row->walk) * row->axis->n_in + range.begin;
    for (int64_t t = 0; t < range.count; t++) {
      if (bits_at(row->plane, at + t * row->axis->step, row->bits.size) == row->bits.lowest)
        return at + t * row->axis->step;
    }
    ir_walk_next_tap(windows, row->walk);
  }
  return -1;
}

static void put_index(const ir_first_indices *indices, int64_t at, int64_t place) {
  const int64_t index = place % indices->modulus;
  if (indices->is_i64)
    ((int64_t *)indices->data)[at] = index;
  else
    ((int32_t *)indices->data)[at] = (int32_t)index;
}

INLINE void mend_row(first_row *row, int64_t at, size_t size) {
  void *out = row->job->out;
  if (ir_walk_taps(row->job->windows, row->walk) == 0)
    return;
  const int64_t first_at = ir_walk_row(row->job->windows, row->walk) * row->axis->n_in;
  for (int64_t o = 0; o < row->axis->n_out && !is_stopped(row, 1); o++) {
    const ir_tap_range range = ir_windows_range(row->axis, o);
    if (range.count == 0)
      continue;
    int64_t place = first_at + range.begin;
    uint64_t mended = bits_at(row->plane, place, size);
    if (!is_nan(row, mended)) {
      if (bits_at(out, at + o, size) != row->bits.lowest)
        continue;
      const int64_t lowest_at = mended == row->bits.lowest ? place : find_lowest(row, range);
      mended = lowest_at < 0 ? row->bits.lowest_infinity : row->bits.lowest;
      place = lowest_at < 0 ? place : lowest_at;
    }
    memcpy((char *)out + (size_t)(at + o) * size, &mended, size);
    if (row->job->indices != NULL)
      put_index(row->job->indices, at + o, row->plane_at + place);
  }
}

/* Whether a plane needs no correction: none of its n elements is NaN, and no maximum is the type's lowest number. */
static bool is_plain(const first_row *row, int64_t n, const void *out, int64_t at, int64_t n_out) {
  return !has(out, row->bits.size, at, n_out, row->bits.lowest) && !has_nan(row->plane, n, &row->bits);
}

void ir_max_from_first(const ir_first_job *job, int64_t begin, int64_t end) {
  const ir_windows *windows = job->windows;
  const ir_windows_axis *axis = &windows->axes[windows->n_axes - 1];
  const int64_t plane_in = ir_windows_plane_in(windows), plane_rows = ir_windows_plane_out(windows) / axis->n_out;
  ir_row_walk walk = {.at = {0}};
  first_row row = {.job = job, .axis = axis, .walk = &walk, .bits = extremes[job->type]};
  if (row.bits.size == 0 || (job->indices == NULL && row.bits.infinity == UINT64_MAX))
    return;
  for (int64_t a = windows->n_axes - 2, unit = begin; a >= 0; a--) {
    walk.at[a] = unit % windows->axes[a].n_out;
    unit /= windows->axes[a].n_out;
  }
  const int64_t plane_out = plane_rows * axis->n_out;
  for (int64_t u = begin; u < end && !is_stopped(&row, 1);) {
    row.plane_at = u / plane_rows * plane_in;
    row.plane = (const char *)job->in + (size_t)row.plane_at * row.bits.size;
    /* Scanning a whole plane can show that no window of the plane needs a correction. The scan pays if windows are
     * many. */
    if (u % plane_rows == 0 && u + plane_rows <= end && 4 * plane_out >= plane_in &&
        is_plain(&row, plane_in, job->out, u * axis->n_out, plane_out)) {
      u += plane_rows;
      continue;
    }
    if (row.bits.size == 1)
      mend_row(&row, u * axis->n_out, 1);
    else if (row.bits.size == 2)
      mend_row(&row, u * axis->n_out, 2);
    else if (row.bits.size == 4)
      mend_row(&row, u * axis->n_out, 4);
    else
      mend_row(&row, u * axis->n_out, 8);
    u++;
    ir_walk_next(windows, &walk);
  }
}

/* ---- windows of NaN ---- */

enum { MOST_TAPS = 1 << 22 }; /* taps that a step checks in a run: this takes some hundredths of a second */

/* State of a watched step: the step's own kernel and state, and data for the check that follows the kernel. */
typedef struct watch_state {
  ir_kernel row;
  const ir_kernel *kernel;
  const void *state;
  ir_windows windows;
  int64_t channels;
  ir_where where;
  ir_diags *diags;
} watch_state;

/* Returns the position in memory of element `at` of a tensor, counted in [N, C, D..] order. `plane` is the number of
 * elements of a plane. */
static int64_t place_of(const watch_state *state, int64_t at, int64_t plane) {
  const int64_t n = state->channels, channel = at / plane % n;
  return (at / plane / n * plane + at % plane) * n + channel;
}

/* Whether window `at` has a NaN and no number above -inf. Returns false if *taps_left reaches 0 first. */
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
  int64_t n = 0, first = 0, taps_left = MOST_TAPS, since = 0;
  const extreme_bits bits = extremes[out[0]->type];
  if (!has(out[0]->data, bits.size, 0, n_out, bits.lowest))
    return IR_OK;
  for (int64_t at = 0; at < n_out && taps_left > 0 && !ir_stop_asked_after(exec->stop, 0, 1, &since); at++)
    if (bits_at(out[0]->data, place_of(state, at, plane), bits.size) == bits.lowest &&
        is_of_nan(state, in[0], at, &taps_left))
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
  *state = (watch_state){.row = {step->kernel->name, step->kernel->isa, run_watched, step->kernel->why},
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

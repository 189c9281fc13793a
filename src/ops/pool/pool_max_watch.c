/* IR321. NaN is never greater than another element, so that a window of NaN has the lowest finite number as its
 * maximum. Only where that stands in the output is the window itself looked at. */
#include "ops/pool/pool_max_watch.h"
#include <math.h>

enum { MOST_TAPS = 1 << 22 }; /* that are looked at: some hundredths of a second */

typedef struct watch_state {
  ir_windows windows;
  ir_where where;
} watch_state;

typedef struct nan_windows {
  int64_t n, first; /* how many, and the first one's place in the output */
  int64_t taps_left;
} nan_windows;

/* The bits of a type's lowest finite number. */
static uint64_t lowest_bits(ir_type type) {
  return type == IR_F64   ? UINT64_C(0xFFEFFFFFFFFFFFFF)
         : type == IR_F32 ? UINT64_C(0xFF7FFFFF)
         : type == IR_F16 ? UINT64_C(0xFBFF)
                          : UINT64_C(0xFF7F);
}

#define HAS(element)                                                                                                   \
  static bool has_##element(const void *elements, int64_t n, uint64_t bits) {                                          \
    const element *x = elements;                                                                                       \
    element found = 0;                                                                                                 \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      found |= x[i] == (element)bits;                                                                                  \
    return found != 0;                                                                                                 \
  }
HAS(uint16_t)
HAS(uint32_t)
HAS(uint64_t)

static bool has_bits(const ir_tensor *tensor, int64_t at, int64_t n, uint64_t bits) {
  const size_t size = ir_type_size(tensor->type);
  const void *elements = (const char *)tensor->data + (size_t)at * size;
  return size == 2   ? has_uint16_t(elements, n, bits)
         : size == 4 ? has_uint32_t(elements, n, bits)
                     : has_uint64_t(elements, n, bits);
}

/* Window `o` of the row at the walk, of a plane that begins at `plane_at`: some NaN, and nothing above -inf. */
static bool is_of_nan(const ir_windows *windows, ir_row_walk *walk, int64_t o, const ir_tensor *in, int64_t plane_at,
                      int64_t *taps_left) {
  const ir_windows_axis *axis = &windows->axes[windows->n_axes - 1];
  const ir_tap_range range = ir_windows_range(axis, o);
  bool has_nan = false;
  for (int64_t rows = range.count > 0 ? ir_walk_taps(windows, walk) : 0; rows > 0; rows--) {
    const int64_t at = plane_at + ir_walk_row(windows, walk) * axis->n_in + range.begin;
    for (int64_t t = 0; t < range.count; t++, (*taps_left)--) {
      const double x = ir_number_as_double(ir_tensor_get(in, at + t * axis->step));
      has_nan = has_nan || isnan(x);
      if (x > -HUGE_VAL || *taps_left <= 0)
        return false;
    }
    ir_walk_next_tap(windows, walk);
  }
  return has_nan;
}

static nan_windows find_windows(const ir_windows *windows, const ir_tensor *in, const ir_tensor *out) {
  const uint64_t lowest = lowest_bits(out->type);
  const int64_t n_out = windows->axes[windows->n_axes - 1].n_out, plane_in = ir_windows_plane_in(windows);
  nan_windows found = {.taps_left = MOST_TAPS};
  int64_t row_at = 0;
  for (int64_t plane = 0; plane < windows->n_planes; plane++) {
    ir_row_walk walk = {.at = {0}};
    do {
      const bool some = has_bits(out, row_at, n_out, lowest);
      for (int64_t o = 0; o < n_out && some && found.taps_left > 0; o++)
        if (has_bits(out, row_at + o, 1, lowest) &&
            is_of_nan(windows, &walk, o, in, plane * plane_in, &found.taps_left)) {
          found.first = found.n == 0 ? row_at + o : found.first;
          found.n++;
        }
      row_at += n_out;
    } while (ir_walk_next(windows, &walk));
  }
  return found;
}

static ir_code watch(const ir_step *step, const ir_tensor *in, const ir_tensor *out, ir_diags *diags, bool *out_said) {
  const watch_state *state = step->watch_state;
  if (out == NULL || !has_bits(out, 0, ir_tensor_elements(out), lowest_bits(out->type)))
    return IR_OK;
  const nan_windows found = find_windows(&state->windows, in, out);
  *out_said = found.n > 0;
  if (found.n == 0)
    return IR_OK;
  char place[IR_SHAPE_TEXT], number[IR_NUMBER_TEXT];
  int64_t at[IR_MAX_RANK];
  for (int64_t axis = out->rank - 1, left = found.first; axis >= 0; left /= out->dims[axis--])
    at[axis] = left % out->dims[axis];
  const ir_shape index = ir_shape_of(out->rank, at);
  return ir_report(diags, IR321_WINDOW_OF_NAN, state->where,
                   "%s%lld of %lld windows hold NaN and no number, first the one of output %s; their maximum is %s",
                   found.taps_left > 0 ? "" : "at least ", (long long)found.n, (long long)ir_tensor_elements(out),
                   ir_shape_text(&index, place, sizeof place),
                   ir_number_text(out->type, ir_tensor_get(out, found.first), number, sizeof number));
}

ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_scope *scope) {
  if (!ir_type_in(node->outputs[0].type, IR_SET_FLOATS) || windows->n_planes == 0)
    return IR_OK;
  watch_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (watch_state){*windows, ir_node_where(scope, node)};
  ir_step *step = &plan->steps[plan->n_steps - 1];
  step->watch = watch;
  step->watch_state = state;
  return IR_OK;
}

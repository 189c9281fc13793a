#include "ops/pool/pool_windows.h"
#include "ops/kernels/numbers.h"
#include <stdio.h>
#include <string.h>

static ir_wide wide_max(ir_wide a, ir_wide b) {
  return a > b ? a : b;
}

static ir_wide wide_min(ir_wide a, ir_wide b) {
  return a < b ? a : b;
}

/* Returns ceil(a / b), for b > 0 and a of any sign. */
static ir_wide wide_ceil_div(ir_wide a, ir_wide b) {
  ir_wide q = a / b;
  return a % b > 0 ? q + 1 : q;
}

const char *ir_wide_text(ir_wide number, char *buffer, size_t size) {
  char digits[IR_WIDE_TEXT];
  char *first = digits + sizeof digits - 1;
  ir_uwide rest = number < 0 ? 0 - (ir_uwide)number : (ir_uwide)number;
  *first = '\0';
  do
    *--first = (char)('0' + (int)(rest % 10));
  while ((rest /= 10) > 0);
  snprintf(buffer, size, "%s%s", number < 0 ? "-" : "", first);
  return buffer;
}

ir_wide ir_window_extent(ir_window_axis axis) {
  return (ir_wide)(axis.kernel - 1) * axis.dilation + 1;
}

ir_window_axis ir_window_resolve(ir_window_axis axis, ir_auto_pad auto_pad, int64_t n) {
  if (auto_pad == IR_PAD_EXPLICIT)
    return axis;
  axis.pad_begin = axis.pad_end = 0;
  if (auto_pad == IR_PAD_VALID)
    return axis;
  ir_wide total = wide_max(0, (ir_wide)(ir_ceil_div(n, axis.stride) - 1) * axis.stride + ir_window_extent(axis) - n);
  /* If pads exceed int64_t, no tensor can hold the window. They are clamped, so that ir_window_count fails. */
  int64_t small = (int64_t)wide_min(total / 2, INT64_MAX), large = (int64_t)wide_min(total - total / 2, INT64_MAX);
  axis.pad_begin = auto_pad == IR_PAD_SAME_UPPER ? small : large;
  axis.pad_end = auto_pad == IR_PAD_SAME_UPPER ? large : small;
  return axis;
}

ir_wide ir_window_padded(ir_window_axis axis, int64_t n) {
  return (ir_wide)n + axis.pad_begin + axis.pad_end;
}

bool ir_window_count(ir_window_axis axis, ir_rounding rounding, int64_t n, int64_t *out) {
  *out = -1;
  ir_wide num = ir_window_padded(axis, n) - ir_window_extent(axis);
  if (num < 0)
    return false;
  ir_wide count = (rounding == IR_ROUND_FLOOR ? num / axis.stride : wide_ceil_div(num, axis.stride)) + 1;
  if (rounding == IR_ROUND_CEIL_TORCH && (count - 1) * axis.stride >= (ir_wide)n + axis.pad_begin)
    count--;
  if (count > INT64_MAX - 1)
    return false;
  *out = (int64_t)count;
  return true;
}

bool ir_window_count_interval(ir_window_axis axis, ir_auto_pad auto_pad, ir_rounding rounding, ir_dim n, ir_dim *out) {
  *out = ir_dim_any();
  /* The smallest n that holds a window is 1 with same_* pads, and K - pb - pe with others. */
  ir_window_axis fixed = ir_window_resolve(axis, auto_pad, 1);
  ir_wide least = ir_window_extent(fixed) - ir_window_padded(fixed, 0);
  if (auto_pad == IR_PAD_SAME_UPPER || auto_pad == IR_PAD_SAME_LOWER)
    least = 1;
  n.lo = (int64_t)wide_min(wide_max(n.lo, least), INT64_MAX);
  if (n.lo > n.hi || !ir_window_count(ir_window_resolve(axis, auto_pad, n.lo), rounding, n.lo, &out->lo)) {
    *out = ir_dim_any();
    return false;
  }
  /* If the count overflows at n.hi, sizes near n.hi are illegal. Finding the greatest legal size is not worth the
   * effort. */
  if (n.hi == IR_DIM_MAX || !ir_window_count(ir_window_resolve(axis, auto_pad, n.hi), rounding, n.hi, &out->hi))
    out->hi = IR_DIM_MAX;
  return true;
}

ir_tap_range ir_window_range(ir_window_axis axis, int64_t n, int64_t o) {
  int64_t begin, last;
  /* Fast path without 128-bit numbers: most windows lie in the input. */
  if (ir_mul(o, axis.stride, &begin) && !__builtin_sub_overflow(begin, axis.pad_begin, &begin) && begin >= 0 &&
      ir_mul(axis.kernel - 1, axis.dilation, &last) && last < n - begin)
    return (ir_tap_range){begin, axis.kernel};
  ir_wide start = (ir_wide)o * axis.stride - axis.pad_begin;
  ir_wide first = start >= 0 ? 0 : wide_ceil_div(-start, axis.dilation);
  ir_wide end = n > start ? wide_ceil_div((ir_wide)n - start, axis.dilation) : 0;
  end = wide_min(end, axis.kernel);
  if (end <= first)
    return (ir_tap_range){0, 0};
  return (ir_tap_range){(int64_t)(start + first * axis.dilation), (int64_t)(end - first)};
}

ir_tap_range ir_window_bin(int64_t n, int64_t out, int64_t o) {
  int64_t begin, end, behind;
  /* Fast path without 128-bit numbers. */
  if (ir_mul(o, n, &begin) && ir_add(begin, n, &end) && ir_add(end, out - 1, &behind))
    return (ir_tap_range){begin / out, behind / out - begin / out};
  begin = (int64_t)((ir_wide)o * n / out);
  end = (int64_t)wide_ceil_div(((ir_wide)o + 1) * n, out);
  return (ir_tap_range){begin, end - begin};
}

int64_t ir_window_clipped(ir_window_axis axis, int64_t n, int64_t o) {
  ir_wide start = (ir_wide)o * axis.stride - axis.pad_begin;
  ir_wide taps = wide_ceil_div((ir_wide)n + axis.pad_end - start, axis.dilation);
  return (int64_t)wide_max(0, wide_min(taps, axis.kernel));
}

/* Returns the smallest x >= 0 with lo <= a * x mod m <= hi, or -1 if there is none; 0 <= a < m and 0 < lo <= hi < m.
 *
 * Reduces the modulus, like Euclid's algorithm. If no multiple of a lies in [lo, hi], then a * x - m * y has to lie
 * there for some y > 0, so -m * y mod a lies in [lo mod a, hi mod a]. This is the same problem with modulus a, and
 * each modulus is at most half of the one before. */
static ir_wide first_multiple_within(ir_wide a, ir_wide m, ir_wide lo, ir_wide hi) {
  struct {
    ir_wide a, m, lo;
  } asked[64];
  int n = 0;
  ir_wide x;
  for (;;) {
    if (a == 0)
      return -1;
    if (2 * a > m) { /* replace a by -a: the new a is at most m / 2 */
      ir_wide least = m - hi;
      a = m - a;
      hi = m - lo;
      lo = least;
    }
    x = wide_ceil_div(lo, a);
    if (x * a <= hi)
      break;
    asked[n].a = a;
    asked[n].m = m;
    asked[n++].lo = lo;
    lo %= a;
    hi %= a;
    ir_wide rest = m % a;
    m = a;
    a = rest == 0 ? 0 : a - rest;
  }
  while (n-- > 0)
    x = wide_ceil_div(asked[n].m * x + asked[n].lo, asked[n].a);
  return x;
}

int64_t ir_window_first_empty(ir_window_axis axis, int64_t n, int64_t out) {
  if (out <= 0)
    return -1;
  if (ir_window_range(axis, n, 0).count == 0)
    return 0;
  /* If the dilation exceeds n, the taps of a window that begins before the input can step over the whole input. This
   * happens if the window's begin modulo the dilation is at least n. It does not happen for window 0, which was checked
   * above. */
  ir_wide d = axis.dilation, begin = (d - axis.pad_begin % d) % d;
  if (d > n) {
    ir_wide o = first_multiple_within(axis.stride % d, d, n - begin, d - 1 - begin);
    if (o >= 0 && o < out && o * axis.stride < axis.pad_begin)
      return (int64_t)o;
  }
  /* `past` is the first window that begins at or after the input's end. */
  ir_wide past = wide_ceil_div((ir_wide)n + axis.pad_begin, axis.stride);
  return past < out ? (int64_t)past : -1;
}

/* ---- the windows of a run ---- */

enum { MOST_LISTED = 4096, MOST_BINS_LISTED = 1 << 20 };

static bool are_proportionate(const ir_windows_axis *axis) {
  const ir_wide span = (ir_wide)(axis->n_out - 1) * axis->stride + (ir_wide)(axis->kernel - 1) * axis->step + 1;
  return span <= (ir_wide)4 * (axis->n_in + axis->n_out);
}

static bool is_listed(const ir_windows_axis *axis, bool are_bins) {
  if (are_bins)
    return axis->n_out <= MOST_BINS_LISTED;
  return axis->n_out <= MOST_LISTED || axis->kernel == 0 || !are_proportionate(axis);
}

ir_tap_range ir_windows_clipped(const ir_windows_axis *axis, int64_t o) {
  const ir_window_axis window = {axis->kernel, axis->stride, axis->step, axis->pad_begin, 0};
  return ir_window_range(window, axis->n_in, o);
}

static bool make_list(ir_plan *plan, ir_windows_axis *axis, bool are_bins) {
  axis->ranges = ir_arena_array(plan->arena, (size_t)axis->n_out, sizeof *axis->ranges);
  if (axis->ranges == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t o = 0; o < axis->n_out && axis->n_in > 0; o++)
    axis->ranges[o] = are_bins ? ir_window_bin(axis->n_in, axis->n_out, o) : ir_windows_clipped(axis, o);
  return true;
}

void ir_windows_settle(ir_windows_axis *axis) {
  axis->stride = axis->n_out > 1 ? axis->stride : most(least(axis->stride, axis->n_in), 1);
  if (axis->kernel == 0 || are_proportionate(axis))
    return;
  bool has_steps = false;
  for (int64_t o = 0; o < axis->n_out && axis->n_in > 0; o++)
    has_steps = has_steps || axis->ranges[o].count > 1;
  axis->step = has_steps ? axis->step : 1;
  axis->kernel = axis->stride = axis->pad_begin = 0;
}

ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        ir_windows_set *set, ir_windows *windows) {
  int64_t n_inputs, n_outputs;
  *windows = (ir_windows){.n_axes = in->rank - n_plane_axes};
  /* If a dim is 0, the product of the other dims can overflow. The output is empty then, too. */
  if (!ir_shape_elements(out, &n_outputs) || n_outputs == 0)
    return IR_OK;
  bool empty = !ir_shape_elements(in, &n_inputs) || n_inputs == 0; /* the input is empty, so no window has taps */
  windows->n_planes = 1;
  for (int i = 0; i < n_plane_axes; i++)
    windows->n_planes *= in->dims[i].lo;
  for (int i = 0; i < windows->n_axes; i++) {
    ir_windows_axis *axis = &windows->axes[i];
    *axis = (ir_windows_axis){
        .n_in = empty ? 0 : in->dims[n_plane_axes + i].lo, .n_out = out->dims[n_plane_axes + i].lo, .step = 1};
    if (!empty && set != NULL)
      set(node, i, axis);
    if (!is_listed(axis, set == NULL))
      continue;
    if (!make_list(plan, axis, set == NULL))
      return IR_NO_MEMORY;
    ir_windows_settle(axis);
  }
  return IR_OK;
}

bool ir_windows_is_whole(const ir_windows_axis *axis) {
  const ir_tap_range first = ir_windows_range(axis, 0);
  return axis->n_out == 1 && first.begin == 0 && first.count == axis->n_in && (axis->step == 1 || axis->n_in == 1);
}

bool ir_windows_is_identity(const ir_windows_axis *axis) {
  bool same = axis->n_in == axis->n_out;
  if (axis->ranges == NULL && axis->kernel > 0)
    return same && axis->kernel == 1 && axis->stride == 1 && axis->pad_begin == 0;
  for (int64_t o = 0; o < axis->n_out && same && axis->ranges != NULL; o++)
    same = ir_windows_range(axis, o).begin == o && ir_windows_range(axis, o).count == 1;
  return same;
}

bool ir_windows_make_whole(ir_plan *plan, int64_t n_in, ir_windows_axis *out) {
  ir_tap_range *range = ir_arena_alloc(plan->arena, sizeof *range);
  if (range == NULL)
    return ir_out_of_memory(plan->diags), false;
  *range = (ir_tap_range){0, n_in};
  *out = (ir_windows_axis){.n_in = n_in, .n_out = 1, .step = 1, .ranges = range};
  return true;
}

/* Returns the most positions of bins [o, o + n), for o = 0, n, 2 * n, .. (for n > 1, at most one position too many).
 * The first position is floor(o * n_in / n_out), and o * n_in modulo n_out is a multiple of gcd(n * n_in, n_out). */
static int64_t bins_span(const ir_windows_axis *axis, int64_t n) {
  const ir_wide length = (ir_wide)n * axis->n_in;
  int64_t a = axis->n_out, b = (int64_t)(length % axis->n_out);
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return (int64_t)wide_min(wide_ceil_div(length + axis->n_out - a, axis->n_out), axis->n_in);
}

int64_t ir_windows_most_taps(const ir_windows_axis *axis) {
  int64_t taps = axis->ranges != NULL ? 0 : axis->kernel > 0 ? axis->kernel : bins_span(axis, 1);
  for (int64_t o = 0; o < axis->n_out && axis->ranges != NULL; o++)
    taps = most(taps, axis->ranges[o].count);
  return taps;
}

ir_tap_range ir_windows_span(const ir_windows_axis *axis, int64_t o, int64_t end) {
  int64_t begin = INT64_MAX, behind = 0;
  for (; o < end; o++) {
    const ir_tap_range range = ir_windows_range(axis, o);
    const int64_t last = range.begin + (range.count - 1) * axis->step;
    begin = range.count > 0 && range.begin < begin ? range.begin : begin;
    behind = range.count > 0 && last >= behind ? last + 1 : behind;
  }
  return behind > 0 ? (ir_tap_range){begin, behind - begin} : (ir_tap_range){0, 0};
}

int64_t ir_windows_longest_span(const ir_windows_axis *axis, int64_t n_out) {
  if (axis->kernel > 0)
    return (n_out - 1) * axis->stride + (axis->kernel - 1) * axis->step + 1;
  if (axis->ranges == NULL)
    return bins_span(axis, n_out);
  int64_t span = 0;
  for (int64_t o = 0; o < axis->n_out; o += n_out)
    span = most(span, ir_windows_span(axis, o, least(o + n_out, axis->n_out)).count);
  return span;
}

int64_t ir_windows_plane_in(const ir_windows *windows) {
  int64_t n = 1;
  for (int i = 0; i < windows->n_axes; i++)
    n *= windows->axes[i].n_in;
  return n;
}

int64_t ir_windows_plane_out(const ir_windows *windows) {
  int64_t n = 1;
  for (int i = 0; i < windows->n_axes; i++)
    n *= windows->axes[i].n_out;
  return n;
}

int64_t ir_walk_taps(const ir_windows *windows, ir_row_walk *walk) {
  int64_t taps = 1;
  for (int i = 0; i < windows->n_axes - 1; i++) {
    taps *= ir_windows_range(&windows->axes[i], walk->at[i]).count;
    walk->tap[i] = 0;
  }
  return taps;
}

int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk) {
  int64_t row = 0;
  for (int i = 0; i < windows->n_axes - 1; i++) {
    const ir_windows_axis *axis = &windows->axes[i];
    row = row * axis->n_in + ir_windows_range(axis, walk->at[i]).begin + walk->tap[i] * axis->step;
  }
  return row;
}

void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk) {
  for (int i = windows->n_axes - 2; i >= 0; i--) {
    if (++walk->tap[i] < ir_windows_range(&windows->axes[i], walk->at[i]).count)
      return;
    walk->tap[i] = 0;
  }
}

bool ir_walk_next(const ir_windows *windows, ir_row_walk *walk) {
  for (int i = windows->n_axes - 2; i >= 0; i--) {
    if (++walk->at[i] < windows->axes[i].n_out)
      return true;
    walk->at[i] = 0;
  }
  return false;
}

#include "ops/pool/pool_window.h"
#include <stdio.h>

static ir_wide wide_max(ir_wide a, ir_wide b) {
  return a > b ? a : b;
}

static ir_wide wide_min(ir_wide a, ir_wide b) {
  return a < b ? a : b;
}

/* ceil(a / b) for b > 0 and any a. */
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
  /* Pads that do not fit int64_t come of windows that no tensor can hold; cut, they make the count fail instead. */
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
  /* same_* pads make every size but 0 fit; else n >= K - pb - pe, which may be 0. */
  ir_window_axis fixed = ir_window_resolve(axis, auto_pad, 1);
  ir_wide least = ir_window_extent(fixed) - ir_window_padded(fixed, 0);
  if (auto_pad == IR_PAD_SAME_UPPER || auto_pad == IR_PAD_SAME_LOWER)
    least = 1;
  n.lo = (int64_t)wide_min(wide_max(n.lo, least), INT64_MAX);
  if (n.lo > n.hi || !ir_window_count(ir_window_resolve(axis, auto_pad, n.lo), rounding, n.lo, &out->lo)) {
    *out = ir_dim_any();
    return false;
  }
  /* Sizes whose count does not fit are not legal; which ones is not worth telling. */
  if (n.hi == IR_DIM_MAX || !ir_window_count(ir_window_resolve(axis, auto_pad, n.hi), rounding, n.hi, &out->hi))
    out->hi = IR_DIM_MAX;
  return true;
}

ir_tap_range ir_window_range(ir_window_axis axis, int64_t n, int64_t o) {
  int64_t begin, last;
  /* Most windows lie in the input, and need no wide numbers. */
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
  int64_t begin = (int64_t)((ir_wide)o * n / out);
  int64_t end = (int64_t)wide_ceil_div(((ir_wide)o + 1) * n, out);
  return (ir_tap_range){begin, end - begin};
}

int64_t ir_window_clipped(ir_window_axis axis, int64_t n, int64_t o) {
  ir_wide start = (ir_wide)o * axis.stride - axis.pad_begin;
  ir_wide taps = wide_ceil_div((ir_wide)n + axis.pad_end - start, axis.dilation);
  return (int64_t)wide_max(0, wide_min(taps, axis.kernel));
}

/* The least x >= 0 with lo <= a * x mod m <= hi, or -1; 0 <= a < m, 0 < lo <= hi < m. As Euclid does, it asks the
 * same of ever smaller moduli: when no multiple of a lies in [lo, hi], then a * x - m * y does for some y > 0, so that
 * -m * y mod a lies in [lo mod a, hi mod a]. A modulus is at most half of the one before. */
static ir_wide first_multiple_within(ir_wide a, ir_wide m, ir_wide lo, ir_wide hi) {
  struct {
    ir_wide a, m, lo;
  } asked[64];
  int n = 0;
  ir_wide x;
  for (;;) {
    if (a == 0)
      return -1;
    if (2 * a > m) { /* count down instead of up */
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
  /* Taps can step over an input that is shorter than the dilation. Those of a window that begins before the input do
   * when its begin modulo the dilation is n or more; window 0 does not. */
  ir_wide d = axis.dilation, begin = (d - axis.pad_begin % d) % d;
  if (d > n) {
    ir_wide o = first_multiple_within(axis.stride % d, d, n - begin, d - 1 - begin);
    if (o >= 0 && o < out && o * axis.stride < axis.pad_begin)
      return (int64_t)o;
  }
  /* The first window that begins at or past the input's end. */
  ir_wide past = wide_ceil_div((ir_wide)n + axis.pad_begin, axis.stride);
  return past < out ? (int64_t)past : -1;
}

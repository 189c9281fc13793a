/* The rules of a pool's windows: pads, output size, ranges, divisor. Check, inference, kernels and reports all use
 * these.
 *
 * Per spatial axis: n input size, k kernel, s stride, d dilation, pb and pe pads; K = (k - 1) * d + 1 is a window's
 * extent. All sums are computed in 128 bits, so that no attribute value can overflow them. */
#ifndef IR_POOL_WINDOWS_H
#define IR_POOL_WINDOWS_H

#include "ops/prepare.h"

__extension__ typedef __int128 ir_wide;
__extension__ typedef unsigned __int128 ir_uwide;

typedef enum ir_auto_pad { IR_PAD_EXPLICIT, IR_PAD_SAME_UPPER, IR_PAD_SAME_LOWER, IR_PAD_VALID } ir_auto_pad;
typedef enum ir_rounding { IR_ROUND_FLOOR, IR_ROUND_CEIL, IR_ROUND_CEIL_TORCH } ir_rounding;

typedef struct ir_window_axis {
  int64_t kernel, stride, dilation, pad_begin, pad_end;
} ir_window_axis;

#define IR_WIDE_TEXT 48
/* Decimal text for messages. Writes at most `size` bytes, returns `buffer`. */
const char *ir_wide_text(ir_wide number, char *buffer, size_t size);

/* K, the extent of the window. */
ir_wide ir_window_extent(ir_window_axis axis);
/* Resolves the pads of the axis for input size n: explicit keeps them; valid has none; same_* has t = max(0, (ceil(n /
 * s) - 1) * s + K - n) in total, half of it (rounded down) at the begin for same_upper, at the end for same_lower. */
ir_window_axis ir_window_resolve(ir_window_axis axis, ir_auto_pad auto_pad, int64_t n);
/* n + pb + pe, the padded size. */
ir_wide ir_window_padded(ir_window_axis axis, int64_t n);

/* Number of windows, with resolved pads and num = n + pb + pe - K:
 *   floor       num / s + 1
 *   ceil        ceil(num / s) + 1
 *   ceil_torch  the same, less one if the last window would begin at or past n + pb
 * False, with -1 in `*out`, if K exceeds the padded input (num < 0) or the number exceeds int64_t. */
bool ir_window_count(ir_window_axis axis, ir_rounding rounding, int64_t n, int64_t *out);

/* The count for all sizes of an interval, with pads resolved for each size. It grows with n, so the ends of the
 * interval suffice. The lower end is first raised to the smallest n that holds a window. False if there is none, or if
 * the lowest count exceeds int64_t; if only the highest does, the result has no upper end. */
bool ir_window_count_interval(ir_window_axis axis, ir_auto_pad auto_pad, ir_rounding rounding, ir_dim n, ir_dim *out);

/* The taps of one window that lie in the input: begin, begin + step, .. (`count` of them, maybe 0). */
typedef struct ir_tap_range {
  int64_t begin, count;
} ir_tap_range;

/* Window `o` of an axis with resolved pads: taps o * s - pb + i * d, i < k, inside [0, n). */
ir_tap_range ir_window_range(ir_window_axis axis, int64_t n, int64_t o);
/* Bin `o` of an adaptive pool: from floor(o * n / out) to ceil((o + 1) * n / out). */
ir_tap_range ir_window_bin(int64_t n, int64_t out, int64_t o);
/* Number of positions of window `o` inside the padded input, by which PyTorch and ONNX divide if padding is
 * included. */
int64_t ir_window_clipped(ir_window_axis axis, int64_t n, int64_t o);
/* The first window of `out` without taps in the input, or -1. */
int64_t ir_window_first_empty(ir_window_axis axis, int64_t n, int64_t out);

/* ---- the windows of a run ---- */

/* The windows of one run, for kernels: the taps of each window on every axis. A pool has N * C planes; a reduction has
 * one plane, with windows of all elements on the reduced axes and of one element on the others. */

typedef struct ir_windows_axis {
  int64_t n_in, n_out;
  int64_t step; /* between taps */
  /* For each of the n_out windows. NULL if there are many with one kernel, so that the list would be larger than the
   * tensors. */
  ir_tap_range *ranges;
  /* Set if all windows have one kernel and stride, and their span with pads is not out of proportion; else the kernel
   * is 0 and each window uses `ranges`. */
  int64_t kernel, stride, pad_begin;
} ir_windows_axis;

typedef struct ir_windows {
  int64_t n_planes; /* 0 if there is nothing to compute; then the axes are empty, too */
  int n_axes;       /* at least 1 */
  ir_windows_axis axes[IR_MAX_RANK];
} ir_windows;

/* Taps inside the input, on an axis of one kernel. */
ir_tap_range ir_windows_clipped(const ir_windows_axis *axis, int64_t o);

/* The same on an axis without a list, fast for windows without pads. */
static inline ir_tap_range ir_windows_unlisted(const ir_windows_axis *axis, int64_t o) {
  const int64_t begin = o * axis->stride - axis->pad_begin;
  if (begin >= 0 && begin + (axis->kernel - 1) * axis->step < axis->n_in)
    return (ir_tap_range){begin, axis->kernel};
  return ir_windows_clipped(axis, o);
}

/* The taps of window `o`. */
static inline ir_tap_range ir_windows_range(const ir_windows_axis *axis, int64_t o) {
  return axis->ranges != NULL ? axis->ranges[o] : ir_windows_unlisted(axis, o);
}

/* Whether one window covers the axis; whether each window is the element at its own position. */
bool ir_windows_is_whole(const ir_windows_axis *axis);
bool ir_windows_is_identity(const ir_windows_axis *axis);

/* Makes an axis of one window with n_in positions, as adjacent axes of one window each are when merged. False, with a
 * report, if memory is out. */
bool ir_windows_make_whole(ir_plan *plan, int64_t n_in, ir_windows_axis *out);

/* Taps of the largest window; without a list, the kernel. */
int64_t ir_windows_most_taps(const ir_windows_axis *axis);

/* From the first to the last position of windows [o, end). */
ir_tap_range ir_windows_span(const ir_windows_axis *axis, int64_t o, int64_t end);
/* Largest span of any `n_out` adjacent windows, in positions; with one kernel it includes pads. */
int64_t ir_windows_longest_span(const ir_windows_axis *axis, int64_t n_out);

/* Callbacks that fill an axis, of which a rule has one. `set` writes kernel, stride, step and pad_begin of spatial axis
 * `axis`; `range` returns the taps of window `o`. Before the call n_in and n_out are set and step is 1. */
typedef struct ir_windows_rule {
  void (*set)(const ir_node *node, int axis, ir_windows_axis *windows);
  ir_tap_range (*range)(const ir_windows_axis *windows, int64_t o);
} ir_windows_rule;

/* Clears numbers, possibly huge, that the axis's list makes superfluous: those of a single window, and of windows out
 * of proportion. */
void ir_windows_settle(ir_windows_axis *axis);

/* Makes windows from `in` [N, C, D..] to `out` of the same rank, with ranges in plan->arena; the first `n_plane_axes`
 * axes are planes. Reports if memory is out. */
ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        const ir_windows_rule *rule, ir_windows *windows);

/* Elements in a plane of the input and of the output. */
int64_t ir_windows_plane_in(const ir_windows *windows);
int64_t ir_windows_plane_out(const ir_windows *windows);

/* Iterates over the output rows of a plane, and for each over the input rows of its windows: over all axes except the
 * last. */
typedef struct ir_row_walk {
  int64_t at[IR_MAX_RANK];  /* output position */
  int64_t tap[IR_MAX_RANK]; /* position within its window */
} ir_row_walk;

/* Number of input rows that the windows at `at` cover; sets `tap` to the first. */
int64_t ir_walk_taps(const ir_windows *windows, ir_row_walk *walk);
/* The input row at `tap`; then advances to the next in row-major order. */
int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk);
void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk);
/* Advances to the next output row; false after the last. */
bool ir_walk_next(const ir_windows *windows, ir_row_walk *walk);

#endif

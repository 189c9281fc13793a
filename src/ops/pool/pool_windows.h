/* The rules of a pool's windows, each in one place: pads, output size, ranges, divisor. Check, inference, kernels and
 * reports use these.
 *
 * Per spatial axis: n input size, k kernel, s stride, d dilation, pb and pe pads; K = (k - 1) * d + 1 is a window's
 * extent. All sums are made in 128 bits, so that no attribute value can overflow them. */
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
/* In decimal, for messages. Writes at most `size` bytes, returns `buffer`. */
const char *ir_wide_text(ir_wide number, char *buffer, size_t size);

/* K. */
ir_wide ir_window_extent(ir_window_axis axis);
/* The axis with the pads that `auto_pad` gives it for input size n: explicit as they are, valid none, same_*
 * t = max(0, (ceil(n / s) - 1) * s + K - n), half of it (rounded down) at the begin for same_upper, at the end for
 * same_lower. */
ir_window_axis ir_window_resolve(ir_window_axis axis, ir_auto_pad auto_pad, int64_t n);
/* n + pb + pe. */
ir_wide ir_window_padded(ir_window_axis axis, int64_t n);

/* Number of windows, with resolved pads and num = n + pb + pe - K:
 *   floor       num / s + 1
 *   ceil        ceil(num / s) + 1
 *   ceil_torch  the same, less one when the last window would begin at or past n + pb
 * False when K exceeds the padded input (num < 0) or the number does not fit int64_t; `*out` is then -1. */
bool ir_window_count(ir_window_axis axis, ir_rounding rounding, int64_t n, int64_t *out);

/* The count over all sizes of an interval, pads resolved at each size: the formulas grow with n, so that both ends
 * tell. The lower end is first raised to the smallest n that the window fits in. False when none does, or the lowest
 * number does not fit; where only the highest does not, there is no upper end. */
bool ir_window_count_interval(ir_window_axis axis, ir_auto_pad auto_pad, ir_rounding rounding, ir_dim n, ir_dim *out);

/* The taps of one window that lie in the input: begin, begin + step, ... (count of them, maybe 0). */
typedef struct ir_tap_range {
  int64_t begin, count;
} ir_tap_range;

/* Window `o` of an axis with resolved pads: taps o * s - pb + i * d, i < k, inside [0, n). */
ir_tap_range ir_window_range(ir_window_axis axis, int64_t n, int64_t o);
/* Bin `o` of an adaptive pool: from floor(o * n / out) to ceil((o + 1) * n / out). */
ir_tap_range ir_window_bin(int64_t n, int64_t out, int64_t o);
/* Positions of window `o` that lie in the padded input: what PyTorch and ONNX divide by when padding is included. */
int64_t ir_window_clipped(ir_window_axis axis, int64_t n, int64_t o);
/* The first window of `out` without any tap in the input, or -1. */
int64_t ir_window_first_empty(ir_window_axis axis, int64_t n, int64_t out);

/* ---- the windows of a run ---- */

/* The windows of one run, laid out for kernels: for every axis the taps of each window. A pool's planes are N * C; a
 * reduction has one plane, windows of everything on the axes it reduces and of one element on the others. */

typedef struct ir_windows_axis {
  int64_t n_in, n_out;
  int64_t step; /* between taps */
  /* Of each of the n_out windows. NULL where they are many and of one kernel: a list would be larger than the tensors.
   */
  ir_tap_range *ranges;
  /* Where all windows are of one kernel, at one stride, and what they span with pads is not out of proportion; else the
   * kernel is 0, and windows go one by one. */
  int64_t kernel, stride, pad_begin;
} ir_windows_axis;

typedef struct ir_windows {
  int64_t n_planes; /* 0 when there is nothing to compute; then the axes are empty, too */
  int n_axes;       /* at least 1 */
  ir_windows_axis axes[IR_MAX_RANK];
} ir_windows;

/* Of an axis of one kernel, whatever its pads. */
ir_tap_range ir_windows_clipped(const ir_windows_axis *axis, int64_t o);

/* Of an axis without a list: most windows have no pads. */
static inline ir_tap_range ir_windows_unlisted(const ir_windows_axis *axis, int64_t o) {
  const int64_t begin = o * axis->stride - axis->pad_begin;
  if (begin >= 0 && begin + (axis->kernel - 1) * axis->step < axis->n_in)
    return (ir_tap_range){begin, axis->kernel};
  return ir_windows_clipped(axis, o);
}

/* What window `o` takes. */
static inline ir_tap_range ir_windows_range(const ir_windows_axis *axis, int64_t o) {
  return axis->ranges != NULL ? axis->ranges[o] : ir_windows_unlisted(axis, o);
}

/* Whether one window is all of the axis, and whether each takes the element at its own position. */
bool ir_windows_is_whole(const ir_windows_axis *axis);
bool ir_windows_is_identity(const ir_windows_axis *axis);

/* An axis of one window of n_in positions: what axes of one window each that are next to each other are together.
 * Reports when memory is out, and returns false. */
bool ir_windows_make_whole(ir_plan *plan, int64_t n_in, ir_windows_axis *out);

/* Of the window that takes most positions; where there is no list, the kernel. */
int64_t ir_windows_most_taps(const ir_windows_axis *axis);

/* From the first to the last of the positions that windows [o, end) take. */
ir_tap_range ir_windows_span(const ir_windows_axis *axis, int64_t o, int64_t end);
/* How many positions `n_out` windows span, of those for which that is most; of one kernel pads count. */
int64_t ir_windows_longest_span(const ir_windows_axis *axis, int64_t n_out);

/* One of both: `set` writes kernel, stride, step and pad_begin of spatial axis `axis`, `range` says what window `o`
 * takes. n_in and n_out are set, step is 1. */
typedef struct ir_windows_rule {
  void (*set)(const ir_node *node, int axis, ir_windows_axis *windows);
  ir_tap_range (*range)(const ir_windows_axis *windows, int64_t o);
} ir_windows_rule;

/* Drops the numbers, which may be of any size, that the list of an axis leaves nothing to say for: of a single window
 * and of windows out of proportion. */
void ir_windows_settle(ir_windows_axis *axis);

/* Windows from `in` [N, C, D..] to `out` of the same rank, ranges in plan->arena; the first `n_plane_axes` axes make
 * planes. Reports when memory is out. */
ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        const ir_windows_rule *rule, ir_windows *windows);

/* Elements of one plane of the input and of the output. */
int64_t ir_windows_plane_in(const ir_windows *windows);
int64_t ir_windows_plane_out(const ir_windows *windows);

/* A walk over the output rows of a plane, and for each over the input rows of its windows: over all axes but the
 * innermost. */
typedef struct ir_row_walk {
  int64_t at[IR_MAX_RANK];  /* output position */
  int64_t tap[IR_MAX_RANK]; /* within the window there */
} ir_row_walk;

/* Input rows that the windows at `at` cover; `tap` is set to the first of them. */
int64_t ir_walk_taps(const ir_windows *windows, ir_row_walk *walk);
/* Number of the input row at `tap`, and the step to the next one in row-major order. */
int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk);
void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk);
/* The next output row; false after the last. */
bool ir_walk_next(const ir_windows *windows, ir_row_walk *walk);

#endif

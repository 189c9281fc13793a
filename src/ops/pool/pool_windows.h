/* Window arithmetic of pools: pads, output size, the taps of each window. Checks, inference, kernels and messages all
 * use these functions. A tap is an element that a window covers.
 *
 * Letters, for each spatial axis: n is the input size, k the kernel, s the stride, d the dilation, pb and pe are the
 * begin and end pads. K = (k - 1) * d + 1 is the extent of a window. Sums are computed in 128 bits, so no attribute
 * value can overflow them. */
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
/* Writes `number` in decimal to `buffer`, at most `size` bytes, and returns `buffer`. IR_WIDE_TEXT is a sufficient
 * size. */
const char *ir_wide_text(ir_wide number, char *buffer, size_t size);

/* Returns K, the extent of the window. */
ir_wide ir_window_extent(ir_window_axis axis);
/* Returns `axis` with the pads that `auto_pad` prescribes for input size n:
 *   explicit    the pads of `axis`
 *   valid       no pads
 *   same_upper  t / 2, rounded down, at the begin; the rest of t at the end
 *   same_lower  t / 2, rounded down, at the end; the rest of t at the begin
 * where t = max(0, (ceil(n / s) - 1) * s + K - n) is the sum of both pads. */
ir_window_axis ir_window_resolve(ir_window_axis axis, ir_auto_pad auto_pad, int64_t n);
/* Returns n + pb + pe, the padded size. */
ir_wide ir_window_padded(ir_window_axis axis, int64_t n);

/* Computes the number of windows from the axis' own pads, with num = n + pb + pe - K:
 *   floor       num / s + 1
 *   ceil        ceil(num / s) + 1
 *   ceil_torch  as ceil, but less one if the last window would begin in the end padding
 * If K exceeds the padded input (num < 0) or the number exceeds int64_t, returns false and sets `*out` to -1. */
bool ir_window_count(ir_window_axis axis, ir_rounding rounding, int64_t n, int64_t *out);

/* Computes the interval of window counts for all input sizes in the interval `n`, each with its own pads. The count
 * never falls as n grows, so the two ends of `n` suffice. Sizes too small for a window are excluded first.
 *
 * Returns false if no size remains, or if the lowest count exceeds int64_t. If only the highest count exceeds int64_t,
 * the result has no upper end. */
bool ir_window_count_interval(ir_window_axis axis, ir_auto_pad auto_pad, ir_rounding rounding, ir_dim n, ir_dim *out);

/* Positions of one window on one axis: begin, begin + d, .. (`count` of them, maybe 0). Pads are excluded; functions
 * that include pads say so. */
typedef struct ir_tap_range {
  int64_t begin, count;
} ir_tap_range;

/* Returns the taps of window `o` in the input: the positions o * s - pb + i * d, 0 <= i < k, that lie in [0, n). The
 * pads of `axis` are used as they are. */
ir_tap_range ir_window_range(ir_window_axis axis, int64_t n, int64_t o);
/* Returns bin `o` of the `out` bins of an adaptive pool: the positions from floor(o * n / out) up to, but excluding,
 * ceil((o + 1) * n / out). */
ir_tap_range ir_window_bin(int64_t n, int64_t out, int64_t o);
/* Returns the number of positions of window `o` inside the padded input. PyTorch and ONNX divide by this number if
 * padding is included. */
int64_t ir_window_clipped(ir_window_axis axis, int64_t n, int64_t o);
/* Returns the first of `out` windows without taps in the input, or -1. */
int64_t ir_window_first_empty(ir_window_axis axis, int64_t n, int64_t out);

/* ---- the windows of a run ---- */

/* The windows of a pool in one run, for kernels. A pool has N * C planes. A mean of integers by ReduceMean has one
 * plane: its windows cover the reduced axes, and have one element on the other axes. */

typedef struct ir_windows_axis {
  int64_t n_in, n_out;
  int64_t step; /* distance between taps: the dilation */
  /* The taps of each of the n_out windows. NULL if very many windows have one kernel, or are bins (kernel is 0 then):
   * the list could be larger than the tensors, and take seconds. */
  ir_tap_range *ranges;
  /* Parameters of the windows, if all windows have the same kernel and stride. If windows differ, or if pads, strides
   * or dilation spread them far beyond the axis, `kernel` is 0, and `ranges` has the taps. */
  int64_t kernel, stride, pad_begin;
} ir_windows_axis;

typedef struct ir_windows {
  int64_t n_planes; /* 0 if the output has no elements; all axes are zeroed then */
  int n_axes;       /* at least 1 */
  ir_windows_axis axes[IR_MAX_RANK];
} ir_windows;

/* Returns the taps of window `o` inside the input, computed from kernel, stride and pads; kernel > 0. */
ir_tap_range ir_windows_clipped(const ir_windows_axis *axis, int64_t o);

/* Returns the same as ir_windows_clipped, but faster for windows that lie inside the input. */
static inline ir_tap_range ir_windows_unlisted(const ir_windows_axis *axis, int64_t o) {
  const int64_t begin = o * axis->stride - axis->pad_begin;
  if (begin >= 0 && begin + (axis->kernel - 1) * axis->step < axis->n_in)
    return (ir_tap_range){begin, axis->kernel};
  return ir_windows_clipped(axis, o);
}

/* Returns the taps of window `o` inside the input. */
static inline ir_tap_range ir_windows_range(const ir_windows_axis *axis, int64_t o) {
  return axis->ranges != NULL ? axis->ranges[o]
         : axis->kernel > 0   ? ir_windows_unlisted(axis, o)
                              : ir_window_bin(axis->n_in, axis->n_out, o);
}

/* Whether the axis has one window, which covers all positions. */
bool ir_windows_is_whole(const ir_windows_axis *axis);
/* Whether each window is the single element at the window's own position. */
bool ir_windows_is_identity(const ir_windows_axis *axis);

/* Makes an axis of n_in positions with one window that covers them all. Returns false, with a report, if memory is out.
 */
bool ir_windows_make_whole(ir_plan *plan, int64_t n_in, ir_windows_axis *out);

/* Returns the number of taps of the largest window. For windows of one kernel without a list this is the kernel. */
int64_t ir_windows_most_taps(const ir_windows_axis *axis);

/* Returns the range of positions from the first to the last tap of windows [o, end). */
ir_tap_range ir_windows_span(const ir_windows_axis *axis, int64_t o, int64_t end);
/* Returns the largest span, in positions, of windows [o, o + n_out), for o = 0, n_out, 2 * n_out, .. If kernel > 0,
 * pads are included, and every o has the same span. For bins without a list, it can be one position too many. */
int64_t ir_windows_longest_span(const ir_windows_axis *axis, int64_t n_out);

/* Writes kernel, stride, step and pad_begin of spatial axis `axis`. Before the call, n_in and n_out are set and step is
 * 1. */
typedef void ir_windows_set(const ir_node *node, int axis, ir_windows_axis *windows);

/* Removes parameters of an axis with a list that could overflow later products. Limits the stride of a single window.
 * If the windows spread far beyond the axis, clears kernel, stride and pads, and kernels read the list. */
void ir_windows_settle(ir_windows_axis *axis);

/* Makes the windows from shape `in` [N, C, D..] to shape `out` of the same rank; the first `n_plane_axes` axes count
 * planes. If `set` is NULL, the windows are bins (ir_window_bin): n bins of n elements have one element each, and one
 * bin has all. The lists of taps are in plan->arena. Reports if memory is out. */
ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        ir_windows_set *set, ir_windows *windows);

/* Returns the number of elements of one plane of the input, and of one plane of the output. */
int64_t ir_windows_plane_in(const ir_windows *windows);
int64_t ir_windows_plane_out(const ir_windows *windows);

/* Iterates over the output rows of a plane and, for each, over the input rows of its windows. Rows run along the last
 * axis, so the arrays describe the axes before it. */
typedef struct ir_row_walk {
  int64_t at[IR_MAX_RANK];  /* index of the output on each axis */
  int64_t tap[IR_MAX_RANK]; /* index of the tap in its window, on each axis */
} ir_row_walk;

/* Returns the number of input rows of the window at walk->at, and sets walk->tap to the first of them. */
int64_t ir_walk_taps(const ir_windows *windows, ir_row_walk *walk);
/* Returns the index in the plane of the input row at walk->tap. */
int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk);
/* Sets walk->tap to the next input row of the window at walk->at, in row-major order. After the last row, starts again
 * at the first. */
void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk);
/* Sets walk->at to the next output row of the plane. Returns false after the last row. */
bool ir_walk_next(const ir_windows *windows, ir_row_walk *walk);

#endif

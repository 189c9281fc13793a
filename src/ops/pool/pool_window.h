/* The rules of a pool's windows, each in one place: pads, output size, ranges, divisor. Check, inference, kernels and
 * reports use these.
 *
 * Per spatial axis: n input size, k kernel, s stride, d dilation, pb and pe pads; K = (k - 1) * d + 1 is a window's
 * extent. All sums are made in 128 bits, so that no attribute value can overflow them. */
#ifndef IR_POOL_WINDOW_H
#define IR_POOL_WINDOW_H

#include "base/arena.h"
#include "base/shape.h"

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

#endif

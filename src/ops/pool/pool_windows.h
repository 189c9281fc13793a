/* The windows of one run, laid out for kernels: for every axis the taps of each window. A pool's planes are N * C; a
 * reduction has one plane, windows of everything on the axes it reduces and of one element on the others. */
#ifndef IR_POOL_WINDOWS_H
#define IR_POOL_WINDOWS_H

#include "ops/plan.h"
#include "ops/pool/pool_window.h"

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

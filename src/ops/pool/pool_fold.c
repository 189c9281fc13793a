#include "ops/pool/pool_fold.h"
#include "ops/pool/pool_numbers.h"

enum { FEW_TERMS = 8 };

/* ---- axes ---- */

/* Axes next to each other become one: of one window, or of windows of an element each. */
static bool join_axes(ir_plan *plan, const ir_windows *windows, ir_windows *out) {
  *out = (ir_windows){.n_planes = windows->n_planes};
  for (int a = 0; a < windows->n_axes; a++) {
    const ir_windows_axis *axis = &windows->axes[a];
    ir_windows_axis *last = out->n_axes > 0 ? &out->axes[out->n_axes - 1] : NULL;
    const int64_t n_in = last != NULL ? last->n_in * axis->n_in : 0;
    if (last != NULL && ir_windows_is_whole(last) && ir_windows_is_whole(axis)) {
      if (!ir_windows_make_whole(plan, n_in, last))
        return false;
    } else if (last != NULL && ir_windows_is_identity(last) && ir_windows_is_identity(axis)) {
      *last = (ir_windows_axis){.n_in = n_in, .n_out = n_in, .step = 1, .kernel = 1, .stride = 1};
    } else {
      out->axes[out->n_axes++] = *axis;
    }
  }
  return true;
}

/* ---- along the row ---- */

/* Windows of as many terms each, evenly apart, although nobody said so. */
static void find_kernel(const ir_windows_axis *axis, ir_fold *fold) {
  const ir_range first = ir_windows_range(axis, 0);
  const int64_t stride = axis->n_out > 1 ? ir_windows_range(axis, 1).begin - first.begin : 1;
  bool even = first.count > 0 && first.begin == 0 && stride > 0;
  for (int64_t o = 1; o < axis->n_out && even; o++)
    even = ir_windows_range(axis, o).count == first.count && ir_windows_range(axis, o).begin == o * stride;
  fold->kernel = even ? first.count : 0;
  fold->stride = stride;
  fold->pad_begin = 0;
}

static int64_t extent_of(const ir_fold *fold) {
  return (fold->kernel - 1) * fold->step + 1;
}

/* Long windows that do not share terms go one by one. */
static bool can_slide(const ir_windows_axis *axis, const ir_fold *fold) {
  if (fold->kernel == 0 || (axis->n_out == 1 && fold->kernel > 1))
    return false;
  return fold->kernel <= FEW_TERMS || fold->stride <= fold->kernel / 2;
}

static void set_along(ir_fold *fold) {
  const ir_windows_axis *axis = &fold->windows.axes[fold->windows.n_axes - 1];
  fold->kernel = axis->kernel;
  fold->stride = axis->stride;
  fold->step = axis->step;
  fold->pad_begin = axis->pad_begin;
  if (fold->kernel == 0)
    find_kernel(axis, fold);
  fold->slides = can_slide(axis, fold);
  fold->tile_out = 1;
  int64_t span = IR_FOLD_SPAN;
  if (fold->slides) {
    const int64_t columns = most(IR_FOLD_SPAN, 2 * extent_of(fold));
    fold->tile_out = least(axis->n_out, (columns - extent_of(fold)) / fold->stride + 1);
    span = (fold->tile_out - 1) * fold->stride + extent_of(fold);
  }
  fold->n_counts = least(axis->n_out, most(IR_FOLD_SPAN, fold->tile_out));
  fold->n_count_slots = fold->n_counts < axis->n_out ? IR_FOLD_COUNT_SLOTS : 1;
  fold->chunk = most(1, IR_FOLD_CHUNK / fold->step);
  fold->pitch = (most(span, fold->tile_out) + 15) / 16 * 16;
}

/* ---- across rows ---- */

/* The row is one tile, and no axis before the last one across rows has windows. */
static void set_shared(ir_fold *fold) {
  const ir_windows *windows = &fold->windows;
  const int n_axes = windows->n_axes;
  if (n_axes < 2 || !fold->slides || fold->tile_out < windows->axes[n_axes - 1].n_out)
    return;
  const ir_windows_axis *axis = &windows->axes[n_axes - 2];
  for (int a = 0; a < n_axes - 2; a++)
    if (!ir_windows_is_identity(&windows->axes[a]))
      return;
  if (axis->step != 1 || axis->kernel < 2 * FEW_TERMS || axis->stride > axis->kernel / 4)
    return;
  const int64_t taps = ir_windows_most_taps(axis), columns = windows->axes[n_axes - 1].n_in;
  int n_levels = 0;
  for (int64_t left = taps / 4; left > 0; left /= 2)
    n_levels++;
  for (fold->n_slots = 1; fold->n_slots < taps;)
    fold->n_slots *= 2;
  fold->slot_pitch = (columns + 15) / 16 * 16 + 16; /* not a power of two apart */
  fold->n_levels = n_levels * fold->n_slots * fold->slot_pitch <= IR_FOLD_SHARED ? n_levels : 0;
}

/* ---- all of it ---- */

bool ir_fold_make(ir_plan *plan, const ir_windows *windows, int64_t divisor, bool nan_if_empty, ir_fold *out) {
  *out = (ir_fold){.divisor = divisor, .nan_if_empty = nan_if_empty, .most_taps = 1};
  if (windows->n_planes == 0)
    return true;
  if (!join_axes(plan, windows, &out->windows))
    return false;
  set_along(out);
  set_shared(out);
  int64_t rows = 1;
  out->plane_rows = 1;
  for (int a = 0; a < out->windows.n_axes; a++) {
    const ir_windows_axis *axis = &out->windows.axes[a];
    const int64_t taps = ir_windows_most_taps(axis);
    out->most_taps *= taps;
    if (a < out->windows.n_axes - 1) {
      out->plane_rows *= axis->n_out;
      rows *= taps;
    }
  }
  out->n_rows = out->plane_rows * out->windows.n_planes;
  /* A row, what it becomes and one more; and rows that wait for as many others: fours, eights, ... */
  for (out->n_lines = 3; rows > 1; rows /= 2)
    out->n_lines++;
  return true;
}

size_t ir_fold_scratch(const ir_fold *fold, size_t term_bytes) {
  if (fold->n_rows == 0)
    return 0;
  const int64_t n_shared = fold->n_levels * fold->n_slots;
  return (size_t)(fold->n_lines * fold->pitch + n_shared * fold->slot_pitch) * term_bytes +
         (size_t)(3 * fold->n_count_slots * fold->n_counts + n_shared) * sizeof(double);
}

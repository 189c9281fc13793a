#include "ops/pool/pool_sweep.h"
#include <string.h>

enum {
  LANES = 64,        /* values that a row is padded by, at least, so that passes may end beyond it */
  ROW_VALUES = 2048, /* of the rows that are made at once: they and what is made of them stay in the first cache */
  MAX_TAPS = 1 << 24 /* of a window: a float holds their number */
};

/* ---- axes ---- */

static bool is_identity(const ir_windows_axis *axis) {
  bool same = axis->n_in == axis->n_out;
  for (int64_t o = 0; o < axis->n_out && same; o++)
    same = axis->ranges[o].begin == o && axis->ranges[o].count == 1;
  return same;
}

static bool is_whole(const ir_windows_axis *axis) {
  return axis->n_out == 1 && axis->ranges[0].begin == 0 && axis->ranges[0].count == axis->n_in &&
         (axis->step == 1 || axis->n_in == 1);
}

/* Two axes of one window each that are next to each other are one axis. */
static bool join(ir_plan *plan, ir_windows_axis *outer, const ir_windows_axis *inner) {
  ir_range *range = ir_arena_alloc(plan->arena, sizeof *range);
  if (range == NULL)
    return ir_out_of_memory(plan->diags), false;
  *range = (ir_range){0, outer->n_in * inner->n_in};
  *outer = (ir_windows_axis){.n_in = range->count, .n_out = 1, .step = 1, .ranges = range};
  return true;
}

/* The axes that are swept along, the innermost first; those on which nothing happens are planes, or a part of rows. */
static bool find_axes(ir_plan *plan, const ir_windows *windows, ir_sweep *out, ir_windows_axis *axes, int *out_n) {
  int first = 0, behind = windows->n_axes, n = 0;
  out->n_planes = windows->n_planes;
  out->base = 1;
  while (first < behind - 1 && is_identity(&windows->axes[first]))
    out->n_planes *= windows->axes[first++].n_in;
  while (first < behind - 1 && is_identity(&windows->axes[behind - 1]))
    out->base *= windows->axes[--behind].n_in;
  for (int i = behind - 1; i >= first; i--) {
    ir_windows_axis outer = windows->axes[i];
    if (n == 0 || !is_whole(&axes[n - 1]) || !is_whole(&outer)) {
      axes[n++] = outer;
      continue;
    }
    if (!join(plan, &outer, &axes[n - 1]))
      return false;
    axes[n - 1] = outer;
  }
  *out_n = n;
  return true;
}

/* ---- stages ---- */

static int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

static int count_levels(int64_t kernel) {
  int n = 1;
  while (n < IR_SWEEP_MAX_LEVELS && kernel >> (2 * n) > 0)
    n++;
  return n;
}

static size_t take(ir_sweep *sweep, int64_t n) {
  size_t at = sweep->n_scratch;
  sweep->n_scratch += (size_t)round_up(n, 16);
  return at;
}

static int64_t end_of(const ir_windows_axis *axis, int64_t o) {
  return axis->ranges[o].begin + (axis->ranges[o].count - 1) * axis->step + 1;
}

/* Along a row. One whose padded length is out of proportion, and windows of any other kind, go one by one. */
static void make_row_stage(ir_sweep *sweep, const ir_windows_axis *axis, ir_sweep_stage *stage) {
  const int64_t span = axis->kernel == 0 ? 0 : (axis->n_out - 1) * axis->stride + (axis->kernel - 1) * axis->step + 1;
  const int64_t padded = axis->pad_begin + axis->n_in;
  stage->length = 1;
  stage->pitch = span > padded ? span : padded;
  stage->mode = axis->kernel > 0 && stage->pitch <= 4 * (axis->n_in + axis->n_out) ? IR_SWEEP_ROW
                : is_whole(axis)                                                   ? IR_SWEEP_WHOLE
                                                                                   : IR_SWEEP_BINS;
  if (stage->mode != IR_SWEEP_ROW)
    stage->pitch = round_up(axis->n_in, 16);
  stage->group = 1;
  while (2 * stage->group * stage->pitch <= ROW_VALUES && stage->group < ROW_VALUES)
    stage->group *= 2;
  stage->n_levels = stage->mode == IR_SWEEP_ROW ? count_levels(axis->kernel) : 1;
  for (int i = 0; i <= stage->n_levels; i++)
    stage->level_at[i] = take(sweep, stage->group * stage->pitch + LANES);
  sweep->row_length = axis->n_out;
}

/* Rows that are read again by a later window, after the last one of an earlier window was read. */
static int64_t rows_kept(const ir_windows_axis *axis) {
  int64_t most = 0, end = 0;
  for (int64_t o = 0; o < axis->n_out; o++) {
    if (axis->ranges[o].count == 0)
      continue;
    if (end - axis->ranges[o].begin > most)
      most = end - axis->ranges[o].begin;
    end = end_of(axis, o) > end ? end_of(axis, o) : end;
  }
  return most;
}

/* Windows that overlap share what is added up, where that is less work than to add up each. */
static bool shares_levels(const ir_windows_axis *axis) {
  int64_t taps = 0;
  for (int64_t o = 0; o < axis->n_out; o++)
    taps += axis->ranges[o].count;
  return axis->kernel > IR_SWEEP_FEW && axis->step == 1 && taps / 6 > (axis->n_out - 1) * axis->stride + axis->kernel;
}

static void make_level_rings(ir_sweep *sweep, ir_sweep_stage *stage) {
  stage->n_levels = count_levels(stage->kernel);
  for (int i = 1; i < stage->n_levels; i++)
    stage->level_at[i] = take(sweep, IR_SWEEP_LEVEL_ROWS(i) * stage->ring_pitch);
  stage->level_at[0] = take(sweep, stage->ring_pitch); /* a row of pads */
}

static void make_cross_stage(ir_sweep *sweep, const ir_windows_axis *axis, ir_sweep_stage *stage) {
  const ir_sweep_stage *inner = stage - 1;
  stage->length = sweep->row_length;
  stage->mode = shares_levels(axis) ? IR_SWEEP_LEVELS : IR_SWEEP_DIRECT;
  const bool flat = sweep->n_stages == 1 && inner->mode == IR_SWEEP_ROW && inner->stride == 1;
  stage->ring_pitch = flat ? inner->pitch : round_up(stage->length, 16);
  stage->group = sweep->n_stages == 1 && sweep->base == 1 ? inner->group : 1;
  int64_t kept = stage->mode == IR_SWEEP_LEVELS ? 4 : rows_kept(axis);
  const int64_t most_rows = kept + IR_SWEEP_FEW * axis->step + stage->group;
  stage->ring_rows = stage->group;
  while (stage->ring_rows < most_rows && stage->ring_rows < axis->n_in)
    stage->ring_rows *= 2;
  stage->ring_at = take(sweep, stage->ring_rows * stage->ring_pitch + LANES);
  if (stage->mode == IR_SWEEP_LEVELS) {
    make_level_rings(sweep, stage);
  } else {
    int64_t most = 0, depth = 2;
    for (int64_t o = 0; o < axis->n_out; o++)
      most = axis->ranges[o].count > most ? axis->ranges[o].count : most;
    for (; most > IR_SWEEP_FEW; most /= 2)
      depth += 2;
    stage->temporary_at = take(sweep, depth * stage->ring_pitch);
  }
  sweep->row_length = stage->length * axis->n_out;
}

/* ---- numbers of taps ---- */

/* Of the rows that the outermost stage adds up: taps along the axes inside it. */
static bool count_taps(ir_plan *plan, ir_sweep *sweep, const ir_windows_axis *axes) {
  const ir_sweep_stage *last = &sweep->stages[sweep->n_stages - 1];
  const bool along = sweep->n_stages == 1 && sweep->base == 1;
  const int64_t n = along ? axes[0].n_out * last->group : last->length;
  float *taps = ir_arena_array(plan->arena, (size_t)n + LANES, sizeof *taps);
  float *reciprocals = ir_arena_array(plan->arena, (size_t)n + LANES, sizeof *reciprocals);
  if (taps == NULL || reciprocals == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t i = 0; i < n + LANES; i++)
    taps[i] = reciprocals[i] = 1;
  for (int64_t i = 0; i < n; i++) {
    int64_t rest = i / sweep->base, count = 1;
    for (int a = 0; a < (along ? 1 : sweep->n_stages - 1); a++) {
      count *= axes[a].ranges[rest % axes[a].n_out].count;
      rest /= axes[a].n_out;
    }
    taps[i] = (float)count;
  }
  sweep->usual_rows = along ? 1 : last->ranges[last->n_out / 2].count;
  for (int64_t i = 0; i < n; i++)
    reciprocals[i] = 1 / (taps[i] * (float)sweep->usual_rows);
  sweep->row_taps = taps;
  sweep->reciprocals = reciprocals;
  sweep->row_length = n;
  sweep->last_at = take(sweep, n + LANES);
  return true;
}

static bool taps_fit(const ir_windows_axis *axes, int n) {
  int64_t taps = 1;
  for (int a = 0; a < n; a++) {
    int64_t most = axes[a].kernel;
    for (int64_t o = 0; o < axes[a].n_out; o++)
      most = axes[a].ranges[o].count > most ? axes[a].ranges[o].count : most;
    if (!ir_mul(taps, most > 0 ? most : 1, &taps) || taps >= MAX_TAPS)
      return false;
  }
  return true;
}

bool ir_sweep_make(ir_plan *plan, const ir_windows *windows, ir_sweep *out) {
  ir_windows_axis axes[IR_MAX_RANK];
  int n;
  *out = (ir_sweep){.n_planes = 0};
  if (windows->n_planes == 0 || ir_windows_plane_in(windows) == 0)
    return false;
  if (!find_axes(plan, windows, out, axes, &n) || !taps_fit(axes, n))
    return false;
  int64_t block = out->base;
  out->row_length = out->base;
  out->plane_out = out->base;
  for (int i = 0; i < n; i++) {
    ir_sweep_stage *stage = &out->stages[i];
    *stage = (ir_sweep_stage){.n_in = axes[i].n_in,
                              .n_out = axes[i].n_out,
                              .step = axes[i].step,
                              .ranges = axes[i].ranges,
                              .kernel = axes[i].kernel,
                              .stride = axes[i].stride,
                              .pad_begin = axes[i].pad_begin,
                              .in_block = block};
    if (i == 0 && out->base == 1)
      make_row_stage(out, &axes[i], stage);
    else
      make_cross_stage(out, &axes[i], stage);
    out->n_stages++;
    block *= axes[i].n_in;
    out->plane_out *= axes[i].n_out;
  }
  out->plane_in = block;
  return count_taps(plan, out, axes);
}

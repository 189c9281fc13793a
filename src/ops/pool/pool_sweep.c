#include "ops/pool/pool_sweep_plan.h"
#include <math.h>
#include <string.h>

enum {
  ROW_VALUES = 2048,   /* of the rows that are swept together: they stay in the first cache */
  GROUP_VALUES = 4096, /* of the planes that are swept together */
  BAND_VALUES = 65536, /* of the rows that windows of an outer axis read again */
  TILE = 1024,         /* columns */
  DENSE = 48,          /* outputs: rows of fewer are short */
  LONG_TILE = 512,     /* where every column has a value of each level */
  LINE_LEAD = 48,      /* floats before lines of terms that passes may write */
  MAX_TAPS = 1 << 24,  /* of a window: a float holds their number */
  UNITS = 16,          /* pieces of work that there should be */
  MIN_BAND = 8,
  MAX_BATCH = 64,
  ONES_BATCH = 512, /* of rows as they are of one window each */
  FOUR = 4,
  LINE = 64,       /* bytes, of a cache */
  LEAST_ROWS = 16, /* of windows, that are taken as one */
  TURNING = 8      /* what it takes to turn an element, and what comes of it back: as `effort` */
};

/* ---- axes ---- */

/* The axes that are swept, the innermost first; those on which nothing happens are planes, or a part of rows. */
static bool find_axes(ir_plan *plan, const ir_windows *windows, ir_sweep *out, ir_windows_axis *axes, int *out_n,
                      int64_t *out_base) {
  int first = 0, behind = windows->n_axes, n = 0;
  out->n_planes = windows->n_planes;
  *out_base = 1;
  while (first < behind - 1 && ir_windows_is_identity(&windows->axes[first]))
    out->n_planes *= windows->axes[first++].n_in;
  while (first < behind - 1 && ir_windows_is_identity(&windows->axes[behind - 1]))
    *out_base *= windows->axes[--behind].n_in;
  for (int i = behind - 1; i >= first; i--) {
    const ir_windows_axis *outer = &windows->axes[i];
    if (n == 0 || !ir_windows_is_whole(&axes[n - 1]) || !ir_windows_is_whole(outer))
      axes[n++] = *outer;
    else if (!ir_windows_make_whole(plan, outer->n_in * axes[n - 1].n_in, &axes[n - 1]))
      return false;
  }
  *out_n = n;
  return true;
}

/* Pads, where they are terms, counted. */
static int64_t most_taps_of(const ir_windows_axis *axis) {
  return most(most(axis->kernel, ir_windows_most_taps(axis)), 1);
}

static bool taps_fit(const ir_windows_axis *axes, int n, int64_t *out_taps, int64_t *out_effort) {
  *out_taps = 1;
  *out_effort = 0;
  for (int a = 0; a < n; a++) {
    const int64_t taps = most_taps_of(&axes[a]);
    if (!ir_mul(*out_taps, taps, out_taps) || *out_taps >= MAX_TAPS)
      return false;
    *out_effort += least(taps, 2 * IR_SWEEP_FEW) - 1;
  }
  return true;
}

int64_t ir_sweep_run(const ir_sweep_cross *axis, int64_t o, int64_t n) {
  const int64_t middle_end = axis->middle.begin + axis->middle.count;
  if (o >= axis->middle.begin && o < middle_end)
    return least(n, middle_end - o);
  const ir_range first = ir_sweep_range(axis, o);
  const int64_t step = o + 1 < axis->n_out ? ir_sweep_range(axis, o + 1).begin - first.begin : 0;
  int64_t same = 1;
  for (; same < n; same++) {
    const ir_range range = ir_sweep_range(axis, o + same);
    if (range.count != first.count || range.begin != first.begin + same * step)
      break;
  }
  return same;
}

int64_t ir_sweep_plane_of(const ir_sweep *sweep, int64_t unit) {
  return sweep->is_abreast ? least(unit * IR_ABREAST, sweep->n_planes) : unit / sweep->n_bands;
}

/* Of many windows, which are of one kernel, those that have no pads are known. */
static void set_middle(ir_sweep_cross *axis) {
  const int64_t extent = (axis->kernel - 1) * axis->step + 1;
  if (axis->ranges == NULL && extent <= axis->n_in) {
    const int64_t begin = (axis->pad_begin + axis->stride - 1) / axis->stride;
    const int64_t end = least((axis->n_in - extent + axis->pad_begin) / axis->stride + 1, axis->n_out);
    axis->middle = (ir_range){begin, most(end - begin, 0)};
    return;
  }
  ir_range longest = {0, 0};
  for (int64_t o = 0, n; o < axis->n_out; o += n) {
    n = ir_sweep_run(axis, o, axis->n_out - o);
    if (n > longest.count)
      longest = (ir_range){o, n};
  }
  axis->middle = longest;
}

static void set_rows_of_windows(ir_sweep_cross *axis) {
  axis->fewest_rows = INT64_MAX;
  for (int64_t o = 0, same; o < axis->n_out; o += same) {
    const int64_t rows = ir_sweep_range(axis, o).count;
    same = ir_sweep_run(axis, o, axis->n_out - o);
    axis->fewest_rows = least(axis->fewest_rows, rows);
    axis->most_rows = most(axis->most_rows, rows);
    axis->all_rows += same * rows;
  }
}

static ir_sweep_cross cross_of(const ir_windows_axis *axis, int64_t in_block) {
  ir_sweep_cross of = {.n_in = axis->n_in,
                       .n_out = axis->n_out,
                       .step = axis->step,
                       .ranges = axis->ranges,
                       .kernel = axis->kernel,
                       .stride = axis->stride,
                       .pad_begin = axis->pad_begin,
                       .in_block = in_block};
  set_middle(&of);
  set_rows_of_windows(&of);
  return of;
}

/* An axis across rows on which nothing happens. */
static ir_sweep_cross idle_cross(int64_t n, int64_t in_block) {
  return cross_of(&(ir_windows_axis){.n_in = n, .n_out = n, .step = 1, .kernel = 1, .stride = 1}, in_block);
}

void *ir_sweep_take_lines(ir_plan *plan, int64_t n_bytes) {
  char *lines = ir_arena_array(plan->arena, (size_t)n_bytes + LINE, 1);
  if (lines == NULL)
    return ir_out_of_memory(plan->diags), NULL;
  return lines + (LINE - (uintptr_t)lines % LINE);
}

/* ---- along rows ---- */

/* Windows far apart go one by one, and those that are not of one kernel. */
static void set_along(const ir_windows_axis *axis, ir_sweep_along *along) {
  *along = (ir_sweep_along){.n_in = axis->n_in,
                            .n_out = axis->n_out,
                            .step = axis->step,
                            .ranges = axis->ranges,
                            .kernel = axis->kernel,
                            .stride = axis->stride,
                            .pad_begin = axis->pad_begin,
                            .tile_out = axis->n_out,
                            .n_tiles = 1,
                            .is_long = axis->kernel > IR_SWEEP_FEW,
                            .n_levels = axis->kernel > 0 ? count_levels(axis->kernel) : 0,
                            .most_taps = most_taps_of(axis),
                            .mode = IR_SWEEP_PICK};
  if (axis->kernel == 0)
    return;
  if (axis->n_out == 1 ? axis->kernel > 1 : axis->kernel > IR_SWEEP_FEW && axis->stride > IR_SWEEP_FEW)
    return;
  along->mode = IR_SWEEP_SLIDE;
}

/* Where vectors would be empty for a part otherwise, and striking out, which takes as long as a third of a short window
 * of stride 1, does not cost more. */
static bool is_dense(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  if (along->mode != IR_SWEEP_SLIDE || along->is_long || along->step > 1 ||
      along->n_in != along->stride * along->n_out || sweep->by_blocks || along->kernel > along->n_in)
    return false;
  const int64_t lanes = 8 * round_up(along->n_out, 16);
  if (along->stride == 2)
    return along->kernel <= 2 && along->pad_begin == 0 && lanes > 11 * along->n_out;
  return along->stride == 1 && along->n_out < DENSE && lanes >= 9 * along->n_out;
}

static bool make_dense(ir_plan *plan, ir_sweep *sweep) {
  ir_sweep_along *along = &sweep->along;
  for (along->period = along->n_out; along->period < IR_SWEEP_MORE;)
    along->period += along->n_out;
  const int64_t n = along->period + IR_SWEEP_MORE;
  uint32_t *absent = ir_arena_array(plan->arena, (size_t)(along->kernel * n), sizeof *absent);
  uint16_t *present = ir_arena_array(plan->arena, (size_t)(IR_SWEEP_FEW * n), sizeof *present);
  if (absent == NULL || present == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t j = 0; j < along->kernel; j++)
    for (int64_t o = n - 1, bits = 0; o >= 0; o--) {
      const int64_t at = o % along->n_out * along->stride + j * along->step - along->pad_begin;
      const bool is_there = at >= 0 && at < along->n_in;
      bits = (bits << 1 & 0xffff) | (is_there ? 1 : 0);
      absent[j * n + o] = is_there ? 0 : UINT32_MAX;
      present[o * IR_SWEEP_FEW + j] = (uint16_t)bits;
    }
  along->absent = absent;
  along->present = present;
  return true;
}

/* A row of which windows are made across rows alone. */
static void set_plain_along(int64_t n, ir_sweep_along *along) {
  *along = (ir_sweep_along){
      .n_in = n, .n_out = n, .step = 1, .kernel = 1, .stride = 1, .tile_out = n, .n_tiles = 1, .mode = IR_SWEEP_SLIDE};
}

static void set_tiles(ir_sweep *sweep) {
  ir_sweep_along *along = &sweep->along;
  if (along->mode == IR_SWEEP_PICK || sweep->fused.is_set)
    return;
  const bool is_long = sweep->by_blocks || (along->is_long && !sweep->is_direct);
  const int64_t tile = is_long ? LONG_TILE : sweep->is_direct && along->stride > 1 ? 2 * TILE : TILE;
  const int64_t columns = most(tile, 4 * along->kernel * along->step);
  if (span_of(along, along->n_out) <= columns + columns / 2)
    return;
  const int64_t tile_out = most(round_up(columns / along->stride, 16), 16);
  const int64_t n = along->n_out + IR_SWEEP_EARLIER;
  along->n_tiles = (n + tile_out - 1) / tile_out;
  along->tile_out = least(round_up((n + along->n_tiles - 1) / along->n_tiles, 16), along->n_out);
  along->n_tiles = (n + along->tile_out - 1) / along->tile_out;
}

void ir_sweep_set_tile(const ir_sweep *sweep, int64_t tile, int64_t earlier, ir_sweep_tile *out) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t out_begin = tile == 0 ? 0 : tile * along->tile_out - earlier;
  const int64_t n_out = least((tile + 1) * along->tile_out - earlier, along->n_out) - out_begin;
  if (along->mode == IR_SWEEP_PICK) {
    *out = (ir_sweep_tile){.out_begin = out_begin, .n_out = n_out, .n_in = along->n_in};
    return;
  }
  const int64_t begin = out_begin * along->stride - along->pad_begin, end = begin + span_of(along, n_out);
  const int64_t in_begin = least(most(begin, 0), along->n_in), n_in = most(least(end, along->n_in) - in_begin, 0);
  *out = (ir_sweep_tile){.out_begin = out_begin,
                         .n_out = n_out,
                         .in_begin = in_begin,
                         .n_in = n_in,
                         .lead = n_in > 0 && !along->is_dense ? in_begin - begin : 0,
                         .is_even = n_in == end - begin};
}

/* ---- across rows ---- */

/* Windows that overlap share what is added up, where that is less work than to add up each. */
static bool shares_blocks(const ir_sweep_cross *axis) {
  return axis->kernel > IR_SWEEP_FEW && axis->step == 1 &&
         axis->all_rows / 6 > (axis->n_out - 1) * axis->stride + axis->kernel;
}

static ir_sweep_blocks blocks_of(int64_t kernel) {
  const int64_t between = (kernel - 1) / IR_SWEEP_FEW - 1;
  const int n_levels = count_levels(between);
  return (ir_sweep_blocks){.n_between = between,
                           .n_more = (kernel - 1) % IR_SWEEP_FEW,
                           .n_slots = between + 3,
                           .n_levels = n_levels,
                           .n_total_rows = between > 1 ? INT64_C(2) << n_levels : 0};
}

int64_t ir_sweep_most_rows(const ir_sweep_cross *axis, int64_t n) {
  int64_t rows = 1;
  for (int64_t o = 0; o < axis->n_out; o += n)
    rows = most(rows, ir_sweep_span(axis, o, least(o + n, axis->n_out)).count);
  return rows;
}

/* Halves that windows of so many rows are made of, one in the other, until they have the fewest. */
static int tree_depth(int64_t rows, int64_t fewest) {
  int depth = 1;
  for (; rows > fewest; rows /= 2)
    depth++;
  return depth;
}

/* Of each column of a tile. */
static void set_blocks_scratch(ir_sweep *sweep) {
  ir_sweep_blocks *blocks = &sweep->blocks;
  sweep->pads_at = take_scratch(sweep, sweep->pitch);
  sweep->ends_at = take_scratch(sweep, IR_SWEEP_FEW * blocks->n_slots * sweep->pitch);
  sweep->totals_at = take_scratch(sweep, blocks->n_total_rows * sweep->pitch);
  sweep->between_at = take_scratch(sweep, sweep->pitch);
  sweep->copies_at = take_scratch(sweep, 3 * IR_SWEEP_FEW * sweep->pitch);
}

static void set_rows(ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const bool slides = along->mode == IR_SWEEP_SLIDE;
  const int64_t span = slides ? span_of(along, along->tile_out) : along->n_in;
  sweep->pitch = along->is_dense ? along->n_in : round_up(span, 16) + (slides || sweep->by_blocks ? IR_SWEEP_SLACK : 0);
  sweep->batch = most(sweep->by_blocks ? IR_SWEEP_FEW : 1, least(MAX_BATCH, ROW_VALUES / sweep->pitch));
  if (sweep->batch >= FOUR - 1)
    sweep->batch = round_up(sweep->batch - 1, FOUR); /* lines that are made at once */
  if (sweep->is_direct && !slides)
    sweep->batch = along->n_out == 1 ? ONES_BATCH : MAX_BATCH; /* rows are picked from where they are */
}

/* Many planes of a few rows, each made in one pass. */
static void set_group(ir_sweep *sweep) {
  const ir_sweep_cross *axis = &sweep->cross[0];
  const bool few = ir_sweep_are_between(axis, 1, sweep->by_blocks ? IR_SWEEP_FEW : 2 * IR_SWEEP_FEW);
  const bool fits = sweep->along.is_dense || sweep->along.mode == IR_SWEEP_PICK;
  if (few && fits && sweep->n_cross == 1 && sweep->n_bands == 1 && !sweep->is_direct && !sweep->bins.is_set &&
      !sweep->flat.is_set)
    sweep->group = least(sweep->n_planes, GROUP_VALUES / (axis->n_out * sweep->pitch));
}

static void set_scratch(ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  const bool slides = along->mode == IR_SWEEP_SLIDE;
  const int64_t lead = along->is_dense ? round_up(along->pad_begin, 16) : 0;
  sweep->tap_pitch = round_up(along->tile_out, 16) + IR_SWEEP_SLACK;
  if (slides || !sweep->is_direct)
    sweep->rows_at =
        take_scratch(sweep, lead + most(sweep->batch, sweep->group * inner->n_out) * sweep->pitch) + (size_t)lead;
  int64_t depth = 0, length = sweep->pitch;
  if (sweep->n_cross > 1) {
    sweep->ring_pitch = along->n_tiles > 1 ? sweep->pitch : along->n_in;
    /* A row that is made alone is whole vectors. */
    sweep->ring_pitch += sweep->by_blocks ? IR_SWEEP_SLACK : 0;
    const int64_t rows = sweep->by_blocks ? IR_SWEEP_FEW : ir_sweep_most_rows(inner, sweep->inner_band);
    for (sweep->ring_rows = 1; sweep->ring_rows < rows;)
      sweep->ring_rows *= 2;
    length = most(length, sweep->ring_rows * sweep->ring_pitch + IR_SWEEP_SLACK);
    sweep->ring_at = take_scratch(sweep, sweep->ring_rows * sweep->ring_pitch);
  }
  /* The axes outside of the last one that rows of the ring are made of are taken apart to single positions. */
  for (int c = 0; c < sweep->n_cross; c++)
    depth += tree_depth(sweep->cross[c].most_rows, c < sweep->n_cross - 2 ? 1 : IR_SWEEP_FEW);
  if (!sweep->is_direct)
    sweep->tree_at = take_scratch(sweep, 2 * depth * length);
  sweep->tree_pitch = length;
  if (sweep->by_blocks)
    set_blocks_scratch(sweep);
  if (slides && along->is_long)
    sweep->line_at = take_scratch(sweep, LINE_LEAD + (along->n_levels + 1) * sweep->pitch) + LINE_LEAD;
  if (slides)
    sweep->tap_at = take_scratch(sweep, most(IR_SWEEP_FEW, along->n_levels + 1) * sweep->tap_pitch);
  else
    sweep->pick_at = take_scratch(sweep, most(sweep->batch, sweep->group * inner->n_out) * along->n_out);
}

/* All that windows have that are fused. */
static void set_means_scratch(ir_sweep *sweep) {
  sweep->means_pitch = 2 * (sweep->along.tile_out + sweep->batch + IR_SWEEP_SLACK);
  sweep->means_at = take_scratch(sweep, 2 * sweep->means_pitch);
}

/* A few rows of each plane are swept at a time, so that they are in the first cache when the next window of an outer
 * axis takes them again. */
static void set_inner_band(ir_sweep *sweep) {
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  sweep->inner_band = inner->n_out;
  if (sweep->n_cross == 1 || sweep->by_blocks)
    return;
  const int64_t rows = BAND_VALUES / (most(inner[-1].kernel, 2) * least(sweep->along.n_in, TILE));
  const int64_t positions = (rows - (inner->kernel - 1) * inner->step) / most(inner->stride, 1);
  sweep->inner_band = least(inner->n_out, most(MIN_BAND, positions));
}

/* Bands of the outermost axis, so that a few large planes are work for many. */
static void set_units(ir_sweep *sweep) {
  const ir_sweep_cross *outer = &sweep->cross[0];
  /* Sums that rows share begin anew in every band. */
  const int64_t smallest = most(MIN_BAND, most(8 * outer->kernel, sweep->batch));
  const int64_t wanted = sweep->flat.is_set ? 1 : most(1, UNITS / sweep->n_planes);
  sweep->band = most(least(smallest, outer->n_out), (outer->n_out + wanted - 1) / wanted);
  sweep->n_bands = (outer->n_out + sweep->band - 1) / sweep->band;
  sweep->n_units = sweep->n_planes * sweep->n_bands;
}

/* Planes are an axis across rows, on which nothing happens, where there is no other. */
static void make_planes_cross(ir_sweep *sweep) {
  const int64_t n = sweep->n_planes;
  sweep->cross[0] = idle_cross(n, sweep->along.n_in);
  sweep->n_planes = 1;
  sweep->plane_in = n * sweep->along.n_in;
  sweep->plane_out = n * sweep->along.n_out;
}

/* Whether windows that are picked from rows as they are may as well be rows of one window each: these are taken faster,
 * and in the same order. Rows of windows of many planes have to follow each other, or to be many themselves. */
static bool are_rows(const ir_sweep_along *along) {
  const int64_t n = along->n_out;
  if (along->mode != IR_SWEEP_PICK || along->kernel == 0 || n == 1 || along->step > 1 || ir_sweep_slides_anyway(along))
    return false;
  const bool has_pads = ir_sweep_columns(along, 0).begin != 0 || ir_sweep_columns(along, 0).count != along->kernel ||
                        ir_sweep_columns(along, n - 1).count != along->kernel;
  return !has_pads && n * along->stride <= along->n_in && (n * along->stride == along->n_in || n >= LEAST_ROWS);
}

static void set_windows_as_rows(ir_sweep *sweep) {
  const ir_sweep_along was = sweep->along;
  const ir_windows_axis axis = {.n_in = was.stride, .n_out = 1, .step = 1, .kernel = was.kernel, .stride = 1};
  set_along(&axis, &sweep->along);
  if (was.n_out * was.stride < was.n_in) {
    sweep->cross[sweep->n_cross++] = idle_cross(was.n_out, was.stride);
    return;
  }
  sweep->n_planes *= was.n_out;
  sweep->plane_in = was.stride;
  sweep->plane_out = 1;
}

/* The axes, the innermost first, as those along and across rows; `base` elements stand next to each other on which
 * nothing happens. */
static void set_axes(const ir_windows_axis *axes, int n, int64_t base, ir_sweep *sweep) {
  const int first = base == 1 ? 1 : 0; /* of the axes that go across rows */
  if (base == 1)
    set_along(&axes[0], &sweep->along);
  else
    set_plain_along(base, &sweep->along);
  sweep->plane_in = sweep->along.n_in;
  sweep->plane_out = sweep->along.n_out;
  for (int i = first; i < n; i++) {
    sweep->cross[n - 1 - i] = cross_of(&axes[i], sweep->plane_in);
    sweep->plane_in *= axes[i].n_in;
    sweep->plane_out *= axes[i].n_out;
  }
  sweep->n_cross = n - first;
  if (n == first && are_rows(&sweep->along))
    set_windows_as_rows(sweep);
  sweep->has_cross = sweep->n_cross > 0;
  if (!sweep->has_cross)
    sweep->cross[sweep->n_cross++] = idle_cross(1, sweep->along.n_in);
  sweep->is_direct = sweep->n_cross == 1 && ir_sweep_are_between(&sweep->cross[0], 1, 1);
}

/* Which passes windows are made by, all but planes side by side and bins. */
static void choose_passes(ir_sweep *sweep) {
  ir_sweep_along *along = &sweep->along;
  sweep->by_blocks = shares_blocks(&sweep->cross[sweep->n_cross - 1]) && !ir_sweep_is_small(sweep);
  /* For every instruction set: the order of additions is that of the mode. */
  if (ir_sweep_is_apart(sweep))
    along->mode = IR_SWEEP_SLIDE;
  along->is_dense = is_dense(sweep);
  sweep->flat.is_set = ir_sweep_can_lie_flat(sweep);
  sweep->fused.is_set = sweep->vectors.bits > 0 && !sweep->flat.is_set && ir_sweep_can_fuse(sweep);
  along->is_dense = along->is_dense && !sweep->flat.is_set && !sweep->fused.is_set;
}

/* Pieces of work, and the scratch that each of them takes. */
static void set_work(ir_sweep *sweep) {
  set_inner_band(sweep);
  set_rows(sweep);
  set_units(sweep);
  set_group(sweep);
  if (!sweep->fused.is_set && !sweep->bins.is_set && !sweep->flat.is_set)
    set_scratch(sweep);
  set_means_scratch(sweep);
}

ir_code ir_sweep_make(ir_plan *plan, const ir_windows *windows, const ir_sweep_vectors *vectors, ir_sweep *out,
                      bool *out_done) {
  ir_windows_axis axes[IR_MAX_RANK];
  int n;
  int64_t base;
  *out = (ir_sweep){.vectors = *vectors};
  *out_done = false;
  if (windows->n_planes == 0 || ir_windows_plane_in(windows) == 0)
    return IR_OK;
  if (!find_axes(plan, windows, out, axes, &n, &base))
    return IR_IO;
  if (!taps_fit(axes, n, &out->most_taps, &out->effort))
    return IR_OK;
  set_axes(axes, n, base, out);
  choose_passes(out);
  *out_done = true;
  if (!out->flat.is_set && ir_sweep_goes_abreast(out)) {
    out->effort += TURNING;
    return IR_OK;
  }
  if ((out->flat.is_set && !ir_sweep_lay_flat(plan, out)) || (out->fused.is_set && !ir_sweep_fuse(plan, out)))
    return IR_IO;
  out->bins.is_set = out->vectors.bits == 512 && !out->fused.is_set && ir_sweep_has_bins(out);
  if (out->bins.is_set && !ir_sweep_make_bins(plan, out))
    return IR_IO;
  if (!out->has_cross)
    make_planes_cross(out);
  if (out->by_blocks)
    out->blocks = blocks_of(out->cross[out->n_cross - 1].kernel);
  set_tiles(out);
  if (out->along.is_dense && !make_dense(plan, out))
    return IR_IO;
  set_work(out);
  return IR_OK;
}

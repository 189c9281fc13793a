#include "ops/pool/pool_plan.h"
#include "ops/kernels/numbers.h"
#include "ops/pool/pool_order.h"
#include <assert.h>
#include <math.h>

/* Factor of the constants that were chosen by measurements. A test builds with 2 and checks that no bit of an output
 * changes. */
#ifndef IR_POOL_MEASURED
#define IR_POOL_MEASURED 1
#endif

enum {
  LANES = IR_POOL_LANES,
  SLACK = 2 * LANES,                           /* floats that vectors can read after a row */
  FIRST_CACHE = (24 << 10) * IR_POOL_MEASURED, /* bytes of a band's input rows, which stay in the L1 cache */
  ALIASED = 256, /* floats: if rows are multiples of 1 KB apart, they compete for few sets of the L1 cache */
  TILE = 256 * IR_POOL_MEASURED,       /* columns of a tile: 16 lines and their results fit the L1 and L2 caches */
  BAND = (1 << 16) * IR_POOL_MEASURED, /* floats of the lines of a band: 256 KB, for an L2 cache of 1 MB */
  MOST_PLANES = (1 << 17) * IR_POOL_MEASURED, /* most floats of 16 interleaved planes: 512 KB, half of the L2 cache */
  MOST_SHARED = 1 << 23, /* most floats of the partial results that windows along rows share: 32 MB */
  MOST_SHARED_ROWS =
      1 << 12,            /* most rows of a window that shares partial results across rows: the ring takes 6 MB then */
  MOST_READS = 1 << 30,   /* most floats of ir_pool_plan.line_reads: their products fit int64_t */
  MOST_COLUMNS = 1 << 16, /* most input columns of a tile, if windows have up to 8 taps; large dilations exceed this */
  MOST_CHUNK_TAPS = 4096, /* most taps of a window on one axis, in small planes */
  LONG_COLUMNS =
      1 << 14 /* columns of a row; longer rows are not computed as strips, and their column_taps are shortened */
};

/* Limits that decide which route is fastest. */
enum {
  SHORT_ROW = 10 * IR_POOL_MEASURED, /* outputs of a row; in rows up to this length, most lanes of a strip are idle */
  LONG_ROW =
      24 * IR_POOL_MEASURED, /* outputs of a row; in shorter rows, the ends dominate the cost of the route "rows" */
  LINE_COST = 128 * IR_POOL_MEASURED, /* most input elements per output row with which the route "planes" is fastest */
  PLAIN_COST =
      32 * IR_POOL_MEASURED /* the same limit for windows without pads across rows, which other routes compute faster */
};

const char *const ir_pool_route_names[] = {"strips", "planes", "rows", "turned"};

static const ir_windows_axis *along_of(const ir_pool_plan *plan) {
  return &plan->windows.axes[plan->n_cross];
}

/* Returns the last axis but one, whose steps go from row to row; NULL if the windows have one axis. */
static const ir_windows_axis *cross_of(const ir_pool_plan *plan) {
  return plan->n_cross > 0 ? &plan->windows.axes[plan->n_cross - 1] : NULL;
}

/* Floats of each part of the scratch, in the order of pool_op.inc. A table of n_rows row pointers follows the parts. */
typedef struct scratch {
  int64_t pads, lines, turned, levels, out, row_taps, ring, free, n_rows;
} scratch;

static void set_scratch(ir_pool_plan *plan, scratch s) {
  const int64_t parts[IR_POOL_PARTS] = {s.pads, s.lines, s.turned, s.levels, s.out, s.row_taps, s.ring, s.free};
  const size_t table_bytes = (size_t)(s.n_rows + IR_POOL_AHEAD + 2) * sizeof(float *);
  plan->n_scratch = table_bytes / sizeof(float);
  for (int i = 0; i < IR_POOL_PARTS; i++) {
    assert(parts[i] >= 0);
    plan->scratch_of[i] = (size_t)round_up(parts[i], LANES);
    plan->n_scratch += plan->scratch_of[i];
  }
}

/* Returns the most terms of a window. If all windows have one kernel, pads are terms, too. */
static int64_t most_terms(const ir_windows_axis *axis) {
  return most(axis->kernel, ir_windows_most_taps(axis));
}

/* Sets plan->stack and plan->line_reads, and returns the number of intermediate rows that a sum across rows needs on
 * all axes together. */
static int64_t set_stacks(ir_pool_plan *plan) {
  int64_t rows = IR_FEW_TERMS + 1;
  plan->line_reads = plan->line_pitch;
  for (int a = 0; a < plan->n_cross; a++) {
    plan->stack[a] = 1;
    for (int64_t n = IR_FEW_TERMS; n < most_terms(&plan->windows.axes[a]); n *= 2)
      plan->stack[a]++;
    plan->line_reads = least(MOST_READS, plan->line_reads * least(MOST_READS, most_terms(&plan->windows.axes[a])));
    rows += IR_FEW_TERMS + plan->stack[a];
  }
  return rows;
}

/* ---- strips ---- */

static bool is_strip(int64_t rows, int64_t columns, int64_t stride) {
#define STRIP(r, c, s)                                                                                                 \
  if (rows == (r) && columns == (c) && stride == (s))                                                                  \
    return true;
  IR_EACH_STRIP(STRIP)
#undef STRIP
  return false;
}

static bool can_strip(const ir_pool_plan *plan) {
  const ir_windows_axis *along = along_of(plan), *cross = cross_of(plan);
  if (along->step != 1 || along->n_in > LONG_COLUMNS ||
      !is_strip(cross == NULL ? 1 : cross->kernel, along->kernel, along->stride))
    return false;
  if (along->pad_begin > IR_POOL_LEAD || along->n_out * along->stride - along->pad_begin > along->n_in + IR_POOL_LEAD)
    return false; /* strips would read too far beyond a row */
  return cross == NULL ||
         (cross->step == 1 && (cross->kernel > 1 ? cross->stride == along->stride : cross->stride <= 4));
}

static void set_strips(ir_pool_plan *plan) {
  const ir_windows_axis *along = along_of(plan), *cross = cross_of(plan);
  plan->tile_out = along->n_out;
  plan->line_pitch = round_up(IR_POOL_LEAD + along->n_in + IR_POOL_REACH, LANES);
  plan->band = most(LANES, FIRST_CACHE / (4 * along->n_in * along->stride));
  if (along->n_in % ALIASED == 0)
    plan->band = LANES / 2;
  if (cross == NULL)
    plan->band = along->n_in > FIRST_CACHE / 4 / LANES ? 2 : plan->band; /* few long rows, which stay in the L1 cache */
  plan->n_units = (plan->n_lines + plan->band - 1) / plan->band;
  const int64_t n_rows = cross == NULL ? plan->band : (plan->band - 1) * cross->stride + cross->kernel;
  set_scratch(plan, (scratch){.pads = plan->line_pitch,
                              .lines = n_rows * plan->line_pitch,
                              .out = plan->band * along->n_out + SLACK,
                              .row_taps = cross == NULL ? plan->band : cross->n_out,
                              .free = set_stacks(plan) * plan->line_pitch,
                              .n_rows = n_rows});
}

/* ---- planes ---- */

/* Returns the most elements that a plane has while its axes are reduced one by one; INT64_MAX if they are too many.
 * Sets the longest row of pads and the most terms of a window. */
static int64_t planes_size(const ir_pool_plan *plan, int64_t *out_pads, int64_t *out_taps) {
  int64_t size = plan->plane_in, outer = 1, inner = plan->plane_in;
  *out_pads = *out_taps = 1;
  for (int a = 0; a < plan->windows.n_axes; a++) {
    const ir_windows_axis *axis = &plan->windows.axes[a];
    inner /= most(1, axis->n_in);
    if (!ir_mul(outer, axis->n_out, &outer) || outer > MOST_PLANES || inner > MOST_PLANES)
      return INT64_MAX;
    *out_pads = most(*out_pads, inner);
    *out_taps = most(*out_taps, most_terms(axis));
    size = most(size, outer * inner);
  }
  return size;
}

static bool can_planes(const ir_pool_plan *plan) {
  int64_t pads, taps;
  return plan->plane_in > 0 && plan->plane_in * LANES <= MOST_PLANES && plan->plane_out * LANES <= MOST_PLANES &&
         planes_size(plan, &pads, &taps) <= 2 * MOST_PLANES / LANES && taps <= MOST_CHUNK_TAPS;
}

static void set_planes(ir_pool_plan *plan) {
  int64_t pads, taps;
  const int64_t size = planes_size(plan, &pads, &taps);
  plan->n_units = (plan->windows.n_planes + LANES - 1) / LANES;
  set_scratch(plan, (scratch){.pads = pads * LANES,
                              .lines = (plan->plane_in + 1) * LANES,
                              .turned = (size + LANES) * LANES,
                              .out = (size + LANES) * LANES,
                              .n_rows = taps});
}

/* ---- rows and transposed lines ---- */

/* Returns the pieces of a window of n > 1 terms. For a maximum, these are the first and the last 2^k terms of the
 * window, each in two halves; both can overlap. */
static ir_pool_pieces pieces_of(int64_t n, ir_pool_op op) {
  ir_pool_pieces pieces = {.n = 2};
  int level = 0;
  while (level < IR_POOL_MOST_LEVELS - 1 && INT64_C(4) << level <= n)
    level++;
  const int64_t half = INT64_C(1) << level;
  pieces.n_levels = level + 1;
  pieces.piece[0].level = pieces.piece[1].level = level;
  pieces.piece[1].at = half;
  if (op == IR_POOL_MAX && n > 2 * half) {
    pieces.piece[2].level = pieces.piece[3].level = level;
    pieces.piece[2].at = n - 2 * half;
    pieces.piece[3].at = n - half;
    pieces.n = 4;
  }
  for (int64_t at = 2 * half; op == IR_POOL_SUM && at < n; level--)
    if (n - at >= INT64_C(1) << level) {
      pieces.piece[pieces.n].at = at;
      pieces.piece[pieces.n++].level = level;
      at += INT64_C(1) << level;
    }
  return pieces;
}

/* Whether windows overlap so much that sharing partial results pays. */
static bool are_shared(const ir_windows_axis *axis) {
  return axis->kernel > IR_FEW_TERMS && axis->kernel < 2 << IR_POOL_MOST_LEVELS && axis->n_out > 1 &&
         axis->stride <= axis->kernel / 4;
}

/* Returns the number of outputs of a tile. Their windows span at most `columns` columns, or four times the extent of a
 * window if that is more. */
static int64_t tile_of(const ir_windows_axis *axis, int64_t columns) {
  int64_t n = axis->n_out;
  columns = most(columns, 4 * ir_windows_most_taps(axis) * axis->step);
  while (n > 1 && ir_windows_longest_span(axis, n) > columns)
    n = (n + 1) / 2;
  return n < axis->n_out && n > LANES ? n / LANES * LANES : n;
}

/* Whether windows along rows share partial results, in lines of `columns` columns, n_lines lines at a time. */
static bool shares_along(const ir_pool_plan *plan, int64_t columns, int64_t n_lines) {
  const ir_windows_axis *along = along_of(plan);
  return are_shared(along) && pieces_of(along->kernel, plan->op).n_levels * columns * n_lines <= MOST_SHARED;
}

static bool can_rows(const ir_pool_plan *plan) {
  const ir_windows_axis *along = along_of(plan);
  if (along->stride != 1 || along->kernel == 0)
    return false;
  const int64_t columns = ir_windows_longest_span(along, tile_of(along, 4 * TILE));
  return along->kernel <= IR_FEW_TERMS ? columns <= MOST_COLUMNS : shares_along(plan, columns, 1);
}

static void set_tiles(ir_pool_plan *plan) {
  const ir_windows_axis *along = along_of(plan);
  plan->is_only_down = along->kernel == 1 && along->stride == 1 && along->pad_begin == 0 && along->n_in == along->n_out;
  plan->tile_out = tile_of(along, plan->route == IR_POOL_ROWS ? 4 * TILE : TILE);
  int64_t span = ir_windows_longest_span(along, plan->tile_out);
  plan->shares_along = shares_along(plan, span, plan->route == IR_POOL_ROWS ? 1 : LANES);
  if (plan->shares_along)
    plan->along = pieces_of(along->kernel, plan->op);
  if (plan->route == IR_POOL_TURNED && !plan->shares_along && ir_windows_most_taps(along) * along->step > 2 * TILE) {
    plan->chunk = ir_order_half(most(1, TILE / along->step));
    plan->tile_out = 1;
    span = least(ir_windows_longest_span(along, 1), (plan->chunk - 1) * along->step + 1);
  }
  plan->n_tiles = (along->n_out + plan->tile_out - 1) / plan->tile_out;
  plan->is_abreast = plan->route == IR_POOL_TURNED && plan->chunk == 0 && plan->n_tiles >= LANES && along->kernel > 0;
  plan->line_pitch = round_up(span, LANES) + SLACK;
  plan->level_pitch = plan->route == IR_POOL_ROWS ? plan->line_pitch : LANES * plan->line_pitch;
}

static void set_bands(ir_pool_plan *plan) {
  const ir_windows_axis *cross = cross_of(plan);
  const bool is_one = plan->is_abreast || (plan->route == IR_POOL_ROWS && plan->n_tiles > 1);
  plan->shares_down = cross != NULL && are_shared(cross) && cross->step == 1 && cross->n_out >= 4 && plan->chunk == 0 &&
                      !plan->is_abreast && cross->kernel <= MOST_SHARED_ROWS;
  plan->block_lines = plan->band = is_one ? 1 : least(LANES, plan->n_lines);
  if (plan->shares_down) {
    plan->block_lines = cross->n_out;
    plan->band = least(cross->n_out, round_up(most(LANES, BAND / plan->line_pitch), LANES));
  }
  for (plan->ring = 1; cross != NULL && plan->ring < cross->kernel;)
    plan->ring *= 2;
  const int64_t n_blocks = (plan->n_lines + plan->block_lines - 1) / plan->block_lines;
  const int64_t n_places = plan->is_abreast ? (plan->n_tiles + LANES - 1) / LANES : plan->n_tiles;
  plan->n_units = n_blocks * n_places * ((plan->block_lines + plan->band - 1) / plan->band);
}

static void set_lines(ir_pool_plan *plan) {
  set_tiles(plan);
  set_bands(plan);
  const ir_windows_axis *cross = cross_of(plan);
  const bool turns = plan->route == IR_POOL_TURNED;
  const int64_t n_rows = plan->shares_down ? (plan->band - 1) * cross->stride + cross->kernel : 0;
  const int64_t n_lines = plan->is_abreast ? LANES : round_up(plan->band, LANES);
  const int64_t levels = plan->shares_along ? (plan->along.n_levels - 1) * plan->level_pitch : 0;
  set_scratch(plan,
              (scratch){.pads = plan->line_pitch,
                        .lines = n_lines * plan->line_pitch,
                        .turned = turns ? LANES * plan->line_pitch : 0,
                        .levels = most(levels, n_rows * plan->line_pitch),
                        .out = turns ? LANES * (plan->tile_out + LANES) : round_up(plan->tile_out, LANES),
                        .row_taps = n_lines,
                        .ring = plan->shares_down ? ir_order_levels(cross->kernel) * (plan->ring + 5) * 2 * LANES : 0,
                        .free = set_stacks(plan) * plan->line_pitch,
                        .n_rows = n_rows});
}

/* ---- all routes ---- */

static bool are_rows_worth_it(const ir_pool_plan *plan) {
  return along_of(plan)->n_out >= LONG_ROW && can_rows(plan);
}

static bool are_planes_worth_it(const ir_pool_plan *plan) {
  const bool is_short = along_of(plan)->n_out <= SHORT_ROW && plan->plane_lines > 1;
  const int64_t line_cost = is_short ? 2 * LINE_COST : plan->is_plain ? PLAIN_COST : LINE_COST;
  return can_planes(plan) && plan->windows.n_planes >= LANES / 2 &&
         (is_short || (!can_strip(plan) && !are_rows_worth_it(plan))) &&
         plan->plane_in / plan->plane_lines <= line_cost;
}

static ir_pool_route best_of(const ir_pool_plan *plan) {
  if (are_planes_worth_it(plan))
    return IR_POOL_PLANES;
  if (can_strip(plan))
    return IR_POOL_STRIPS;
  return are_rows_worth_it(plan) ? IR_POOL_ROWS : IR_POOL_TURNED;
}

static bool can_take(const ir_pool_plan *plan, ir_pool_route route) {
  return route == IR_POOL_TURNED || (route == IR_POOL_STRIPS && can_strip(plan)) ||
         (route == IR_POOL_PLANES && can_planes(plan)) || (route == IR_POOL_ROWS && can_rows(plan));
}

/* Returns the divisor of a sum. If a window has no taps, its sum 0 is divided by 1 or, if the average is to be NaN, by
 * NaN. */
static float divisor_of(const ir_pool_plan *plan, int64_t taps) {
  return plan->divisor > 0 ? (float)plan->divisor : taps > 0 ? (float)taps : plan->nan_if_empty ? NAN : 1;
}

static const float *plane_taps(ir_plan *plan, const ir_pool_plan *pool) {
  float *taps = ir_arena_array(plan->arena, (size_t)pool->plane_out, sizeof *taps);
  for (int64_t o = 0; o < pool->plane_out && taps != NULL; o++) {
    int64_t rest = o, n = 1;
    for (int a = pool->windows.n_axes - 1; a >= 0; a--) {
      n *= ir_windows_range(&pool->windows.axes[a], rest % pool->windows.axes[a].n_out).count;
      rest /= pool->windows.axes[a].n_out;
    }
    taps[o] = divisor_of(pool, n);
  }
  return taps;
}

/* Allocates the array for ir_pool_columns: the divisor of each window along the row. In a long row, windows without
 * pads have equal divisors, which are stored only as often as one tile reads them. */
static float *column_taps(ir_plan *plan, ir_pool_plan *pool) {
  const ir_windows_axis *along = along_of(pool);
  const int64_t n_out = along->n_out, kept = pool->tile_out + 2 * LANES;
  int64_t first = n_out, last = n_out;
  if (along->kernel > 0 && n_out > LONG_COLUMNS) {
    const int64_t rest = along->n_in + along->pad_begin - ((along->kernel - 1) * along->step + 1);
    first = least(n_out, ir_ceil_div(along->pad_begin, along->stride));
    last = most(first, rest < 0 ? 0 : least(n_out, rest / along->stride + 1));
  }
  if (last - first <= kept)
    first = last = n_out;
  pool->first_columns = first;
  pool->last_columns = last;
  pool->n_columns = first + (first < last ? kept : 0) + (n_out - last) + LANES;
  float *taps = ir_arena_uncleared(plan->arena, (size_t)pool->n_columns, sizeof *taps);
  if (taps != NULL)
    taps[pool->n_columns - 1] = 0;
  return taps;
}

bool ir_pool_ready(const ir_pool_plan *plan, ir_stop *stop) {
  const ir_windows_axis *along = along_of(plan);
  const int64_t first = plan->first_columns,
                middle = plan->n_columns - LANES - first - (along->n_out - plan->last_columns);
  int64_t since = 0;
  float *taps = plan->column_taps;
  if (taps == NULL || taps[plan->n_columns - 1] != 0)
    return true;
  for (int64_t i = 0; i < plan->n_columns && !ir_stop_asked_after(stop, 0, 1, &since); i++) {
    const int64_t o = i < first ? i : i < first + middle ? first : i - middle + (plan->last_columns - first);
    taps[i] = o < along->n_out ? divisor_of(plan, ir_windows_range(along, o).count) : 1;
  }
  return taps[plan->n_columns - 1] != 0;
}

/* If all bins have the same length and the same distance, describes them by kernel and stride, like windows. */
static void settle_bins(ir_windows_axis *axis) {
  const ir_tap_range first = ir_windows_range(axis, 0);
  const int64_t stride = axis->n_out > 1 ? ir_windows_range(axis, 1).begin - first.begin : 1;
  bool are_even = axis->kernel == 0 && first.count > 0 && first.begin == 0 && stride > 0;
  if (axis->ranges == NULL) /* then floor(o * (n_in % n_out) / n_out) is 0 for every bin o */
    are_even = are_even && axis->n_in % axis->n_out <= 1;
  for (int64_t o = 1; o < axis->n_out && are_even && axis->ranges != NULL; o++)
    are_even = axis->ranges[o].count == first.count && axis->ranges[o].begin == o * stride;
  if (!are_even)
    return;
  axis->kernel = first.count;
  axis->stride = stride;
  axis->pad_begin = 0;
}

static void set_sizes(ir_pool_plan *plan) {
  int64_t pitch = 1;
  for (int a = plan->windows.n_axes - 1; a >= 0; a--) {
    ir_windows_axis *axis = &plan->windows.axes[a];
    settle_bins(axis);
    plan->pitch[a] = pitch;
    pitch *= axis->n_in;
    plan->plane_lines *= a < plan->n_cross ? axis->n_out : 1;
    if (!ir_mul(plan->taps, ir_windows_most_taps(axis), &plan->taps))
      plan->taps = INT64_MAX;
  }
  plan->n_in = pitch * plan->windows.n_planes;
  plan->n_lines = plan->plane_lines * plan->windows.n_planes;
  if (plan->n_cross == 1) {
    const ir_windows_axis *cross = cross_of(plan);
    plan->is_plain = cross->kernel > 0 && cross->pad_begin == 0 &&
                     (cross->n_out - 1) * cross->stride + (cross->kernel - 1) * cross->step < cross->n_in;
  }
}

bool ir_pool_make_plan(ir_plan *plan, const ir_windows *windows, ir_pool_op op, int64_t divisor, bool nan_if_empty,
                       ir_pool_route route, ir_pool_plan *out) {
  *out = (ir_pool_plan){.windows = *windows,
                        .op = op,
                        .n_cross = windows->n_axes - 1,
                        .plane_in = ir_windows_plane_in(windows),
                        .plane_out = ir_windows_plane_out(windows),
                        .plane_lines = 1,
                        .taps = 1,
                        .divisor = divisor,
                        .nan_if_empty = nan_if_empty};
  if (windows->n_planes == 0)
    return true;
  set_sizes(out);
  out->route = can_take(out, route) ? route : best_of(out);
  if (out->route == IR_POOL_STRIPS)
    set_strips(out);
  else if (out->route == IR_POOL_PLANES)
    set_planes(out);
  else
    set_lines(out);
  if (op == IR_POOL_MAX)
    return true;
  if (out->route == IR_POOL_PLANES)
    out->plane_taps = plane_taps(plan, out);
  else
    out->column_taps = column_taps(plan, out);
  return out->plane_taps != NULL || out->column_taps != NULL || (ir_out_of_memory(plan->diags), false);
}

#include "ops/pool/pool_sweep_indices.h"
#include "ops/pool/pool_indices.h"

enum {
  TILE = 1024,                /* columns */
  BLOCK_TILE = 128,           /* where blocks of rows are kept */
  ROW_VALUES = 1024,          /* of rows that are made of the input at once: they stay in the first cache */
  SQUARE_VALUES = 8192,       /* of rows that squares are made of at once */
  MOST_SQUARE_ROWS = 12,      /* of windows, where each has as many as a vector or more */
  VECTOR = 16,                /* windows of a row */
  RING_VALUES = 1024,         /* of the lines that windows down are made of: they do, too */
  DEEP_VALUES = 4096,         /* of a slice; windows of the depth take a few of them */
  STREAMED = 13 << 20,        /* bytes of input and outputs together, which the caches are better without */
  GATHERED = 16 << 20,        /* the same where rows are gathered first */
  STREAMED_BLOCKS = 10 << 20, /* the same where many rows are written side by side */
  BAND_VALUES = 640,          /* of a plane side by side with others: they stay in the first cache */
  MOST_VALUES = 2048,         /* where fewer are not enough for one window, or much would be taken twice */
  LONGEST_BIN = 16,           /* along rows, of planes side by side */
  LINE = 16,                  /* floats in a line of the cache */
  LEVEL_LEAD = 48,            /* floats before a level that passes may write */
  MAX_RING = 64,
  UNITS = 16, /* pieces of work that there should be */
  MIN_BAND = 8,
  MAX_PLANE = 1 << 30 /* elements: positions beyond them, in pads, are numbers, too */
};

static int64_t power_of_two(int64_t n) {
  int64_t p = 1;
  while (p < n)
    p *= 2;
  return p;
}

int64_t ir_indices_span(const ir_indices_axis *axis, int64_t n) {
  return (n - 1) * axis->stride + axis->extent;
}

/* ---- axes ---- */

/* Windows of a list: as if they were of one kernel at one stride if they are. */
static void set_listed(const ir_windows_axis *from, ir_indices_axis *to) {
  const ir_range *ranges = from->ranges;
  to->stride = from->n_out > 1 ? ranges[1].begin - ranges[0].begin : 1;
  to->kernel = to->extent = ranges[0].count;
  to->pad = -ranges[0].begin;
  for (int64_t o = 1; o < from->n_out; o++) {
    const int64_t stride = ranges[o].begin - ranges[o - 1].begin, count = ranges[o].count;
    to->is_irregular = to->is_irregular || stride != to->stride || count != to->kernel;
    to->stride = most(to->stride, stride);
    to->kernel = to->extent = most(to->kernel, count);
  }
  to->is_irregular = to->is_irregular || to->stride == 0;
  to->stride = most(to->stride, 1);
}

/* False where numbers are so large that none of the rest need be looked at. */
static bool set_axis(const ir_windows_axis *from, ir_indices_axis *to) {
  if (from->kernel == 0 &&
      (from->step != 1 || from->ranges == NULL || from->n_in >= MAX_PLANE || from->n_out >= MAX_PLANE))
    return false;
  *to = (ir_indices_axis){.n_in = from->n_in,
                          .n_out = from->n_out,
                          .kernel = from->kernel,
                          .stride = from->stride,
                          .step = from->step,
                          .pad = from->pad_begin,
                          .ranges = from->ranges};
  if (from->kernel == 0) {
    set_listed(from, to);
    return to->kernel > 0;
  }
  return from->kernel < MAX_PLANE && from->stride < MAX_PLANE && from->step < MAX_PLANE && from->n_in < MAX_PLANE &&
         from->n_out < MAX_PLANE && ir_mul(to->kernel - 1, to->step, &to->extent) && ++to->extent < MAX_PLANE;
}

/* Windows far apart, or of a whole row. */
static bool goes_one_by_one(const ir_indices_axis *axis) {
  return axis->step == 1 && axis->kernel > 1 &&
         (axis->n_out == 1 || (axis->kernel > IR_INDICES_FEW && axis->stride > IR_INDICES_FEW));
}

static bool has_irregular(const ir_indices *plan) {
  return plan->along.is_irregular || plan->down.is_irregular || plan->depth.is_irregular;
}

static bool is_square(const ir_indices_axis *along, const ir_indices_axis *down) {
  return along->kernel == down->kernel && along->stride == down->stride && along->step == 1 && down->step == 1 &&
         along->kernel >= 2 && along->kernel <= 5 && along->stride <= 3 && along->stride <= along->kernel;
}

/* ---- work ---- */

static void set_tiles(ir_indices *plan) {
  const ir_indices_axis *along = &plan->along;
  const int64_t columns = most(plan->by_blocks ? BLOCK_TILE : TILE, 4 * along->extent);
  plan->tile_out = along->n_out;
  plan->n_tiles = 1;
  if (ir_indices_span(along, along->n_out) <= columns + columns / 2)
    return;
  const int64_t tile_out = most(round_up(columns / along->stride, 16), 16);
  plan->n_tiles = (along->n_out + tile_out - 1) / tile_out;
  plan->tile_out = least(round_up((along->n_out + plan->n_tiles - 1) / plan->n_tiles, 16), along->n_out);
  plan->n_tiles = (along->n_out + plan->tile_out - 1) / plan->tile_out;
}

void ir_indices_set_tile(const ir_indices *plan, int64_t tile, ir_indices_tile *out) {
  const ir_indices_axis *along = &plan->along;
  const int64_t out_begin = tile * plan->tile_out, n_out = least(plan->tile_out, along->n_out - out_begin);
  const int64_t begin = out_begin * along->stride - along->pad, end = begin + ir_indices_span(along, n_out);
  const int64_t in_begin = least(most(begin, 0), along->n_in), n_in = most(least(end, along->n_in) - in_begin, 0);
  *out = (ir_indices_tile){.out_begin = out_begin,
                           .n_out = n_out,
                           .begin = begin,
                           .in_begin = in_begin,
                           .n_in = n_in,
                           .lead = n_in > 0 ? in_begin - begin : 0,
                           .is_even = n_in == end - begin};
}

static void set_bands(ir_indices *plan) {
  const ir_indices_axis *outer = plan->depth.n_out > 1 ? &plan->depth : &plan->down;
  const int64_t smallest = most(MIN_BAND, 8 * outer->kernel), wanted = most(1, UNITS / plan->n_planes);
  plan->band = most(least(smallest, outer->n_out), (outer->n_out + wanted - 1) / wanted);
  plan->n_bands = (outer->n_out + plan->band - 1) / plan->band;
  plan->n_units = plan->n_planes * plan->n_bands;
}

static size_t take(ir_indices *plan, int64_t n) {
  size_t at = plan->n_scratch;
  plan->n_scratch += (size_t)round_up(n, 16);
  return at;
}

static void set_scratch(ir_indices *plan) {
  const ir_indices_axis *along = &plan->along, *down = &plan->down, *depth = &plan->depth;
  plan->in_pitch = round_up(ir_indices_span(along, plan->tile_out) + IR_INDICES_SLACK, 16);
  plan->in_rows = most(1, ROW_VALUES / plan->in_pitch);
  if (plan->is_square) {
    const int64_t rows = SQUARE_VALUES / (plan->in_pitch * down->stride);
    const int64_t kept = (IR_INDICES_SQUARE_ROWS - 1 - down->kernel) / down->stride + 1;
    plan->square_rows = least(most(rows / 2 * 2, 2), along->n_out < VECTOR ? kept / 2 * 2 : MOST_SQUARE_ROWS);
    plan->in_rows = power_of_two((plan->square_rows - 1) * down->stride + down->kernel);
    plan->in_at = take(plan, plan->in_rows * plan->in_pitch);
    plan->pads_at = take(plan, plan->in_pitch);
    plan->sink_at = take(plan, round_up(plan->tile_out, 16));
    plan->gathered_pitch = plan->n_tiles == 1 ? plan->square_rows * plan->tile_out + LINE : 0;
    plan->gathered_at = take(plan, 3 * plan->gathered_pitch);
    return;
  }
  plan->pitch = round_up(plan->tile_out, 16);
  plan->pitch += plan->pitch % 64 == 0 ? 16 : 0; /* lines that a page is a multiple of are in each other's way */
  plan->in_at = take(plan, plan->in_rows * plan->in_pitch);
  if (along->kernel > IR_INDICES_FEW)
    plan->level_at = take(plan, LEVEL_LEAD + 2 * plan->in_pitch) + LEVEL_LEAD;
  else if (along->stride > 1)
    plan->level_at = take(plan, IR_INDICES_FEW * plan->pitch);
  plan->down_rows = least(down->stride, down->extent);
  plan->ring_rows = power_of_two(most(down->extent, least(MAX_RING, least(down->n_in, RING_VALUES / plan->pitch))));
  plan->ring_at = take(plan, 2 * plan->pitch * (plan->by_blocks ? 2 * down->kernel : plan->ring_rows));
  int64_t folded = down->kernel > IR_INDICES_FEW ? 1 : 0;
  if (plan->is_deep) {
    plan->deep_rows = least(down->n_out, most(MIN_BAND, DEEP_VALUES / plan->pitch));
    plan->deep_slots = power_of_two(depth->extent);
    plan->deep_at = take(plan, plan->deep_slots * plan->deep_rows * 2 * plan->pitch);
    folded = most(folded, depth->kernel > IR_INDICES_FEW ? plan->deep_rows : 0);
  }
  plan->fold_at = take(plan, folded * 2 * plan->pitch);
  plan->sink_at = take(plan, plan->pitch);
}

/* ---- planes side by side ---- */

/* Vectors that a band of windows takes: of the depth a slice after the other. */
typedef struct needs {
  int64_t in, spots, slices, out;
} needs;

static needs needs_of(const ir_indices *plan, int64_t band) {
  const ir_indices_axis *along = &plan->along, *down = &plan->down, *depth = &plan->depth;
  const bool has_depth = depth->n_in > 1;
  const ir_indices_axis *outer = has_depth ? depth : down;
  const int64_t rows = least(outer->n_in, ir_indices_span(outer, band)), out = plan->plane_out / outer->n_out;
  return (needs){.in = (has_depth ? 1 : rows) * (plan->plane_in / outer->n_in),
                 .spots = 2 * (has_depth ? down->n_in : rows) * along->n_out,
                 .slices = has_depth ? 2 * rows * out : 0,
                 .out = 2 * band * out};
}

static int64_t sum_of(needs of) {
  return of.in + of.spots + of.slices + of.out;
}

/* The most windows of a row for which that takes less than what each row costs otherwise: measured. */
static int64_t most_windows(const ir_indices *plan) {
  const int64_t stride = plan->along.stride, kernel = plan->along.kernel;
  if (has_irregular(plan))
    return kernel <= LONGEST_BIN ? INT32_MAX : 0;
  const bool is_far = stride > 4; /* taps are brought together one by one */
  if (plan->depth.n_in > 1)
    return kernel > IR_INDICES_FEW ? 32 : kernel < 5 || stride == 1 ? 16 : 40;
  if (plan->down.n_in == 1)
    return is_far || kernel > IR_INDICES_FEW ? 160 : 88;
  if (plan->is_square)
    return stride == 1 || kernel > 4 ? 11 : 9;
  return is_far ? 64 : stride > 1 && kernel > 4 ? 24 : 11;
}

static bool goes_abreast(ir_indices *plan) {
  const ir_indices_axis *along = &plan->along, *outer = plan->depth.n_in > 1 ? &plan->depth : &plan->down;
  /* Of one position the depth is taken for none, unless there are pads. */
  const bool has_pads =
      plan->depth.n_in == 1 && (plan->depth.n_out > 1 || ir_indices_range(&plan->depth, 0).count == 0);
  if (plan->n_planes < IR_ABREAST || has_pads ||
      2 * along->n_out * round_up(plan->n_planes, IR_ABREAST) > (2 * most_windows(plan) + 1) * plan->n_planes ||
      sum_of(needs_of(plan, 1)) > MOST_VALUES)
    return false;
  int64_t band = 1;
  for (int64_t sum; band < outer->n_out; band++) {
    sum = sum_of(needs_of(plan, band + 1));
    if (sum > MOST_VALUES || (sum > BAND_VALUES && 4 * ir_indices_span(outer, band) <= 5 * band * outer->stride))
      break;
  }
  const needs of = needs_of(plan, band);
  plan->is_abreast = true;
  plan->picks = false;
  plan->n_tiles = 1;
  plan->tile_out = along->n_out;
  plan->band = band;
  plan->n_bands = 1;
  plan->n_units = (plan->n_planes + IR_ABREAST - 1) / IR_ABREAST;
  plan->in_at = take(plan, IR_ABREAST * of.in);
  plan->spots_at = take(plan, IR_ABREAST * of.spots);
  plan->slices_at = take(plan, IR_ABREAST * of.slices);
  plan->out_at = take(plan, IR_ABREAST * (of.out + 2 * IR_ABREAST));
  plan->sink_at = take(plan, of.out + 16);
  return true;
}

bool ir_indices_make(const ir_windows *windows, int64_t modulus, ir_indices *out) {
  ir_indices_axis axes[3];
  const int n = windows->n_axes;
  *out = (ir_indices){.n_planes = windows->n_planes,
                      .plane_in = ir_windows_plane_in(windows),
                      .plane_out = ir_windows_plane_out(windows),
                      .modulus = modulus,
                      .fits_i32 = ir_index_fits_i32(modulus)};
  if (out->n_planes == 0 || out->plane_in == 0 || out->plane_in >= MAX_PLANE || n > 3)
    return false;
  for (int a = 0; a < 3; a++) {
    axes[a] = (ir_indices_axis){.n_in = 1, .n_out = 1, .kernel = 1, .stride = 1, .step = 1, .extent = 1};
    if (a >= 3 - n && !set_axis(&windows->axes[a - (3 - n)], &axes[a]))
      return false;
  }
  out->depth = axes[0];
  out->down = axes[1];
  out->along = axes[2];
  out->picks = goes_one_by_one(&out->along) || has_irregular(out);
  out->is_whole = out->picks;
  for (int a = 0; a < n; a++)
    out->is_whole = out->is_whole && ir_windows_is_whole(&windows->axes[a]);
  out->is_deep = out->depth.kernel > 1;
  out->is_square = is_square(&out->along, &out->down) && !out->is_deep && out->fits_i32;
  if (!out->is_whole && goes_abreast(out))
    return true;
  set_bands(out);
  if (out->picks)
    return out->along.step == 1; /* what is picked is a run of elements */
  out->by_blocks = out->down.kernel > IR_INDICES_FEW && out->down.step == 1 && out->down.kernel > 3 * out->down.stride;
  set_tiles(out);
  set_scratch(out);
  return true;
}

int64_t ir_indices_row_of(const ir_indices *plan, int64_t unit) {
  const ir_indices_axis *outer = plan->depth.n_out > 1 ? &plan->depth : &plan->down;
  const int64_t plane_rows = plan->plane_out / plan->along.n_out;
  if (plan->is_abreast)
    return least(unit * IR_ABREAST, plan->n_planes) * plane_rows;
  return unit / plan->n_bands * plane_rows + unit % plan->n_bands * plan->band * (plane_rows / outer->n_out);
}

ir_indices_way ir_indices_way_to(const ir_indices *plan, const void *out, const void *indices, size_t bytes) {
  if (plan->picks || plan->is_abreast || bytes < (size_t)(plan->by_blocks ? STREAMED_BLOCKS : STREAMED))
    return IR_INDICES_NEAR;
  if (plan->along.n_out % LINE == 0 && (uintptr_t)out % 64 == 0 && (uintptr_t)indices % 64 == 0)
    return IR_INDICES_STREAMED;
  return plan->is_square && plan->n_tiles == 1 && bytes >= GATHERED ? IR_INDICES_GATHERED : IR_INDICES_NEAR;
}

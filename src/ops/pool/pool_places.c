#include "ops/pool/pool_places.h"
#include "ops/kernels/numbers.h"
#include "ops/pool/pool_order.h"

enum {
  LANES = 16,
  SLACK = 4 * LANES,      /* floats that vectors can read or write after the end of a buffer */
  MOST_PLACES = 1 << 30,  /* most elements of a plane, because places are i32 */
  MOST_COLUMNS = 1 << 18, /* most columns of a row with its pads: a worker's lines take 2 MB then */
  LINES = 1 << 11,        /* floats of the lines that are filled together: 8 KB of the L1 cache */
  MOST_LINES = 8,
  MOST_BAND = 1 << 24, /* most floats of a band: 64 MB of values and 64 MB of places */
  BAND = 1 << 12, /* floats of the rows of a band; its slices have 4 times as many, which with their places take 128 KB
                     of the L2 cache */
  MOST_TURNED = 1 << 15,    /* most floats of 16 interleaved planes */
  LEAST_PLANES = LANES / 2, /* fewest planes that are interleaved: they use half of the lanes */
  SHORT_ROW = LANES,        /* outputs of a row; in shorter rows, some lanes of a vector are idle */
  MOST_APART = 2            /* greatest stride at which loading 16 neighbouring windows is fast */
};

/* ---- axes ---- */

/* Whether one window covers the whole plane. Its elements are contiguous then, and count as one axis. */
static bool are_whole(const ir_windows *windows) {
  bool are = true;
  for (int a = 0; a < windows->n_axes; a++)
    are = are && ir_windows_is_whole(&windows->axes[a]);
  return are;
}

static void set_axes(const ir_windows *windows, ir_places *plan) {
  const bool is_run = are_whole(windows);
  const int n = is_run ? 1 : windows->n_axes;
  for (int a = 0; a < IR_PLACES_AXES; a++)
    plan->axes[a] = (ir_windows_axis){.n_in = 1, .n_out = 1, .step = 1, .kernel = 1, .stride = 1};
  for (int a = 0; a < n; a++)
    plan->axes[IR_PLACES_AXES - n + a] = windows->axes[a];
  if (is_run)
    plan->axes[IR_PLACES_ALONG] =
        (ir_windows_axis){.n_in = plan->plane_in, .n_out = 1, .step = 1, .kernel = plan->plane_in, .stride = 1};
}

/* Whether maxima of 2, 4, .. neighbours as a first step reduce the number of comparisons. */
static bool are_doubled(const ir_windows_axis *axis) {
  const int64_t taps = ir_windows_most_taps(axis);
  return taps > IR_FEW_TERMS && axis->n_out * taps > 4 * axis->n_in;
}

/* ---- interleaved planes ---- */

static bool set_turned(ir_places *plan) {
  const ir_windows_axis *along = &plan->axes[IR_PLACES_ALONG];
  int64_t inner = 1, size = plan->plane_in;
  if (plan->n_planes < LEAST_PLANES || size > MOST_TURNED ||
      (along->n_out >= SHORT_ROW && along->kernel > 0 && along->stride <= MOST_APART))
    return false;
  for (int a = IR_PLACES_ALONG, outer = (int)size; a >= 0; a--) {
    outer /= (int)plan->axes[a].n_in;
    if (!ir_mul(inner, plan->axes[a].n_out, &inner) || inner > MOST_TURNED)
      return false;
    size = most(size, outer * inner);
  }
  plan->is_turned = size * LANES <= MOST_TURNED;
  plan->n_units = (plan->n_planes + LANES - 1) / LANES;
  plan->lines_size = (plan->plane_in + 1) * LANES;
  plan->rows_size = plan->slices_size = (size + LANES) * LANES;
  return plan->is_turned;
}

/* ---- bands ---- */

/* Returns the outputs of a band on an axis: those whose input rows, `pitch` floats each, take at most `size` floats.
 * But a band has at least as many outputs as a window has taps, because neighbouring bands both compute the rows that
 * they share. */
static int64_t band_of(const ir_windows_axis *axis, int64_t pitch, int64_t size) {
  const int64_t n = axis->kernel > 0 ? size / pitch / axis->stride : size / pitch * axis->n_out / axis->n_in;
  return least(axis->n_out, most(n, most(1, ir_windows_most_taps(axis))));
}

static bool set_bands(ir_places *plan) {
  const ir_windows_axis *depth = &plan->axes[0], *down = &plan->axes[1], *along = &plan->axes[IR_PLACES_ALONG];
  const int64_t columns = along->kernel > 0 ? ir_windows_longest_span(along, along->n_out) : along->n_in;
  if (columns > MOST_COLUMNS || along->n_out > MOST_COLUMNS)
    return false;
  plan->line_pitch = round_up(columns, LANES) + SLACK + LANES * most(along->stride, 1);
  if (along->kernel > 0 && (along->kernel <= IR_FEW_TERMS || plan->doubles[IR_PLACES_ALONG]))
    plan->n_lines = most(1, least(MOST_LINES, LINES / plan->line_pitch));
  plan->lines_size = most(1, plan->n_lines) * plan->line_pitch;
  plan->pitch = round_up(along->n_out, LANES);
  plan->band_rows = band_of(down, plan->pitch, BAND);
  const int64_t slice = plan->band_rows * plan->pitch;
  plan->band_depth = band_of(depth, slice, 4 * BAND);
  plan->rows_size = most(1, ir_windows_longest_span(down, plan->band_rows)) * plan->pitch;
  plan->slices_size = most(1, ir_windows_longest_span(depth, plan->band_depth)) * slice;
  plan->made_size = ir_windows_is_identity(depth) ? 0 : plan->band_depth * slice;
  plan->n_units = plan->n_planes * ((depth->n_out + plan->band_depth - 1) / plan->band_depth) *
                  ((down->n_out + plan->band_rows - 1) / plan->band_rows);
  return plan->rows_size <= MOST_BAND && plan->slices_size <= MOST_BAND;
}

bool ir_places_make(const ir_windows *windows, int64_t modulus, ir_places *out) {
  *out = (ir_places){.n_planes = windows->n_planes,
                     .plane_in = ir_windows_plane_in(windows),
                     .plane_out = ir_windows_plane_out(windows),
                     .modulus = modulus};
  if (out->n_planes == 0 || out->plane_in == 0 || out->plane_in >= MOST_PLACES || out->plane_out >= MOST_PLACES ||
      windows->n_axes > IR_PLACES_AXES)
    return false;
  set_axes(windows, out);
  for (int a = 0; a < IR_PLACES_AXES; a++)
    out->doubles[a] = are_doubled(&out->axes[a]);
  if (!set_turned(out) && !set_bands(out))
    return false;
  out->n_scratch = (size_t)(2 * (out->lines_size + out->rows_size + out->slices_size + out->made_size));
  return true;
}

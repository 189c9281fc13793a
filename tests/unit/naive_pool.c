#include "naive_pool.h"
#include "naive_number.h"
#include <math.h>

__extension__ typedef __int128 naive_wide;

int64_t naive_count(const int64_t *dims, int rank) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++)
    if (dims[i] == 0)
      return 0;
  for (int i = 0; i < rank; i++)
    n *= dims[i];
  return n;
}

/* ---- shapes ---- */

static int64_t extent_of(naive_window w) {
  return (w.kernel - 1) * w.dilation + 1;
}

naive_window naive_pads(naive_window w, naive_auto_pad auto_pad, int64_t n) {
  if (auto_pad == NAIVE_VALID)
    w.pad_begin = w.pad_end = 0;
  if (auto_pad == NAIVE_SAME_UPPER || auto_pad == NAIVE_SAME_LOWER) {
    int64_t total = ((n + w.stride - 1) / w.stride - 1) * w.stride + extent_of(w) - n;
    total = total < 0 ? 0 : total;
    w.pad_begin = auto_pad == NAIVE_SAME_UPPER ? total / 2 : total - total / 2;
    w.pad_end = total - w.pad_begin;
  }
  return w;
}

int64_t naive_out_size(naive_window w, naive_rounding rounding, int64_t n) {
  int64_t room = n + w.pad_begin + w.pad_end - extent_of(w);
  if (room < 0)
    return -1;
  if (rounding == NAIVE_FLOOR)
    return room / w.stride + 1;
  int64_t steps = (room + w.stride - 1) / w.stride;
  if (rounding == NAIVE_CEIL)
    return steps + 1;
  return steps * w.stride < n + w.pad_begin ? steps + 1 : steps;
}

static bool window_shape(naive_layer *layer, int a) {
  naive_window *w = &layer->windows[a];
  bool as_given = layer->ngraph && layer->auto_pad == NAIVE_VALID;
  *w = naive_pads(*w, as_given ? NAIVE_EXPLICIT : layer->auto_pad, layer->in[a + 2]);
  if (layer->op == NAIVE_AVG_POOL && layer->exclude_pad &&
      (w->pad_begin >= extent_of(*w) || w->pad_end >= extent_of(*w)))
    return false;
  layer->out[a + 2] = naive_out_size(*w, layer->rounding, layer->in[a + 2]);
  return layer->out[a + 2] >= 0;
}

bool naive_shape(naive_layer *layer) {
  bool fine = true;
  layer->out_rank = 0;
  for (int i = 0; i < layer->rank; i++) {
    bool reduced = naive_is_reduction(layer->op) && layer->reduced[i];
    if (!reduced || layer->keep_dims)
      layer->out[layer->out_rank++] = reduced ? 1 : layer->in[i];
  }
  for (int a = 0; !naive_is_reduction(layer->op) && a < layer->rank - 2; a++)
    if (naive_is_adaptive(layer->op))
      layer->out[a + 2] = layer->sizes[a];
    else
      fine = window_shape(layer, a) && fine;
  return fine;
}

bool naive_past_pads(const naive_layer *layer) {
  bool past = false;
  for (int a = 0; a < layer->rank - 2; a++) {
    naive_window w = layer->windows[a];
    int64_t n = layer->in[a + 2], begin = (layer->out[a + 2] - 1) * w.stride - w.pad_begin, end = begin + w.kernel;
    past = past || (end > n + w.pad_end && begin < n && end > 0);
  }
  return past;
}

/* ---- taps ---- */

/* The taps of one output. On each axis of the input these are n positions from `begin` in steps of `step`. Positions
 * can lie outside of the input. */
typedef struct tap_lists {
  int64_t n[NAIVE_MAX_RANK], begin[NAIVE_MAX_RANK], step[NAIVE_MAX_RANK];
} tap_lists;

static void add_taps(tap_lists *lists, int axis, int64_t begin, int64_t step, int64_t n) {
  lists->n[axis] = n;
  lists->begin[axis] = begin;
  lists->step[axis] = step;
}

/* Finds the taps of `output`, which has an index for every axis of the input: 0 on reduced axes. */
static void find_taps(const naive_layer *layer, const int64_t *output, tap_lists *lists) {
  for (int i = 0; i < layer->rank; i++) {
    int64_t n = layer->in[i], o = output[i];
    if (naive_is_reduction(layer->op) && layer->reduced[i]) {
      add_taps(lists, i, 0, 1, n);
    } else if (naive_is_reduction(layer->op) || i < 2) {
      add_taps(lists, i, o, 1, 1);
    } else if (naive_is_adaptive(layer->op)) {
      int64_t begin = o * n / layer->out[i], end = ((o + 1) * n + layer->out[i] - 1) / layer->out[i];
      add_taps(lists, i, begin, 1, end - begin);
    } else {
      naive_window w = layer->windows[i - 2];
      add_taps(lists, i, o * w.stride - w.pad_begin, w.dilation, w.kernel);
    }
  }
}

/* Advances `index` in row-major order below `dims`. Returns false after the last index. */
static bool next(int64_t *index, const int64_t *dims, int rank) {
  for (int i = rank - 1; i >= 0; i--) {
    if (++index[i] < dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/* Returns the input position of one tap, or -1 if the tap lies outside of the input. `tap` has the tap's number on
 * each axis. */
static int64_t position_of(const naive_layer *layer, const tap_lists *lists, const int64_t *tap) {
  int64_t position = 0;
  bool inside = true;
  for (int i = 0; i < layer->rank; i++) {
    int64_t at = lists->begin[i] + tap[i] * lists->step[i];
    inside = inside && at >= 0 && at < layer->in[i];
    position = position * layer->in[i] + at;
  }
  return inside ? position : -1;
}

/* Lists the input positions of all taps that lie inside, in row-major order. Returns the number of all taps. */
static int64_t list_positions(const naive_layer *layer, const int64_t *output, int64_t *positions, int64_t *n_inside) {
  tap_lists lists;
  find_taps(layer, output, &lists);
  int64_t tap[NAIVE_MAX_RANK] = {0}, all = naive_count(lists.n, layer->rank);
  *n_inside = 0;
  if (all == 0)
    return 0;
  do {
    int64_t position = position_of(layer, &lists, tap);
    if (position >= 0)
      positions[(*n_inside)++] = position;
  } while (next(tap, lists.n, layer->rank));
  return all;
}

/* Sets the output's dims with one dim for each axis of the input, so a reduced axis is 1. */
static void output_dims(const naive_layer *layer, int64_t *dims) {
  for (int i = 0; i < layer->rank; i++)
    dims[i] = !naive_is_reduction(layer->op) ? layer->out[i] : layer->reduced[i] ? 1 : layer->in[i];
}

/* ---- averages ---- */

static bool any_pad(const naive_layer *layer) {
  bool any = false;
  for (int a = 0; a < layer->rank - 2; a++)
    any = any || layer->windows[a].pad_begin > 0 || layer->windows[a].pad_end > 0;
  return any;
}

/* Divides integers and rounds to nearest, ties to even. */
static naive_wide divide_half_even(naive_wide sum, naive_wide n) {
  naive_wide below = sum >= 0 ? sum / n : -((-sum + n - 1) / n), twice_rest = 2 * (sum - below * n);
  if (twice_rest != n)
    return twice_rest > n ? below + 1 : below;
  return below % 2 == 0 ? below : below + 1;
}

/* greatest number of elements of a test tensor */
#define MAX_POSITIONS (1 << 16)

static naive_mean mean_of(const naive_layer *layer, const long double *x, const int64_t *positions, int64_t taps,
                          int64_t divisor) {
  naive_mean mean = {.taps = taps, .divisor = divisor};
  long double sum = 0;
  naive_wide whole = 0;
  for (int64_t i = 0; i < taps; i++) {
    sum += x[positions[i]];
    mean.total += isfinite(x[positions[i]]) ? fabsl(x[positions[i]]) : 0;
    whole += naive_is_float(layer->type) ? 0 : (naive_wide)x[positions[i]];
  }
  if (taps == 0)
    mean.mean = layer->ngraph && layer->exclude_pad ? (long double)NAN : 0;
  else if (layer->type == IR_BOOLEAN)
    mean.mean = whole > 0;
  else if (layer->op == NAIVE_REDUCE_MEAN && !naive_is_float(layer->type))
    mean.mean = (long double)(whole / divisor); /* C's division truncates toward zero */
  else
    mean.mean =
        naive_is_float(layer->type) ? sum / (long double)divisor : (long double)divide_half_even(whole, divisor);
  return mean;
}

void naive_average(const naive_layer *layer, const long double *x, naive_mean *y) {
  static int64_t positions[MAX_POSITIONS];
  bool whole_kernel = layer->op == NAIVE_AVG_POOL && !layer->exclude_pad && (layer->ngraph || any_pad(layer));
  int64_t at[NAIVE_MAX_RANK] = {0}, dims[NAIVE_MAX_RANK], taps;
  output_dims(layer, dims);
  if (naive_count(dims, layer->rank) == 0)
    return;
  do {
    int64_t all = list_positions(layer, at, positions, &taps);
    *y++ = mean_of(layer, x, positions, taps, whole_kernel ? all : taps);
  } while (next(at, dims, layer->rank));
}

/* ---- maxima ---- */

void naive_maximum(const naive_layer *layer, const long double *x, long double *y, int64_t *indices) {
  static int64_t positions[MAX_POSITIONS];
  int64_t at[NAIVE_MAX_RANK] = {0}, dims[NAIVE_MAX_RANK], n;
  output_dims(layer, dims);
  if (naive_count(dims, layer->rank) == 0)
    return;
  int64_t plane = naive_is_reduction(layer->op) ? 1 : naive_count(layer->in + 2, layer->rank - 2);
  int64_t from = naive_is_adaptive(layer->op) ? 2 : layer->axis < 0 ? layer->axis + layer->rank : layer->axis;
  int64_t modulus = naive_count(layer->in + from, layer->rank - (int)from);
  do {
    list_positions(layer, at, positions, &n);
    long double best = naive_lowest(layer->type);
    int64_t found = (at[0] * layer->in[1] + at[1]) * plane; /* the plane's first element, if no tap is found */
    for (int64_t i = 0; i < n; i++)
      if (x[positions[i]] > best || (i == 0 && layer->op != NAIVE_MAX_POOL) ||
          (isnan(x[positions[i]]) && layer->op == NAIVE_REDUCE_MAX)) {
        best = x[positions[i]];
        found = positions[i];
      }
    *y++ = best;
    if (indices != NULL)
      *indices++ = modulus > 0 ? found % modulus : 0;
  } while (next(at, dims, layer->rank));
}

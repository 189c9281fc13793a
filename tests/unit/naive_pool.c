#include "naive_pool.h"

int64_t naive_count(const int64_t *dims, int rank) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++)
    n *= dims[i];
  return n;
}

static bool axis_shape(naive_pool *p, int a) {
  int64_t n = p->in[a + 2], k = p->kernel[a], s = p->strides[a];
  if (p->auto_pad == 3)
    p->pads_begin[a] = p->pads_end[a] = 0;
  if (p->auto_pad == 1 || p->auto_pad == 2) {
    int64_t total = ((n + s - 1) / s - 1) * s + k - n;
    total = total < 0 ? 0 : total;
    p->pads_begin[a] = p->auto_pad == 1 ? total / 2 : total - total / 2;
    p->pads_end[a] = total - p->pads_begin[a];
  }
  if (p->exclude_pad && p->auto_pad == 0 && (p->pads_begin[a] >= k || p->pads_end[a] >= k))
    return false;
  int64_t room = n + p->pads_begin[a] + p->pads_end[a] - k;
  if (room < 0)
    return false;
  p->out[a + 2] = (p->ceil ? (room + s - 1) / s : room / s) + 1;
  return true;
}

bool naive_shape(naive_pool *p) {
  p->out[0] = p->in[0];
  p->out[1] = p->in[1];
  bool fine = true;
  for (int a = 0; a < p->rank - 2 && !p->adaptive; a++)
    fine = axis_shape(p, a) && fine;
  return fine;
}

/* Row-major walk: the next index below `dims`; false behind the last. */
static bool next(int64_t *index, const int64_t *dims, int rank) {
  for (int i = rank - 1; i >= 0; i--) {
    if (++index[i] < dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/* Taps of output `o` on an axis: [*begin, *end), clipped or not by the caller. */
static void window(const naive_pool *p, int a, int64_t o, int64_t *begin, int64_t *end) {
  int64_t n = p->in[a + 2], out = p->out[a + 2];
  if (p->adaptive) {
    *begin = o * n / out;
    *end = ((o + 1) * n + out - 1) / out;
  } else {
    *begin = o * p->strides[a] - p->pads_begin[a];
    *end = *begin + p->kernel[a];
  }
}

static double one(const naive_pool *p, const double *x, const int64_t *at) {
  int spatial = p->rank - 2;
  int64_t begin[3], size[3], tap[3] = {0, 0, 0}, taps = 0, volume = 1;
  bool any_pad = false;
  for (int a = 0; a < spatial; a++) {
    int64_t end;
    window(p, a, at[a + 2], &begin[a], &end);
    size[a] = end - begin[a];
    volume *= size[a];
    any_pad = any_pad || p->pads_begin[a] > 0 || p->pads_end[a] > 0;
  }
  double sum = 0;
  do {
    int64_t offset = at[0] * p->in[1] + at[1];
    bool inside = true;
    for (int a = 0; a < spatial; a++) {
      int64_t i = begin[a] + tap[a];
      inside = inside && i >= 0 && i < p->in[a + 2];
      offset = offset * p->in[a + 2] + i;
    }
    if (inside) {
      sum += x[offset];
      taps++;
    }
  } while (next(tap, size, spatial));
  if (taps == 0)
    return 0;
  return sum / (double)(p->adaptive || p->exclude_pad || !any_pad ? taps : volume);
}

void naive_average(const naive_pool *p, const double *x, double *y) {
  int64_t at[NAIVE_MAX_RANK] = {0};
  do
    *y++ = one(p, x, at);
  while (next(at, p->out, p->rank));
}

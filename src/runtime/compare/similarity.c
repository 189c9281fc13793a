#include "runtime/compare/similarity.h"
#include "runtime/tensor/tensor_block.h"

#include <math.h>

/* Sums over pairs of finite elements g (got) and e (expected). */
typedef struct sums {
  int64_t n;
  double scale;            /* the largest |g| or |e|; elements are divided by it, so that no square overflows */
  double least, most, top; /* of e; top: the largest |e| */
  double gg, ee, ge, dd;   /* sums of g * g, e * e, g * e and (g - e)^2 */
  double max_rel;          /* largest |g - e| / max(|e|, floor) */
} sums;

static void find_scale(sums *s, double g, double e) {
  s->least = s->n == 0 || e < s->least ? e : s->least;
  s->most = s->n == 0 || e > s->most ? e : s->most;
  s->top = fabs(e) > s->top ? fabs(e) : s->top;
  s->scale = fmax(s->scale, fmax(fabs(g), fabs(e)));
  s->n++;
}

static void add_pair(sums *s, double g, double e) {
  const double floor = s->top / 1000 / s->scale;
  g /= s->scale;
  e /= s->scale;
  const double d = fabs(g - e), size = fmax(fabs(e), floor);
  s->gg += g * g;
  s->ee += e * e;
  s->ge += g * e;
  s->dd += d * d;
  if (d > 0)
    s->max_rel = fmax(s->max_rel, d / size);
}

/* Calls `add` for each pair of finite elements. */
static void for_each_pair(const ir_tensor *got, const ir_tensor *expected, sums *s,
                          void (*add)(sums *s, double g, double e)) {
  const int64_t n_elements = ir_tensor_elements(got);
  for (int64_t first = 0; first < n_elements; first += IR_BLOCK) {
    double g[IR_BLOCK], e[IR_BLOCK];
    const int64_t n = ir_block_size(n_elements, first);
    ir_block_values(got, first, n, g);
    ir_block_values(expected, first, n, e);
    for (int64_t i = 0; i < n; i++)
      if (isfinite(g[i]) && isfinite(e[i]))
        add(s, g[i], e[i]);
  }
}

/* 10 * log10(signal / noise); infinite without noise. */
static double decibels(double signal, double noise) {
  return noise == 0 ? INFINITY : 10 * log10(signal / noise);
}

void ir_compare_similarity(const ir_tensor *got, const ir_tensor *expected, irrun_comparison *out) {
  sums s = {.scale = 0};
  if (out->not_finite > 0) {
    out->cosine = out->snr = out->psnr = out->l2 = out->rel_l2 = NAN;
    out->max_rel_floored = INFINITY;
    return;
  }
  for_each_pair(got, expected, &s, find_scale);
  if (s.scale > 0)
    for_each_pair(got, expected, &s, add_pair);
  const double range = s.scale > 0 ? s.most / s.scale - s.least / s.scale : 0;
  out->cosine = s.dd == 0 ? 1 : s.gg == 0 || s.ee == 0 ? 0 : fmin(s.ge / (sqrt(s.gg) * sqrt(s.ee)), 1);
  out->snr = decibels(s.ee, s.dd);
  out->psnr = decibels(range * range * (double)s.n, s.dd);
  out->max_rel_floored = s.max_rel;
  out->l2 = s.scale * sqrt(s.dd);
  out->rel_l2 = s.dd == 0 ? 0 : sqrt(s.dd) / sqrt(s.ee);
}

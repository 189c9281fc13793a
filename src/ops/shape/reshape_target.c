#include "ops/shape/reshape_target.h"

#define MOST_TRIALS 4096

/* The set of products of the input's sizes, each divided by `divisor`. Products that the divisor does not divide are
 * left out. */
typedef struct quotients {
  ir_dim open[IR_MAX_RANK]; /* sizes that are not known; find_quotients moves the widest interval to the end */
  int n_open;
  int64_t known; /* product of the known sizes */
  int64_t divisor;
  bool must_be_one;
  bool any, huge; /* any: a quotient exists; huge: a quotient beyond int64_t may exist */
  int64_t least, most;
} quotients;

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static bool multiply(const int64_t *numbers, int n, int64_t *out) {
  *out = 1;
  for (int i = 0; i < n; i++)
    if (numbers[i] == 0) {
      *out = 0;
      return true;
    }
  for (int i = 0; i < n; i++)
    if (!ir_mul(*out, numbers[i], out))
      return false;
  return true;
}

bool ir_reshape_fixed(const ir_reshape_target *target, int64_t *out) {
  int64_t sizes[IR_MAX_RANK];
  int n = 0;
  for (int i = 0; i < target->n; i++)
    if (target->sizes[i] >= 0)
      sizes[n++] = target->sizes[i];
  return multiply(sizes, n, out);
}

/* ---- quotients ---- */

static void take(quotients *q, int64_t least, int64_t most) {
  if (q->must_be_one) {
    q->any = q->any || (least <= 1 && most >= 1);
    return;
  }
  q->least = !q->any || least < q->least ? least : q->least;
  q->most = !q->any || most > q->most ? most : q->most;
  q->any = true;
}

/* Adds the quotients for one choice of all open dims but the last. `product` is the product of the chosen and the known
 * sizes. The divisor divides product * last only if the last dim is a multiple of divisor / gcd(product, divisor). */
static void try_last(quotients *q, int64_t product, ir_dim last) {
  if (product == 0) {
    take(q, 0, 0);
    return;
  }
  int64_t common = gcd(product, q->divisor), step = q->divisor / common, each = product / common;
  int64_t first = ir_ceil_div(last.lo, step), final = last.hi == IR_DIM_MAX ? IR_DIM_MAX : last.hi / step;
  int64_t least, most;
  if (first > final)
    return;
  if (q->must_be_one && each != 1) /* all quotients are multiples of `each`, so none is 1 */
    return;
  if (!ir_mul(each, first, &least))
    q->huge = true;
  else
    take(q, least, final == IR_DIM_MAX || !ir_mul(each, final, &most) ? IR_DIM_MAX : most);
}

/* Counts the choices of all open dims but the last. Returns false if they exceed MOST_TRIALS. */
static bool few_choices(const quotients *q) {
  int64_t n = 1;
  for (int i = 0; i < q->n_open - 1; i++) {
    int64_t width = q->open[i].hi - q->open[i].lo;
    if (width >= MOST_TRIALS || !ir_mul(n, width + 1, &n) || n > MOST_TRIALS)
      return false;
  }
  return true;
}

static void try_all(quotients *q) {
  int64_t chosen[IR_MAX_RANK + 1];
  int n = q->n_open > 0 ? q->n_open - 1 : 0, at = 0;
  for (int i = 0; i < n; i++)
    chosen[i] = q->open[i].lo;
  while (at >= 0) {
    int64_t product;
    chosen[n] = q->known;
    if (multiply(chosen, n + 1, &product))
      try_last(q, product, q->n_open > 0 ? q->open[n] : ir_dim_of(1));
    else
      q->huge = true;
    for (at = n - 1; at >= 0 && chosen[at] == q->open[at].hi; at--)
      chosen[at] = q->open[at].lo;
    if (at >= 0)
      chosen[at]++;
  }
}

/* Estimates the quotients without trying sizes, from the products of the smallest and of the largest sizes. */
static void take_bounds(quotients *q) {
  int64_t ends[IR_MAX_RANK + 1], least, most;
  bool bounded = true, empty = q->known == 0;
  for (int i = 0; i < q->n_open; i++)
    ends[i] = q->open[i].lo;
  ends[q->n_open] = q->known;
  if (!multiply(ends, q->n_open + 1, &least)) {
    q->huge = true;
    return;
  }
  for (int i = 0; i < q->n_open; i++) {
    ends[i] = q->open[i].hi;
    bounded = bounded && ends[i] != IR_DIM_MAX;
    empty = empty || ends[i] == 0;
  }
  if (empty)
    most = 0;
  else if (!bounded || !multiply(ends, q->n_open + 1, &most))
    most = IR_DIM_MAX;
  least = ir_ceil_div(least, q->divisor);
  most = most == IR_DIM_MAX ? most : most / q->divisor;
  if (least <= most)
    take(q, least, most);
}

static void find_quotients(quotients *q) {
  int widest = q->n_open - 1;
  for (int i = 0; i < q->n_open; i++)
    if (q->open[i].hi - q->open[i].lo > q->open[widest].hi - q->open[widest].lo)
      widest = i;
  if (q->n_open > 0) {
    ir_dim last = q->open[widest];
    q->open[widest] = q->open[q->n_open - 1];
    q->open[q->n_open - 1] = last;
  }
  if (few_choices(q))
    try_all(q);
  else
    take_bounds(q);
}

/* ---- the equation ---- */

/* Fills `open` and `known` with the input's dims that the target does not copy. */
static void collect(const ir_reshape_target *target, const ir_shape *in, quotients *q) {
  int64_t known[IR_MAX_RANK];
  int n_known = 0;
  for (int i = 0; i < in->rank; i++) {
    if (i < target->n && target->sizes[i] == IR_RESHAPE_COPY)
      continue;
    if (ir_dim_known(in->dims[i]))
      known[n_known++] = in->dims[i].lo;
    else
      q->open[q->n_open++] = in->dims[i];
  }
  q->huge = !multiply(known, n_known, &q->known);
}

static bool may_be_empty(const ir_shape *in) {
  for (int i = 0; i < in->rank; i++)
    if (in->dims[i].lo == 0)
      return true;
  return in->rank == IR_RANK_UNKNOWN;
}

static bool is_empty(const ir_shape *shape) {
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i].hi == 0)
      return true;
  return false;
}

/* Handles element counts of target and input that differ for all sizes. The shapes fit only if a copied dim makes both
 * counts 0. If only one copied dim can be 0, the output dim is 0. */
static ir_reshape_fit fit_by_empty_copy(const ir_reshape_target *target, const ir_shape *in, ir_shape *out) {
  int n = 0, last = 0;
  for (int i = 0; i < target->n; i++)
    if (target->sizes[i] == IR_RESHAPE_COPY && in->dims[i].lo == 0) {
      n++;
      last = i;
    }
  if (n == 1)
    out->dims[last] = ir_dim_of(0);
  return n == 0 ? IR_RESHAPE_NEVER : is_empty(in) ? IR_RESHAPE_FITS : IR_RESHAPE_FITS_EMPTY;
}

static void set_rest(const ir_reshape_target *target, ir_dim rest, ir_shape *out) {
  for (int i = 0; i < target->n; i++)
    if (target->sizes[i] == IR_RESHAPE_REST)
      out->dims[i] = rest;
}

/* Handles a target with a size of 0. */
static ir_reshape_fit fit_by_zero(const ir_reshape_target *target, const ir_shape *in, ir_shape *out) {
  set_rest(target, ir_dim_of(1), out);
  return is_empty(in) ? IR_RESHAPE_FITS : may_be_empty(in) ? IR_RESHAPE_FITS_EMPTY : IR_RESHAPE_NEVER;
}

ir_reshape_fit ir_reshape_solve(const ir_reshape_target *target, const ir_shape *in, ir_shape *out) {
  int64_t fixed;
  out->rank = target->n;
  for (int i = 0; i < target->n; i++) {
    int64_t size = target->sizes[i];
    bool copied = size == IR_RESHAPE_COPY && in->rank != IR_RANK_UNKNOWN;
    out->dims[i] = size >= 0 ? ir_dim_of(size) : copied ? in->dims[i] : ir_dim_any();
  }
  if (!ir_reshape_fixed(target, &fixed))
    return IR_RESHAPE_TOO_LARGE;
  if (fixed == 0)
    return fit_by_zero(target, in, out);
  if (in->rank == IR_RANK_UNKNOWN)
    return IR_RESHAPE_FITS;
  quotients q = {.divisor = fixed, .must_be_one = !target->has_rest};
  collect(target, in, &q);
  if (!q.huge)
    find_quotients(&q);
  if (!q.any && q.huge)
    return IR_RESHAPE_TOO_LARGE;
  if (!q.any)
    return target->has_rest ? IR_RESHAPE_NEVER : fit_by_empty_copy(target, in, out);
  set_rest(target, (ir_dim){q.least, q.most}, out);
  return is_empty(out) && !is_empty(in) ? IR_RESHAPE_FITS_EMPTY : IR_RESHAPE_FITS;
}

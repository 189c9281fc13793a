#include "runtime/compare/compare.h"
#include "ops/kernels/tally.h"
#include "runtime/compare/compare_rank.h"
#include "runtime/compare/similarity.h"
#include "runtime/tensor/tensor_block.h"

#include <math.h>
#include <string.h>

bool ir_type_comparable(ir_type type) {
  return ir_type_in(type, IR_SET_HELD);
}

static irrun_tolerance resolve(irrun_tolerance given, ir_type type) {
  irrun_tolerance tolerance = {0, 0, given.ulp < 0 ? -1 : given.ulp};
  switch (type) {
  case IR_F64:
    tolerance.atol = 1e-12, tolerance.rtol = 1e-9;
    break;
  case IR_F32:
    tolerance.atol = 1e-6, tolerance.rtol = 1e-5;
    break;
  case IR_F16:
    tolerance.atol = 1e-3, tolerance.rtol = 1e-3;
    break;
  case IR_BF16:
    tolerance.atol = 1e-2, tolerance.rtol = 1e-2;
    break;
  default:
    break;
  }
  if (given.atol >= 0)
    tolerance.atol = given.atol;
  if (given.rtol >= 0)
    tolerance.rtol = given.rtol;
  return tolerance;
}

/* Outcomes of comparing two elements, from good to bad. */
typedef enum outcome { NOTHING, AGREES, DIFFERS, EXPECTED_NOT_FINITE, GOT_NOT_FINITE } outcome;

/* The distance between two finite elements. */
typedef struct distance {
  double gap;     /* |got - expected| * unit; for integers rounded up (see ir_pair_block) */
  double scale;   /* |expected| * unit */
  double unit;    /* 1; 1/2 if |got - expected| overflows a double */
  uint64_t steps; /* distance in representable values */
} distance;

typedef struct scan {
  const ir_tensor *got, *expected;
  irrun_tolerance tolerance;
  irrun_see_difference *see; /* callback for unequal elements, or NULL */
  void *user;                /* first argument of `see` */
  irrun_comparison *out;
  int64_t strides[IR_MAX_RANK];
  int64_t index; /* index of the current element */
  int64_t n_finite, n_equal, n_got_not_finite;
  double sum;
  uint64_t max_steps, needed_steps;
  bool rtol_helps;
  outcome worst; /* outcome of the worst element so far */
  int64_t worst_index;
  distance worst_distance;
} scan;

/* The part of the tolerance that rtol adds. If `expected` is 0, the part is 0, even for an infinite rtol. */
static double share(distance d, double rtol) {
  return d.scale > 0 ? rtol * d.scale : 0;
}

/* Whether the distance is within atol and rtol. Every comparison with these tolerances calls this function. */
static bool within(distance d, double atol, double rtol) {
  return d.gap <= atol * d.unit + share(d, rtol);
}

static double gap_of(distance d) {
  return d.gap / d.unit;
}

/* The smallest atol, up to rounding, for which `d` is within atol and rtol. Rounding can make the first result too
 * small; the loop raises it. */
static double needed_atol(distance d, double rtol) {
  double atol = (d.gap - share(d, rtol)) / d.unit;
  for (double step = nextafter(atol, INFINITY) - atol; !within(d, atol, rtol); step *= 2)
    atol += step;
  return atol;
}

static double needed_rtol(distance d, double atol) {
  double rtol = (d.gap - atol * d.unit) / d.scale;
  for (double step = nextafter(rtol, INFINITY) - rtol; !within(d, atol, rtol); step *= 2)
    rtol += step;
  return rtol;
}

static void raise_needed(scan *s, distance d) {
  irrun_comparison *out = s->out;
  if (!within(d, out->needed_atol, out->rtol))
    out->needed_atol = needed_atol(d, out->rtol);
  if (!s->rtol_helps || within(d, out->atol, out->needed_rtol))
    return;
  s->rtol_helps = d.scale > 0;
  if (s->rtol_helps)
    out->needed_rtol = needed_rtol(d, out->atol);
}

static void count_mismatch(scan *s) {
  irrun_comparison *out = s->out;
  bool first = out->mismatched++ == 0;
  for (int axis = 0; axis < out->rank; axis++) {
    int64_t size = s->got->dims[axis];
    if (first || (out->where[axis] >= 0 && size > 1)) {
      int64_t at = s->index / s->strides[axis] % size;
      if (first)
        out->first_index[axis] = at;
      out->where[axis] = size > 1 && (first || out->where[axis] == at) ? at : -1;
    }
  }
}

static void keep_worst(scan *s, outcome is, distance d) {
  distance worst = s->worst_distance;
  bool further = gap_of(d) > gap_of(worst) || (gap_of(d) == gap_of(worst) && d.steps > worst.steps);
  if (is > s->worst || (is == s->worst && further)) {
    s->worst = is;
    s->worst_index = s->index;
    s->worst_distance = d;
  }
}

static void judge_finite(scan *s, distance d) {
  irrun_comparison *out = s->out;
  s->n_finite++;
  if (d.steps == 0) {
    s->n_equal++;
    return;
  }
  s->sum += gap_of(d);
  out->abs_max = gap_of(d) > out->abs_max ? gap_of(d) : out->abs_max;
  if (d.scale > 0 && d.gap / d.scale > out->max_rel)
    out->max_rel = d.gap / d.scale;
  s->max_steps = d.steps > s->max_steps ? d.steps : s->max_steps;

  bool close = within(d, out->atol, out->rtol);
  bool near = out->ulp >= 0 && d.steps <= (uint64_t)out->ulp;
  if (!near)
    raise_needed(s, d);
  if (!close && d.steps > s->needed_steps)
    s->needed_steps = d.steps;
  if (!close && !near)
    count_mismatch(s);
  keep_worst(s, close || near ? AGREES : DIFFERS, d);
  if (s->see != NULL)
    s->see(s->user, s->index, gap_of(d), close || near);
}

static void judge_not_finite(scan *s, double got, double expected) {
  if (got == expected || (isnan(got) && isnan(expected)))
    return;
  s->out->not_finite++;
  if (isfinite(expected))
    s->n_got_not_finite++;
  count_mismatch(s);
  keep_worst(s, isfinite(expected) ? GOT_NOT_FINITE : EXPECTED_NOT_FINITE, (distance){INFINITY, 1, 1, 0});
  if (s->see != NULL)
    s->see(s->user, s->index, INFINITY, false);
}

static distance distance_of(const ir_pair_block *block, int64_t i) {
  distance d = {block->gap[i], fabs(block->expected[i]), 1, block->steps[i]};
  if (isinf(d.gap))
    d = (distance){fabs(block->got[i] / 2 - block->expected[i] / 2), d.scale / 2, 0.5, d.steps};
  return d;
}

static void scan_block(scan *s, int64_t first, int64_t n) {
  ir_pair_block block;
  ir_pair_block_load(s->got, s->expected, first, n, &block);
  double sum_before = s->sum;
  s->sum = 0;
  for (int64_t i = 0; i < n; i++) {
    s->index = first + i;
    if (block.finite[i])
      judge_finite(s, distance_of(&block, i));
    else
      judge_not_finite(s, block.got[i], block.expected[i]);
  }
  s->sum += sum_before; /* sum each block separately, because small gaps would be lost in a large sum */
}

static int64_t saturated(uint64_t steps) {
  return steps > INT64_MAX ? INT64_MAX : (int64_t)steps;
}

static void fill_worst(scan *s) {
  irrun_comparison *out = s->out;
  if (s->worst == NOTHING)
    return;
  for (int axis = 0; axis < out->rank; axis++)
    out->worst_index[axis] = s->worst_index / s->strides[axis] % s->got->dims[axis];
  ir_number_text(s->got->type, ir_tensor_get(s->got, s->worst_index), out->worst_got, sizeof out->worst_got);
  ir_number_text(s->got->type, ir_tensor_get(s->expected, s->worst_index), out->worst_expected,
                 sizeof out->worst_expected);
  distance d = s->worst_distance;
  out->worst_abs = gap_of(d);
  out->worst_rel = d.gap / d.scale;
  out->worst_ulp = s->worst > DIFFERS ? -1 : saturated(d.steps);
}

static void fill_needed(scan *s) {
  irrun_comparison *out = s->out;
  out->needed_ulp = saturated(s->needed_steps);
  if (out->not_finite > 0 || isinf(out->needed_atol))
    out->needed_atol = -1;
  if (out->not_finite > 0 || !s->rtol_helps || isinf(out->needed_rtol))
    out->needed_rtol = -1;
  if (out->not_finite > 0 || s->needed_steps > INT64_MAX)
    out->needed_ulp = -1;
}

/* Whether all mismatches share the first or the last index of a spatial axis. Spatial axes come after N and C. */
static bool is_border(const irrun_comparison *out, const ir_tensor *tensor) {
  for (int axis = 2; axis < out->rank; axis++)
    if (out->where[axis] == 0 || (out->where[axis] > 0 && out->where[axis] == tensor->dims[axis] - 1))
      return true;
  return false;
}

static void scan_all(scan *s) {
  irrun_comparison *out = s->out;
  int64_t stride = 1;
  for (int axis = out->rank - 1; axis >= 0; axis--) {
    s->strides[axis] = stride;
    stride *= s->got->dims[axis];
  }
  for (int64_t first = 0; first < out->count; first += IR_BLOCK)
    scan_block(s, first, ir_block_size(out->count, first));
  out->match = out->mismatched == 0;
  out->where_is_border = is_border(out, s->got);
  fill_worst(s);
  fill_needed(s);
  out->ulp_max = saturated(s->max_steps);
  if (s->n_finite > 0)
    out->abs_mean = s->sum / (double)s->n_finite;
  if (s->max_steps > 0)
    ir_compare_ranks(s->got, s->expected, s->n_finite, s->n_equal, out);
}

void ir_compare(const ir_tensor *got, const ir_tensor *expected, irrun_tolerance tolerance, irrun_see_difference *see,
                void *user, irrun_comparison *out, int64_t *out_got_not_finite) {
  const irrun_tolerance usual = resolve((irrun_tolerance){-1, -1, -1}, got->type);
  tolerance = resolve(tolerance, got->type);
  *out = (irrun_comparison){.comparable = true,
                            .match = true,
                            .default_tolerance = tolerance.atol == usual.atol && tolerance.rtol == usual.rtol &&
                                                 tolerance.ulp == usual.ulp,
                            .count = ir_tensor_elements(got),
                            .atol = tolerance.atol,
                            .rtol = tolerance.rtol,
                            .ulp = tolerance.ulp,
                            .rank = got->rank};
  for (int axis = 0; axis < IR_MAX_RANK; axis++)
    out->where[axis] = -1;
  scan s = {.got = got,
            .expected = expected,
            .see = see,
            .user = user,
            .out = out,
            .rtol_helps = true,
            .worst_distance = {.unit = 1}};
  out->cosine = 1;
  out->snr = out->psnr = INFINITY;
  if (!ir_block_same_bytes(got, expected, 0, out->count)) { /* if all elements are equal, the other results stay 0 */
    scan_all(&s);
    ir_compare_similarity(got, expected, out);
  }
  *out_got_not_finite = s.n_got_not_finite;
}

irrun_statistics ir_statistics(const ir_tensor *tensor) {
  ir_tally t = {.finite = 0};
  if (ir_type_comparable(tensor->type) && !ir_tensor_is_outline(tensor))
    ir_tally_elements(tensor, 0, ir_tensor_elements(tensor), &t, NULL);
  return (irrun_statistics){.finite = t.finite,
                            .nans = t.nans,
                            .infinities = t.infinities,
                            .negative_infinities = t.negative_infinities,
                            .min = t.min,
                            .mean = t.mean,
                            .max = t.max};
}

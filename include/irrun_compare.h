/* irrun: comparison of a computed tensor with the expected one. The conventions of irrun.h also hold here. */
#ifndef IRRUN_COMPARE_H
#define IRRUN_COMPARE_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct irrun_tolerance {
  double atol, rtol; /* tolerance of |got - expected|: atol + rtol * |expected|; negative: the type's default */
  int64_t ulp;       /* a difference of at most this many ulps agrees too; negative: not used */
} irrun_tolerance;

typedef struct irrun_comparison {
  size_t size;
  bool comparable; /* shapes and types are equal; false: the members below are 0 */
  bool match;
  bool default_tolerance; /* the type's default tolerances were used */
  int64_t count, mismatched;
  double atol, rtol; /* the tolerances in use */
  int64_t ulp;       /* -1: not used */
  int rank;
  int64_t worst_index[IRRUN_MAX_RANK], first_index[IRRUN_MAX_RANK];
  char worst_got[40], worst_expected[40];
  double worst_abs, worst_rel;       /* infinite for a pair that is not finite; worst_rel also if `expected` is 0 */
  int64_t worst_ulp;                 /* -1: the distance has no number of ulps, for example between NaN and a number */
  double abs_mean, abs_p99, abs_max; /* over pairs of finite elements */
  double max_rel;                    /* over pairs of finite elements whose expected value is not 0 */
  int64_t ulp_p50, ulp_p99, ulp_max; /* over pairs of finite elements; INT64_MAX: at least so many */
  int64_t not_finite;                /* unequal pairs with an element that is not finite */
  /* The smallest value of each tolerance with which all elements agree, if the other two tolerances keep their
   * values. Negative: no value is enough. */
  double needed_atol, needed_rtol;
  int64_t needed_ulp;
  /* where[axis] is the index on this axis that all mismatches share; -1: none. */
  int64_t where[IRRUN_MAX_RANK];
  bool where_is_border; /* some where[axis] is the first or last index of a spatial axis of size 2 or more */
  /* The similarity of the whole tensors, over pairs of finite elements g (got) and e (expected). NaN, and an infinite
   * max_rel_floored, if not_finite > 0.
   * cosine: sum of g * e / sqrt(sum of g^2 * sum of e^2); 1 if the tensors are equal, else 0 if one has only zeros.
   * snr, in dB: 10 * log10(sum of e^2 / sum of (g - e)^2); infinite for equal tensors.
   * psnr, in dB: 10 * log10(n * (largest e - least e)^2 / sum of (g - e)^2).
   * max_rel_floored: the largest |g - e| / max(|e|, a thousandth of the largest |e|). */
  double cosine, snr, psnr, max_rel_floored;
  double abs_p50, abs_p90; /* as abs_p99 */
  /* Also of the whole tensors, and NaN if not_finite > 0.
   * l2: the Euclidean distance, sqrt(sum of (g - e)^2); rel_l2: l2 / sqrt(sum of e^2), infinite if e has only zeros. */
  double l2, rel_l2;
} irrun_comparison;

/* Compares two tensors, and reports IR601 to IR604 for an output called `name`. Notes list earlier findings, about
 * the model read last, that can be the cause. `file` is the origin of the expected tensor. If its element type
 * differs, `cast` converts the expected tensor; without `cast`, IR603. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_compare(irrun_context *context, const char *name, const char *file,
                                                            const irrun_tensor *got, const irrun_tensor *expected,
                                                            bool cast, irrun_tolerance tolerance,
                                                            irrun_comparison *out);

/* Called for each pair of elements that are not equal. `gap` is |got - expected|, or infinite if an element of the
 * pair is not finite. `agrees`: the pair is within the tolerance. */
typedef void irrun_see_difference(void *user, int64_t index, double gap, bool agrees);
/* Does the same as irrun_tensor_compare. Also calls `see`, if it is not NULL, for each pair of unequal elements. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_compare_each(irrun_context *context, const char *name,
                                                                 const char *file, const irrun_tensor *got,
                                                                 const irrun_tensor *expected, bool cast,
                                                                 irrun_tolerance tolerance, irrun_see_difference *see,
                                                                 void *user, irrun_comparison *out);

#ifdef __cplusplus
}
#endif

#endif

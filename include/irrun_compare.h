/* irrun: compare a tensor with the expected one. The rules of irrun.h hold here too. */
#ifndef IRRUN_COMPARE_H
#define IRRUN_COMPARE_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct irrun_tolerance {
  double atol, rtol; /* |got - expected| <= atol + rtol * |expected|; negative: the type's default */
  int64_t ulp;       /* or at most this many ulps; negative: not used */
} irrun_tolerance;

typedef struct irrun_comparison {
  size_t size;
  bool comparable; /* shapes and types agree; false: the rest is not filled */
  bool match;
  bool default_tolerance; /* the type's default tolerances were used */
  int64_t count, mismatched;
  double atol, rtol; /* the tolerances that were used */
  int64_t ulp;       /* -1: not used */
  int rank;
  int64_t worst_index[IRRUN_MAX_RANK], first_index[IRRUN_MAX_RANK];
  char worst_got[40], worst_expected[40];
  double worst_abs, worst_rel;       /* infinite: a NaN or infinity is on one side only */
  int64_t worst_ulp;                 /* -1: there is no number of ulps, as for NaN against a number */
  double abs_mean, abs_p99, abs_max; /* over elements that are finite on both sides */
  double max_rel;                    /* over those of them whose expected value is not 0 */
  int64_t ulp_p50, ulp_p99, ulp_max; /* over elements that are finite on both sides; INT64_MAX: so many or more */
  int64_t not_finite;                /* elements that are finite on one side only, or differ in NaN or infinity */
  /* The smallest single tolerance that would pass, with the others unchanged; negative: none would. */
  double needed_atol, needed_rtol;
  int64_t needed_ulp;
  /* where[axis]: the index on this axis that all mismatches share, or -1. */
  int64_t where[IRRUN_MAX_RANK];
  bool where_is_border; /* a shared index is the first or last of a spatial axis with more than one */
} irrun_comparison;

/* Compares two tensors and reports IR601 to IR604 for an output called `name`. Earlier findings about the model read
 * last that may be the cause are attached as notes. `file` is the origin of the expected tensor. `cast`: convert it
 * from another element type, else IR603. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_compare(irrun_context *context, const char *name, const char *file,
                                                            const irrun_tensor *got, const irrun_tensor *expected,
                                                            bool cast, irrun_tolerance tolerance,
                                                            irrun_comparison *out);

/* Called for each element that is not equal. `gap` is |got - expected|, or infinite where a NaN or infinity is on one
 * side only; `agrees`: it is within the tolerance. */
typedef void irrun_see_difference(void *user, int64_t index, double gap, bool agrees);
/* The same as irrun_tensor_compare, and calls `see`, which may be NULL, for each difference. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_compare_each(irrun_context *context, const char *name,
                                                                 const char *file, const irrun_tensor *got,
                                                                 const irrun_tensor *expected, bool cast,
                                                                 irrun_tolerance tolerance, irrun_see_difference *see,
                                                                 void *user, irrun_comparison *out);

#ifdef __cplusplus
}
#endif

#endif

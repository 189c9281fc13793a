/* irrun: statistics of tensors, also over several tensors or executions. The conventions of irrun.h also hold here. */
#ifndef IRRUN_STATS_H
#define IRRUN_STATS_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Statistics of the elements of all tensors that were added. */
typedef struct irrun_stats irrun_stats;

typedef struct irrun_stats_info {
  size_t size;
  irrun_element_type type; /* of the tensor added last */
  int64_t tensors;         /* number of tensors added */
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* `infinities` counts them too */
  int64_t zeros, subnormals;   /* subnormals of the element type */
  int64_t f16_overflows;       /* finite elements that become infinite if they are rounded to f16 */
  int64_t f16_vanishes;        /* elements but 0 that become 0 if they are rounded to f16 */
  /* The next members are about the finite elements; 0 if there are none. The deviation is that of a population, the
   * root of the mean of (x - mean)^2. Sums are computed in double, in blocks. */
  double min, max, mean, deviation;
  /* Bounds without 0.1 % of the elements at each end. In a bin of the histogram elements count as evenly spread, so
   * these numbers are near to an eighth of their size. */
  double low, high;
  /* Number of different values of a type of integers, and of booleans. -1: another type, or more than 4096. Integers of
   * 64 bits that become one double count once. */
  int64_t unique;
} irrun_stats_info;

IRRUN_NODISCARD IRRUN_API irrun_status irrun_stats_create(irrun_context *context, irrun_stats **out_stats);
IRRUN_API void irrun_stats_free(irrun_stats *stats);
/* Adds the elements of a tensor. A tensor of strings, or without data, adds none. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_stats_add(irrun_stats *stats, const irrun_tensor *tensor);
/* Returns false if the size of `out` is wrong. */
IRRUN_API bool irrun_stats_get(const irrun_stats *stats, irrun_stats_info *out);
/* Gets a bin of the histogram: `*out_count` finite elements from `*out_least` to `*out_most`. Bins ascend. A bin has an
 * eighth of the numbers between two powers of two; the first begins at the least element, the last ends at the
 * largest, and empty ones are left out. Returns false if there is no bin `index`.
 */
IRRUN_API bool irrun_stats_get_bin(const irrun_stats *stats, int64_t index, double *out_least, double *out_most,
                                   int64_t *out_count);

#ifdef __cplusplus
}
#endif

#endif

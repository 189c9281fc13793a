/* Maxima of the bins of ROIPooling. */
#ifndef IR_ROI_MAX_H
#define IR_ROI_MAX_H

#include "ops/kernels/floats.h"

/* The elements [first, behind) of an axis that lie in a bin. */
typedef struct ir_bin {
  int64_t first, behind;
} ir_bin;

enum { IR_ROI_MAX_BINS = 64 };
/* Writes the maxima of n <= IR_ROI_MAX_BINS successive bins, which have the rows `ys` and the columns xs[i]. The
 * maximum of an empty bin is 0. If an element is NaN, so is the maximum. */
void ir_roi_max_of_bins(const ir_plane *plane, ir_bin ys, const ir_bin *xs, int64_t n, double *values);

#endif

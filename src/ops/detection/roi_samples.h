/* Pools regions of a feature map whose bins are sampled: bilinear interpolations at positions that all channels of the
 * region share. */
#ifndef IR_ROI_SAMPLES_H
#define IR_ROI_SAMPLES_H

#include "base/stop.h"
#include "ops/kernels/plane_taps.h"

typedef struct ir_roi_place {
  double y, x;
  int64_t at;  /* offset of the sampled plane from the plane of the channel */
  bool is_nan; /* the bin is NaN */
} ir_roi_place;

typedef struct ir_roi_sampled {
  const void *user;
  const ir_tensor *map, *out;
  bool is_channels_last;       /* the map lies [N, H, W, C]; `planes` is 1, and ir_roi_place.at 0 */
  int64_t first_out;           /* offset of the region's first output element */
  int64_t channel, behind;     /* channels of the output to compute */
  int64_t first_plane, planes; /* channel c has plane first_plane + c * planes */
  int64_t n_rows, n_columns;   /* bins of a channel */
  int64_t n_samples;           /* samples of a bin */
  bool is_max;                 /* the bin is the maximum of its samples and 0; else their mean */
  bool counts_inside;          /* the mean divides by the number of samples inside the map; else by n_samples */
  /* Finds the position of a sample. Returns false if the sample is outside the map: it is 0. */
  bool (*find)(const struct ir_roi_sampled *region, int64_t row, int64_t column, int64_t sample, ir_roi_place *out);
  ir_stop *stop;
  int worker;
} ir_roi_sampled;

/* Scratch that a worker needs, in bytes. */
size_t ir_roi_scratch(void);
void ir_roi_pool_samples(const ir_roi_sampled *region, void *scratch);

#endif

/* The ops that pool regions of interest (ROI) of feature maps share these attributes and kernels. */
#ifndef IR_ROI_POOLING_H
#define IR_ROI_POOLING_H

#include "ops/attr_rows.h"

typedef struct ir_roi_params {
  int64_t pooled_h, pooled_w;
  int64_t output_dim, group_size, spatial_bins_x, spatial_bins_y;
  double spatial_scale;
  int mode;
  ir_other_attrs other; /* number[0]: sampling_ratio, number[1]: part_size, real[0]: trans_std, word[0]: aligned_mode,
                           flag[0]: clockwise_mode */
} ir_roi_params;

enum { IR_ROI_FEATURES, IR_ROI_ROIS, IR_ROI_BATCHES };
enum { IR_ROI_AVERAGE, IR_ROI_BILINEAR }; /* values of `mode`; in ROIPooling, 0 is max instead */

typedef struct ir_roi_call ir_roi_call;
/* Computes all bins of region `roi`, for all channels. A bin is a part of a region: one output element per channel. */
typedef void ir_roi_bins(const ir_roi_call *call, int64_t roi);

ir_roi_bins ir_roi_pool_max, ir_roi_pool_bilinear, ir_roi_average, ir_roi_psroi_bilinear, ir_roi_deformable,
    ir_roi_align, ir_roi_align_rotated;

/* Appends a step that calls `bins` for each region. If batch_is_column, the first number of a region is its image
 * index, and an index of -1 ends the list: outputs of the remaining regions are 0. Otherwise, input 2 has the image
 * indices. */
ir_code ir_roi_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                       ir_roi_bins *bins, bool batch_is_column);

/* A region of ROIAlign, ROIAlignRotated or ExperimentalDetectronROIFeatureExtractor. Each bin is pooled from a grid of
 * n_y x n_x samples. Coordinates and sizes are in elements of the feature map. */
typedef struct ir_roi_grid {
  double x, y, bin_width, bin_height; /* corner of bin 0 relative to the center, before rotation; size of a bin */
  double center_x, center_y, cosine, sine;
  bool is_channels_last;                /* layout of the map */
  int64_t pooled_h, pooled_w, n_x, n_y; /* number of bins and of samples in a bin, on each axis */
  struct ir_stop *stop;
  int worker;
  void *scratch; /* of the worker: ir_roi_scratch() bytes (roi_samples.h) */
} ir_roi_grid;
/* Pools the region from map[image] for all channels, into `out` from element `at` on. */
void ir_roi_grid_pool(const ir_roi_grid *grid, const ir_tensor *map, int64_t image, bool is_max, const ir_tensor *out,
                      int64_t at);
/* Number of samples on an axis of a bin of size `bin`. */
int64_t ir_roi_samples(int64_t sampling_ratio, double bin);
/* Reports IR004 if `n`, the value of attribute `name`, is more than IR_MAX_SAMPLES: the limit of samples on an axis of
 * a bin. */
ir_code ir_roi_check_samples(const ir_node *node, const char *name, int64_t n, ir_scope *scope);

#endif

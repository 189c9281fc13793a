/* Shared by the ops that pool regions: their attributes, and how they run. */
#ifndef IR_ROI_POOLING_H
#define IR_ROI_POOLING_H

#include "ops/attr_rows.h"

typedef struct ir_roi_params {
  int64_t pooled_h, pooled_w;
  int64_t output_dim, group_size, spatial_bins_x, spatial_bins_y;
  double spatial_scale;
  int mode;
  ir_other_attrs other; /* number[0] sampling_ratio, number[1] part_size, real[0] trans_std, word[0] aligned_mode,
                           flag[0] clockwise_mode */
} ir_roi_params;

enum { IR_ROI_FEATURES, IR_ROI_ROIS, IR_ROI_BATCHES };
enum { IR_ROI_AVERAGE, IR_ROI_BILINEAR }; /* modes of PSROIPooling */

typedef struct ir_roi_call ir_roi_call;
/* Computes the bins of region `roi`, for all channels. */
typedef void ir_roi_bins(const ir_roi_call *call, int64_t roi);

ir_roi_bins ir_roi_pool_max, ir_roi_pool_bilinear, ir_roi_average, ir_roi_psroi_bilinear, ir_roi_deformable,
    ir_roi_align, ir_roi_align_rotated;

/* Appends a step that calls `bins` for each region. `batch` says which column of the regions, or input 2, has the image
 * index. In a column, an index of -1 ends the list: later regions are 0. */
ir_code ir_roi_prepare(const ir_node *node, ir_plan *plan, ir_scope *scope, ir_roi_bins *bins, bool batch_is_column);

/* A region of ExperimentalDetectronROIFeatureExtractor; each may use another map. */
typedef struct ir_roi_grid {
  double x, y, bin_width, bin_height; /* start of the bins, and the size of one */
  double center_x, center_y, cosine, sine;
  int64_t pooled_h, pooled_w, n_x, n_y; /* numbers of bins, and of samples in each */
  struct ir_stop *stop;
  int worker;
} ir_roi_grid;
void ir_roi_grid_pool(const ir_roi_grid *grid, const ir_tensor *map, int64_t image, bool is_max, const ir_tensor *out,
                      int64_t at);
/* Number of samples of a bin on an axis. */
int64_t ir_roi_samples(int64_t sampling_ratio, double bin);
/* Reports IR004 if an attribute asks for more than IR_MAX_SAMPLES samples of a bin on an axis. */
ir_code ir_roi_check_samples(const ir_node *node, const char *name, int64_t n, ir_scope *scope);

#endif

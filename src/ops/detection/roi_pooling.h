/* What the ops that pool regions share: their attributes, and how they are run. */
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
/* Makes the bins of region `roi`, of all channels. */
typedef void ir_roi_bins(const ir_roi_call *call, int64_t roi);

ir_roi_bins ir_roi_pool_max, ir_roi_pool_bilinear, ir_roi_average, ir_roi_psroi_bilinear, ir_roi_deformable,
    ir_roi_align, ir_roi_align_rotated;

/* A step that has the bins of each region made: `batch` says in which of their columns, or of input 2, its image
 * stands. Regions behind one of image -1 are none where it is a column: 0. */
ir_code ir_roi_prepare(const ir_node *node, ir_plan *plan, ir_scope *scope, ir_roi_bins *bins, bool batch_is_column);

/* What ExperimentalDetectronROIFeatureExtractor does with each of its regions, which may be of another map each. */
typedef struct ir_roi_grid {
  double x, y, bin_width, bin_height; /* where the bins begin, and one bin */
  double center_x, center_y, cosine, sine;
  int64_t pooled_h, pooled_w, n_x, n_y; /* bins, and samples in each */
  struct ir_stop *stop;
  int worker;
} ir_roi_grid;
void ir_roi_grid_pool(const ir_roi_grid *grid, const ir_tensor *map, int64_t image, bool is_max, const ir_tensor *out,
                      int64_t at);
/* How many samples a bin has on an axis. */
int64_t ir_roi_samples(int64_t sampling_ratio, double bin);
/* IR004 where an attribute asks for more samples of a bin on an axis than IR_MAX_SAMPLES. */
ir_code ir_roi_check_samples(const ir_node *node, const char *name, int64_t n, ir_scope *scope);

#endif

/* Attributes and computation of MatrixNms and MulticlassNms (NMS: non-maximum suppression). */
#ifndef IR_MATRIX_NMS_H
#define IR_MATRIX_NMS_H

#include "ops/attr_rows.h"

typedef struct ir_matrix_nms_params {
  int64_t nms_top_k, keep_top_k; /* -1: all */
  int64_t background_class;      /* -1: none */
  double nms_eta, score_threshold, gaussian_sigma, post_threshold, iou_threshold;
  int output_type, sort_result, decay_function;
  bool across_batch, normalized;
} ir_matrix_nms_params;

enum { IR_MATRIX_NMS_BOXES, IR_MATRIX_NMS_SCORES, IR_MATRIX_NMS_ROIS_NUM };
enum { IR_SORT_BY_CLASS, IR_SORT_BY_SCORE, IR_SORT_NOT };
enum { IR_DECAY_GAUSSIAN, IR_DECAY_LINEAR };

/* Implement ir_op.run.compute. If box a overlaps a box of higher score, MatrixNms lowers the score of a, and
 * MulticlassNms drops a. */
ir_code ir_matrix_nms_compute(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope);
ir_code ir_multiclass_nms_compute(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope);

#endif

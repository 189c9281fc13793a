/* The other ops of Detectron's models: ExperimentalDetectronDetectionOutput-6, -PriorGridGenerator-6,
 * -ROIFeatureExtractor-6 and -TopKROIs-6. Pages: operation-specs/detection/experimental-detectron-*,
 * sort/experimental-detectron-top-krois-6. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/bind.h"

typedef struct detectron_params {
  int64_t num_classes, max_detections_per_image; /* of DetectionOutput */
  int64_t output_size;                           /* of ROIFeatureExtractor */
  int64_t max_rois;                              /* of TopKROIs */
  bool flatten;                                  /* of PriorGridGenerator */
  ir_other_attrs other;
} detectron_params;

#define AT(field)                          offsetof(detectron_params, field)
#define COUNT_ROW(text, field, least, ...) IR_INT_ROW(text, AT(field), least, INT32_MAX, __VA_ARGS__)
#define T_PORT(port, rank)                 IR_PORT(port, "T", IR_SET_FLOATS, rank)

static const char coordinates[] = "coordinates of a box";

/* ---- DetectionOutput ---- */

enum { ROIS, DELTAS, SCORES, IMAGE };

static bool detections_fit(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const int64_t n_classes = ((const detectron_params *)node->params)->num_classes;
  ir_size rois = ir_size_of("number_of_ROIs");
  return ir_size_check(node, in, ROIS, 1, ir_dim_of(4), coordinates, scope) &&
         ir_size_check(node, in, DELTAS, 1, ir_dim_of(4 * n_classes), "num_classes * 4", scope) &&
         ir_size_check(node, in, SCORES, 1, ir_dim_of(n_classes), "num_classes", scope) &&
         ir_size_check(node, in, IMAGE, 0, ir_dim_of(1), "one image", scope) &&
         ir_size_check(node, in, IMAGE, 1, ir_dim_of(3), "a height, a width and a scale", scope) &&
         ir_size_join(node, in, ROIS, 0, &rois, scope) && ir_size_join(node, in, DELTAS, 0, &rois, scope) &&
         ir_size_join(node, in, SCORES, 0, &rois, scope);
}

static ir_code infer_detections(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t most = ((const detectron_params *)node->params)->max_detections_per_image;
  out[0].type = out[2].type = ir_inputs_type(node, in, ROIS, IMAGE);
  out[1].type = IR_I32;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  if (!detections_fit(node, in, scope)) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  out[0].shape = ir_shape_of(2, (const int64_t[]){most, 4});
  out[1].shape = out[2].shape = ir_shape_of(1, &most);
  return IR_OK;
}

static const ir_attr_spec detection_attrs[] = {
    IR_FLOAT_ROW("score_threshold", AT(other.real[0]), .required = true),
    IR_FLOAT_ROW("nms_threshold", AT(other.real[1]), .required = true),
    COUNT_ROW("num_classes", num_classes, 0, .required = true),
    COUNT_ROW("post_nms_count", other.number[0], 0, .required = true),
    COUNT_ROW("max_detections_per_image", max_detections_per_image, 0, .required = true),
    IR_BOOL_ROW("class_agnostic_box_regression", AT(other.flag[0]), "false"),
    IR_FLOAT_ROW("max_delta_log_wh", AT(other.real[2]), .required = true),
    IR_FLOATS_ROW("deltas_weights", AT(other.reals[0]), .required = true),
    {.name = NULL}};

const ir_op ir_op_experimental_detectron_detection_output_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronDetectionOutput",
    .version = 6,
    .spec = IR_SPEC_PAGE("detection/experimental-detectron-detection-output-6"),
    .params_size = sizeof(detectron_params),
    .attrs = detection_attrs,
    .inputs = {T_PORT("rois", 2), T_PORT("deltas", 2), T_PORT("scores", 2), T_PORT("im_info", 2)},
    .outputs = {T_PORT("boxes", 2), IR_PORT("classes", "T_IND", IR_SET(IR_I32) | IR_SET(IR_I64), 1),
                T_PORT("scores", 1)},
    .infer = infer_detections,
};

/* ---- PriorGridGenerator ---- */

enum { GRID_PRIORS, GRID_FEATURES, GRID_IMAGE };

static ir_code infer_grid(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_size batch = ir_size_of("the batch");
  out->type = ir_inputs_type(node, in, GRID_PRIORS, GRID_IMAGE);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "flatten", "true", "false", scope);
  out->unknown = !ir_size_check(node, in, GRID_PRIORS, 1, ir_dim_of(4), coordinates, scope) ||
                 !ir_size_join(node, in, GRID_FEATURES, 0, &batch, scope) ||
                 !ir_size_join(node, in, GRID_IMAGE, 0, &batch, scope);
  const ir_dim height = ir_input_dim(node, in, GRID_FEATURES, 2), width = ir_input_dim(node, in, GRID_FEATURES, 3);
  const ir_dim priors = ir_input_dim(node, in, GRID_PRIORS, 0);
  if (((const detectron_params *)node->params)->flatten)
    out->shape = (ir_shape){2, {ir_dims_product(ir_dims_product(height, width), priors), ir_dim_of(4)}};
  else
    out->shape = (ir_shape){4, {height, width, priors, ir_dim_of(4)}};
  return IR_OK;
}

static const ir_attr_spec grid_attrs[] = {IR_BOOL_ROW("flatten", AT(flatten), "true"),
                                          COUNT_ROW("h", other.number[1], 0, .fallback = "0"),
                                          COUNT_ROW("w", other.number[2], 0, .fallback = "0"),
                                          IR_FLOAT_ROW("stride_x", AT(other.real[3]), .fallback = "0.0"),
                                          IR_FLOAT_ROW("stride_y", AT(other.real[4]), .fallback = "0.0"),
                                          {.name = NULL}};

const ir_op ir_op_experimental_detectron_prior_grid_generator_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronPriorGridGenerator",
    .version = 6,
    .spec = IR_SPEC_PAGE("detection/experimental-detectron-prior-grid-generator-6"),
    .params_size = sizeof(detectron_params),
    .attrs = grid_attrs,
    .inputs = {T_PORT("priors", 2), T_PORT("feature_map", 4), T_PORT("im_data", 4)},
    .outputs = {IR_PORT_RANKS("priors_grid", "T", IR_SET_FLOATS, 2, 4)},
    .infer = infer_grid,
};

/* ---- ROIFeatureExtractor ---- */

static ir_code infer_features(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t size = ((const detectron_params *)node->params)->output_size;
  ir_size channels = ir_size_of("number_of_channels");
  out[0].type = out[1].type = ir_inputs_type(node, in, 0, node->n_inputs - 1);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  bool fits = ir_size_check(node, in, 0, 1, ir_dim_of(4), coordinates, scope);
  for (int32_t i = 1; i < node->n_inputs && fits; i++)
    fits = ir_size_check(node, in, i, 0, ir_dim_of(1), "one image", scope) &&
           ir_size_join(node, in, i, 1, &channels, scope);
  if (!fits) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  const ir_dim rois = ir_input_dim(node, in, 0, 0);
  out[0].shape = (ir_shape){4, {rois, channels.dim, ir_dim_of(size), ir_dim_of(size)}};
  out[1].shape = (ir_shape){2, {rois, ir_dim_of(4)}};
  return IR_OK;
}

static const ir_attr_spec feature_attrs[] = {
    COUNT_ROW("output_size", output_size, 1, .required = true),
    COUNT_ROW("sampling_ratio", other.number[3], 0, .required = true),
    IR_INTS_ROW("pyramid_scales", AT(other.numbers[0]), 1, INT32_MAX, .required = true),
    IR_BOOL_ROW("aligned", AT(other.flag[1]), "false"),
    {.name = NULL}};

const ir_op ir_op_experimental_detectron_roi_feature_extractor_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronROIFeatureExtractor",
    .version = 6,
    .spec = IR_SPEC_PAGE("detection/experimental-detectron-roi-feature-extractor-6"),
    .params_size = sizeof(detectron_params),
    .attrs = feature_attrs,
    .inputs =
        {T_PORT("rois", 2),
         {.name = "pyramid", .type_var = "T", .types = IR_SET_FLOATS, .rank_min = 4, .rank_max = 4, .variadic = true}},
    .outputs = {T_PORT("rois_features", 4), T_PORT("rois", 2)},
    .infer = infer_features,
};

/* ---- TopKROIs ---- */

static ir_code infer_best(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_size rois = ir_size_of("number_of_ROIs");
  out->type = ir_inputs_type(node, in, 0, 1);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out->unknown = !ir_size_check(node, in, 0, 1, ir_dim_of(4), coordinates, scope) ||
                 !ir_size_join(node, in, 0, 0, &rois, scope) || !ir_size_join(node, in, 1, 0, &rois, scope);
  out->shape = ir_shape_of(2, (const int64_t[]){((const detectron_params *)node->params)->max_rois, 4});
  return IR_OK;
}

static const ir_attr_spec best_attrs[] = {COUNT_ROW("max_rois", max_rois, 0, .fallback = "0"), {.name = NULL}};

const ir_op ir_op_experimental_detectron_top_k_rois_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronTopKROIs",
    .version = 6,
    .spec = IR_SPEC_PAGE("sort/experimental-detectron-top-krois-6"),
    .params_size = sizeof(detectron_params),
    .attrs = best_attrs,
    .inputs = {T_PORT("rois", 2), T_PORT("probabilities", 1)},
    .outputs = {T_PORT("rois", 2)},
    .infer = infer_best,
};

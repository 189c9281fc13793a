/* Detectron's models use ExperimentalDetectronDetectionOutput-6, -PriorGridGenerator-6, -ROIFeatureExtractor-6 and
 * -TopKROIs-6. Pages: operation-specs/detection/experimental-detectron-*, sort/experimental-detectron-top-krois-6. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/detection/roi_pooling.h"
#include "ops/detection/roi_samples.h"
#include "ops/kernels/boxes.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include <math.h>
#include <string.h>

typedef struct detectron_params {
  int64_t num_classes, max_detections_per_image; /* attributes of DetectionOutput */
  int64_t output_size;                           /* attribute of ROIFeatureExtractor */
  int64_t max_rois;                              /* attribute of TopKROIs */
  bool flatten;                                  /* attribute of PriorGridGenerator */
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
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  if (!detections_fit(node, in, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  out[0].shape = ir_shape_of(2, (const int64_t[]){most, 4});
  out[1].shape = out[2].shape = ir_shape_of(1, &most);
  return IR_OK;
}

typedef struct detections_call {
  const detectron_params *params;
  const ir_tensor *const *in;
  ir_box *boxes;     /* [num_classes, number_of_ROIs] */
  ir_scored *scored; /* kept boxes of earlier classes, then candidates */
  ir_stop *stop;
} detections_call;

/* Returns region `roi`, refined by the deltas of a class. If its width or height is not positive, returns an empty
 * box. */
static ir_box refine(const detections_call *call, int64_t roi, int64_t class) {
  const detectron_params *params = call->params;
  double corner[4], delta[4];
  for (int k = 0; k < 4; k++) {
    corner[k] = ir_float_at(call->in[ROIS], roi * 4 + k);
    delta[k] = ir_float_at(call->in[DELTAS], (roi * params->num_classes + class) * 4 + k) /
               (float)params->other.reals[0].items[k];
  }
  const ir_box region = {corner[0], corner[1], corner[2], corner[3]};
  if (!(region.x1 - region.x0 > 0 && region.y1 - region.y0 > 0))
    return (ir_box){0, 0, 0, 0};
  ir_box box = ir_box_moved(&region, delta, (float)params->other.real[2], 1);
  box.x1 -= 1;
  box.y1 -= 1;
  ir_box_clip(&box, INFINITY, INFINITY);
  return box;
}

static int64_t detect_class(const detections_call *call, int64_t class, int64_t n_kept) {
  const detectron_params *params = call->params;
  const int64_t n_rois = call->in[ROIS]->dims[0];
  ir_box *boxes = call->boxes + class * n_rois;
  ir_scored *items = call->scored + n_kept;
  int64_t n = 0, since = 0;
  for (int64_t i = 0; i < n_rois && !ir_stop_asked_after(call->stop, 0, 1, &since); i++) {
    const ir_tensor *rois = call->in[ROIS];
    const bool is_region = ir_float_at(rois, i * 4 + 2) > ir_float_at(rois, i * 4) &&
                           ir_float_at(rois, i * 4 + 3) > ir_float_at(rois, i * 4 + 1);
    const double score = is_region ? ir_float_at(call->in[SCORES], i * params->num_classes + class) : 0;
    boxes[i] = refine(call, i, class);
    if (score > (float)params->other.real[0])
      items[n++] = (ir_scored){score, i, class};
  }
  ir_scored_best(items, n, n, call->stop);
  return ir_boxes_keep(boxes, items, n, (float)params->other.real[1], 1, params->other.number[0], call->stop);
}

static void write_detection(const detections_call *call, const ir_scored *item, int64_t row, ir_tensor *const *out) {
  const ir_box *box = &call->boxes[item->label * call->in[ROIS]->dims[0] + item->index];
  const double corners[4] = {box->x0, box->y0, box->x1, box->y1};
  if (out[0] != NULL)
    ir_floats_store(out[0], row * 4, corners, 4);
  if (out[1] != NULL)
    ir_index_store(&item->label, 1, out[1], row);
  if (out[2] != NULL)
    ir_floats_store(out[2], row, &item->score, 1);
}

/* Skips class 0, the background. If more than max_detections_per_image boxes are kept, only the best boxes of all
 * classes remain. */
static ir_code run_detections(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const detectron_params *params = step->state;
  detections_call call = {params, in, exec->scratch, NULL, exec->stop};
  int64_t n = 0, since = 0;
  call.scored = (ir_scored *)(call.boxes + params->num_classes * in[ROIS]->dims[0]);
  for (int i = 0; i < 3; i++)
    if (out[i] != NULL)
      memset(out[i]->data, 0, out[i]->bytes);
  for (int64_t c = 1; c < params->num_classes && !ir_stop_asked_of(call.stop, 0); c++)
    n += detect_class(&call, c, n);
  if (n > params->max_detections_per_image)
    n = ir_scored_best(call.scored, n, params->max_detections_per_image, call.stop);
  for (int64_t i = 0; i < n && !ir_stop_asked_after(call.stop, 0, 1, &since); i++)
    write_detection(&call, &call.scored[i], i, out);
  return IR_OK;
}

static const ir_kernel detections_kernel = {.name = "detectron_detections", .isa = "any", .run = run_detections};

static ir_code report_sizes(const ir_node *node, ir_scope *scope) {
  return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
                        "irrun does not run inputs of these sizes with these attributes");
}

static ir_code prepare_detections(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const detectron_params *params = node->params;
  const int64_t n_rois = in[ROIS]->shape.dims[0].lo;
  size_t bytes;
  if (params->other.reals[0].n < 4 || in[DELTAS]->shape.dims[0].lo != n_rois ||
      in[DELTAS]->shape.dims[1].lo != 4 * params->num_classes || in[SCORES]->shape.dims[0].lo != n_rois ||
      in[SCORES]->shape.dims[1].lo != params->num_classes)
    return report_sizes(node, scope);
  if (__builtin_mul_overflow((size_t)n_rois, sizeof(ir_box) + sizeof(ir_scored), &bytes) ||
      __builtin_mul_overflow((size_t)params->num_classes, bytes, &bytes))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_of_floats(plan, node, &detections_kernel, params, bytes);
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
    .inputs = IR_PORTS(T_PORT("rois", 2), T_PORT("deltas", 2), T_PORT("scores", 2), T_PORT("im_info", 2)),
    .outputs = IR_PORTS(T_PORT("boxes", 2), IR_PORT("classes", "T_IND", IR_SET(IR_I32) | IR_SET(IR_I64), 1),
                        T_PORT("scores", 1)),
    .infer = infer_detections,
    .run = {IR_RUN_PREPARED, .prepare = prepare_detections},
    .cost = ir_elementwise_cost,
};

/* ---- PriorGridGenerator ---- */

enum { GRID_PRIORS, GRID_FEATURES, GRID_IMAGE };

static ir_code infer_grid(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_size batch = ir_size_of("the batch");
  out->type = ir_inputs_type(node, in, GRID_PRIORS, GRID_IMAGE);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "flatten", "true", "false", scope);
  out->poisoned = !ir_size_check(node, in, GRID_PRIORS, 1, ir_dim_of(4), coordinates, scope) ||
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

/* Writes all priors for each grid cell, moved to the cell's center. */
static ir_code run_grid(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const detectron_params *params = step->state;
  const int64_t rows = in[GRID_FEATURES]->dims[2], columns = in[GRID_FEATURES]->dims[3], n = in[GRID_PRIORS]->dims[0];
  const ir_tensor *image = in[GRID_IMAGE];
  const double given_x = (float)params->other.real[3], given_y = (float)params->other.real[4];
  const double step_x = given_x != 0 ? given_x : (double)image->dims[3] / (double)columns;
  const double step_y = given_y != 0 ? given_y : (double)image->dims[2] / (double)rows;
  int64_t at = 0, since = 0;
  for (int64_t row = 0; row < rows; row++)
    for (int64_t column = 0; column < columns; column++)
      for (int64_t i = 0; i < n; i++, at += 4) {
        if (ir_stop_asked_after(exec->stop, 0, 1, &since))
          return IR_OK;
        const double x = ((double)column + 0.5) * step_x, y = ((double)row + 0.5) * step_y;
        double corners[4];
        for (int k = 0; k < 4; k++)
          corners[k] = ir_float_at(in[GRID_PRIORS], i * 4 + k) + (k % 2 == 0 ? x : y);
        ir_floats_store(out[0], at, corners, 4);
      }
  return IR_OK;
}

static const ir_kernel grid_kernel = {.name = "detectron_grid", .isa = "any", .run = run_grid};

/* Requires the attributes h and w to be 0 (absent) or the features' size. A grid of another size would drop boxes. */
static ir_code prepare_grid(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const detectron_params *params = node->params;
  const ir_dim *dims = in[GRID_FEATURES]->shape.dims;
  const int64_t height = params->other.number[1], width = params->other.number[2];
  if ((height != 0 && height != dims[2].lo) || (width != 0 && width != dims[3].lo))
    return report_sizes(node, scope);
  return ir_plan_step_of_floats(plan, node, &grid_kernel, params, 0);
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
    .inputs = IR_PORTS(T_PORT("priors", 2), T_PORT("feature_map", 4), T_PORT("im_data", 4)),
    .outputs = IR_PORTS(IR_PORT_RANKS("priors_grid", "T", IR_SET_FLOATS, 2, 4)),
    .infer = infer_grid,
    .run = {IR_RUN_PREPARED, .prepare = prepare_grid},
    .cost = ir_elementwise_cost,
};

/* ---- ROIFeatureExtractor ---- */

static ir_code infer_features(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t size = ((const detectron_params *)node->params)->output_size;
  ir_size channels = ir_size_of("number_of_channels");
  out[0].type = out[1].type = ir_inputs_type(node, in, 0, node->n_inputs - 1);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  bool fits = ir_size_check(node, in, 0, 1, ir_dim_of(4), coordinates, scope);
  for (int32_t i = 1; i < node->n_inputs && fits; i++)
    fits = ir_size_check(node, in, i, 0, ir_dim_of(1), "one image", scope) &&
           ir_size_join(node, in, i, 1, &channels, scope);
  if (!fits) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  const ir_dim rois = ir_input_dim(node, in, 0, 0);
  out[0].shape = (ir_shape){4, {rois, channels.dim, ir_dim_of(size), ir_dim_of(size)}};
  out[1].shape = (ir_shape){2, {rois, ir_dim_of(4)}};
  return IR_OK;
}

typedef struct features_work {
  const detectron_params *params;
  const ir_tensor *const *in;
  int64_t n_levels;
  const ir_tensor *out;
  const ir_exec *exec;
} features_work;

static double area_of(const double *corner) {
  return (corner[2] - corner[0]) * (corner[3] - corner[1]);
}

/* Pyramid level of a region: 2 if sqrt(area) is 224, one less for each halving, one more for each doubling, clamped to
 * the given levels. -1: the area is not positive. */
static int64_t level_of(const features_work *work, const double *corner) {
  const double area = area_of(corner);
  if (!(area > 0))
    return -1;
  const double level = floor(log2(sqrt(area) / 224 + 1e-6) + 2);
  return level < 0 ? 0 : level < (double)work->n_levels ? (int64_t)level : work->n_levels - 1;
}

static void extract(void *user, int64_t begin, int64_t end, int worker) {
  const features_work *work = user;
  const detectron_params *params = work->params;
  const int64_t size = params->output_size, n = work->out->dims[1] * size * size;
  for (int64_t roi = begin; roi < end; roi++) {
    double corner[4];
    for (int k = 0; k < 4; k++)
      corner[k] = ir_float_at(work->in[0], roi * 4 + k);
    const int64_t level = level_of(work, corner);
    if (level < 0 || ir_tensor_elements(work->in[1 + level]) == 0) {
      const double none = isnan(area_of(corner)) ? NAN : 0;
      for (int64_t i = 0; i < n; i++)
        ir_floats_store(work->out, roi * n + i, &none, 1);
      continue;
    }
    const double scale = (float)(1.0 / (double)params->other.numbers[0].items[level]);
    const double shift = params->other.flag[1] ? 0.5 : 0;
    ir_roi_grid grid = {.x = corner[0] * scale - shift,
                        .y = corner[1] * scale - shift,
                        .bin_width = fmax((corner[2] - corner[0]) * scale, 1) / (double)size,
                        .bin_height = fmax((corner[3] - corner[1]) * scale, 1) / (double)size,
                        .cosine = 1,
                        .stop = work->exec->stop,
                        .worker = worker,
                        .scratch = ir_exec_scratch(work->exec, worker),
                        .pooled_h = size,
                        .pooled_w = size};
    grid.n_x = ir_roi_samples(params->other.number[3], grid.bin_width);
    grid.n_y = ir_roi_samples(params->other.number[3], grid.bin_height);
    ir_roi_grid_pool(&grid, work->in[1 + level], 0, false, work->out, roi * n);
  }
}

static ir_code run_features(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  features_work work = {step->state, in, step->n_in - 1, out[0], exec};
  const int64_t n = out[1] != NULL ? ir_tensor_elements(in[0]) : 0;
  int64_t since = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++) {
    const double number = ir_float_at(in[0], i);
    ir_floats_store(out[1], i, &number, 1);
  }
  if (out[0] != NULL && ir_tensor_elements(out[0]) > 0)
    exec->share(exec, out[0]->dims[0], 4 * (int64_t)out[0]->bytes, extract, &work);
  return IR_OK;
}

static const ir_kernel features_kernel = {.name = "detectron_features", .isa = "any", .run = run_features};

static ir_code prepare_features(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const detectron_params *params = node->params;
  if (params->other.numbers[0].n < node->n_inputs - 1)
    return report_sizes(node, scope);
  for (int32_t i = 1; i < node->n_inputs; i++)
    if (in[i]->shape.dims[0].lo < 1 || in[i]->shape.dims[1].lo != in[1]->shape.dims[1].lo)
      return report_sizes(node, scope);
  ir_code code = ir_roi_check_samples(node, "sampling_ratio", params->other.number[3], scope);
  for (int32_t i = 1; i < node->n_inputs && code == IR_OK; i++)
    code = ir_plane_taps_check(node, i, &in[i]->shape, scope);
  return code == IR_OK ? ir_plan_step_of_floats(plan, node, &features_kernel, params, ir_roi_scratch()) : code;
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
    .inputs = IR_PORTS(
        T_PORT("rois", 2),
        {.name = "pyramid", .type_var = "T", .types = IR_SET_FLOATS, .rank_min = 4, .rank_max = 4, .variadic = true}),
    .outputs = IR_PORTS(T_PORT("rois_features", 4), T_PORT("rois", 2)),
    .infer = infer_features,
    .run = {IR_RUN_PREPARED, .prepare = prepare_features},
    .cost = ir_elementwise_cost,
};

/* ---- TopKROIs ---- */

static ir_code infer_best(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_size rois = ir_size_of("number_of_ROIs");
  out->type = ir_inputs_type(node, in, 0, 1);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->poisoned = !ir_size_check(node, in, 0, 1, ir_dim_of(4), coordinates, scope) ||
                  !ir_size_join(node, in, 0, 0, &rois, scope) || !ir_size_join(node, in, 1, 0, &rois, scope);
  out->shape = ir_shape_of(2, (const int64_t[]){((const detectron_params *)node->params)->max_rois, 4});
  return IR_OK;
}

/* If the output has more rows than there are regions, the remaining rows are 0. */
static ir_code run_best(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  ir_scored *items = exec->scratch;
  const int64_t n = in[1]->dims[0];
  int64_t since = 0;
  memset(out[0]->data, 0, out[0]->bytes);
  for (int64_t i = 0; i < n && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++)
    items[i] = (ir_scored){ir_float_at(in[1], i), i, 0};
  const int64_t n_best = ir_scored_best(items, n, out[0]->dims[0], exec->stop);
  for (int64_t i = 0; i < n_best && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++) {
    double corners[4];
    for (int k = 0; k < 4; k++)
      corners[k] = ir_float_at(in[0], items[i].index * 4 + k);
    ir_floats_store(out[0], i * 4, corners, 4);
  }
  return IR_OK;
}

static const ir_kernel best_kernel = {.name = "detectron_best", .isa = "any", .run = run_best};

static ir_code prepare_best(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  size_t bytes;
  if (in[0]->shape.dims[0].lo != in[1]->shape.dims[0].lo)
    return report_sizes(node, scope);
  if (__builtin_mul_overflow((size_t)in[1]->shape.dims[0].lo, sizeof(ir_scored), &bytes))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_of_floats(plan, node, &best_kernel, node->params, bytes);
}

static const ir_attr_spec best_attrs[] = {COUNT_ROW("max_rois", max_rois, 0, .fallback = "0"), {.name = NULL}};

const ir_op ir_op_experimental_detectron_top_k_rois_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronTopKROIs",
    .version = 6,
    .spec = IR_SPEC_PAGE("sort/experimental-detectron-top-krois-6"),
    .params_size = sizeof(detectron_params),
    .attrs = best_attrs,
    .inputs = IR_PORTS(T_PORT("rois", 2), T_PORT("probabilities", 1)),
    .outputs = IR_PORTS(T_PORT("rois", 2)),
    .infer = infer_best,
    .run = {IR_RUN_PREPARED, .prepare = prepare_best},
    .cost = ir_elementwise_cost,
};

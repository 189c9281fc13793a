/* ROIPooling-2, PSROIPooling-1, DeformablePSROIPooling-1, ROIAlign-3 and -9, and ROIAlignRotated-15 pool regions of
 * interest of feature maps [N, C, H, W]. The output is [regions, channels, height, width]. Pages:
 * operation-specs/detection/roi-*, psroi-pooling-1, deformable-psroi-pooling-1. */
#include "ops/detection/roi_pooling.h"
#include "ops/agree.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/prepare.h"

static void check_scale(const ir_node *node, ir_scope *scope) {
  const double scale = ((const ir_roi_params *)node->params)->spatial_scale;
  if (node->attrs_at_fault == 0 && !(scale > 0))
    ir_report_number(node, "spatial_scale", scale, "a number above 0", scope);
}

/* Checks that a region has `n_columns` numbers. If has_batches, also checks that input 2 has one image index for each
 * region. */
static bool join_regions(const ir_node *node, const ir_value *const *in, int64_t n_columns, bool has_batches,
                         ir_size *regions, ir_scope *scope) {
  return ir_size_check(node, in, IR_ROI_ROIS, 1, ir_dim_of(n_columns), "numbers of a region", scope) &&
         ir_size_join(node, in, IR_ROI_ROIS, 0, regions, scope) &&
         (!has_batches || ir_size_join(node, in, IR_ROI_BATCHES, 0, regions, scope));
}

static ir_shape pooled_shape(const ir_size *regions, ir_dim channels, int64_t height, int64_t width) {
  return (ir_shape){.rank = 4, .dims = {regions->dim, channels, ir_dim_of(height), ir_dim_of(width)}};
}

static ir_code infer_pooled(const ir_node *node, const ir_value *const *in, int64_t n_columns, bool has_batches,
                            ir_value *out, ir_scope *scope) {
  const ir_roi_params *params = node->params;
  ir_size regions = ir_size_of("the number of regions");
  out->type = ir_inputs_type(node, in, IR_ROI_FEATURES, IR_ROI_ROIS);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->poisoned = !join_regions(node, in, n_columns, has_batches, &regions, scope);
  out->shape = pooled_shape(&regions, ir_input_dim(node, in, IR_ROI_FEATURES, 1), params->pooled_h, params->pooled_w);
  return IR_OK;
}

static ir_code infer_pooling(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_pooled(node, in, 5, false, out, scope);
}

static ir_code infer_align(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_pooled(node, in, 4, true, out, scope);
}

static ir_code infer_rotated(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_pooled(node, in, 5, true, out, scope);
}

/* ---- PSROIPooling and DeformablePSROIPooling ---- */

/* Checks that the feature maps have output_dim channels for each part of a region. */
static bool check_channels(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_roi_params *params = node->params;
  const bool bilinear = params->mode == IR_ROI_BILINEAR;
  const ir_dim parts = bilinear ? ir_dims_product(ir_dim_of(params->spatial_bins_x), ir_dim_of(params->spatial_bins_y))
                                : ir_dims_product(ir_dim_of(params->group_size), ir_dim_of(params->group_size));
  return ir_size_check(
      node, in, IR_ROI_FEATURES, 1, ir_dims_product(parts, ir_dim_of(params->output_dim)),
      bilinear ? "output_dim * spatial_bins_x * spatial_bins_y" : "output_dim * group_size * group_size", scope);
}

static ir_code infer_position_sensitive(const ir_node *node, const ir_value *const *in, ir_value *out,
                                        ir_scope *scope) {
  const ir_roi_params *params = node->params;
  ir_size regions = ir_size_of("the number of regions");
  out->type = ir_inputs_type(node, in, IR_ROI_FEATURES, IR_ROI_ROIS);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->poisoned = !join_regions(node, in, 5, false, &regions, scope);
  out->shape = pooled_shape(&regions, ir_dim_of(params->output_dim), params->group_size, params->group_size);
  return IR_OK;
}

static ir_code infer_psroi(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  infer_position_sensitive(node, in, out, scope);
  if (!out->poisoned)
    out->poisoned = !check_channels(node, in, scope);
  return IR_OK;
}

/* In mode 'average', spatial_bins_x and spatial_bins_y have no effect. OpenVINO writes 0 for both, so irrun accepts
 * 0. */
static void check_psroi(const ir_node *node, ir_scope *scope) {
  const ir_roi_params *params = node->params;
  check_scale(node, scope);
  ir_warn_of_default(node, "mode", "average", "refused", scope);
  ir_warn_of_default(node, "group_size", "1", "refused", scope);
  if (node->attrs_at_fault != 0 || params->mode != IR_ROI_BILINEAR)
    return;
  ir_warn_of_default(node, "spatial_bins_x", "1", "refused", scope);
  ir_warn_of_default(node, "spatial_bins_y", "1", "refused", scope);
  if (params->spatial_bins_x == 0)
    ir_report_number(node, "spatial_bins_x", 0, "1 or more in the mode 'bilinear'", scope);
  if (params->spatial_bins_y == 0)
    ir_report_number(node, "spatial_bins_y", 0, "1 or more in the mode 'bilinear'", scope);
}

/* ---- schemas ---- */

#define AT(field)                  offsetof(ir_roi_params, field)
#define SIZE_ROW(text, field, ...) IR_INT_ROW(text, AT(field), 1, INT32_MAX, __VA_ARGS__)
#define SCALE_ROW                  IR_FLOAT_ROW("spatial_scale", AT(spatial_scale), .required = true)
#define POOLED_ROWS                                                                                                    \
  SIZE_ROW("pooled_h", pooled_h, .required = true), SIZE_ROW("pooled_w", pooled_w, .required = true), SCALE_ROW
#define SAMPLING_ROW IR_INT_ROW("sampling_ratio", AT(other.number[0]), 0, INT32_MAX, .required = true)
#define GROUP_ROWS                                                                                                     \
  SIZE_ROW("output_dim", output_dim, .required = true), SCALE_ROW, SIZE_ROW("group_size", group_size, .fallback = "1")

static const char *const pooling_methods[] = {"max", "bilinear", NULL};
static const char *const psroi_modes[] = {"average", "bilinear", NULL};
static const char *const deformable_modes[] = {"bilinear_deformable", NULL};
static const char *const align_modes[] = {"avg", "max", NULL};
static const char *const aligned_modes[] = {"asymmetric", "half_pixel_for_nn", "half_pixel", NULL};

static const ir_attr_spec pooling_attrs[] = {
    POOLED_ROWS, IR_ENUM_ROW("method", AT(mode), pooling_methods, .fallback = "max"), {.name = NULL}};
/* OpenVINO repeats the pooled sizes in these attributes. */
static const char *const pooling_ignored_attrs[] = {"output_size", "output_roi", NULL};
static const ir_attr_spec psroi_attrs[] = {
    GROUP_ROWS,
    IR_ENUM_ROW("mode", AT(mode), psroi_modes, .fallback = "average"),
    IR_INT_ROW("spatial_bins_x", AT(spatial_bins_x), 0, INT32_MAX, .fallback = "1"),
    IR_INT_ROW("spatial_bins_y", AT(spatial_bins_y), 0, INT32_MAX, .fallback = "1"),
    {.name = NULL}};
static const ir_attr_spec deformable_attrs[] = {
    GROUP_ROWS,
    IR_ENUM_ROW("mode", AT(mode), deformable_modes, .fallback = "bilinear_deformable"),
    SIZE_ROW("spatial_bins_x", spatial_bins_x, .fallback = "1"),
    SIZE_ROW("spatial_bins_y", spatial_bins_y, .fallback = "1"),
    IR_FLOAT_ROW("trans_std", AT(other.real[0]), .fallback = "1"),
    SIZE_ROW("part_size", other.number[1], .fallback = "1"),
    {.name = NULL}};
static const ir_attr_spec align_3_attrs[] = {
    POOLED_ROWS, SAMPLING_ROW, IR_ENUM_ROW("mode", AT(mode), align_modes, .required = true), {.name = NULL}};
static const ir_attr_spec align_9_attrs[] = {
    POOLED_ROWS,
    SAMPLING_ROW,
    IR_ENUM_ROW("mode", AT(mode), align_modes, .required = true),
    IR_ENUM_ROW("aligned_mode", AT(other.word[0]), aligned_modes, .fallback = "asymmetric"),
    {.name = NULL}};
static const ir_attr_spec rotated_attrs[] = {
    POOLED_ROWS, SAMPLING_ROW, IR_BOOL_ROW("clockwise_mode", AT(other.flag[0]), "false"), {.name = NULL}};

/* ---- running ---- */

ir_code ir_roi_check_samples(const ir_node *node, const char *name, int64_t n, ir_scope *scope) {
  if (n <= IR_MAX_SAMPLES)
    return IR_OK;
  return ir_report(scope->diags, IR004_LIMIT_EXCEEDED, ir_attr_where(scope, node, name),
                   "%lld samples of a bin on each axis; irrun computes at most %lld", (long long)n,
                   (long long)IR_MAX_SAMPLES);
}

static ir_code prepare_pooling(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  const ir_roi_params *params = node->params;
  return ir_roi_prepare(node, in, plan, scope, params->mode == IR_ROI_BILINEAR ? ir_roi_pool_bilinear : ir_roi_pool_max,
                        true);
}

static ir_code prepare_psroi(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  const ir_roi_params *params = node->params;
  return ir_roi_prepare(node, in, plan, scope, params->mode == IR_ROI_BILINEAR ? ir_roi_psroi_bilinear : ir_roi_average,
                        true);
}

static ir_code report_sizes(const ir_node *node, int port, ir_scope *scope) {
  return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, port, -1),
                        "irrun does not run these sizes of '%s' with these attributes", node->op->inputs[port].name);
}

/* Requires offsets [regions, 2 * n_classes, part_size, part_size]; axes 0, 2 and 3 can be larger. The output's channels
 * are divided into n_classes classes of equal size; the channels of a class share their offsets. */
static ir_code prepare_deformable(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_roi_params *params = node->params;
  const int64_t part_size = params->other.number[1];
  int64_t channels;
  if (!ir_mul(params->group_size, params->group_size, &channels) || !ir_mul(channels, params->output_dim, &channels) ||
      in[IR_ROI_FEATURES]->shape.dims[1].lo != channels)
    return report_sizes(node, IR_ROI_FEATURES, scope);
  if (node->n_inputs > 2) {
    const ir_dim *dims = in[2]->shape.dims;
    const int64_t n_classes = dims[1].lo / 2;
    if (dims[0].lo < in[IR_ROI_ROIS]->shape.dims[0].lo || n_classes == 0 || dims[1].lo % 2 != 0 ||
        params->output_dim % n_classes != 0 || dims[2].lo < part_size || dims[3].lo < part_size)
      return report_sizes(node, 2, scope);
  }
  const ir_code code = ir_code_worse(ir_roi_check_samples(node, "spatial_bins_x", params->spatial_bins_x, scope),
                                     ir_roi_check_samples(node, "spatial_bins_y", params->spatial_bins_y, scope));
  return code == IR_OK ? ir_roi_prepare(node, in, plan, scope, ir_roi_deformable, true) : code;
}

static ir_code prepare_sampled(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                               ir_roi_bins *bins) {
  const ir_roi_params *params = node->params;
  const ir_code code = ir_roi_check_samples(node, "sampling_ratio", params->other.number[0], scope);
  return code == IR_OK ? ir_roi_prepare(node, in, plan, scope, bins, false) : code;
}

static ir_code prepare_align(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return prepare_sampled(node, in, plan, scope, ir_roi_align);
}

static ir_code prepare_rotated(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return prepare_sampled(node, in, plan, scope, ir_roi_align_rotated);
}

/* ---- rows of the op table ---- */

#define ROI_OP(text, number, page, schema, rule, check, run_by)                                                        \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("detection/" page),                    \
  .params_size = sizeof(ir_roi_params), .attrs = schema, .check_attributes = check, .infer = rule,                     \
  .run = {IR_RUN_PREPARED, .prepare = run_by}, .cost = ir_elementwise_cost,                                            \
  .outputs = IR_PORTS(IR_PORT("output", "T", IR_SET_FLOATS, 4))
#define CHECKED(port, var, set, rank)                                                                                  \
  { .name = port, .type_var = var, .types = set, .rank_min = rank, .rank_max = rank, .checked = true }
#define MAPS_AND_ROIS(roi_var) IR_PORT("feat_maps", "T", IR_SET_FLOATS, 4), CHECKED("rois", roi_var, IR_SET_FLOATS, 2)
#define BATCH_INDICES          CHECKED("batch_indices", "IND_T", IR_SET_INTEGERS, 1)

const ir_op ir_op_roi_pooling_2 = {
    ROI_OP("ROIPooling", 2, "roi-pooling-1", pooling_attrs, infer_pooling, check_scale, prepare_pooling),
    .ignored_attrs = pooling_ignored_attrs, .inputs = IR_PORTS(MAPS_AND_ROIS("T"))};
const ir_op ir_op_psroi_pooling_1 = {
    ROI_OP("PSROIPooling", 1, "psroi-pooling-1", psroi_attrs, infer_psroi, check_psroi, prepare_psroi),
    .inputs = IR_PORTS(MAPS_AND_ROIS("T_ROIS"))};
const ir_op ir_op_deformable_psroi_pooling_1 = {ROI_OP("DeformablePSROIPooling", 1, "deformable-psroi-pooling-1",
                                                       deformable_attrs, infer_position_sensitive, check_scale,
                                                       prepare_deformable),
                                                .inputs = IR_PORTS(IR_PORT("feat_maps", "T", IR_SET_FLOATS, 4),
                                                                   {.name = "rois",
                                                                    .type_var = "T",
                                                                    .types = IR_SET_FLOATS,
                                                                    .types_may_differ = true,
                                                                    .checked = true,
                                                                    .rank_min = 2,
                                                                    .rank_max = 2},
                                                                   {.name = "offsets",
                                                                    .type_var = "T",
                                                                    .types = IR_SET_FLOATS,
                                                                    .types_may_differ = true,
                                                                    .rank_min = 4,
                                                                    .rank_max = 4,
                                                                    .optional = true})};
const ir_op ir_op_roi_align_3 = {
    ROI_OP("ROIAlign", 3, "roi-align-3", align_3_attrs, infer_align, check_scale, prepare_align),
    .reads_any_layout = true, .inputs = IR_PORTS(MAPS_AND_ROIS("T"), BATCH_INDICES)};
const ir_op ir_op_roi_align_9 = {
    ROI_OP("ROIAlign", 9, "roi-align-9", align_9_attrs, infer_align, check_scale, prepare_align),
    .reads_any_layout = true, .inputs = IR_PORTS(MAPS_AND_ROIS("T"), BATCH_INDICES)};
const ir_op ir_op_roi_align_rotated_15 = {
    ROI_OP("ROIAlignRotated", 15, "roi-align-rotated-15", rotated_attrs, infer_rotated, check_scale, prepare_rotated),
    .reads_any_layout = true, .inputs = IR_PORTS(MAPS_AND_ROIS("T"), BATCH_INDICES)};

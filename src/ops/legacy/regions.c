/* Layers of regions and of text that have an op of nearly the same form: ROIPooling, PSROIPooling, RegionYolo,
 * ReorgYolo, CTCGreedyDecoder and those of Detectron. */
#include "ops/legacy/legacy.h"

/* ---- ROIPooling and PSROIPooling ---- */

static const ir_attr_spec roi_attrs[] = {
    IR_LEGACY_TEXT("pooled_h"),
    IR_LEGACY_TEXT("pooled_w"),
    IR_LEGACY_TEXT("spatial_scale"),
    IR_LEGACY_TEXT("method"),
    IR_LEGACY_END,
};

static void expand_roi_pooling(ir_expansion *x) {
  const ir_wire made =
      IR_NEW(x, "ROIPooling", 2, ir_old_input(x, 0), ir_old_input_of_rank(x, 1, 2, (int64_t[]){0, -1}));
  ir_copy_attributes(x, made);
  ir_give_output(x, 0, made);
}

typedef struct psroi_params {
  int mode;
  bool no_trans;
  double trans_std;
  int64_t part_size;
} psroi_params;

static const char *const modes[] = {"average", "bilinear", "bilinear_deformable", NULL};
enum { AVERAGE, BILINEAR, DEFORMABLE };

static const ir_attr_spec psroi_attrs[] = {
    IR_LEGACY_ENUM("mode", psroi_params, mode, modes, .fallback = "average"),
    IR_LEGACY_BOOL("no_trans", psroi_params, no_trans, .fallback = "true"),
    IR_LEGACY_TEXT("output_dim"),
    IR_LEGACY_TEXT("group_size"),
    IR_LEGACY_TEXT("spatial_scale"),
    IR_LEGACY_TEXT("spatial_bins_x"),
    IR_LEGACY_TEXT("spatial_bins_y"),
    IR_LEGACY_FLOAT("trans_std", psroi_params, trans_std, .fallback = "1"),
    IR_LEGACY_INT("part_size", psroi_params, part_size, .fallback = "1"),
    IR_LEGACY_END,
};

static void expand_psroi_pooling(ir_expansion *x) {
  const psroi_params *p = x->node->params;
  const bool is_deformable = p->mode == DEFORMABLE;
  const ir_wire inputs[] = {ir_old_input(x, 0), ir_old_input_of_rank(x, 1, 2, (int64_t[]){0, -1}), ir_old_input(x, 2)};
  const int n = is_deformable && !p->no_trans ? 3 : 2;
  const ir_wire made = ir_new_op(x, is_deformable ? "DeformablePSROIPooling" : "PSROIPooling", 1, 1, n, inputs);
  ir_set_text(x, made, "mode", modes[p->mode]);
  ir_copy_attributes(x, made);
  if (is_deformable) {
    ir_set_float(x, made, "trans_std", p->trans_std);
    ir_set_int(x, made, "part_size", p->part_size);
  }
  ir_give_output(x, 0, made);
}

/* ---- RegionYolo and ReorgYolo ---- */

static const ir_attr_spec region_attrs[] = {
    IR_LEGACY_TEXT("classes"),
    IR_LEGACY_TEXT("coords"),
    IR_LEGACY_TEXT("num"),
    IR_LEGACY_TEXT("mask"),
    IR_LEGACY_TEXT("do_softmax", .fallback = "true"),
    IR_LEGACY_TEXT("axis", .fallback = "1"),
    IR_LEGACY_TEXT("end_axis", .fallback = "1"),
    IR_LEGACY_TEXT("anchors"),
    IR_LEGACY_END,
};
static const ir_attr_spec reorg_attrs[] = {IR_LEGACY_TEXT("stride"), IR_LEGACY_END};

/* ---- CTCGreedyDecoder ---- */

static const ir_attr_spec ctc_attrs[] = {IR_LEGACY_TEXT("ctc_merge_repeated"), IR_LEGACY_END};

/* The mask [T, N] tells which steps continue a sequence, so that the first step always counts; Caffe has 0 there. The
 * op's mask has 0 behind the end only. */
static void expand_ctc(ir_expansion *x) {
  const ir_wire rest = IR_NEW(x, "Slice", 8, ir_old_input(x, 1), IR_NEW_INTS(x, 1), IR_NEW_INTS(x, INT64_MAX),
                              IR_NEW_INTS(x, 1), IR_NEW_INTS(x, 0));
  const ir_wire mask =
      IR_NEW(x, "Pad", 1, rest, IR_NEW_INTS(x, 1, 0), IR_NEW_INTS(x, 0, 0), ir_new_number(x, ir_old_type(x, 1), 1));
  ir_set_text(x, mask, "pad_mode", "constant");
  const ir_wire made = IR_NEW(x, "CTCGreedyDecoder", 1, ir_old_input(x, 0), mask);
  ir_copy_attributes(x, made);
  ir_give_output(x, 0, made);
}

/* ---- Detectron ---- */

static const ir_attr_spec detectron_attrs[] = {
    IR_LEGACY_TEXT("score_threshold"),
    IR_LEGACY_TEXT("nms_threshold"),
    IR_LEGACY_TEXT("num_classes"),
    IR_LEGACY_TEXT("post_nms_count"),
    IR_LEGACY_TEXT("max_detections_per_image"),
    IR_LEGACY_TEXT("class_agnostic_box_regression"),
    IR_LEGACY_TEXT("max_delta_log_wh"),
    IR_LEGACY_TEXT("deltas_weights"),
    IR_LEGACY_END,
};
static const ir_attr_spec generate_attrs[] = {
    IR_LEGACY_TEXT("min_size"),
    IR_LEGACY_TEXT("nms_threshold"),
    IR_LEGACY_TEXT("pre_nms_count"),
    IR_LEGACY_TEXT("post_nms_count"),
    IR_LEGACY_END,
};
static const ir_attr_spec grid_attrs[] = {
    IR_LEGACY_TEXT("flatten"),  IR_LEGACY_TEXT("h"),        IR_LEGACY_TEXT("w"),
    IR_LEGACY_TEXT("stride_x"), IR_LEGACY_TEXT("stride_y"), IR_LEGACY_END,
};
static const ir_attr_spec extractor_attrs[] = {
    IR_LEGACY_TEXT("output_size"),
    IR_LEGACY_TEXT("sampling_ratio"),
    IR_LEGACY_TEXT("pyramid_scales"),
    IR_LEGACY_TEXT("aligned"),
    IR_LEGACY_END,
};
static const ir_attr_spec top_attrs[] = {IR_LEGACY_TEXT("max_rois"), IR_LEGACY_END};

/* An op of the same name, attributes, inputs and outputs: the family of a row. The op always has `n_outputs`. */
typedef struct same_op {
  int opset, n_outputs;
  bool has_image; /* input 0 is the size of an image, which was [1, 3] too */
} same_op;

static void expand_same(ir_expansion *x) {
  const same_op *same = x->node->op->family;
  ir_wire *inputs = ir_old_inputs(x);
  if (inputs == NULL)
    return;
  if (same->has_image)
    inputs[0] = ir_old_input_of_rank(x, 0, 1, (int64_t[]){-1});
  const ir_wire made = ir_new_op(x, x->node->op->type, same->opset, same->n_outputs, x->node->n_inputs, inputs);
  ir_copy_attributes(x, made);
  for (int32_t p = 0; p < same->n_outputs; p++)
    ir_give_output(x, p, ir_port_of(made, p));
}

/* The op of the same name, and what else expand_same reads. */
#define SAME(...)                                                                                                      \
  expand_same, .family = &(const same_op) {                                                                            \
    __VA_ARGS__                                                                                                        \
  }
#define TWO_IN IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("regions"))

IR_LEGACY_ROW(roi_pooling, "ROIPooling", 0, roi_attrs, TWO_IN, IR_LEGACY_ONE_OUT, expand_roi_pooling);
IR_LEGACY_ROW(psroi_pooling, "PSROIPooling", sizeof(psroi_params), psroi_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("regions"), IR_LEGACY_MORE("offsets")), IR_LEGACY_ONE_OUT,
              expand_psroi_pooling);
IR_LEGACY_ROW(region_yolo, "RegionYolo", 0, region_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, SAME(1, 1, false));
IR_LEGACY_ROW(reorg_yolo, "ReorgYolo", 0, reorg_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, SAME(2, 1, false));
IR_LEGACY_ROW(ctc_greedy_decoder, "CTCGreedyDecoder", 0, ctc_attrs,
              IR_PORTS(IR_LEGACY_PORT("probabilities"), IR_LEGACY_PORT("mask")), IR_LEGACY_ONE_OUT, expand_ctc);
IR_LEGACY_ROW(detectron_detection_output, "ExperimentalDetectronDetectionOutput", 0, detectron_attrs,
              IR_PORTS(IR_LEGACY_PORT("rois"), IR_LEGACY_PORT("deltas"), IR_LEGACY_PORT("scores"),
                       IR_LEGACY_PORT("im_info")),
              IR_PORTS(IR_LEGACY_PORT("boxes"), IR_LEGACY_MORE("classes"), IR_LEGACY_MORE("scores")),
              SAME(6, 3, false));
IR_LEGACY_ROW(detectron_proposals, "ExperimentalDetectronGenerateProposalsSingleImage", 0, generate_attrs,
              IR_PORTS(IR_LEGACY_PORT("im_info"), IR_LEGACY_PORT("anchors"), IR_LEGACY_PORT("deltas"),
                       IR_LEGACY_PORT("scores")),
              IR_PORTS(IR_LEGACY_PORT("rois"), IR_LEGACY_MORE("scores")), SAME(6, 2, true));
IR_LEGACY_ROW(detectron_grid, "ExperimentalDetectronPriorGridGenerator", 0, grid_attrs,
              IR_PORTS(IR_LEGACY_PORT("priors"), IR_LEGACY_MORE("feature_map"), IR_LEGACY_MORE("im_data")),
              IR_LEGACY_ONE_OUT, SAME(6, 1, false));
IR_LEGACY_ROW(detectron_extractor, "ExperimentalDetectronROIFeatureExtractor", 0, extractor_attrs,
              IR_PORTS(IR_LEGACY_PORT("rois"), IR_LEGACY_MANY("pyramid")),
              IR_PORTS(IR_LEGACY_PORT("features"), IR_LEGACY_MORE("rois")), SAME(6, 2, false));
IR_LEGACY_ROW(detectron_top, "ExperimentalDetectronTopKROIs", 0, top_attrs, TWO_IN, IR_LEGACY_ONE_OUT,
              SAME(6, 1, false));

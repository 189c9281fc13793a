/* Layers that choose boxes: DetectionOutput, Proposal, SimplerNMS and NonMaxSuppression. */
#include "ops/legacy/legacy.h"

/* ---- DetectionOutput ---- */

typedef struct params {
  bool normalized, clip, clip_before_nms, variance_encoded;
  int64_t input_height, input_width;
} params;

static const ir_attr_spec attrs[] = {
    IR_LEGACY_BOOL("normalized", params, normalized, .fallback = "true"),
    IR_LEGACY_BOOL("clip", params, clip, .fallback = "false"),
    IR_LEGACY_BOOL("clip_before_nms", params, clip_before_nms, .fallback = "false"),
    IR_LEGACY_BOOL("variance_encoded_in_target", params, variance_encoded, .fallback = "false"),
    IR_LEGACY_INT("input_height", params, input_height, .fallback = "1"),
    IR_LEGACY_INT("input_width", params, input_width, .fallback = "1"),
    IR_LEGACY_TEXT("num_classes"),
    IR_LEGACY_TEXT("background_label_id"),
    IR_LEGACY_TEXT("top_k"),
    IR_LEGACY_TEXT("keep_top_k"),
    IR_LEGACY_TEXT("code_type"),
    IR_LEGACY_TEXT("share_location"),
    IR_LEGACY_TEXT("nms_threshold"),
    IR_LEGACY_TEXT("confidence_threshold", .fallback = "-3.402823466e+38"),
    IR_LEGACY_TEXT("clip_after_nms"),
    IR_LEGACY_TEXT("decrease_label_id"),
    IR_LEGACY_TEXT("objectness_score"),
    IR_LEGACY_END,
};

static void expand_detection_output(ir_expansion *x) {
  const params *p = x->node->params;
  const int n = x->node->n_inputs > 3 ? 5 : 3;
  ir_wire inputs[5];
  for (int32_t i = 0; i < n; i++)
    inputs[i] = i == 2 ? ir_old_input_of_rank(x, i, 3, (int64_t[]){0, p->variance_encoded ? 1 : 2, -1})
                       : ir_old_input_of_rank(x, i, 2, (int64_t[]){0, -1});
  const ir_wire made = ir_new_op(x, "DetectionOutput", 1, 1, n, inputs);
  ir_copy_attributes(x, made);
  ir_set_bool(x, made, "normalized", p->normalized);
  ir_set_bool(x, made, "clip_before_nms", p->clip || p->clip_before_nms);
  ir_set_bool(x, made, "variance_encoded_in_target", p->variance_encoded);
  /* nobody reads the size of an image of normalized boxes, and many files have -1 */
  if (!p->normalized) {
    ir_set_int(x, made, "input_height", p->input_height);
    ir_set_int(x, made, "input_width", p->input_width);
  }
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* ---- Proposal ---- */

static const ir_attr_spec proposal_attrs[] = {
    IR_LEGACY_TEXT("base_size"),      IR_LEGACY_TEXT("feat_stride"),     IR_LEGACY_TEXT("min_size"),
    IR_LEGACY_TEXT("pre_nms_topn"),   IR_LEGACY_TEXT("post_nms_topn"),   IR_LEGACY_TEXT("nms_thresh"),
    IR_LEGACY_TEXT("ratio"),          IR_LEGACY_TEXT("scale"),           IR_LEGACY_TEXT("box_coordinate_scale"),
    IR_LEGACY_TEXT("box_size_scale"), IR_LEGACY_TEXT("clip_before_nms"), IR_LEGACY_TEXT("clip_after_nms"),
    IR_LEGACY_TEXT("normalize"),      IR_LEGACY_TEXT("framework"),       IR_LEGACY_END,
};

/* The size of the image and its scales, [3] or [4]. Caffe's layers can have more numbers, which nobody reads. */
static ir_wire image_of(ir_expansion *x) {
  const ir_wire image =
      ir_new_convert(x, ir_old_input_of_rank(x, 2, 1, (int64_t[]){-1}), ir_old_type(x, 2), ir_old_type(x, 0));
  if (ir_old_dim(x, 2, ir_old_rank(x, 2) - 1) <= 4)
    return image;
  return IR_NEW(x, "Slice", 8, image, IR_NEW_INTS(x, 0), IR_NEW_INTS(x, 4), IR_NEW_INTS(x, 1));
}

static void expand_proposal(ir_expansion *x) {
  const bool has_scores = x->node->layer->n_outputs > 1;
  const ir_wire inputs[] = {ir_old_input(x, 0), ir_old_input(x, 1), image_of(x)};
  const ir_wire made = ir_new_op(x, "Proposal", has_scores ? 4 : 1, has_scores ? 2 : 1, 3, inputs);
  ir_copy_attributes(x, made);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
  if (has_scores)
    ir_give_converted(x, 1, ir_port_of(made, 1), ir_old_type(x, 0));
}

/* ---- SimplerNMS: a Proposal with fixed ratios and base_size, whose attributes have other names ---- */

typedef struct simpler_params {
  double iou_threshold;
  int64_t min_bbox_size;
} simpler_params;

static const ir_attr_spec simpler_attrs[] = {
    IR_LEGACY_FLOAT("iou_threshold", simpler_params, iou_threshold, .required = true),
    IR_LEGACY_INT("min_bbox_size", simpler_params, min_bbox_size, .required = true),
    IR_LEGACY_TEXT("feat_stride"),
    IR_LEGACY_TEXT("pre_nms_topn"),
    IR_LEGACY_TEXT("post_nms_topn"),
    IR_LEGACY_TEXT("scale"),
    IR_LEGACY_END,
};

static void expand_simpler_nms(ir_expansion *x) {
  const simpler_params *p = x->node->params;
  const int deltas = ir_old_dim(x, 0, 1) <= ir_old_dim(x, 1, 1); /* the deltas are twice the scores, in any order */
  const ir_wire made = IR_NEW(x, "Proposal", 1, ir_old_input(x, 1 - deltas), ir_old_input(x, deltas), image_of(x));
  ir_copy_attributes(x, made);
  ir_set_int(x, made, "base_size", 16);
  ir_set_text(x, made, "ratio", "0.5,1,2");
  ir_set_int(x, made, "min_size", p->min_bbox_size);
  ir_set_float(x, made, "nms_thresh", p->iou_threshold);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* ---- NonMaxSuppression ---- */

typedef struct nms_params {
  bool center_point_box;
} nms_params;

static const ir_attr_spec nms_attrs[] = {
    IR_LEGACY_BOOL("center_point_box", nms_params, center_point_box, .fallback = "false"),
    IR_LEGACY_TEXT("sort_result_descending"),
    IR_LEGACY_END,
};

/* The output has the declared number of rows: those of the chosen boxes, then rows of -1. Without the inputs for them,
 * all boxes of a class are chosen, and no overlap is too large. */
static void expand_nms(ir_expansion *x) {
  const nms_params *p = x->node->params;
  const int64_t n_rows = ir_old_output_dim(x, 0, 0);
  const ir_type type = ir_old_type(x, 0);
  const ir_wire most = ir_has_old_input(x, 2) ? ir_old_input_as_ints(x, 2) : ir_new_int(x, INT32_MAX);
  const ir_wire overlap = ir_has_old_input(x, 3) ? ir_old_input(x, 3) : ir_new_number(x, type, 1);
  const ir_wire score = ir_has_old_input(x, 4) ? ir_old_input(x, 4) : ir_new_number(x, type, 0);
  const ir_wire inputs[] = {ir_old_input(x, 0), ir_old_input(x, 1), most, overlap, score};
  const ir_wire made = ir_new_op(x, "NonMaxSuppression", 9, 3, 5, inputs);
  ir_copy_attributes(x, made);
  ir_set_text(x, made, "box_encoding", p->center_point_box ? "center" : "corner");
  const ir_wire filling = ir_new_broadcast(x, ir_new_int(x, -1), IR_NEW_INTS(x, n_rows, 3));
  const ir_wire all = IR_NEW(x, "Concat", 1, made, filling);
  ir_set_int(x, all, "axis", 0);
  ir_give_converted(
      x, 0, IR_NEW(x, "Slice", 8, all, IR_NEW_INTS(x, 0), IR_NEW_INTS(x, n_rows), IR_NEW_INTS(x, 1), IR_NEW_INTS(x, 0)),
      IR_I64);
}

IR_LEGACY_ROW(detection_output, "DetectionOutput", sizeof(params), attrs,
              IR_PORTS(IR_LEGACY_PORT("locations"), IR_LEGACY_PORT("scores"), IR_LEGACY_PORT("priors"),
                       IR_LEGACY_MORE("more_scores"), IR_LEGACY_MORE("more_locations")),
              IR_LEGACY_ONE_OUT, expand_detection_output);
IR_LEGACY_ROW(proposal, "Proposal", 0, proposal_attrs,
              IR_PORTS(IR_LEGACY_PORT("scores"), IR_LEGACY_PORT("deltas"), IR_LEGACY_PORT("image")),
              IR_PORTS(IR_LEGACY_PORT("proposals"), IR_LEGACY_MORE("probabilities")), expand_proposal);
IR_LEGACY_ROW(simpler_nms, "SimplerNMS", sizeof(simpler_params), simpler_attrs,
              IR_PORTS(IR_LEGACY_PORT("scores"), IR_LEGACY_PORT("deltas"), IR_LEGACY_PORT("image")), IR_LEGACY_ONE_OUT,
              expand_simpler_nms);
IR_LEGACY_ROW(non_max_suppression, "NonMaxSuppression", sizeof(nms_params), nms_attrs,
              IR_PORTS(IR_LEGACY_PORT("boxes"), IR_LEGACY_PORT("scores"), IR_LEGACY_MORE("most"),
                       IR_LEGACY_MORE("overlap"), IR_LEGACY_MORE("score")),
              IR_LEGACY_ONE_OUT, expand_nms);

/* GenerateProposals-9 and ExperimentalDetectronGenerateProposalsSingleImage-6: the best boxes that anchors and deltas
 * give, of a batch or of one image. Pages: operation-specs/detection/generate-proposals-9,
 * experimental-detectron-generate-proposals-single-image-6. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/bind.h"
#include "ops/pool/pool_indices.h"

typedef struct proposals_params {
  int64_t post_nms_count;
  double nms_eta;
  int roi_num_type;
  ir_other_attrs other;
} proposals_params;

enum { IMAGE, ANCHORS, DELTAS, SCORES };

typedef struct proposals_sizes {
  ir_size batch, anchors, height, width;
} proposals_sizes;

static proposals_sizes no_sizes(void) {
  return (proposals_sizes){ir_size_of("num_batches"), ir_size_of("number_of_anchors"), ir_size_of("height"),
                           ir_size_of("width")};
}

/* Scores [.., A, H, W] and deltas [.., 4 * A, H, W], their last three axes beginning at `axis`. */
static bool join_maps(const ir_node *node, const ir_value *const *in, int axis, proposals_sizes *sizes,
                      ir_scope *scope) {
  if (!ir_size_join(node, in, SCORES, axis, &sizes->anchors, scope))
    return false;
  const ir_dim deltas = ir_dims_product(sizes->anchors.dim, ir_dim_of(4));
  return ir_size_check(node, in, DELTAS, axis, deltas, "4 for each anchor that input 3 has", scope) &&
         ir_size_join(node, in, SCORES, axis + 1, &sizes->height, scope) &&
         ir_size_join(node, in, DELTAS, axis + 1, &sizes->height, scope) &&
         ir_size_join(node, in, SCORES, axis + 2, &sizes->width, scope) &&
         ir_size_join(node, in, DELTAS, axis + 2, &sizes->width, scope);
}

static int64_t most_of_image(const ir_node *node) {
  return ((const proposals_params *)node->params)->post_nms_count;
}

/* ---- of a batch ---- */

static bool fits_batch(const ir_node *node, const ir_value *const *in, proposals_sizes *sizes, ir_scope *scope) {
  return ir_size_check(node, in, IMAGE, 1, (ir_dim){3, 4}, "a height, a width and one or two scales", scope) &&
         ir_size_check(node, in, ANCHORS, 3, ir_dim_of(4), "coordinates of a box", scope) &&
         ir_size_join(node, in, IMAGE, 0, &sizes->batch, scope) &&
         ir_size_join(node, in, DELTAS, 0, &sizes->batch, scope) &&
         ir_size_join(node, in, SCORES, 0, &sizes->batch, scope) && join_maps(node, in, 1, sizes, scope) &&
         ir_size_join(node, in, ANCHORS, 0, &sizes->height, scope) &&
         ir_size_join(node, in, ANCHORS, 1, &sizes->width, scope) &&
         ir_size_join(node, in, ANCHORS, 2, &sizes->anchors, scope);
}

static ir_code infer_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  proposals_sizes sizes = no_sizes();
  out[0].type = out[1].type = ir_inputs_type(node, in, IMAGE, SCORES);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out[2].type = ir_index_type(((const proposals_params *)node->params)->roi_num_type);
  if (!fits_batch(node, in, &sizes, scope)) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  const ir_dim rows = {0, ir_dims_product(sizes.batch.dim, ir_dim_of(most_of_image(node))).hi};
  out[0].shape = (ir_shape){.rank = 2, .dims = {rows, ir_dim_of(4)}};
  out[1].shape = (ir_shape){.rank = 1, .dims = {rows}};
  out[2].shape = (ir_shape){.rank = 1, .dims = {sizes.batch.dim}};
  return IR_OK;
}

static void check_eta(const ir_node *node, ir_scope *scope) {
  const double eta = ((const proposals_params *)node->params)->nms_eta;
  if (node->attrs_at_fault == 0 && !(eta >= 0 && eta <= 1))
    ir_report_number(node, "nms_eta", eta, "a number from 0 to 1", scope);
}

/* ---- of one image ---- */

static ir_code infer_image(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  proposals_sizes sizes = no_sizes();
  out[0].type = out[1].type = ir_inputs_type(node, in, IMAGE, SCORES);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  if (!ir_size_check(node, in, IMAGE, 0, ir_dim_of(3), "a height, a width and a scale", scope) ||
      !ir_size_check(node, in, ANCHORS, 1, ir_dim_of(4), "coordinates of a box", scope) ||
      !join_maps(node, in, 0, &sizes, scope)) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  out[0].shape = ir_shape_of(2, (const int64_t[]){most_of_image(node), 4});
  out[1].shape = ir_shape_of(1, (const int64_t[]){most_of_image(node)});
  return IR_OK;
}

/* ---- the rows ---- */

#define AT(field) offsetof(proposals_params, field)
#define COMMON_ROWS(least)                                                                                             \
  IR_FLOAT_ROW("min_size", AT(other.real[0]), .required = true),                                                       \
      IR_FLOAT_ROW("nms_threshold", AT(other.real[1]), .required = true),                                              \
      IR_INT_ROW("pre_nms_count", AT(other.number[0]), least, INT32_MAX, .required = true),                            \
      IR_INT_ROW("post_nms_count", AT(post_nms_count), least, INT32_MAX, .required = true)

/* The page takes counts of 0, OpenVINO refuses them. */
static const ir_attr_spec batch_attrs[] = {
    COMMON_ROWS(1),
    IR_BOOL_ROW("normalized", AT(other.flag[0]), "true"),
    IR_FLOAT_ROW("nms_eta", AT(nms_eta), .fallback = "1.0"),
    IR_ENUM_ROW("roi_num_type", AT(roi_num_type), ir_index_type_names, .fallback = "i64"),
    {.name = NULL}};
static const ir_attr_spec image_attrs[] = {COMMON_ROWS(0), {.name = NULL}};

#define T_PORT(port, rank) IR_PORT(port, "T", IR_SET_FLOATS, rank)
/* OpenVINO does not compare the types of GenerateProposals. */
#define FREE_PORT(port, rank)                                                                                          \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_may_differ = true, .rank_min = rank,                 \
    .rank_max = rank                                                                                                   \
  }

const ir_op ir_op_generate_proposals_9 = {
    .dialect = IR_OPENVINO,
    .type = "GenerateProposals",
    .version = 9,
    .spec = IR_SPEC_PAGE("detection/generate-proposals-9"),
    .params_size = sizeof(proposals_params),
    .attrs = batch_attrs,
    .inputs = {FREE_PORT("im_info", 2), FREE_PORT("anchors", 4), FREE_PORT("boxesdeltas", 4), FREE_PORT("scores", 4)},
    .outputs = {T_PORT("rpnrois", 2), T_PORT("rpnscores", 1),
                IR_PORT("rpnroisnum", "T_NUM", IR_SET(IR_I32) | IR_SET(IR_I64), 1)},
    .check_attributes = check_eta,
    .infer = infer_batch,
};

const ir_op ir_op_experimental_detectron_generate_proposals_single_image_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronGenerateProposalsSingleImage",
    .version = 6,
    .spec = IR_SPEC_PAGE("detection/experimental-detectron-generate-proposals-single-image-6"),
    .params_size = sizeof(proposals_params),
    .attrs = image_attrs,
    .inputs = {T_PORT("im_info", 1), T_PORT("anchors", 2), T_PORT("deltas", 3), T_PORT("scores", 3)},
    .outputs = {T_PORT("rois", 2), T_PORT("scores", 1)},
    .infer = infer_image,
};

/* MatrixNms-8, MulticlassNms-8 and -9 select boxes [N, B, 4] by scores [N, C, B], for N images, C classes and B boxes.
 * A row of the first output is [class, score, box]. MulticlassNms-9 also takes boxes [C, B, 4] and scores [C, B] of all
 * images, with the number of boxes of each image in a third input. Specification:
 * operation-specs/sort/matrix-non-max-suppression-8, multiclass-non-max-suppression-*. */
#include "ops/sort/matrix_nms.h"
#include "ops/agree.h"
#include "ops/op.h"
#include "ops/pool/pool_indices.h"
#include "ops/ranges.h"
#include <stdio.h>

enum { BOXES = IR_MATRIX_NMS_BOXES, SCORES = IR_MATRIX_NMS_SCORES, ROIS_NUM = IR_MATRIX_NMS_ROIS_NUM };

typedef struct matrix_nms_sizes {
  ir_size images, boxes, classes;
} matrix_nms_sizes;

/* Checks the sizes of inputs without roisnum: all classes of an image share its boxes. */
static bool fits_shared(const ir_node *node, const ir_value *const *in, matrix_nms_sizes *sizes, ir_scope *scope) {
  return ir_size_join(node, in, BOXES, 0, &sizes->images, scope) &&
         ir_size_join(node, in, SCORES, 0, &sizes->images, scope) &&
         ir_size_join(node, in, SCORES, 1, &sizes->classes, scope) &&
         ir_size_join(node, in, BOXES, 1, &sizes->boxes, scope) &&
         ir_size_join(node, in, SCORES, 2, &sizes->boxes, scope);
}

/* Checks the sizes of inputs with roisnum: each class has its own boxes. */
static bool fits_own(const ir_node *node, const ir_value *const *in, matrix_nms_sizes *sizes, ir_scope *scope) {
  return ir_size_join(node, in, BOXES, 0, &sizes->classes, scope) &&
         ir_size_join(node, in, SCORES, 0, &sizes->classes, scope) &&
         ir_size_join(node, in, BOXES, 1, &sizes->boxes, scope) &&
         ir_size_join(node, in, SCORES, 1, &sizes->boxes, scope) &&
         ir_size_join(node, in, ROIS_NUM, 0, &sizes->images, scope);
}

static bool check_rank(const ir_node *node, const ir_value *const *in, bool own, ir_scope *scope) {
  const int expected = own ? 2 : 3;
  if (!ir_input_told(node, in, SCORES) || in[SCORES]->shape.rank == expected)
    return true;
  char shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR303_RANK_NOT_ALLOWED, ir_input_where(scope, node, SCORES, -1),
            "input 1 ('scores') has rank %d: %s%s; %s-%d of %d inputs takes rank %d", in[SCORES]->shape.rank,
            ir_type_name(in[SCORES]->type), ir_shape_text(&in[SCORES]->shape, shape, sizeof shape), node->op->type,
            node->op->version, node->n_inputs, expected);
  return false;
}

/* Limits a dim to `limit`. A negative `limit` means no limit. */
static ir_dim cut(ir_dim dim, int64_t limit) {
  return limit < 0 ? dim : ir_range_least(dim, ir_dim_of(limit));
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_matrix_nms_params *params = node->params;
  const bool own = node->n_inputs > ROIS_NUM;
  matrix_nms_sizes sizes = {ir_size_of("num_batches"), ir_size_of("num_boxes"), ir_size_of("num_classes")};
  out[0].type = ir_inputs_type(node, in, BOXES, SCORES);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[1].type = out[2].type = ir_index_type(params->output_type);
  if (!ir_size_check(node, in, BOXES, 2, ir_dim_of(4), "coordinates of a box", scope) ||
      !check_rank(node, in, own, scope) ||
      !(own ? fits_own(node, in, &sizes, scope) : fits_shared(node, in, &sizes, scope))) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  const ir_dim of_image = ir_dims_product(cut(sizes.boxes.dim, params->nms_top_k), sizes.classes.dim);
  const ir_dim rows = {0, ir_dims_product(cut(of_image, params->keep_top_k), sizes.images.dim).hi};
  out[0].shape = (ir_shape){.rank = 2, .dims = {rows, ir_dim_of(6)}};
  out[1].shape = (ir_shape){.rank = 2, .dims = {rows, ir_dim_of(1)}};
  out[2].shape = (ir_shape){.rank = 1, .dims = {sizes.images.dim}};
  return IR_OK;
}

static void check_eta(const ir_node *node, ir_scope *scope) {
  const double eta = ((const ir_matrix_nms_params *)node->params)->nms_eta;
  if (node->attrs_at_fault == 0 && !(eta >= 0 && eta <= 1))
    ir_report_number(node, "nms_eta", eta, "a number from 0 to 1", scope);
}

/* ---- the rows ---- */

#define AT(field) offsetof(ir_matrix_nms_params, field)
static const char *const sort_results[] = {"classid", "score", "none", NULL};
static const char *const other_sort_results[] = {"class", "score", "none", NULL};
static const char *const decay_functions[] = {"gaussian", "linear", NULL};

/* OpenVINO writes and reads sort_result_type="classid". The specification has sort_result="class" instead. */
#define COMMON_ROWS                                                                                                    \
  IR_ENUM_ROW("sort_result_type", AT(sort_result), sort_results, .other_names = other_sort_results,                    \
              .fallback = "none"),                                                                                     \
      IR_BOOL_ROW("sort_result_across_batch", AT(across_batch), "false"),                                              \
      IR_ENUM_ROW("output_type", AT(output_type), ir_index_type_names, .fallback = "i64"),                             \
      IR_FLOAT_ROW("score_threshold", AT(score_threshold), .fallback = "0"),                                           \
      IR_INT_ROW("nms_top_k", AT(nms_top_k), -1, INT32_MAX, .fallback = "-1"),                                         \
      IR_INT_ROW("keep_top_k", AT(keep_top_k), -1, INT32_MAX, .fallback = "-1"),                                       \
      IR_INT_ROW("background_class", AT(background_class), -1, INT32_MAX, .fallback = "-1"),                           \
      IR_BOOL_ROW("normalized", AT(normalized), "true")
static const ir_attr_spec matrix_attrs[] = {
    COMMON_ROWS,
    IR_ENUM_ROW("decay_function", AT(decay_function), decay_functions, .fallback = "linear"),
    IR_FLOAT_ROW("gaussian_sigma", AT(gaussian_sigma), .fallback = "2.0"),
    IR_FLOAT_ROW("post_threshold", AT(post_threshold), .fallback = "0"),
    {.name = NULL}};
static const ir_attr_spec multiclass_attrs[] = {COMMON_ROWS,
                                                IR_FLOAT_ROW("iou_threshold", AT(iou_threshold), .fallback = "0"),
                                                IR_FLOAT_ROW("nms_eta", AT(nms_eta), .fallback = "1.0"),
                                                {.name = NULL}};

#define T_IND IR_SET(IR_I32) | IR_SET(IR_I64)
#define T_PORT(port, least)                                                                                            \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE, .rank_min = least,        \
    .rank_max = 3                                                                                                      \
  }
#define NMS(text, number, page, schema, run_by)                                                                        \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("sort/" page),                         \
  .params_size = sizeof(ir_matrix_nms_params), .attrs = schema, .infer = infer,                                        \
  .run = {IR_RUN_DYNAMIC, .compute = run_by},                                                                          \
  .outputs = IR_PORTS(IR_PORT("selected_outputs", "T", IR_SET_FLOATS, 2),                                              \
                      IR_PORT("selected_indices", "T_IND", T_IND, 2), IR_PORT("selected_num", "T_IND", T_IND, 1))

const ir_op ir_op_matrix_nms_8 = {
    NMS("MatrixNms", 8, "matrix-non-max-suppression-8", matrix_attrs, ir_matrix_nms_compute),
    .inputs = IR_PORTS(T_PORT("boxes", 3), T_PORT("scores", 3))};
const ir_op ir_op_multiclass_nms_8 = {
    NMS("MulticlassNms", 8, "multiclass-non-max-suppression-8", multiclass_attrs, ir_multiclass_nms_compute),
    .inputs = IR_PORTS(T_PORT("boxes", 3), T_PORT("scores", 3)), .check_attributes = check_eta};
const ir_op ir_op_multiclass_nms_9 = {
    NMS("MulticlassNms", 9, "multiclass-non-max-suppression-9", multiclass_attrs, ir_multiclass_nms_compute),
    .inputs = IR_PORTS(
        T_PORT("boxes", 3), T_PORT("scores", 2),
        {.name = "roisnum", .type_var = "T_IND", .types = T_IND, .rank_min = 1, .rank_max = 1, .optional = true}),
    .check_attributes = check_eta};

/* NonMaxSuppression-1 to -9 and NMSRotated-13: boxes [N, B, 4] and scores [N, C, B], of which at most
 * max_output_boxes_per_class stay for each class of each image. Pages: operation-specs/sort/non-max-suppression-*,
 * nms-rotated-13. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/parts.h"
#include "ops/pool/pool_indices.h"

typedef struct nms_params {
  int output_type; /* i64 in version 1 */
  ir_other_attrs other;
} nms_params;

/* How many rows the first output has. */
typedef enum nms_rows {
  NMS_OF_ALL,  /* the most that one image can have: of versions 1 and 3 */
  NMS_OF_EACH, /* the most that all can have: of version 4 */
  NMS_SELECTED /* what was selected: from version 5 on */
} nms_rows;

typedef struct nms_rule {
  nms_rows rows;
  int64_t n_coordinates;
} nms_rule;

enum { BOXES, SCORES, MOST };

typedef struct nms_sizes {
  ir_size batch, boxes;
  ir_dim classes;
} nms_sizes;

static bool fits(const ir_node *node, const ir_value *const *in, nms_sizes *sizes, ir_scope *scope) {
  const nms_rule *rule = node->op->choices;
  *sizes = (nms_sizes){ir_size_of("num_batches"), ir_size_of("num_boxes"), ir_input_dim(node, in, SCORES, 1)};
  bool fits = ir_size_check(node, in, BOXES, 2, ir_dim_of(rule->n_coordinates), "coordinates of a box", scope) &&
              ir_size_join(node, in, BOXES, 0, &sizes->batch, scope) &&
              ir_size_join(node, in, SCORES, 0, &sizes->batch, scope) &&
              ir_size_join(node, in, BOXES, 1, &sizes->boxes, scope) &&
              ir_size_join(node, in, SCORES, 2, &sizes->boxes, scope);
  for (int i = MOST; i < node->n_inputs && fits; i++)
    if (ir_input_told(node, in, i) && in[i]->shape.rank == 1)
      fits = ir_size_check(node, in, i, 0, ir_dim_of(1), "one number", scope);
  return fits;
}

/* max_output_boxes_per_class; any number where it is not known, or below 0. */
static ir_dim most_of_class(const ir_node *node, const ir_value *const *in) {
  if (node->n_inputs <= MOST || ir_parts_count(in[MOST]) != 1)
    return ir_dim_any();
  const ir_dim most = ir_part_at(in[MOST], 0);
  return most.lo < 0 ? ir_dim_any() : most;
}

static ir_dim rows_with(const nms_rule *rule, ir_dim most, ir_dim boxes, ir_dim batch, ir_dim classes) {
  if (rule->rows == NMS_OF_ALL)
    return ir_part_least(boxes, ir_dims_product(most, classes));
  return ir_dims_product(ir_dims_product(ir_part_least(boxes, most), batch), classes);
}

/* OpenVINO takes the boxes' number of boxes and the scores' number of batches without the other input's, and writes
 * what comes of their upper ends: that lies in the interval, too. */
static ir_dim rows_of(const ir_node *node, const ir_value *const *in, const nms_sizes *sizes) {
  const nms_rule *rule = node->op->choices;
  const ir_dim most = most_of_class(node, in);
  const ir_dim rows = rows_with(rule, most, sizes->boxes.dim, sizes->batch.dim, sizes->classes);
  const ir_dim alone =
      rows_with(rule, most, ir_input_dim(node, in, BOXES, 1), ir_input_dim(node, in, SCORES, 0), sizes->classes);
  return rule->rows == NMS_SELECTED ? (ir_dim){0, rows.hi} : ir_dims_hull(rows, alone);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  nms_sizes sizes;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out[0].type = ir_index_type(((const nms_params *)node->params)->output_type);
  if (!fits(node, in, &sizes, scope)) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  out[0].shape = (ir_shape){.rank = 2, .dims = {rows_of(node, in, &sizes), ir_dim_of(3)}};
  if (node->n_outputs == 1)
    return IR_OK;
  out[1].type = IR_F32;
  out[1].shape = out[0].shape;
  out[2].type = out[0].type;
  out[2].shape = ir_shape_of(1, (const int64_t[]){1});
  return IR_OK;
}

/* ---- the rows ---- */

#define AT(field) offsetof(nms_params, field)
static const char *const encodings[] = {"corner", "center", NULL};
#define SORT_ROW     IR_BOOL_ROW("sort_result_descending", AT(other.flag[0]), "true")
#define ENCODING_ROW IR_ENUM_ROW("box_encoding", AT(other.word[0]), encodings, .fallback = "corner")
#define TYPE_ROW     IR_ENUM_ROW("output_type", AT(output_type), ir_index_type_names, .fallback = "i64")
static const ir_attr_spec attrs_1[] = {ENCODING_ROW, SORT_ROW, {.name = NULL}};
static const ir_attr_spec attrs_3[] = {ENCODING_ROW, SORT_ROW, TYPE_ROW, {.name = NULL}};
static const ir_attr_spec attrs_rotated[] = {
    SORT_ROW, TYPE_ROW, IR_BOOL_ROW("clockwise", AT(other.flag[1]), "true"), {.name = NULL}};

static const nms_rule of_all = {NMS_OF_ALL, 4}, of_each = {NMS_OF_EACH, 4}, selected = {NMS_SELECTED, 4},
                      rotated = {NMS_SELECTED, 5};

/* Before version 5 OpenVINO does not look at the types, and takes nothing but scalars; from then on it lists them. */
#define NUMBER(port, var, set, rank, ...)                                                                              \
  { .name = port, .type_var = var, .types = set, .rank_max = rank, __VA_ARGS__ }
/* Behind the rank: more fields of the floats. */
#define INPUTS(may_lack, rank, ...)                                                                                    \
  NUMBER("boxes", "T", IR_SET_FLOATS, 3, .rank_min = 3, __VA_ARGS__),                                                  \
      NUMBER("scores", "T_SCORES", IR_SET_FLOATS, 3, .rank_min = 3, __VA_ARGS__),                                      \
      NUMBER("max_output_boxes_per_class", "T_MAX_BOXES", IR_SET_INTEGERS, rank, .parts = true, .optional = may_lack), \
      NUMBER("iou_threshold", "T_IOU", IR_SET_FLOATS, rank, .optional = may_lack, __VA_ARGS__),                        \
      NUMBER("score_threshold", "T_THRESHOLDS", IR_SET_FLOATS, rank, .optional = may_lack, __VA_ARGS__)
#define LISTED              .types_carried = IR_CARRIED_NONE
#define SIGMA               NUMBER("soft_nms_sigma", "T_SIGMA", IR_SET_FLOATS, 1, .optional = true, LISTED)
#define INDICES(port, rank) IR_PORT(port, "T_IND", IR_SET(IR_I32) | IR_SET(IR_I64), rank)
#define THREE_OUTPUTS                                                                                                  \
  {                                                                                                                    \
    INDICES("selected_indices", 2), IR_PORT("selected_scores", "T_SELECTED", IR_SET_FLOATS, 2),                        \
        INDICES("valid_outputs", 1)                                                                                    \
  }
#define NMS(text, number, page, schema, rule)                                                                          \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("sort/" page),                         \
  .params_size = sizeof(nms_params), .attrs = schema, .choices = &rule, .infer = infer

const ir_op ir_op_non_max_suppression_1 = {NMS("NonMaxSuppression", 1, "non-max-suppression-1", attrs_1, of_all),
                                           .inputs = {INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)},
                                           .outputs = {INDICES("selected_indices", 2)}};
const ir_op ir_op_non_max_suppression_3 = {NMS("NonMaxSuppression", 3, "non-max-suppression-3", attrs_3, of_all),
                                           .inputs = {INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)},
                                           .outputs = {INDICES("selected_indices", 2)}};
const ir_op ir_op_non_max_suppression_4 = {NMS("NonMaxSuppression", 4, "non-max-suppression-4", attrs_3, of_each),
                                           .inputs = {INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)},
                                           .outputs = {INDICES("selected_indices", 2)}};
const ir_op ir_op_non_max_suppression_5 = {NMS("NonMaxSuppression", 5, "no-max-suppression-5", attrs_3, selected),
                                           .inputs = {INPUTS(true, 1, LISTED), SIGMA}, .outputs = THREE_OUTPUTS};
const ir_op ir_op_non_max_suppression_9 = {NMS("NonMaxSuppression", 9, "non-max-suppression-9", attrs_3, selected),
                                           .inputs = {INPUTS(true, 1, LISTED), SIGMA}, .outputs = THREE_OUTPUTS};
const ir_op ir_op_nms_rotated_13 = {NMS("NMSRotated", 13, "nms-rotated-13", attrs_rotated, rotated),
                                    .inputs = {INPUTS(false, 1, .types_noted = 0)}, .outputs = THREE_OUTPUTS};

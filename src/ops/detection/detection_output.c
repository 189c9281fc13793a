/* DetectionOutput-1 and -8: the boxes that stay of num_prior_boxes for each class and image, as rows of 7 numbers. How
 * many priors and, from version 8 on, classes there are, the inputs tell.
 * Pages: operation-specs/detection/detectionoutput-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/bind.h"

typedef struct detection_output_params {
  int64_t num_classes, top_k; /* num_classes 0: version 8 */
  ir_ints keep_top_k;
  bool share_location, variance_encoded, normalized;
  ir_other_attrs other;
} detection_output_params;

enum { LOCATIONS, CLASSES, PRIORS, MORE_CLASSES, MORE_LOCATIONS };

/* What is deduced; 0 while it is not known. */
typedef struct detection_counts {
  int64_t classes, priors;
} detection_counts;

/* Dim `axis` of the input holds `unit` numbers for each of `*count`: tells it, if it is not known yet. Reports a dim
 * that is no multiple of the unit. */
static bool deduce(const ir_node *node, const ir_value *const *in, int port, int axis, int64_t unit, const char *what,
                   int64_t *count, ir_scope *scope) {
  const ir_dim dim = ir_input_dim(node, in, port, axis);
  if (*count != 0 || unit <= 0 || !ir_dim_known(dim))
    return true;
  *count = dim.lo / unit;
  if (dim.lo % unit == 0)
    return true;
  char shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis),
            "input %d ('%s') has %lld on axis %d: %s%s; expected a multiple of %lld, %s", port,
            ir_op_input(node->op, port)->name, (long long)dim.lo, axis, ir_type_name(in[port]->type),
            ir_shape_text(&in[port]->shape, shape, sizeof shape), (long long)unit, what);
  return false;
}

/* Numbers for each prior; 0: not known. */
static int64_t location_unit(const detection_output_params *params, int64_t classes) {
  return 4 * (params->share_location ? 1 : classes);
}

static bool deduce_counts(const ir_node *node, const ir_value *const *in, detection_counts *counts, ir_scope *scope) {
  const detection_output_params *params = node->params;
  static const char per_prior[] = "so many for each prior box";
  counts->classes = params->num_classes;
  if (!deduce(node, in, PRIORS, 2, params->normalized ? 4 : 5, per_prior, &counts->priors, scope) ||
      !deduce(node, in, MORE_CLASSES, 1, 2, per_prior, &counts->priors, scope) ||
      !deduce(node, in, LOCATIONS, 1, location_unit(params, counts->classes), per_prior, &counts->priors, scope) ||
      !deduce(node, in, CLASSES, 1, counts->classes, "so many classes", &counts->priors, scope))
    return false;
  if (!deduce(node, in, CLASSES, 1, counts->priors, "so many prior boxes", &counts->classes, scope))
    return false;
  int64_t unit;
  if (params->share_location || !ir_mul(4, counts->priors, &unit))
    unit = 0;
  return deduce(node, in, LOCATIONS, 1, unit, "4 for each prior box", &counts->classes, scope) &&
         deduce(node, in, MORE_LOCATIONS, 1, unit, "4 for each prior box", &counts->classes, scope);
}

/* Compares a dim with the product of both numbers, if they are known. */
static bool check_product(const ir_node *node, const ir_value *const *in, int port, int axis, int64_t a, int64_t b,
                          const char *what, ir_scope *scope) {
  int64_t product;
  return a == 0 || b == 0 || !ir_mul(a, b, &product) ||
         ir_size_check(node, in, port, axis, ir_dim_of(product), what, scope);
}

static bool check_counts(const ir_node *node, const ir_value *const *in, const detection_counts *counts,
                         ir_scope *scope) {
  const detection_output_params *params = node->params;
  const int64_t locations = location_unit(params, counts->classes);
  const char *what = params->share_location ? "num_prior_boxes * 4" : "num_prior_boxes * num_classes * 4";
  return check_product(node, in, LOCATIONS, 1, counts->priors, locations, what, scope) &&
         check_product(node, in, CLASSES, 1, counts->priors, counts->classes, "num_prior_boxes * num_classes", scope) &&
         check_product(node, in, PRIORS, 2, counts->priors, params->normalized ? 4 : 5,
                       params->normalized ? "num_prior_boxes * 4" : "num_prior_boxes * 5, for 'normalized' is false",
                       scope) &&
         ir_size_check(node, in, PRIORS, 1, ir_dim_of(params->variance_encoded ? 1 : 2),
                       params->variance_encoded ? "boxes, for 'variance_encoded_in_target' is true"
                                                : "boxes and variances, for 'variance_encoded_in_target' is false",
                       scope) &&
         check_product(node, in, MORE_CLASSES, 1, counts->priors, 2, "num_prior_boxes * 2", scope) &&
         ir_size_check(node, in, MORE_LOCATIONS, 1, ir_input_dim(node, in, LOCATIONS, 1), "as input 0 has", scope);
}

/* The images: of all inputs, but the priors may be the same for all of them. */
static bool join_images(const ir_node *node, const ir_value *const *in, ir_size *images, ir_scope *scope) {
  return ir_size_join(node, in, LOCATIONS, 0, images, scope) && ir_size_join(node, in, CLASSES, 0, images, scope) &&
         ir_size_join(node, in, MORE_CLASSES, 0, images, scope) &&
         ir_size_join(node, in, MORE_LOCATIONS, 0, images, scope) &&
         (ir_dims_meet(ir_input_dim(node, in, PRIORS, 0), ir_dim_of(1)) ||
          ir_size_join(node, in, PRIORS, 0, images, scope));
}

static ir_dim open_if_unknown(int64_t count) {
  return count > 0 ? ir_dim_of(count) : ir_dim_any();
}

static ir_dim rows_of_image(const detection_output_params *params, const detection_counts *counts) {
  const int64_t keep = params->keep_top_k.items[0];
  if (keep > 0)
    return ir_dim_of(keep);
  const bool is_cut = keep == -1 && params->top_k > 0;
  return ir_dims_product(open_if_unknown(counts->classes),
                         is_cut ? ir_dim_of(params->top_k) : open_if_unknown(counts->priors));
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const detection_output_params *params = node->params;
  ir_size images = ir_size_of("the number of images");
  detection_counts counts = {0, 0};
  out->type = ir_inputs_type(node, in, LOCATIONS, CLASSES);
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out->unknown = true;
  if (params->keep_top_k.n == 0)
    return ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, "keep_top_k"),
                     "'keep_top_k' is empty, expected a number");
  if (node->n_inputs == 4)
    return ir_report(scope->diags, IR110_PORT_COUNT_DIFFERS, ir_node_where(scope, node),
                     "the layer has 4 inputs, %s-%d has 3 or 5", node->op->type, node->op->version);
  if (!join_images(node, in, &images, scope) || !deduce_counts(node, in, &counts, scope) ||
      !check_counts(node, in, &counts, scope))
    return IR_OK;
  out->unknown = false;
  out->shape = ir_shape_of(4, (const int64_t[]){1, 1, 0, 7});
  out->shape.dims[2] = ir_dims_product(images.dim, rows_of_image(params, &counts));
  return IR_OK;
}

/* ---- the rows ---- */

#define AT(field) offsetof(detection_output_params, field)
static const char *const code_types[] = {"caffe.PriorBoxParameter.CORNER", "caffe.PriorBoxParameter.CENTER_SIZE", NULL};

#define COMMON_ROWS                                                                                                    \
  IR_INT_ROW("background_label_id", AT(other.number[0]), INT32_MIN, INT32_MAX, .fallback = "0"),                       \
      IR_INT_ROW("top_k", AT(top_k), INT32_MIN, INT32_MAX, .fallback = "-1"),                                          \
      IR_BOOL_ROW("variance_encoded_in_target", AT(variance_encoded), "false"),                                        \
      IR_INTS_ROW("keep_top_k", AT(keep_top_k), INT32_MIN, INT32_MAX, .required = true),                               \
      IR_ENUM_ROW("code_type", AT(other.word[0]), code_types, .fallback = "caffe.PriorBoxParameter.CORNER"),           \
      IR_BOOL_ROW("share_location", AT(share_location), "true"),                                                       \
      IR_FLOAT_ROW("nms_threshold", AT(other.real[0]), .required = true),                                              \
      IR_FLOAT_ROW("confidence_threshold", AT(other.real[1]), .fallback = "0"),                                        \
      IR_BOOL_ROW("clip_after_nms", AT(other.flag[0]), "false"),                                                       \
      IR_BOOL_ROW("clip_before_nms", AT(other.flag[1]), "false"),                                                      \
      IR_BOOL_ROW("decrease_label_id", AT(other.flag[2]), "false"),                                                    \
      IR_BOOL_ROW("normalized", AT(normalized), "false"),                                                              \
      IR_INT_ROW("input_height", AT(other.number[1]), 1, INT32_MAX, .fallback = "1"),                                  \
      IR_INT_ROW("input_width", AT(other.number[2]), 1, INT32_MAX, .fallback = "1"),                                   \
      IR_FLOAT_ROW("objectness_score", AT(other.real[2]), .fallback = "0")

static const ir_attr_spec attrs_1[] = {
    IR_INT_ROW("num_classes", AT(num_classes), 1, INT32_MAX, .required = true), COMMON_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {COMMON_ROWS, {.name = NULL}};

/* What Caffe's layer and the resizing before it had. */
static const char *const leftovers[] = {
    "eta",         "height",    "height_scale",        "interp_mode", "pad_mode",    "pad_value", "prob",
    "resize_mode", "visualize", "visualize_threshold", "width",       "width_scale", NULL};

#define T_PORT(port, rank, ...)                                                                                        \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .rank_min = rank, .rank_max = rank, __VA_ARGS__ }
/* The Model Optimizer declared f32 in models of f16 too. */
#define DETECTION_OUTPUT(number, schema)                                                                               \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "DetectionOutput", .version = number,                                              \
    .spec = IR_SPEC_PAGE("detection/detectionoutput-" #number), .params_size = sizeof(detection_output_params),        \
    .attrs = schema, .leftovers = leftovers,                                                                           \
    .inputs = {T_PORT("box_logits", 2, .optional = false), T_PORT("class_preds", 2, .optional = false),                \
               IR_PORT("proposals", "T_PROPOSALS", IR_SET_FLOATS, 3), T_PORT("aux_class_preds", 2, .optional = true),  \
               T_PORT("aux_box_preds", 2, .optional = true)},                                                          \
    .outputs = {T_PORT("output", 4, .types_misdeclared = IR_SET(IR_F32))}, .infer = infer                              \
  }

const ir_op ir_op_detection_output_1 = DETECTION_OUTPUT(1, attrs_1);
const ir_op ir_op_detection_output_8 = DETECTION_OUTPUT(8, attrs_8);

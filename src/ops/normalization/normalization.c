/* Ops that scale an input by what they find along some axes: MVN-2 and -6, LRN-1, NormalizeL2-1, GRN-1. The output has
 * the input's shape. Pages: operation-specs/normalization. */
#include "ops/axes.h"
#include "ops/bind.h"

typedef struct normalization_params {
  ir_ints reduction_axes;
  bool across_channels, normalize_variance;
  int eps_mode;
  double eps, alpha, beta, bias;
  int64_t size;
} normalization_params;

static bool check_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  ir_axes axes;
  if (rank == IR_RANK_UNKNOWN)
    return true;
  if (!ir_axes_fit(node, 1, ir_axes_count(in[1]), rank, scope))
    return false;
  const ir_axes_rule rule = {.rank = rank, .repeats = IR_REPEATS_WARNED};
  return in[1]->known == NULL || ir_axes_read(node, 1, in[1]->known, rule, scope, &axes);
}

static void copy(const ir_node *node, const ir_value *const *in, ir_value *out) {
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->unknown = in[0]->unknown || node->attrs_at_fault != 0;
}

static ir_code infer_alone(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  copy(node, in, out);
  return IR_OK;
}

/* Axes are input 1. */
static ir_code infer_with_axes(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  copy(node, in, out);
  out->unknown = out->unknown || in[1]->unknown || !check_axes(node, in, scope);
  return IR_OK;
}

/* Axes are an attribute. */
static ir_code infer_mvn_2(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_ints axes = ((const normalization_params *)node->params)->reduction_axes;
  int axis;
  copy(node, in, out);
  for (int64_t i = 0; !out->unknown && out->shape.rank != IR_RANK_UNKNOWN && i < axes.n; i++)
    out->unknown = !ir_axis_attr(node, "reduction_axes", axes.items[i], out->shape.rank, &axis, scope);
  return IR_OK;
}

/* ---- the rows ---- */

#define FIELD(text, field, type) .name = text, .kind = type, .offset = offsetof(normalization_params, field)
#define NEEDED(text, field, type)                                                                                      \
  { FIELD(text, field, type), .required = true }

static const char *const sqrt_names[] = {"inside_sqrt", "outside_sqrt", NULL};
static const char *const add_names[] = {"add", "max", NULL};

/* The page needs just one of across_channels and reduction_axes; OpenVINO writes both. */
static const ir_attr_spec mvn_2_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    {FIELD("across_channels", across_channels, IR_ATTR_BOOL), .fallback = "true"},
    NEEDED("normalize_variance", normalize_variance, IR_ATTR_BOOL),
    {FIELD("reduction_axes", reduction_axes, IR_ATTR_INT), .count = IR_COUNT_ANY, .min = -IR_MAX_RANK,
     .max = IR_MAX_RANK - 1, .fallback = ""},
    {.name = NULL}};
/* OpenVINO writes eps_mode in capitals. */
static const ir_attr_spec mvn_6_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    NEEDED("normalize_variance", normalize_variance, IR_ATTR_BOOL),
    {FIELD("eps_mode", eps_mode, IR_ATTR_ENUM), .names = sqrt_names, .required = true},
    {.name = NULL}};
static const ir_attr_spec lrn_attrs[] = {
    NEEDED("alpha", alpha, IR_ATTR_FLOAT),
    NEEDED("beta", beta, IR_ATTR_FLOAT),
    NEEDED("bias", bias, IR_ATTR_FLOAT),
    {FIELD("size", size, IR_ATTR_INT), .min = 1, .max = INT64_MAX, .required = true},
    {.name = NULL}};
static const ir_attr_spec normalize_l2_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    {FIELD("eps_mode", eps_mode, IR_ATTR_ENUM), .names = add_names, .required = true},
    {.name = NULL}};
static const ir_attr_spec grn_attrs[] = {NEEDED("bias", bias, IR_ATTR_FLOAT), {.name = NULL}};

#define NORMALIZED(port, least, most)                                                                                  \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_noted = IR_SET_INTEGERS, .rank_min = least,          \
    .rank_max = most                                                                                                   \
  }
#define AXES_PORT(least, set, ...)                                                                                     \
  { .name = "axes", .type_var = "T_IND", .types = set, .rank_min = least, .rank_max = 1, .contents = true, __VA_ARGS__ }
#define NORMALIZATION(text, number, page, schema, rule)                                                                \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("normalization/" page),                \
  .params_size = sizeof(normalization_params), .attrs = schema, .infer = rule
#define WHOLE(port) NORMALIZED(port, 0, IR_MAX_RANK)

const ir_op ir_op_mvn_2 = {
    NORMALIZATION("MVN", 2, "mvn-1", mvn_2_attrs, infer_mvn_2),
    .inputs = {WHOLE("data")},
    .outputs = {WHOLE("output")},
};
const ir_op ir_op_mvn_6 = {
    NORMALIZATION("MVN", 6, "mvn-6", mvn_6_attrs, infer_with_axes),
    .inputs = {WHOLE("data"), AXES_PORT(1, IR_SET(IR_I32) | IR_SET(IR_I64), IR_SET_INTEGERS)},
    .outputs = {WHOLE("output")},
};
const ir_op ir_op_lrn_1 = {
    NORMALIZATION("LRN", 1, "lrn-1", lrn_attrs, infer_with_axes),
    .inputs = {WHOLE("data"), AXES_PORT(1, IR_SET_INTEGERS, 0)},
    .outputs = {WHOLE("output")},
};
const ir_op ir_op_normalize_l2_1 = {
    NORMALIZATION("NormalizeL2", 1, "normalize-l2-1", normalize_l2_attrs, infer_with_axes),
    .inputs = {WHOLE("data"), AXES_PORT(0, IR_SET_INTEGERS, 0)},
    .outputs = {WHOLE("output")},
};
const ir_op ir_op_grn_1 = {
    NORMALIZATION("GRN", 1, "grn-1", grn_attrs, infer_alone),
    .inputs = {NORMALIZED("data", 2, 4)},
    .outputs = {NORMALIZED("output", 2, 4)},
};

/* Interpolate-1, -4 and -11: sizes on some axes become others: given ones, or those of the padded input times scales.
 * Pages: operation-specs/image/interpolate-*. */
#include "ops/axes.h"
#include "ops/bind.h"
#include "ops/float_parts.h"
#include "ops/parts.h"
#include <math.h>

typedef struct interpolate_params {
  ir_ints axes, pads_begin, pads_end;
  int mode, calculation, transformation, nearest_mode;
  bool align_corners, antialias;
  double cube_coeff;
} interpolate_params;

enum { BY_SIZES, BY_SCALES };

/* Where the inputs stand: the `choices` of the rows. */
typedef struct interpolate_ports {
  int sizes, scales, axes; /* axes -1: an attribute */
} interpolate_ports;

static bool goes_by_scales(const ir_node *node) {
  return ((const interpolate_params *)node->params)->calculation == BY_SCALES;
}

/* ---- axes ---- */

/* Axes that are listed as an attribute. */
static bool attribute_axes(const ir_node *node, int rank, ir_axes *axes, ir_scope *scope) {
  const ir_ints list = ((const interpolate_params *)node->params)->axes;
  bool fine = true;
  *axes = (ir_axes){.n = 0};
  for (int64_t i = 0; i < list.n && fine; i++) {
    int axis;
    fine = ir_axis_attr(node, "axes", list.items[i], rank, &axis, scope);
    if (fine && !ir_axes_hold(axes, axis))
      axes->items[axes->n++] = axis;
  }
  return fine;
}

/* False where there are none that are known; `*fine` is false where that was reported. */
static bool axes_of(const ir_node *node, const ir_value *const *in, ir_axes *axes, bool *fine, ir_scope *scope) {
  const interpolate_ports *ports = node->op->choices;
  const int rank = in[0]->shape.rank;
  const ir_axes_rule rule = {.rank = rank, .front_only = true, .repeats = IR_REPEATS_REFUSED};
  *fine = true;
  if (ports->axes < 0) {
    *fine = attribute_axes(node, rank, axes, scope);
  } else if (node->n_inputs <= ports->axes) {
    axes->n = rank;
    for (int i = 0; i < rank; i++)
      axes->items[i] = i;
  } else if (in[ports->axes]->known == NULL) {
    *fine = ir_axes_fit(node, ports->axes, ir_axes_count(in[ports->axes]), rank, scope);
    return false;
  } else {
    *fine = ir_axes_read(node, ports->axes, in[ports->axes]->known, rule, scope, axes);
  }
  return *fine;
}

/* ---- sizes ---- */

static ir_dim padded(const ir_node *node, ir_dim dim, int axis) {
  const interpolate_params *params = node->params;
  const int64_t begin = axis < params->pads_begin.n ? params->pads_begin.items[axis] : 0;
  const int64_t end = axis < params->pads_end.n ? params->pads_end.items[axis] : 0;
  int64_t pads;
  if (!ir_add(begin, end, &pads) || !ir_add(dim.lo, pads, &dim.lo))
    return ir_dim_any();
  if (dim.hi != IR_DIM_MAX && !ir_add(dim.hi, pads, &dim.hi))
    dim.hi = IR_DIM_MAX;
  return dim;
}

/* floor(n * scale), in single precision and with what OpenVINO adds to a scale. */
static int64_t scaled(int64_t n, float scale) {
  const float size = (float)n * (scale + 1.0e-6f);
  return n != IR_DIM_MAX && size < 9.2e18f ? (int64_t)size : IR_DIM_MAX;
}

/* It adds nothing to a scale of 1: the sizes of an interval of scales that holds it, and of the numbers next to it. */
static ir_dim scaled_dim(ir_dim dim, ir_interval scale) {
  const float lo = (float)scale.lo, hi = (float)scale.hi;
  const ir_dim made = {scaled(dim.lo, lo), hi < INFINITY ? scaled(dim.hi, hi) : IR_DIM_MAX};
  if (lo == 1.0f && hi == 1.0f)
    return dim;
  return lo <= 1.0f && hi >= 1.0f ? ir_dims_hull(dim, made) : made;
}

static bool report_element(const ir_node *node, int port, int64_t i, const char *least, const ir_tensor *tensor,
                           ir_scope *scope) {
  char text[IR_NUMBER_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "element %lld of '%s' is %s, expected %s", (long long)i, node->op->inputs[port].name,
            ir_number_text(tensor->type, ir_tensor_get(tensor, i), text, sizeof text), least);
  return false;
}

/* The size on the i-th of the axes; `dim` is the padded input's. */
static bool resize(const ir_node *node, const ir_value *const *in, int i, ir_dim *dim, ir_scope *scope) {
  const interpolate_ports *ports = node->op->choices;
  const ir_value *sizes = in[ports->sizes], *scales = in[ports->scales];
  if (goes_by_scales(node)) {
    const ir_interval scale = ir_interval_of_part(ir_has_parts(scales) ? ir_part_at(scales, i) : ir_part_any());
    if (scales->known != NULL && !(scale.lo >= 0))
      return report_element(node, ports->scales, i, "a scale of at least 0", scales->known, scope);
    *dim = scale.lo >= 0 ? scaled_dim(*dim, scale) : ir_dim_any();
    return true;
  }
  *dim = ir_has_parts(sizes) ? ir_part_at(sizes, i) : ir_dim_any();
  if (dim->hi < 0)
    return sizes->known == NULL || report_element(node, ports->sizes, i, "a size of at least 0", sizes->known, scope);
  dim->lo = dim->lo > 0 ? dim->lo : 0;
  return true;
}

/* One element of sizes or scales for each axis; OpenVINO takes more as well. */
static bool check_count(const ir_node *node, const ir_value *const *in, int n_axes, ir_scope *scope) {
  const interpolate_ports *ports = node->op->choices;
  const int port = goes_by_scales(node) ? ports->scales : ports->sizes;
  const ir_shape *shape = &in[port]->shape;
  if (shape->rank != 1 || shape->dims[0].hi >= n_axes)
    return true;
  char text[IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, 0),
            "'%s' has %s elements, expected %d: one for each axis", node->op->inputs[port].name,
            ir_dim_text(shape->dims[0], text, sizeof text), n_axes);
  return false;
}

/* Version 11 has one input for both: sizes are integers, scales are not. */
static bool check_type(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const interpolate_ports *ports = node->op->choices;
  const ir_type type = in[ports->sizes]->type;
  if (ports->sizes != ports->scales || type == IR_DYNAMIC || ir_type_in(type, IR_SET_FLOATS) == goes_by_scales(node))
    return true;
  ir_report(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, ports->sizes, -1),
            "input %d ('%s') is %s; %s", ports->sizes, node->op->inputs[ports->sizes].name, ir_type_name(type),
            goes_by_scales(node) ? "scales are of a floating-point type" : "sizes are of an integer type");
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool has_pads = ((const interpolate_ports *)node->op->choices)->axes >= 0;
  out->type = in[0]->type;
  out->unknown = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->unknown = out->unknown || in[i]->unknown;
  out->unknown = out->unknown || !check_type(node, in, scope);
  if (out->unknown || in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_axes axes;
  bool fine;
  if (!axes_of(node, in, &axes, &fine, scope)) {
    out->unknown = !fine;
    out->shape = ir_shape_of_rank(in[0]->shape.rank);
    return IR_OK;
  }
  out->shape = in[0]->shape;
  for (int i = 0; has_pads && i < out->shape.rank; i++)
    out->shape.dims[i] = padded(node, out->shape.dims[i], i);
  fine = check_count(node, in, axes.n, scope);
  for (int i = 0; i < axes.n && fine; i++)
    fine = resize(node, in, i, &out->shape.dims[axes.items[i]], scope);
  out->unknown = !fine;
  return IR_OK;
}

/* ---- the rows ---- */

static const char *const mode_1_names[] = {"nearest", "linear", "cubic", "area", NULL};
static const char *const mode_4_names[] = {"nearest", "linear", "linear_onnx", "cubic", NULL};
static const char *const mode_11_names[] = {"nearest",         "linear",         "linear_onnx", "cubic",
                                            "bilinear_pillow", "bicubic_pillow", NULL};
static const char *const calculation_names[] = {"sizes", "scales", NULL};
static const char *const transformation_names[] = {"half_pixel",           "pytorch_half_pixel", "asymmetric",
                                                   "tf_half_pixel_for_nn", "align_corners",      NULL};
static const char *const nearest_names[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple", NULL};

#define FIELD(text, field, type) .name = text, .kind = type, .offset = offsetof(interpolate_params, field)
#define LIST_ROW(text, field)                                                                                          \
  { FIELD(text, field, IR_ATTR_INT), .count = IR_COUNT_ANY, .max = INT64_MAX, .fallback = "0" }
#define MODE_ROW(words)                                                                                                \
  { FIELD("mode", mode, IR_ATTR_ENUM), .names = words, .required = true }
#define ANTIALIAS_ROW                                                                                                  \
  { FIELD("antialias", antialias, IR_ATTR_BOOL), .fallback = "false" }
#define PAD_ROWS LIST_ROW("pads_begin", pads_begin), LIST_ROW("pads_end", pads_end)
#define LATER_ROWS(words)                                                                                              \
  MODE_ROW(words),                                                                                                     \
      {FIELD("shape_calculation_mode", calculation, IR_ATTR_ENUM), .names = calculation_names, .required = true},      \
      {FIELD("coordinate_transformation_mode", transformation, IR_ATTR_ENUM), .names = transformation_names,           \
       .fallback = "half_pixel"},                                                                                      \
      {FIELD("nearest_mode", nearest_mode, IR_ATTR_ENUM), .names = nearest_names, .fallback = "round_prefer_floor"},   \
      ANTIALIAS_ROW, PAD_ROWS, {                                                                                       \
    FIELD("cube_coeff", cube_coeff, IR_ATTR_FLOAT), .fallback = "-0.75"                                                \
  }

static const ir_attr_spec attrs_1[] = {
    {FIELD("axes", axes, IR_ATTR_INT), .count = IR_COUNT_ANY, .max = IR_MAX_RANK - 1, .required = true},
    MODE_ROW(mode_1_names),
    {FIELD("align_corners", align_corners, IR_ATTR_BOOL), .fallback = "true"},
    ANTIALIAS_ROW,
    PAD_ROWS,
    {.name = NULL}};
static const ir_attr_spec attrs_4[] = {LATER_ROWS(mode_4_names), {.name = NULL}};
static const ir_attr_spec attrs_11[] = {LATER_ROWS(mode_11_names), {.name = NULL}};

static const interpolate_ports ports_1 = {.sizes = 1, .scales = 1, .axes = -1};
static const interpolate_ports ports_4 = {.sizes = 1, .scales = 2, .axes = 3};
static const interpolate_ports ports_11 = {.sizes = 1, .scales = 1, .axes = 2};

/* From version 4 on OpenVINO lists the types, of which none is carried. */
#define IMAGE(text, set, noted, carried)                                                                               \
  {                                                                                                                    \
    .name = text, .type_var = "T", .types = set, .types_noted = noted, .types_carried = carried,                       \
    .rank_max = IR_MAX_RANK                                                                                            \
  }
#define LIST(text, var, set, carried)                                                                                  \
  .name = text, .type_var = var, .types = set, .types_carried = carried, .rank_min = 1, .rank_max = 1
#define INTERPOLATE(number)                                                                                            \
  .dialect = IR_OPENVINO, .type = "Interpolate", .version = number,                                                    \
  .spec = IR_SPEC_PAGE("image/interpolate-" #number), .params_size = sizeof(interpolate_params),                       \
  .attrs = attrs_##number, .choices = &ports_##number, .infer = infer

const ir_op ir_op_interpolate_1 = {
    INTERPOLATE(1),
    .inputs = {IMAGE("data", IR_SET_FLOATS, IR_SET_INTEGERS, 0),
               {LIST("target_spatial_shape", "T_SIZE", IR_SET_INTEGERS, 0), .parts = true}},
    .outputs = {IMAGE("output", IR_SET_FLOATS, IR_SET_INTEGERS, 0)},
};
const ir_op ir_op_interpolate_4 = {
    INTERPOLATE(4),
    .inputs = {IMAGE("data", IR_SET_NUMBERS, 0, IR_CARRIED_NONE),
               {LIST("sizes", "T_SIZE", IR_SET_INTEGERS, IR_CARRIED_NONE), .parts = true},
               {LIST("scales", "T_SCALES", IR_SET_FLOATS, IR_CARRIED_NONE), .contents = true},
               {LIST("axes", "T_AXES", IR_SET_INTEGERS, IR_CARRIED_NONE), .contents = true, .optional = true}},
    .outputs = {IMAGE("output", IR_SET_NUMBERS, 0, IR_CARRIED_NONE)},
};
const ir_op ir_op_interpolate_11 = {
    INTERPOLATE(11),
    .inputs = {IMAGE("image", IR_SET_NUMBERS, 0, IR_CARRIED_NONE),
               {LIST("scales_or_sizes", "T_SCALES_OR_SIZES", IR_SET_NUMBERS, IR_CARRIED_NONE), .contents = true},
               {LIST("axes", "T_AXES", IR_SET_INTEGERS, IR_CARRIED_NONE), .contents = true, .optional = true}},
    .outputs = {IMAGE("output", IR_SET_NUMBERS, 0, IR_CARRIED_NONE)},
};

/* Interpolate-1, -4 and -11 pad the input, then resize some axes to given sizes or by given scales. Pages:
 * operation-specs/image/interpolate-*. */
#include "ops/axes.h"
#include "ops/float_ranges.h"
#include "ops/image/coordinate.h"
#include "ops/kernels/resample.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/ranges.h"
#include <math.h>

typedef struct interpolate_params {
  ir_ints axes, pads_begin, pads_end;
  int mode, calculation, transformation, nearest_mode;
  bool align_corners, antialias;
  double cube_coeff;
} interpolate_params;

enum { BY_SIZES, BY_SCALES };
enum { NEAREST, LINEAR, LINEAR_ONNX, CUBIC, BILINEAR_PILLOW, BICUBIC_PILLOW };
enum { NEAREST_1, LINEAR_1, CUBIC_1, AREA_1 }; /* values of `mode` in version 1 */

/* Input ports of a version. A row of the op table points to its ports by ir_op.family. */
typedef struct interpolate_ports {
  int sizes, scales, axes; /* axes: -1 if the axes are an attribute */
} interpolate_ports;

static bool goes_by_scales(const ir_node *node) {
  return ((const interpolate_params *)node->params)->calculation == BY_SCALES;
}

/* ---- axes ---- */

/* Reads the attribute `axes`. Skips repeated axes. */
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

/* Sets `axes`. If the axes are unknown, returns false. If they are wrong, reports that, sets `*fine` to false and
 * returns false. */
static bool axes_of(const ir_node *node, const ir_value *const *in, ir_axes *axes, bool *fine, ir_scope *scope) {
  const interpolate_ports *ports = node->op->family;
  const int rank = in[0]->shape.rank;
  const ir_axes_rule rule = {.rank = rank, .front_only = true, .repeats = IR_REPEATS_REFUSED};
  *fine = true;
  if (ports->axes < 0) {
    *fine = attribute_axes(node, rank, axes, scope);
  } else if (node->n_inputs <= ports->axes) {
    axes->n = rank;
    for (int i = 0; i < rank; i++)
      axes->items[i] = i;
  } else if (in[ports->axes]->contents == NULL) {
    *fine = ir_axes_fit(node, ports->axes, ir_axes_count(in[ports->axes]), rank, scope);
    return false;
  } else {
    *fine = ir_axes_read(node, ports->axes, in[ports->axes]->contents, rule, scope, axes);
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

/* Returns floor(n * (scale + 1e-6)), in single precision. OpenVINO adds the same epsilon. */
static int64_t scaled(int64_t n, float scale) {
  const float size = (float)n * (scale + 1.0e-6f);
  return n != IR_DIM_MAX && size < 9.2e18f ? (int64_t)size : IR_DIM_MAX;
}

/* Returns the interval of sizes for an interval of scales. If `scale` is exactly 1, the size stays `dim`, because
 * OpenVINO adds no epsilon to 1. If `scale` only contains 1, the result includes `dim`. */
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

/* Resizes the i-th axis of the list of axes: `*dim` is the padded input's size before, and the output's size after. */
static bool resize(const ir_node *node, const ir_value *const *in, int i, ir_dim *dim, ir_scope *scope) {
  const interpolate_ports *ports = node->op->family;
  const ir_value *sizes = in[ports->sizes], *scales = in[ports->scales];
  if (goes_by_scales(node)) {
    const ir_interval scale = ir_interval_of_range(ir_has_ranges(scales) ? ir_range_at(scales, i) : ir_range_any());
    if (scales->contents != NULL && !(scale.lo >= 0))
      return report_element(node, ports->scales, i, "a scale of at least 0", scales->contents, scope);
    *dim = scale.lo >= 0 ? scaled_dim(*dim, scale) : ir_dim_any();
    return true;
  }
  *dim = ir_has_ranges(sizes) ? ir_range_at(sizes, i) : ir_dim_any();
  if (dim->hi < 0)
    return sizes->contents == NULL ||
           report_element(node, ports->sizes, i, "a size of at least 0", sizes->contents, scope);
  dim->lo = dim->lo > 0 ? dim->lo : 0;
  return true;
}

/* Checks that sizes or scales have at least one element per axis. More elements are accepted, as in OpenVINO. */
static bool check_count(const ir_node *node, const ir_value *const *in, int n_axes, ir_scope *scope) {
  const interpolate_ports *ports = node->op->family;
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

/* Checks the type of the input for sizes or scales in version 11: sizes must be integers, scales floats. */
static bool check_type(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const interpolate_ports *ports = node->op->family;
  const ir_type type = in[ports->sizes]->type;
  if (ports->sizes != ports->scales || type == IR_DYNAMIC || ir_type_in(type, IR_SET_FLOATS) == goes_by_scales(node))
    return true;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, ports->sizes, -1),
                 "input %d ('%s') is %s; %s", ports->sizes, node->op->inputs[ports->sizes].name, ir_type_name(type),
                 goes_by_scales(node) ? "scales are of a floating-point type" : "sizes are of an integer type");
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool has_pads = ((const interpolate_ports *)node->op->family)->axes >= 0;
  out->type = in[0]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  out->poisoned = out->poisoned || !check_type(node, in, scope);
  if (out->poisoned || in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_axes axes;
  bool fine;
  if (!axes_of(node, in, &axes, &fine, scope)) {
    out->poisoned = !fine;
    out->shape = ir_shape_of_rank(in[0]->shape.rank);
    return IR_OK;
  }
  out->shape = in[0]->shape;
  for (int i = 0; has_pads && i < out->shape.rank; i++)
    out->shape.dims[i] = padded(node, out->shape.dims[i], i);
  fine = check_count(node, in, axes.n, scope);
  for (int i = 0; i < axes.n && fine; i++)
    fine = resize(node, in, i, &out->shape.dims[axes.items[i]], scope);
  out->poisoned = !fine;
  return IR_OK;
}

/* ---- running: a table of taps for each axis. A tap is an input element and its weight in an output element ---- */

/* Attributes of version 4 that determine output elements. Attributes of version 1 are translated to these. */
typedef struct interpolate_way {
  int mode, transformation, nearest_mode;
  bool antialias; /* the attribute is true, and some scale is below 1 */
  double cube_coeff;
} interpolate_way;

typedef struct interpolate_axis {
  int64_t n_in, n_out; /* n_in: size of the padded input */
  int64_t pad, n;      /* elements [pad, pad + n) of the padded input are the input's, all others are 0 */
  float scale;
} interpolate_axis;

/* Translates the attributes of version 1 as OpenVINO does. Returns false for mode 'area', which has no equivalent, and
 * for 'linear' of more than 5 axes. */
static bool way_of_version_1(const ir_node *node, const ir_axes *axes, int rank, interpolate_way *way) {
  const interpolate_params *params = node->params;
  bool has_pads = false;
  for (int64_t i = 0; i < params->pads_begin.n; i++)
    has_pads = has_pads || params->pads_begin.items[i] != 0;
  for (int64_t i = 0; i < params->pads_end.n; i++)
    has_pads = has_pads || params->pads_end.items[i] != 0;
  const bool is_image = rank == 4 && axes->n == 2 && ir_axes_hold(axes, 2) && ir_axes_hold(axes, 3);
  const bool is_half = params->mode == LINEAR_1 && !has_pads && !is_image;
  const int linear = rank < 5 ? LINEAR_ONNX : LINEAR;
  *way = (interpolate_way){.mode = params->mode == NEAREST_1 ? NEAREST
                                   : params->mode == CUBIC_1 ? CUBIC
                                                             : linear,
                           .transformation = params->align_corners ? IR_ALIGN_CORNERS
                                             : is_half             ? IR_HALF_PIXEL
                                                                   : IR_ASYMMETRIC,
                           .nearest_mode = IR_SIMPLE,
                           .antialias = params->antialias,
                           .cube_coeff = -0.75};
  return params->mode != AREA_1 && (params->mode != LINEAR_1 || rank <= 5);
}

/* Clamps an element index to [0, n_in - 1]. */
static int64_t inside(const interpolate_axis *axis, int64_t element) {
  return element < 0 ? 0 : element < axis->n_in ? element : axis->n_in - 1;
}

static void add_tap(ir_taps *taps, const interpolate_axis *axis, int64_t j, int64_t from, double weight) {
  if (from >= axis->pad && from - axis->pad < axis->n && weight != 0)
    ir_taps_add(taps, j, from - axis->pad, weight);
}

static void add_linear(ir_taps *taps, const interpolate_axis *axis, int64_t j, ir_coordinate place) {
  const int64_t first = inside(axis, place.whole);
  const double part = first == place.whole && first < axis->n_in - 1 ? place.part : 0;
  add_tap(taps, axis, j, first, 1 - part);
  add_tap(taps, axis, j, first + 1, part);
}

/* Cubic convolution weight of an element at distance x from the position; `a` is cube_coeff. */
static double cubic_weight(double x, double a) {
  x = fabs(x);
  return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double triangle_weight(double x) {
  return fabs(x) < 1 ? 1 - fabs(x) : 0;
}

/* Adds the four taps of output element j. Taps outside of the axis use the first or last element, which can get several
 * taps. */
static void add_cubic(const interpolate_way *way, ir_taps *taps, const interpolate_axis *axis, int64_t j,
                      ir_coordinate place) {
  for (int i = -1; i <= 2; i++)
    add_tap(taps, axis, j, inside(axis, place.whole + i), cubic_weight(place.part - i, way->cube_coeff));
}

/* A filter: the weight of an element is cubic_weight or triangle_weight of (element - center) * factor. */
typedef struct interpolate_filter {
  bool is_cubic;
  double center, factor, cube_coeff;
} interpolate_filter;

static double filter_weight(const interpolate_filter *filter, int64_t element) {
  const double x = ((double)element - filter->center) * filter->factor;
  return filter->is_cubic ? cubic_weight(x, filter->cube_coeff) : triangle_weight(x);
}

/* Adds taps for the weighted mean of the elements [first, behind), without those outside of the axis. */
static void add_filter(const interpolate_filter *filter, ir_taps *taps, const interpolate_axis *axis, int64_t j,
                       double first, double behind) {
  const int64_t begin = first > 0 ? (int64_t)first : 0;
  const int64_t end = behind < (double)axis->n_in ? (int64_t)behind : axis->n_in;
  double sum = 0;
  for (int64_t i = begin; i < end && !ir_stop_asked_after(taps->stop, 0, 1, &taps->since); i++)
    sum += filter_weight(filter, i);
  for (int64_t i = begin; i < end && sum != 0 && !ir_stop_asked_after(taps->stop, 0, 1, &taps->since); i++)
    add_tap(taps, axis, j, i, filter_weight(filter, i) / sum);
}

/* Returns how many elements on each side of a position the mode 'linear' uses. OpenVINO's CPU plugin differs: if fewer
 * than three axes change, it ignores antialias. */
static double linear_reach(const interpolate_way *way, const interpolate_axis *axis) {
  return axis->scale > 1 || !way->antialias ? 2 : ceil(2 / (double)axis->scale);
}

static void add_antialias(const interpolate_way *way, ir_taps *taps, const interpolate_axis *axis, int64_t j,
                          ir_coordinate place) {
  const double middle = (double)(place.whole + (place.part >= 0.5)), reach = linear_reach(way, axis);
  const interpolate_filter filter = {.center = (double)place.whole + place.part,
                                     .factor = way->antialias ? axis->scale : 1};
  add_filter(&filter, taps, axis, j, middle - reach, middle + reach + 1);
}

/* Returns the distance between the positions of two output elements. Pillow ignores the attribute `scales`. (OpenVINO's
 * CPU plugin also ignores cube_coeff in Pillow's modes: it always uses -0.5.) */
static double pillow_step(const interpolate_axis *axis) {
  return (double)axis->n_in / (double)axis->n_out;
}

static void add_pillow(const interpolate_way *way, ir_taps *taps, const interpolate_axis *axis, int64_t j) {
  const double step = pillow_step(axis), center = ((double)j + 0.5) * step, wide = step > 1 ? step : 1;
  const bool is_cubic = way->mode == BICUBIC_PILLOW;
  const double reach = (is_cubic ? 2 : 1) * wide;
  const interpolate_filter filter = {is_cubic, center - 0.5, 1 / wide, way->cube_coeff};
  add_filter(&filter, taps, axis, j, trunc(center - reach + 0.5), trunc(center + reach + 0.5));
}

static int64_t most_taps(const interpolate_way *way, const interpolate_axis *axis) {
  const double step = pillow_step(axis);
  if (way->mode == NEAREST)
    return 1;
  if (way->mode == LINEAR_ONNX)
    return 2;
  if (way->mode == CUBIC)
    return 4;
  const double most = way->mode == LINEAR ? 2 * linear_reach(way, axis) + 1 : 4 * ceil(step > 1 ? step : 1) + 2;
  return most < (double)axis->n_in ? (int64_t)most : axis->n_in;
}

typedef struct taps_rule {
  interpolate_way way;
  interpolate_axis axis;
} taps_rule;

static void add_all(ir_taps *taps, int64_t j) {
  const taps_rule *rule = taps->rule;
  const interpolate_way *way = &rule->way;
  const interpolate_axis *axis = &rule->axis;
  const ir_coordinate place = ir_coordinate_of(way->transformation, axis->n_in, axis->n_out, axis->scale, j);
  if (axis->n == 0)
    return;
  if (way->mode == NEAREST)
    add_tap(taps, axis, j, inside(axis, ir_coordinate_nearest(way->nearest_mode, axis->scale, place)), 1);
  else if (way->mode == LINEAR_ONNX)
    add_linear(taps, axis, j, place);
  else if (way->mode == CUBIC)
    add_cubic(way, taps, axis, j, place);
  else if (way->mode == LINEAR)
    add_antialias(way, taps, axis, j, place);
  else
    add_pillow(way, taps, axis, j);
}

/* Returns the taps of an axis; NULL if memory is out. */
static ir_taps *taps_of(const interpolate_way *way, const interpolate_axis *axis, ir_plan *plan) {
  taps_rule *rule = ir_arena_alloc(plan->arena, sizeof *rule);
  if (rule == NULL)
    return ir_out_of_memory(plan->diags), NULL;
  *rule = (taps_rule){*way, *axis};
  return ir_taps_new(plan, axis->n_out, most_taps(way, axis), way->mode != NEAREST, add_all, rule);
}

/* Whether each element of an axis stays as it is. The position of an element is the element itself if the axis keeps
 * its size (ir_coordinate_of), and its neighbours then have the weight 0, unless a filter is wider than an element. */
static bool stays(const interpolate_way *way, const interpolate_axis *axis) {
  const bool is_wide = way->mode == LINEAR && way->antialias && axis->scale < 1 && axis->n > 1;
  return axis->n_out == axis->n && axis->n_in == axis->n && !is_wide && isfinite(way->cube_coeff);
}

static float scale_of(const ir_node *node, const ir_value *const *in, int i, const interpolate_axis *axis) {
  const interpolate_ports *ports = node->op->family;
  return goes_by_scales(node) ? (float)ir_number_as_double(ir_tensor_get(in[ports->scales]->contents, i))
                              : ir_ratio(axis->n_in, axis->n_out);
}

/* Sets the sizes of all axes, and the scales of the axes in `list`. Other axes have the scale 1. */
static bool fill_axes(const ir_node *node, const ir_value *const *in, const ir_axes *list, interpolate_axis *out,
                      ir_scope *scope) {
  const bool has_pads = ((const interpolate_ports *)node->op->family)->axes >= 0;
  const interpolate_params *params = node->params;
  const ir_shape *from = &in[0]->shape, *to = &node->outputs[0].shape;
  for (int i = 0; i < from->rank; i++) {
    const int64_t pad = has_pads && i < params->pads_begin.n ? params->pads_begin.items[i] : 0;
    const ir_dim size = has_pads ? padded(node, from->dims[i], i) : from->dims[i];
    out[i] = (interpolate_axis){size.lo, to->dims[i].lo, pad, from->dims[i].lo, 1};
    if (size.hi > INT32_MAX || out[i].n_out > INT32_MAX) {
      ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
                     "axis %d has more than 2^31 - 1 elements, with its pads", i);
      return false;
    }
  }
  for (int i = 0; i < list->n; i++)
    out[list->items[i]].scale = scale_of(node, in, i, &out[list->items[i]]);
  return true;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const interpolate_params *params = node->params;
  const bool is_first_version = ((const interpolate_ports *)node->op->family)->axes < 0;
  interpolate_axis axes[IR_MAX_RANK];
  ir_taps *taps[IR_MAX_RANK] = {NULL};
  interpolate_way way = {params->mode, params->transformation, params->nearest_mode, params->antialias,
                         params->cube_coeff};
  ir_axes list;
  bool fine, is_reduced = false;
  if (!axes_of(node, in, &list, &fine, scope))
    return IR_INVALID;
  if (is_first_version && !way_of_version_1(node, &list, in[0]->shape.rank, &way))
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_attr_where(scope, node, "mode"),
                          "irrun does not run the mode 'area', nor 'linear' of more than 5 axes");
  if (!fill_axes(node, in, &list, axes, scope))
    return IR_UNSUPPORTED;
  for (int i = 0; i < in[0]->shape.rank; i++)
    is_reduced = is_reduced || axes[i].scale < 1;
  way.antialias = way.antialias && is_reduced;
  for (int i = 0; i < in[0]->shape.rank; i++)
    if (!stays(&way, &axes[i]) && (taps[i] = taps_of(&way, &axes[i], plan)) == NULL)
      return IR_NO_MEMORY;
  return ir_resample_steps(plan, node, in[0], taps, way.mode >= BILINEAR_PILLOW ? IR_ROUND_EACH_AXIS : IR_ROUND_LAST);
}

/* ---- rows of the op table ---- */

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

/* From version 4 on, OpenVINO accepts exactly the types in `set`: `carried` is IR_CARRIED_NONE. */
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
  .attrs = attrs_##number, .family = &ports_##number, .infer = infer, .run = {IR_RUN_PREPARED, .prepare = prepare},    \
  .cost = ir_elementwise_cost, .takes_channels_last = ir_always_channels_last

const ir_op ir_op_interpolate_1 = {
    INTERPOLATE(1),
    .inputs = IR_PORTS(IMAGE("data", IR_SET_FLOATS, IR_SET_INTEGERS, 0),
                       {LIST("target_spatial_shape", "T_SIZE", IR_SET_INTEGERS, 0), .ranges = true}),
    .outputs = IR_PORTS(IMAGE("output", IR_SET_FLOATS, IR_SET_INTEGERS, 0)),
};
const ir_op ir_op_interpolate_4 = {
    INTERPOLATE(4),
    .inputs = IR_PORTS(IMAGE("data", IR_SET_NUMBERS, 0, IR_CARRIED_NONE),
                       {LIST("sizes", "T_SIZE", IR_SET_INTEGERS, IR_CARRIED_NONE), .ranges = true},
                       {LIST("scales", "T_SCALES", IR_SET_FLOATS, IR_CARRIED_NONE), .contents = true},
                       {LIST("axes", "T_AXES", IR_SET_INTEGERS, IR_CARRIED_NONE), .contents = true, .optional = true}),
    .outputs = IR_PORTS(IMAGE("output", IR_SET_NUMBERS, 0, IR_CARRIED_NONE)),
};
const ir_op ir_op_interpolate_11 = {
    INTERPOLATE(11),
    .inputs =
        IR_PORTS(IMAGE("image", IR_SET_NUMBERS, 0, IR_CARRIED_NONE),
                 {LIST("scales_or_sizes", "T_SCALES_OR_SIZES", IR_SET_NUMBERS, IR_CARRIED_NONE), .contents = true},
                 {LIST("axes", "T_AXES", IR_SET_INTEGERS, IR_CARRIED_NONE), .contents = true, .optional = true}),
    .outputs = IR_PORTS(IMAGE("output", IR_SET_NUMBERS, 0, IR_CARRIED_NONE)),
};

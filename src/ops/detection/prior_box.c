/* PriorBox-1 and -8, PriorBoxClustered-1: boxes around each point of a grid [height, width], which the contents of
 * input 0 give. Output [2, 4 * height * width * boxes per point]: coordinates and variances. Pages:
 * operation-specs/detection/prior-box-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/bind.h"
#include "ops/parts.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct prior_box_params {
  ir_floats min_size, max_size, aspect_ratio, density, fixed_ratio, fixed_size;
  ir_floats width, height; /* of PriorBoxClustered */
  bool flip, scale_all_sizes;
  ir_other_attrs other;
} prior_box_params;

/* ---- boxes per point ---- */

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* As OpenVINO tells ratios apart: floats, rounded to six digits. */
static float rounded(float ratio) {
  return (float)(round(ratio * 1e6) / 1e6);
}

/* Different ratios, 1 among them, with flip those turned over too. False when memory is out. */
static bool count_ratios(const prior_box_params *params, int64_t *out, ir_scope *scope) {
  const ir_floats list = params->aspect_ratio;
  float *ratios = ir_arena_array(scope->arena, 2 * (size_t)list.n + 1, sizeof *ratios);
  size_t n = 0;
  if (ratios == NULL)
    return false;
  ratios[n++] = 1;
  for (int64_t i = 0; i < list.n; i++) {
    const float ratio = (float)list.items[i];
    ratios[n++] = rounded(ratio);
    if (params->flip)
      ratios[n++] = rounded(1 / ratio);
  }
  qsort(ratios, n, sizeof *ratios, compare_floats);
  *out = 1;
  for (size_t i = 1; i < n; i++)
    *out += ratios[i] > ratios[i - 1];
  return true;
}

/* Reports the first item that does not lie between both. */
static bool check_items(const ir_node *node, const char *name, ir_floats list, double least, double most,
                        const char *expected, ir_scope *scope) {
  for (int64_t i = 0; i < list.n; i++)
    if (!(list.items[i] >= least && list.items[i] <= most)) {
      ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_item_where(scope, node, name, i),
                "'%s' has %g, expected %s", name, list.items[i], expected);
      return false;
    }
  return true;
}

/* It fits 64 bits, four times too: a list has at most 2^16 items, and a density is at most 2^12. */
static int64_t count_boxes(const prior_box_params *params, int64_t n_ratios) {
  int64_t n =
      params->scale_all_sizes ? n_ratios * params->min_size.n + params->max_size.n : n_ratios + params->min_size.n - 1;
  if (params->fixed_size.n > 0)
    n = n_ratios * params->fixed_size.n;
  for (int64_t i = 0; i < params->density.n; i++) {
    const int64_t density = (int64_t)params->density.items[i];
    n += (params->fixed_ratio.n > 0 ? params->fixed_ratio.n : n_ratios) * (density * density - 1);
  }
  return n;
}

/* ---- inference ---- */

/* A size that a graph computes; -1 is an open one, as it is for OpenVINO. */
static ir_dim grid_size(const ir_value *output_size, int64_t i) {
  const ir_dim part = ir_parts_count(output_size) == 2 ? ir_part_at(output_size, i) : ir_dim_any();
  return part.hi < 0 ? ir_dim_any() : (ir_dim){part.lo < 0 ? 0 : part.lo, part.hi};
}

static ir_code infer_grid(const ir_node *node, const ir_value *const *in, int64_t n_boxes, ir_value *out,
                          ir_scope *scope) {
  static const char what[] = "a height and a width";
  const bool first = ir_size_check(node, in, 0, 0, ir_dim_of(2), what, scope);
  const bool second = ir_size_check(node, in, 1, 0, ir_dim_of(2), what, scope);
  if (!first || !second || !ir_elements_check(node, in, 0, -1, scope)) {
    out->unknown = true;
    return IR_OK;
  }
  const ir_dim points = ir_dims_product(grid_size(in[0], 0), grid_size(in[0], 1));
  out->shape = ir_shape_of_rank(2);
  out->shape.dims[0] = ir_dim_of(2);
  out->shape.dims[1] = ir_dims_product(points, ir_dim_of(4 * n_boxes));
  return IR_OK;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const prior_box_params *params = node->params;
  int64_t n_ratios;
  out->type = IR_F32;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  const bool ratios =
      check_items(node, "aspect_ratio", params->aspect_ratio, DBL_TRUE_MIN, DBL_MAX, "ratios above 0", scope);
  const bool densities = check_items(node, "density", params->density, 1, 1 << 12, "densities from 1 to 4096", scope);
  if (!ratios || !densities) {
    out->unknown = true;
    return IR_OK;
  }
  if (!count_ratios(params, &n_ratios, scope))
    return ir_out_of_memory(scope->diags);
  return infer_grid(node, in, count_boxes(params, n_ratios), out, scope);
}

static ir_code infer_clustered(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const prior_box_params *params = node->params;
  out->type = IR_F32;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  if (params->width.n != params->height.n) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "height"),
              "there are %lld heights and %lld widths; each box has one of both", (long long)params->height.n,
              (long long)params->width.n);
    out->unknown = true;
    return IR_OK;
  }
  ir_warn_of_default(node, "width", "one box of width 1", "no box", scope);
  ir_warn_of_default(node, "height", "one box of height 1", "no box", scope);
  return infer_grid(node, in, params->width.n, out, scope);
}

/* ---- the rows ---- */

#define AT(field)         offsetof(prior_box_params, field)
#define LIST(text, field) IR_FLOATS_ROW(text, AT(field), .fallback = "")
#define COMMON_ROWS                                                                                                    \
  IR_FLOAT_ROW("offset", AT(other.real[0]), .required = true), LIST("variance", other.reals[0]),                       \
      IR_FLOAT_ROW("step", AT(other.real[1]), .fallback = "0")
#define PRIOR_BOX_ROWS                                                                                                 \
  COMMON_ROWS, LIST("min_size", min_size), LIST("max_size", max_size), LIST("aspect_ratio", aspect_ratio),             \
      LIST("density", density), LIST("fixed_ratio", fixed_ratio), LIST("fixed_size", fixed_size),                      \
      IR_BOOL_ROW("flip", AT(flip), "false"), IR_BOOL_ROW("clip", AT(other.flag[0]), "false"),                         \
      IR_BOOL_ROW("scale_all_sizes", AT(scale_all_sizes), "true")

static const ir_attr_spec attrs_1[] = {PRIOR_BOX_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {
    PRIOR_BOX_ROWS, IR_BOOL_ROW("min_max_aspect_ratios_order", AT(other.flag[1]), "true"), {.name = NULL}};
static const ir_attr_spec attrs_clustered[] = {COMMON_ROWS,
                                               IR_FLOATS_ROW("width", AT(width), .fallback = "1.0"),
                                               IR_FLOATS_ROW("height", AT(height), .fallback = "1.0"),
                                               IR_BOOL_ROW("clip", AT(other.flag[2]), "true"),
                                               IR_FLOAT_ROW("step_w", AT(other.real[2]), .fallback = "0"),
                                               IR_FLOAT_ROW("step_h", AT(other.real[3]), .fallback = "0"),
                                               {.name = NULL}};
static const char *const clustered_leftovers[] = {"flip", "img_h", "img_size", "img_w", NULL};

#define SIZE(port, var, ...)                                                                                           \
  { .name = port, .type_var = var, .types = IR_SET_INTEGERS, .rank_min = 1, .rank_max = 1, __VA_ARGS__ }
#define PRIOR_BOX(text, number, page, schema, rule, is_optional)                                                       \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("detection/" page),                    \
  .params_size = sizeof(prior_box_params), .attrs = schema,                                                            \
  .inputs = {SIZE("output_size", "T_INT", .parts = true), SIZE("image_size", "T_IMAGE", .optional = is_optional)},     \
  .outputs = {IR_PORT("output", "T_OUT", IR_SET_FLOATS, 2)}, .infer = rule

const ir_op ir_op_prior_box_1 = {PRIOR_BOX("PriorBox", 1, "prior-box-1", attrs_1, infer, false)};
const ir_op ir_op_prior_box_8 = {PRIOR_BOX("PriorBox", 8, "prior-box-8", attrs_8, infer, false)};
const ir_op ir_op_prior_box_clustered_1 = {
    PRIOR_BOX("PriorBoxClustered", 1, "prior-box-clustered-1", attrs_clustered, infer_clustered, true),
    .leftovers = clustered_leftovers};

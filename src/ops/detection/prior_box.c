/* PriorBox-1 and -8 and PriorBoxClustered-1 make boxes around each cell of a grid on an image. Input 0 contains the
 * grid's [height, width], input 1 the image's. The output is [2, 4 * height * width * boxes per cell]: row 0 has the
 * boxes' corners, row 1 their variances. Pages: operation-specs/detection/prior-box-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/floats.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include "ops/ranges.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct prior_box_params {
  ir_floats min_size, max_size, aspect_ratio, density, fixed_ratio, fixed_size;
  ir_floats width, height; /* attributes of PriorBoxClustered */
  bool flip, scale_all_sizes;
  ir_other_attrs other;
} prior_box_params;

/* ---- number of boxes of a cell ---- */

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* OpenVINO rounds ratios to six decimal places before it compares them. */
static float rounded(float ratio) {
  return (float)(round(ratio * 1e6) / 1e6);
}

/* Counts the distinct ratios: 1, those of aspect_ratio and, if flip is set, their inverses. False: memory is out. */
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

/* Reports the first item of `list` outside of [least, most]. */
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

/* Number of boxes of a cell. Four times that number fits int64_t: a list has at most 2^16 items, and a density is at
 * most 2^12. */
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

/* Element i of input 0 as a size of the grid. A negative element is an open size, as in OpenVINO. */
static ir_dim grid_size(const ir_value *output_size, int64_t i) {
  const ir_dim range = ir_ranges_count(output_size) == 2 ? ir_range_at(output_size, i) : ir_dim_any();
  return range.hi < 0 ? ir_dim_any() : (ir_dim){range.lo < 0 ? 0 : range.lo, range.hi};
}

static ir_code infer_grid(const ir_node *node, const ir_value *const *in, int64_t n_boxes, ir_value *out,
                          ir_scope *scope) {
  static const char what[] = "a height and a width";
  const bool first = ir_size_check(node, in, 0, 0, ir_dim_of(2), what, scope);
  const bool second = ir_size_check(node, in, 1, 0, ir_dim_of(2), what, scope);
  if (!first || !second || !ir_elements_check(node, in, 0, -1, scope)) {
    out->poisoned = true;
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
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  const bool ratios =
      check_items(node, "aspect_ratio", params->aspect_ratio, DBL_TRUE_MIN, DBL_MAX, "ratios above 0", scope);
  const bool densities = check_items(node, "density", params->density, 1, 1 << 12, "densities from 1 to 4096", scope);
  if (!ratios || !densities) {
    out->poisoned = true;
    return IR_OK;
  }
  if (!count_ratios(params, &n_ratios, scope))
    return ir_out_of_memory(scope->diags);
  return infer_grid(node, in, count_boxes(params, n_ratios), out, scope);
}

static ir_code infer_clustered(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const prior_box_params *params = node->params;
  out->type = IR_F32;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  if (params->width.n != params->height.n) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "height"),
              "there are %lld heights and %lld widths; each box has one of both", (long long)params->height.n,
              (long long)params->width.n);
    out->poisoned = true;
    return IR_OK;
  }
  ir_warn_of_default(node, "width", "one box of width 1", "no box", scope);
  ir_warn_of_default(node, "height", "one box of height 1", "no box", scope);
  return infer_grid(node, in, params->width.n, out, scope);
}

/* ---- running: lists the boxes of one cell, then places them around each cell ---- */

/* A box relative to the center of its cell, in pixels of the image. Single precision, as in OpenVINO. */
typedef struct prior_box {
  float shift_x, shift_y, half_width, half_height;
  bool is_held; /* x0 and y0 become at least 0, x1 and y1 at most 1, even if the attribute clip is false */
} prior_box;

typedef struct prior_state {
  const prior_box_params *params;
  bool is_clustered, clip, max_before_ratios;
  int64_t n_boxes; /* boxes of a cell */
  const float *ratios;
  int64_t n_ratios;
  float variance[4];
  ir_diags *diags;
  ir_where where;
} prior_state;

typedef struct prior_work {
  const prior_state *state;
  const prior_box *boxes;
  int64_t width;
  float offset, step_x, step_y, image_width, image_height;
  float *out, *variances;
} prior_work;

typedef struct prior_list {
  prior_box *items;
  int64_t n;
} prior_list;

static void add_box(prior_list *list, prior_box box) {
  list->items[list->n++] = box;
}

static void add_centered(prior_list *list, float width, float height) {
  add_box(list, (prior_box){0, 0, width * 0.5f, height * 0.5f, false});
}

/* Adds density * density boxes, whose centers form a grid of width and height `size` around the cell's center. */
static void add_dense(prior_list *list, float size, int64_t density, float half_width, float half_height) {
  const float shift = truncf(size / (float)density), begin = (shift - truncf(size)) / 2;
  for (int64_t row = 0; row < density; row++)
    for (int64_t column = 0; column < density; column++)
      add_box(list,
              (prior_box){begin + (float)column * shift, begin + (float)row * shift, half_width, half_height, true});
}

static void add_fixed(const prior_state *state, prior_list *list) {
  const prior_box_params *params = state->params;
  for (int64_t i = 0; i < params->fixed_size.n; i++) {
    const float size = (float)params->fixed_size.items[i];
    const int64_t density = i < params->density.n ? (int64_t)params->density.items[i] : 1;
    for (int64_t j = 0; j < params->fixed_ratio.n; j++) {
      const float root = sqrtf((float)params->fixed_ratio.items[j]);
      add_dense(list, size, density, size * 0.5f * root, size * 0.5f / root);
    }
    if (params->fixed_ratio.n > 0)
      continue;
    if (params->density.n > 0)
      add_dense(list, size, density, truncf(size) * 0.5f, truncf(size) * 0.5f);
    for (int64_t j = 1; j < state->n_ratios; j++)
      add_dense(list, size, density, size * 0.5f * sqrtf(state->ratios[j]), size * 0.5f / sqrtf(state->ratios[j]));
  }
}

static void add_sized(const prior_state *state, prior_list *list, float unit) {
  const prior_box_params *params = state->params;
  for (int64_t i = 0; i < params->min_size.n; i++) {
    const float size = (float)params->min_size.items[i] * unit;
    const float both = i < params->max_size.n ? sqrtf(size * (float)params->max_size.items[i]) : 0;
    const bool has_both = i < params->max_size.n;
    const float base = params->scale_all_sizes ? size : (float)params->min_size.items[0] * unit;
    add_centered(list, size, size);
    if (has_both && state->max_before_ratios)
      add_centered(list, both, both);
    for (int64_t j = 1; j < state->n_ratios && (params->scale_all_sizes || i == params->min_size.n - 1); j++)
      add_centered(list, base * sqrtf(state->ratios[j]), base / sqrtf(state->ratios[j]));
    if (has_both && !state->max_before_ratios)
      add_centered(list, both, both);
  }
}

/* Adds all boxes of a cell. If scale_all_sizes is set, min_size is in pixels. Otherwise, min_size is a fraction of the
 * image's height. */
static void add_boxes(const prior_state *state, prior_list *list, float image_height) {
  const prior_box_params *params = state->params;
  if (state->is_clustered) {
    for (int64_t i = 0; i < params->width.n; i++)
      add_centered(list, (float)params->width.items[i], (float)params->height.items[i]);
    return;
  }
  add_fixed(state, list);
  add_sized(state, list, params->scale_all_sizes ? 1 : image_height);
}

/* The number of boxes that add_boxes adds, without a loop over them: a few attributes can make billions. Their bytes
 * fit size_t (see count_boxes). */
static int64_t count_added(const prior_state *state) {
  const prior_box_params *params = state->params;
  const int64_t n_more = state->n_ratios - 1, n_sizes = params->min_size.n;
  if (state->is_clustered)
    return params->width.n;
  int64_t n = n_sizes + (params->max_size.n < n_sizes ? params->max_size.n : n_sizes) +
              n_more * (params->scale_all_sizes ? n_sizes : n_sizes > 0);
  for (int64_t i = 0; i < params->fixed_size.n; i++) {
    const int64_t density = i < params->density.n ? (int64_t)params->density.items[i] : 1;
    n += density * density * (params->fixed_ratio.n > 0 ? params->fixed_ratio.n : (params->density.n > 0) + n_more);
  }
  return n;
}

/* NaN stays NaN in these. */
static float at_least_0(float x) {
  return x <= 0 ? 0 : x;
}

static float at_most_1(float x) {
  return x > 1 ? 1 : x;
}

static float within(float x) {
  return x < 0 ? 0 : at_most_1(x);
}

static void place_boxes(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const prior_work *work = user;
  const prior_state *state = work->state;
  for (int64_t point = begin; point < end; point++) {
    const float x = ((float)(point % work->width) + work->offset) * work->step_x;
    const float y = ((float)(point / work->width) + work->offset) * work->step_y;
    for (int64_t i = 0; i < state->n_boxes; i++) {
      const prior_box *box = &work->boxes[i];
      const int64_t at = (point * state->n_boxes + i) * 4;
      float *corners = &work->out[at];
      corners[0] = (x + box->shift_x - box->half_width) / work->image_width;
      corners[1] = (y + box->shift_y - box->half_height) / work->image_height;
      corners[2] = (x + box->shift_x + box->half_width) / work->image_width;
      corners[3] = (y + box->shift_y + box->half_height) / work->image_height;
      for (int k = 0; k < 4; k++) {
        if (box->is_held)
          corners[k] = k < 2 ? at_least_0(corners[k]) : at_most_1(corners[k]);
        if (state->clip)
          corners[k] = within(corners[k]);
        work->variances[at + k] = state->variance[k];
      }
    }
  }
}

/* Sets the distances between cells in pixels, from attributes or from the sizes of image and grid. Sets `offset`, the
 * position of a center within its cell. */
static void set_steps(prior_work *work, float height, float width) {
  const prior_state *state = work->state;
  const prior_box_params *params = state->params;
  const float step = (float)params->other.real[1];
  work->offset = (float)params->other.real[0];
  work->step_x = work->step_y = step;
  if (state->is_clustered) {
    work->step_x = params->other.real[2] == 0 ? step : (float)params->other.real[2];
    work->step_y = params->other.real[3] == 0 ? step : (float)params->other.real[3];
  } else if (!params->scale_all_sizes) {
    work->step_x = work->step_y = step == -1 ? work->image_height / height : step * work->image_height;
  }
  if (work->step_x != 0 || work->step_y != 0)
    return;
  work->step_x = work->image_width / width;
  work->step_y = work->image_height / height;
  work->offset = state->is_clustered ? work->offset : 0.5f;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const prior_state *state = step->state;
  const float height = (float)ir_number_at(in[0], 0), width = (float)ir_number_at(in[0], 1);
  const int64_t n_numbers = out[0]->dims[1], n_points = state->n_boxes > 0 ? n_numbers / 4 / state->n_boxes : 0;
  if (!(height >= 0 && width >= 0) || (double)height * width != (double)n_points)
    return ir_report_firm(state->diags, IR322_SHAPES_DO_NOT_FIT, state->where,
                          "the grid is %g x %g, and the output has %lld points", height, width, (long long)n_points);
  prior_list list = {exec->scratch, 0};
  prior_work work = {.state = state,
                     .boxes = list.items,
                     .width = n_points > 0 ? (int64_t)width : 0,
                     .image_height = (float)ir_number_at(in[1], 0),
                     .image_width = (float)ir_number_at(in[1], 1),
                     .out = out[0]->data,
                     .variances = (float *)out[0]->data + n_numbers};
  set_steps(&work, height, width);
  if (n_points > 0)
    add_boxes(state, &list, work.image_height);
  exec->share(exec, n_points, (int64_t)out[0]->bytes, place_boxes, &work);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "prior_box", .isa = "any", .run = run};

/* Lists the ratios: 1, then each new item of aspect_ratio. If flip is set, the inverse follows each new item. */
static bool fill_ratios(prior_state *state, ir_plan *plan) {
  const prior_box_params *params = state->params;
  float *ratios = ir_arena_array(plan->arena, 2 * (size_t)params->aspect_ratio.n + 1, sizeof *ratios);
  if (ratios == NULL)
    return false;
  ratios[state->n_ratios++] = 1;
  for (int64_t i = 0; i < params->aspect_ratio.n; i++) {
    const float ratio = (float)params->aspect_ratio.items[i];
    bool is_new = true;
    for (int64_t j = 0; j < state->n_ratios; j++)
      is_new = is_new && !(fabsf(ratio - ratios[j]) < 1e-6f);
    if (!is_new)
      continue;
    ratios[state->n_ratios++] = ratio;
    if (params->flip)
      ratios[state->n_ratios++] = 1 / ratio;
  }
  state->ratios = ratios;
  return true;
}

/* Sets the variance of each coordinate. The attribute has four items, one item for all coordinates, or none: then all
 * are 0.1. Returns false for other lengths. */
static bool fill_variance(prior_state *state) {
  const ir_floats list = state->params->other.reals[0];
  for (int k = 0; k < 4; k++)
    state->variance[k] = list.n == 0 ? 0.1f : (float)list.items[list.n == 4 ? k : 0];
  return list.n == 0 || list.n == 1 || list.n == 4;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  const ir_where where = ir_node_where(scope, node);
  const prior_box_params *params = node->params;
  const int version = node->op->version;
  prior_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (prior_state){.params = params, .diags = plan->diags, .where = where};
  state->is_clustered = node->op->family != NULL;
  state->clip = params->other.flag[state->is_clustered ? 2 : 0];
  state->max_before_ratios = version == 1 || params->other.flag[1];
  if (!fill_ratios(state, plan))
    return ir_out_of_memory(scope->diags);
  if (!fill_variance(state) || node->n_inputs < 2)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, where,
                          "irrun runs %s with a picture's size, and no, one or four variances", node->op->type);
  const int64_t n_added = count_added(state);
  state->n_boxes = state->is_clustered ? params->width.n : count_boxes(params, state->n_ratios);
  if (n_added != state->n_boxes)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, where,
                          "the attributes make %lld boxes for each point, and the output has %lld", (long long)n_added,
                          (long long)state->n_boxes);
  return ir_plan_step(plan, node, &kernel, state, (size_t)n_added * sizeof(prior_box));
}

/* ---- rows of the op table ---- */

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
static const char *const clustered_ignored_attrs[] = {"flip", "img_h", "img_size", "img_w", NULL};

#define SIZE(port, var, ...)                                                                                           \
  { .name = port, .type_var = var, .types = IR_SET_INTEGERS, .rank_min = 1, .rank_max = 1, __VA_ARGS__ }
#define PRIOR_BOX(text, number, page, schema, rule, is_optional)                                                       \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("detection/" page),                    \
  .params_size = sizeof(prior_box_params), .attrs = schema,                                                            \
  .inputs =                                                                                                            \
      IR_PORTS(SIZE("output_size", "T_INT", .ranges = true), SIZE("image_size", "T_IMAGE", .optional = is_optional)),  \
  .outputs = IR_PORTS(IR_PORT("output", "T_OUT", IR_SET_FLOATS, 2)), .infer = rule,                                    \
  .run = {IR_RUN_PREPARED, .prepare = prepare}, .cost = ir_elementwise_cost

const ir_op ir_op_prior_box_1 = {PRIOR_BOX("PriorBox", 1, "prior-box-1", attrs_1, infer, false)};
const ir_op ir_op_prior_box_8 = {PRIOR_BOX("PriorBox", 8, "prior-box-8", attrs_8, infer, false)};
const ir_op ir_op_prior_box_clustered_1 = {
    PRIOR_BOX("PriorBoxClustered", 1, "prior-box-clustered-1", attrs_clustered, infer_clustered, true),
    .ignored_attrs = clustered_ignored_attrs, .family = clustered_ignored_attrs};

/* GridSample-9 samples data [N, C, H, W] at the positions in a grid [N, H_OUT, W_OUT, 2]. Page:
 * operation-specs/image/grid-sample-9. */
#include "base/stop.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/plane_taps.h"
#include "ops/math/elementwise_infer.h"
#include <math.h>
#include <string.h>

typedef struct grid_sample_params {
  bool align_corners;
  int mode, padding_mode;
} grid_sample_params;

static bool check(const ir_node *node, const ir_shape *data, const ir_shape *grid, ir_scope *scope) {
  char dims[2][IR_DIM_TEXT];
  const ir_dim n = grid->dims[0], numbers = grid->dims[3];
  const bool is_pair = ir_dims_meet(numbers, ir_dim_of(2));
  const bool same_batch = data->rank == IR_RANK_UNKNOWN || ir_dims_meet(n, data->dims[0]);
  if (!is_pair)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, 3),
              "the last axis of 'grid' is %s, expected 2: the coordinates of a place",
              ir_dim_text(numbers, dims[0], sizeof dims[0]));
  if (!same_batch)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, 0),
              "N (batch) of 'grid' is %s, of 'data' %s", ir_dim_text(n, dims[0], sizeof dims[0]),
              ir_dim_text(data->dims[0], dims[1], sizeof dims[1]));
  return is_pair && same_batch;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *grid = &in[1]->shape;
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || node->attrs_at_fault != 0;
  if (out->poisoned)
    return IR_OK;
  out->shape = ir_shape_of_rank(4);
  if (data->rank != IR_RANK_UNKNOWN) {
    out->shape.dims[0] = data->dims[0];
    out->shape.dims[1] = data->dims[1];
  }
  if (grid->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !check(node, data, grid, scope);
  if (!out->poisoned)
    out->shape.dims[0] = ir_dims_common(out->shape.dims[0], grid->dims[0]);
  out->shape.dims[2] = grid->dims[1];
  out->shape.dims[3] = grid->dims[2];
  return IR_OK;
}

/* ---- running ---- */

enum { BILINEAR, BICUBIC, NEAREST };
enum { ZEROS, BORDER, REFLECTION };

typedef struct grid_work {
  const grid_sample_params *params;
  const ir_tensor *data, *grid, *out;
  const ir_exec *exec;
} grid_work;

/* Returns the element for integer position i on an axis of n elements. If i lies outside of the axis, padding_mode
 * determines the element; -1: the sample is 0. */
static int64_t element_at(const grid_sample_params *params, int64_t i, int64_t n) {
  if (params->padding_mode == BORDER)
    return i < 0 ? 0 : i < n ? i : n - 1;
  if (params->padding_mode == ZEROS)
    return i >= 0 && i < n ? i : -1;
  const int64_t period = params->align_corners ? (n > 1 ? 2 * (n - 1) : 1) : 2 * n;
  i = (i % period + period) % period;
  return i < n ? i : period - i - (params->align_corners ? 0 : 1);
}

/* Converts a grid coordinate to a position on an axis of n elements: -1 and 1 are the ends of the axis. Single
 * precision, as in OpenVINO. Positions are clamped to +-2^30; the coordinate must not be NaN. */
static float place_of(const grid_sample_params *params, double coordinate, int64_t n) {
  const float x = (float)coordinate, size = (float)n;
  const float place = params->align_corners ? (x + 1) * (size - 1) / 2 : ((x + 1) * size - 1) / 2;
  return !(place > -0x1p30f) ? -0x1p30f : place < 0x1p30f ? place : 0x1p30f;
}

/* The elements around a position on an axis, and their weights. at[i] = -1: the element counts as 0. If the
 * position is NaN, the weights are NaN. */
typedef struct grid_taps {
  int n;
  int64_t at[4];
  double weight[4];
} grid_taps;

static grid_taps taps_of(const grid_sample_params *params, double coordinate, int64_t n) {
  const double a = -0.75;
  if (isnan(coordinate))
    return (grid_taps){params->mode == NEAREST ? 1 : params->mode == BILINEAR ? 2 : 4, {0}, {NAN, NAN, NAN, NAN}};
  const float place = place_of(params, coordinate, n), first = floorf(place);
  const double t = (double)place - first;
  if (params->mode == NEAREST)
    return (grid_taps){1, {element_at(params, (int64_t)rintf(place), n)}, {1}};
  if (params->mode == BILINEAR)
    return (grid_taps){
        2, {element_at(params, (int64_t)first, n), element_at(params, (int64_t)first + 1, n)}, {1 - t, t}};
  grid_taps taps = {.n = 4};
  for (int i = 0; i < 4; i++) {
    const double x = fabs(t - (i - 1));
    taps.at[i] = element_at(params, (int64_t)first + i - 1, n);
    taps.weight[i] = x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a;
  }
  return taps;
}

/* Sets the taps of place i. A tap whose row or column is -1 counts as 0. */
static void set_place(const grid_work *work, const grid_taps *ys, const grid_taps *xs, int64_t i, ir_plane_taps *taps) {
  taps->n_taps = ys->n * xs->n;
  for (int k = 0; k < taps->n_taps; k++) {
    const int y = k / xs->n, x = k % xs->n;
    const bool is_there = ys->at[y] >= 0 && xs->at[x] >= 0;
    const double weight = ys->weight[y] * xs->weight[x];
    ir_plane_taps_set(taps, k, i, is_there ? ys->at[y] * work->data->dims[3] + xs->at[x] : -1,
                      is_there || work->params->mode == NEAREST ? weight : 0);
  }
}

#define MOVE(name, type)                                                                                               \
  static void name(const ir_plane_taps *taps, const void *plane, void *out) {                                          \
    const type *from = plane;                                                                                          \
    type *to = out;                                                                                                    \
    for (int64_t i = 0; i < taps->n_places; i++)                                                                       \
      to[i] = taps->is_there[0][i] ? from[taps->at[0][i]] : 0;                                                         \
  }
MOVE(move_1, uint8_t)
MOVE(move_2, uint16_t)
MOVE(move_4, uint32_t)
MOVE(move_8, uint64_t)

/* Copies the nearest element of each place, as it is. If a position is NaN, writes NaN. */
static void move(const ir_plane_taps *taps, const ir_tensor *data, int64_t plane, const ir_tensor *out, int64_t at) {
  const size_t size = ir_type_size(data->type);
  (size == 1   ? move_1
   : size == 2 ? move_2
   : size == 4 ? move_4
               : move_8)(taps, ir_tensor_at(data, plane), ir_tensor_at(out, at));
  for (int64_t i = 0; i < taps->n_places; i++)
    if (isnan(taps->weights[0][i]))
      ir_floats_store(out, at + i, &taps->weights[0][i], 1);
}

/* Samples all channels of image n at the places of the table, whose first is number `first` of the image. */
static void sample_channels(const grid_work *work, int64_t n, int64_t first, const ir_plane_taps *taps, int worker) {
  const ir_tensor *data = work->data, *out = work->out;
  const bool is_byte = ir_type_size(out->type) == 1; /* 8-bit integers are rounded, larger truncated, as in OpenVINO */
  const int64_t area = data->dims[2] * data->dims[3], out_area = out->dims[2] * out->dims[3];
  int64_t c = n * data->dims[1], since = 0;
  for (; c < (n + 1) * data->dims[1]; c++) {
    if (ir_stop_asked_after(work->exec->stop, worker, IR_PLANE_TAPS_PLACES, &since))
      return;
    if (work->params->mode == NEAREST) {
      move(taps, data, c * area, out, c * out_area + first);
      continue;
    }
    double sums[IR_PLANE_TAPS_PLACES] = {0};
    ir_plane_taps_add(taps, data, c * area, sums);
    for (int64_t i = 0; i < taps->n_places && is_byte; i++)
      sums[i] = ir_rounded(sums[i], out->type);
    ir_floats_store(out, c * out_area + first, sums, taps->n_places);
  }
}

/* Samples all channels at pieces [begin, end) of the grid. An image has pieces of IR_PLANE_TAPS_PLACES places each. */
static void sample_places(void *user, int64_t begin, int64_t end, int worker) {
  const grid_work *work = user;
  ir_plane_taps *taps = ir_exec_scratch(work->exec, worker);
  const int64_t out_area = work->out->dims[2] * work->out->dims[3];
  const int64_t n_pieces = ir_ceil_div(out_area, IR_PLANE_TAPS_PLACES);
  for (; begin < end; begin++) {
    const int64_t first = begin % n_pieces * IR_PLANE_TAPS_PLACES, at = begin / n_pieces * out_area + first;
    taps->n_places = least(IR_PLANE_TAPS_PLACES, out_area - first);
    for (int64_t i = 0; i < taps->n_places; i++) {
      const grid_taps xs = taps_of(work->params, ir_float_at(work->grid, 2 * (at + i)), work->data->dims[3]);
      const grid_taps ys = taps_of(work->params, ir_float_at(work->grid, 2 * (at + i) + 1), work->data->dims[2]);
      set_place(work, &ys, &xs, i, taps);
    }
    sample_channels(work, begin / n_pieces, first, taps, worker);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  grid_work work = {step->state, in[0], in[1], out[0], exec};
  const int64_t out_area = out[0]->dims[2] * out[0]->dims[3];
  if (ir_tensor_elements(out[0]) > 0 && ir_tensor_elements(in[0]) == 0)
    memset(out[0]->data, 0, out[0]->bytes);
  else if (ir_tensor_elements(out[0]) > 0)
    exec->share(exec, out[0]->dims[0] * ir_ceil_div(out_area, IR_PLANE_TAPS_PLACES),
                (int64_t)(in[0]->bytes + out[0]->bytes), sample_places, &work);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "grid_sample", .isa = "any", .run = run};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  if (!ir_type_in(in[0]->type, IR_SET_STORED))
    return ir_report_no_kernel(scope, ir_input_where(scope, node, 0, -1), in[0]->type);
  const grid_sample_params *params = node->params;
  const int32_t out = ir_plan_output_slot(plan, 0), data = ir_plan_input_slot(plan, 0);
  int32_t from[2] = {params->mode == NEAREST ? data : ir_widened(plan, node, data)};
  from[1] = ir_widened(plan, node, ir_plan_input_slot(plan, 1));
  const ir_code code = ir_plane_taps_check(node, 0, &in[0]->shape, scope);
  if (code != IR_OK || from[0] < 0 || from[1] < 0)
    return code != IR_OK ? code : IR_NO_MEMORY;
  return ir_plan_step_on(plan, node, &kernel, params, sizeof(ir_plane_taps), from, 2, &out, 1);
}

/* ---- row of the op table ---- */

static const char *const mode_names[] = {"bilinear", "bicubic", "nearest", NULL};
static const char *const padding_names[] = {"zeros", "border", "reflection", NULL};

static const ir_attr_spec attrs[] = {{.name = "align_corners",
                                      .kind = IR_ATTR_BOOL,
                                      .offset = offsetof(grid_sample_params, align_corners),
                                      .fallback = "false"},
                                     {.name = "mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(grid_sample_params, mode),
                                      .names = mode_names,
                                      .fallback = "bilinear"},
                                     {.name = "padding_mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(grid_sample_params, padding_mode),
                                      .names = padding_names,
                                      .fallback = "zeros"},
                                     {.name = NULL}};

#define PORT(text, var, set)                                                                                           \
  { .name = text, .type_var = var, .types = set, .rank_min = 4, .rank_max = 4 }

const ir_op ir_op_grid_sample_9 = {
    .dialect = IR_OPENVINO,
    .type = "GridSample",
    .version = 9,
    .spec = IR_SPEC_PAGE("image/grid-sample-9"),
    .params_size = sizeof(grid_sample_params),
    .attrs = attrs,
    .inputs = IR_PORTS(PORT("data", "T", IR_SET_ANY), PORT("grid", "T1", IR_SET_FLOATS)),
    .outputs = IR_PORTS(PORT("output", "T", IR_SET_ANY)),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .cost = ir_elementwise_cost,
};

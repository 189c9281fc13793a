/* GridSample-9 samples data [N, C, H, W] at the positions in a grid [N, H_OUT, W_OUT, 2]. Page:
 * operation-specs/image/grid-sample-9. */
#include "ops/kernels/floats.h"
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
 * position is NaN, one weight is NaN. */
typedef struct grid_taps {
  int n;
  int64_t at[4];
  double weight[4];
} grid_taps;

static grid_taps taps_of(const grid_sample_params *params, double coordinate, int64_t n) {
  const double a = -0.75;
  if (isnan(coordinate))
    return (grid_taps){1, {0}, {NAN}};
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

static double sum_of(const ir_tensor *data, int64_t plane, const grid_taps *ys, const grid_taps *xs) {
  double sum = 0;
  for (int j = 0; j < ys->n; j++)
    for (int i = 0; i < xs->n; i++)
      if (ys->at[j] >= 0 && xs->at[i] >= 0)
        sum += ys->weight[j] * xs->weight[i] * ir_number_at(data, plane + ys->at[j] * data->dims[3] + xs->at[i]);
  return sum;
}

/* Copies the nearest element to the output. If the position is NaN, writes NaN; if the element is -1, writes 0. */
static void move(const grid_work *work, int64_t plane, const grid_taps *ys, const grid_taps *xs, int64_t to) {
  const size_t size = ir_type_size(work->data->type);
  char *element = (char *)work->out->data + (size_t)to * size;
  const double weight = ys->weight[0] * xs->weight[0];
  if (isnan(weight))
    ir_floats_store(work->out, to, &weight, 1);
  else if (ys->at[0] < 0 || xs->at[0] < 0)
    memset(element, 0, size);
  else
    memcpy(element,
           (const char *)work->data->data + (size_t)(plane + ys->at[0] * work->data->dims[3] + xs->at[0]) * size, size);
}

/* Samples all channels at the grid positions [begin, end), which are numbered in the order [N, H_OUT, W_OUT]. */
static void sample_places(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const grid_work *work = user;
  const ir_tensor *data = work->data, *out = work->out;
  const bool is_byte = ir_type_size(out->type) == 1; /* 8-bit integers are rounded, larger truncated, as in OpenVINO */
  const int64_t channels = data->dims[1], area = data->dims[2] * data->dims[3], out_area = out->dims[2] * out->dims[3];
  for (int64_t i = begin; i < end; i++) {
    const grid_taps xs = taps_of(work->params, ir_number_at(work->grid, 2 * i), data->dims[3]);
    const grid_taps ys = taps_of(work->params, ir_number_at(work->grid, 2 * i + 1), data->dims[2]);
    for (int64_t c = 0; c < channels; c++) {
      const int64_t plane = (i / out_area * channels + c) * area;
      const int64_t to = (i / out_area * channels + c) * out_area + i % out_area;
      if (work->params->mode == NEAREST) {
        move(work, plane, &ys, &xs, to);
        continue;
      }
      const double exact = sum_of(data, plane, &ys, &xs), sum = is_byte ? ir_rounded(exact, out->type) : exact;
      ir_floats_store(out, to, &sum, 1);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  grid_work work = {step->state, in[0], in[1], out[0]};
  const int64_t n = ir_tensor_elements(out[0]);
  if (n > 0 && ir_tensor_elements(in[0]) == 0)
    memset(out[0]->data, 0, out[0]->bytes);
  else if (n > 0)
    exec->share(exec, n / out[0]->dims[1], (int64_t)(in[0]->bytes + out[0]->bytes), sample_places, &work);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "grid_sample", .isa = "any", .run = run};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  if (!ir_type_in(in[0]->type, IR_SET_STORED))
    return ir_report_no_kernel(scope, ir_input_where(scope, node, 0, -1), in[0]->type);
  return ir_plan_step(plan, node, &kernel, node->params, 0);
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

/* RegionYolo-1 applies activations to [N, C, H, W]; if do_softmax is set, the output merges axes `axis` to `end_axis`.
 * ReorgYolo-2 moves squares of stride * stride elements into channels. Pages: operation-specs/detection/region-yolo-1,
 * reorg-yolo-1. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/strided_copy.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include <math.h>

/* ---- RegionYolo ---- */

typedef struct region_yolo_params {
  int64_t axis, end_axis, coords, classes;
  bool do_softmax;
  ir_ints mask;
  ir_other_attrs other;
} region_yolo_params;

static ir_shape flattened(const ir_shape *in, int axis, int end_axis) {
  ir_shape out = {.rank = 0};
  for (int i = 0; i < in->rank; i++)
    if (i > axis && i <= end_axis)
      out.dims[axis] = ir_dims_product(out.dims[axis], in->dims[i]);
    else
      out.dims[out.rank++] = in->dims[i];
  return out;
}

static ir_code infer_region(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const region_yolo_params *params = node->params;
  out->type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "do_softmax", "true", "false", scope);
  if (in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  if (!params->do_softmax) {
    out->shape = in[0]->shape;
    out->shape.dims[1] = ir_dim_of((params->classes + params->coords + 1) * params->mask.n);
    return IR_OK;
  }
  int axis, end_axis;
  out->poisoned = !ir_axis_attr(node, "axis", params->axis, in[0]->shape.rank, &axis, scope) ||
                  !ir_axis_attr(node, "end_axis", params->end_axis, in[0]->shape.rank, &end_axis, scope);
  if (!out->poisoned)
    out->shape = flattened(&in[0]->shape, axis, end_axis);
  return IR_OK;
}

/* The channels of an image are split into regions, each [coords + 1 + classes, H * W]. */
typedef struct region_state {
  int64_t coords, classes;
  bool do_softmax;
} region_state;

typedef struct region_work {
  const region_state *state;
  int64_t area;
  ir_type type;
  const char *in;
  char *out;
  ir_stop *stop;
} region_work;

static void load_row(const region_work *work, int64_t row, int64_t at, double *piece, int64_t n) {
  ir_compute_load(work->type, work->in + (size_t)(row * work->area + at) * ir_type_size(work->type), IR_COMPUTE_F64,
                  piece, n);
}

static void store_row(const region_work *work, int64_t row, int64_t at, const double *piece, int64_t n) {
  ir_compute_store(IR_COMPUTE_F64, piece, work->type,
                   work->out + (size_t)(row * work->area + at) * ir_type_size(work->type), n);
}

/* Applies softmax over the rows [first, first + classes) to each of the columns [at, at + n). */
static void soft_max(const region_work *work, int64_t first, int64_t at, int64_t n, int worker) {
  const int64_t classes = work->state->classes;
  double piece[IR_PIECE], largest[IR_PIECE], sums[IR_PIECE] = {0};
  int64_t since = 0;
  for (int64_t i = 0; i < n; i++)
    largest[i] = -INFINITY;
  for (int64_t c = 0; c < classes && !ir_stop_asked_after(work->stop, worker, n, &since); c++) {
    load_row(work, first + c, at, piece, n);
    for (int64_t i = 0; i < n; i++)
      largest[i] = piece[i] > largest[i] ? piece[i] : largest[i];
  }
  for (int64_t c = 0; c < classes && !ir_stop_asked_after(work->stop, worker, n, &since); c++) {
    load_row(work, first + c, at, piece, n);
    for (int64_t i = 0; i < n; i++)
      sums[i] += exp(piece[i] - largest[i]);
  }
  for (int64_t c = 0; c < classes && !ir_stop_asked_after(work->stop, worker, n, &since); c++) {
    load_row(work, first + c, at, piece, n);
    for (int64_t i = 0; i < n; i++)
      piece[i] = exp(piece[i] - largest[i]) / sums[i];
    store_row(work, first + c, at, piece, n);
  }
}

/* The rows of a region are x, y, sizes (rows 2 to coords - 1), the object score and the classes. Sizes are copied, all
 * other rows get a sigmoid. If do_softmax is set, the classes get a softmax instead. */
static void make_regions(void *user, int64_t begin, int64_t end, int worker) {
  const region_work *work = user;
  const region_state *state = work->state;
  const int64_t n_rows = state->coords + 1 + state->classes,
                n_single = n_rows - (state->do_softmax ? state->classes : 0);
  double piece[IR_PIECE];
  int64_t since = 0;
  for (int64_t region = begin; region < end; region++)
    for (int64_t at = 0; at < work->area; at += IR_PIECE) {
      const int64_t n = work->area - at < IR_PIECE ? work->area - at : IR_PIECE;
      for (int64_t row = 0; row < n_single && !ir_stop_asked_after(work->stop, worker, n, &since); row++) {
        load_row(work, region * n_rows + row, at, piece, n);
        for (int64_t i = 0; i < n && (row < 2 || row >= state->coords); i++)
          piece[i] = 1 / (1 + exp(-piece[i]));
        store_row(work, region * n_rows + row, at, piece, n);
      }
      if (state->do_softmax)
        soft_max(work, region * n_rows + n_single, at, n, worker);
    }
}

static ir_code run_region(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const region_state *state = step->state;
  region_work work = {state, in[0]->dims[2] * in[0]->dims[3], in[0]->type, in[0]->data, out[0]->data, exec->stop};
  const int64_t n = ir_tensor_elements(in[0]), n_rows = state->coords + 1 + state->classes;
  if (n > 0)
    exec->share(exec, n / work.area / n_rows, 2 * (int64_t)in[0]->bytes, make_regions, &work);
  return IR_OK;
}

static const ir_kernel region_kernel = {.name = "region_yolo", .isa = "any", .run = run_region};

/* The channels must be exactly those of all regions. OpenVINO infers other inputs, but does not run them either. */
static ir_code prepare_region(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const region_yolo_params *params = node->params;
  const int64_t n_regions = params->do_softmax ? params->other.number[0] : params->mask.n;
  const int64_t n_channels = in[0]->shape.dims[1].lo;
  if (n_regions * (params->coords + 1 + params->classes) != n_channels)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, 0, 1),
                          "the input has %lld channels; irrun runs %lld regions with %lld each", (long long)n_channels,
                          (long long)n_regions, (long long)(params->coords + 1 + params->classes));
  region_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (region_state){params->coords, params->classes, params->do_softmax};
  return ir_plan_step(plan, node, &region_kernel, state, 0);
}

#define AT(field) offsetof(region_yolo_params, field)
static const ir_attr_spec region_attrs[] = {IR_FLOATS_ROW("anchors", AT(other.reals[0]), .fallback = ""),
                                            IR_INT_ROW("axis", AT(axis), -4, 3, .required = true),
                                            IR_INT_ROW("coords", AT(coords), 0, INT32_MAX, .required = true),
                                            IR_INT_ROW("classes", AT(classes), 0, INT32_MAX, .required = true),
                                            IR_INT_ROW("end_axis", AT(end_axis), -4, 3, .required = true),
                                            IR_INT_ROW("num", AT(other.number[0]), 0, INT32_MAX, .required = true),
                                            IR_BOOL_ROW("do_softmax", AT(do_softmax), "true"),
                                            IR_INTS_ROW("mask", AT(mask), INT32_MIN, INT32_MAX, .fallback = ""),
                                            {.name = NULL}};
#undef AT

const ir_op ir_op_region_yolo_1 = {
    .dialect = IR_OPENVINO,
    .type = "RegionYolo",
    .version = 1,
    .spec = IR_SPEC_PAGE("detection/region-yolo-1"),
    .params_size = sizeof(region_yolo_params),
    .attrs = region_attrs,
    .inputs = IR_PORTS(IR_PORT("data", "T", IR_SET_FLOATS, 4)),
    .outputs = IR_PORTS(IR_PORT_RANKS("output", "T", IR_SET_FLOATS, 1, 4)),
    .infer = infer_region,
    .run = {IR_RUN_PREPARED, .prepare = prepare_region},
    .cost = ir_elementwise_cost,
};

/* ---- ReorgYolo ---- */

typedef struct reorg_yolo_params {
  int64_t stride;
} reorg_yolo_params;

/* Divides dim `axis` by the stride. If no possible size is a multiple of the stride, reports that and returns false. */
static bool divided(const ir_node *node, const ir_value *in, int axis, ir_dim *out, ir_scope *scope) {
  const int64_t stride = ((const reorg_yolo_params *)node->params)->stride;
  const ir_dim dim = in->shape.dims[axis];
  *out = (ir_dim){ir_ceil_div(dim.lo, stride), dim.hi == IR_DIM_MAX ? IR_DIM_MAX : dim.hi / stride};
  if (out->lo <= out->hi)
    return true;
  char text[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, axis),
            "the input has %s on axis %d: %s%s; expected a multiple of the stride %lld",
            ir_dim_text(dim, text, sizeof text), axis, ir_type_name(in->type),
            ir_shape_text(&in->shape, shape, sizeof shape), (long long)stride);
  return false;
}

static ir_code infer_reorg(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const reorg_yolo_params *params = node->params;
  out->type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out) || in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const int64_t area = params->stride * params->stride;
  out->shape = in[0]->shape;
  out->shape.dims[1] = ir_dims_product(out->shape.dims[1], ir_dim_of(area));
  out->poisoned = !ir_size_check(node, in, 0, 1, (ir_dim){area, IR_DIM_MAX}, "stride * stride, or more", scope) ||
                  !divided(node, in[0], 2, &out->shape.dims[2], scope) ||
                  !divided(node, in[0], 3, &out->shape.dims[3], scope);
  return IR_OK;
}

/* For each image, the input's elements are read in memory order as [C / area, H, stride, W, stride], although the shape
 * is [C, H, W]. They are transposed to [stride, stride, C / area, H, W]. H and W are the input's. */
static ir_code prepare_reorg(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  const int64_t s = ((const reorg_yolo_params *)node->params)->stride, area = s * s;
  const int64_t n = shape->dims[0].lo, c = shape->dims[1].lo, h = shape->dims[2].lo, w = shape->dims[3].lo;
  int64_t elements;
  if (c % area != 0 || ir_type_size(in[0]->type) == 0)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, 0, 1),
                          "irrun runs a multiple of %lld channels, of a type with whole bytes", (long long)area);
  const bool is_empty = !ir_shape_elements(shape, &elements) || elements == 0;
  const int64_t one = is_empty ? 0 : 1; /* 0: strides of an empty tensor can overflow, so all are 0 */
  const int64_t dims[] = {n * one, s, s, c / area, h, w};
  const int64_t from[] = {one * c * h * w, one * w * s, one, one * h * w * area, one * w * area, one * s};
  const int64_t to[] = {
      one * c * h * w, one * s * (c / area) * h * w, one * (c / area) * h * w, one * h * w, one * w, one};
  const ir_strided_copy copy = ir_strided_copy_of(6, dims, from, to);
  return ir_strided_copy_step(plan, node, &copy);
}

static const ir_attr_spec reorg_attrs[] = {
    IR_INT_ROW("stride", offsetof(reorg_yolo_params, stride), 1, INT32_MAX, .required = true), {.name = NULL}};

const ir_op ir_op_reorg_yolo_2 = {
    .dialect = IR_OPENVINO,
    .type = "ReorgYolo",
    .version = 2,
    .spec = IR_SPEC_PAGE("detection/reorg-yolo-1"),
    .params_size = sizeof(reorg_yolo_params),
    .attrs = reorg_attrs,
    .inputs = IR_PORTS(IR_PORT("data", "T", IR_SET_ANY, 4)),
    .outputs = IR_PORTS(IR_PORT("output", "T", IR_SET_ANY, 4)),
    .infer = infer_reorg,
    .run = {IR_RUN_PREPARED, .prepare = prepare_reorg},
    .cost = ir_elementwise_cost,
};

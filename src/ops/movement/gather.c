/* Gather-1, -7 and -8 copy a slice of `data` along `axis` for each index. In the output, the axes of `indices` replace
 * `axis`. The first batch_dims axes are common to `data` and `indices`. */
#include "ops/axes.h"
#include "ops/kernels/gather_scatter.h"
#include "ops/movement/movement.h"

typedef struct gather_params {
  int64_t batch_dims;
} gather_params;

/* Reads batch_dims. Returns false, after a report, if `data` or `indices` has fewer axes. */
static bool read_batch_dims(const ir_node *node, const ir_value *const *in, int64_t *out, ir_scope *scope) {
  const int data = in[0]->shape.rank, indices = in[1]->shape.rank, least = data < indices ? data : indices;
  const int64_t batch_dims = ((const gather_params *)node->params)->batch_dims;
  *out = batch_dims < 0 ? batch_dims + indices : batch_dims;
  if (*out >= 0 && *out <= least)
    return true;
  ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, "batch_dims"),
            "batch_dims is %lld; 'data' has rank %d, 'indices' rank %d", (long long)batch_dims, data, indices);
  return false;
}

/* Sets the first `n` dims of the output, the batch: intersects the sizes of `data` and `indices`. */
static bool join_batch(const ir_node *node, const ir_value *const *in, int64_t n, ir_shape *out, ir_scope *scope) {
  char texts[2][IR_SHAPE_TEXT];
  for (int i = 0; i < n; i++) {
    const ir_dim a = in[0]->shape.dims[i], b = in[1]->shape.dims[i];
    if (!ir_dims_meet(a, b)) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, i),
                "'data' is %s, 'indices' %s: they differ on axis %d of the %lld that batch_dims makes common",
                ir_shape_text(&in[0]->shape, texts[0], sizeof texts[0]),
                ir_shape_text(&in[1]->shape, texts[1], sizeof texts[1]), i, (long long)n);
      return false;
    }
    out->dims[i] = ir_dims_common(a, b);
  }
  return true;
}

/* Sets the output's dims after the batch: the dims of `data` before `axis`, the dims of `indices`, and the dims of
 * `data` after `axis`. If `axis` is -1 (unknown), these dims are open. */
static void set_dims(const ir_shape *data, const ir_shape *indices, int64_t n_batch, int axis, ir_shape *out) {
  int at = (int)n_batch;
  for (; at < out->rank && axis < 0; at++)
    out->dims[at] = ir_dim_any();
  for (int i = (int)n_batch; i < axis; i++)
    out->dims[at++] = data->dims[i];
  for (int i = (int)n_batch; i < indices->rank && axis >= 0; i++)
    out->dims[at++] = indices->dims[i];
  for (int i = axis + 1; i < data->rank && axis >= 0; i++)
    out->dims[at++] = data->dims[i];
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  int64_t n_batch;
  int axis;
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !ir_axis_input(node, 2, in[2], data->rank, &axis, scope);
  if (out->poisoned || data->rank == IR_RANK_UNKNOWN || indices->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = true;
  if (!read_batch_dims(node, in, &n_batch, scope) ||
      !ir_rank_fits(node, data->rank + indices->rank - 1 - n_batch, scope))
    return IR_OK;
  if (axis >= 0 && axis < n_batch) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'axis' is %d; batch_dims makes axes 0 to %lld common, and it lies behind them", axis,
              (long long)n_batch - 1);
    return IR_OK;
  }
  out->poisoned = !join_batch(node, in, n_batch, &out->shape, scope);
  if (out->poisoned)
    return IR_OK;
  out->shape.rank = data->rank + indices->rank - 1 - (int)n_batch;
  set_dims(data, indices, n_batch, axis, &out->shape);
  return IR_OK;
}

/* ---- elements ---- */

/* Returns the hull of the ranges of `data` at first + step * index, for all possible values of `index`. */
static ir_dim range_of(const ir_node *node, const ir_value *data, int64_t first, int64_t step, int64_t size,
                       ir_dim index) {
  const int64_t at = index.lo < 0 ? index.lo + size : index.lo;
  if (ir_dim_known(index) && at >= 0 && at < size)
    return ir_range_at(data, first + step * at);
  if (ir_dim_known(index) || size == 0) /* out of range: 0 in version 8, undefined in others */
    return node->op->version == 8 ? ir_dim_of(0) : ir_range_any();
  ir_dim hull = node->op->version == 8 ? ir_dim_of(0) : ir_range_at(data, first);
  for (int64_t i = 0; i < size; i++)
    hull = ir_dims_hull(hull, ir_range_at(data, first + step * i));
  return hull;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim gathered[IR_MAX_RANGES];
  const ir_shape *shape = &in[0]->shape;
  int axis;
  int64_t n_batch, n = 0;
  if (!ir_ranges_pass(in[0], out) || ir_ranges_count(in[1]) < 0 ||
      !ir_axis_input(node, 2, in[2], shape->rank, &axis, scope) || axis < 0 ||
      !read_batch_dims(node, in, &n_batch, scope) || n_batch > 0)
    return IR_OK;
  const int64_t outer = ir_ranges_between(shape, 0, axis), size = shape->dims[axis].lo;
  const int64_t inner = ir_ranges_between(shape, axis + 1, shape->rank), n_indices = ir_ranges_count(in[1]);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t j = 0; j < n_indices; j++)
      for (int64_t i = 0; i < inner; i++)
        gathered[n++] = range_of(node, in[0], o * size * inner + i, inner, size, ir_range_at(in[1], j));
  return ir_ranges_set(out, gathered, scope);
}

/* ---- running ---- */

/* Adds the step. In the specification of versions 1 and 7, an index out of range is an error. OpenVINO and irrun return
 * 0 in all versions. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int64_t n_batch;
  int axis;
  if (!read_batch_dims(node, in, &n_batch, scope) || !ir_axis_input(node, 2, in[2], in[0]->shape.rank, &axis, scope))
    return IR_INVALID;
  const ir_slices slices = ir_slices_along(&in[0]->shape, &in[1]->shape, axis, (int)n_batch);
  return ir_gather_step(plan, node, &slices, IR_OUTSIDE_IS_0, scope);
}

/* ---- the rows ---- */

static const ir_attr_spec attrs_7[] = {{.name = "batch_dims",
                                        .kind = IR_ATTR_INT,
                                        .offset = offsetof(gather_params, batch_dims),
                                        .min = -IR_MAX_RANK,
                                        .max = IR_MAX_RANK,
                                        .fallback = "0"},
                                       {.name = NULL}};

#define GATHER(number, schema)                                                                                         \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Gather", .version = number, .spec = IR_SPEC_PAGE("movement/gather-" #number),     \
    .params_size = sizeof(gather_params), .attrs = schema,                                                             \
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T"), .ranges = true},                                                     \
                       {IR_WHOLE_NUMBERS("indices", "T_IND", 0, IR_MAX_RANK), .ranges = true},                         \
                       {IR_WHOLE_NUMBERS("axis", "T_AXIS", 0, 1), .contents = true}),                                  \
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T")}), .narrow = IR_SET_NARROW_BYTES, .infer = infer,                  \
    .ranges = ranges, .run = {                                                                                         \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare                                                                                               \
    }                                                                                                                  \
  }

const ir_op ir_op_gather_1 = GATHER(1, NULL);
const ir_op ir_op_gather_7 = GATHER(7, attrs_7);
const ir_op ir_op_gather_8 = GATHER(8, attrs_7);

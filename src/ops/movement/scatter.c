/* ScatterUpdate-3, ScatterElementsUpdate-3 and -12, ScatterNDUpdate-3 and -15 copy `data` and write `updates` into the
 * copy at `indices`. The output has the shape of `data`, so inference only checks the shape of `updates`. */
#include "ops/axes.h"
#include "ops/kernels/gather_scatter.h"
#include "ops/movement/movement.h"
#include "ops/op.h"

typedef struct scatter_params {
  int reduction;
  bool use_init_val;
} scatter_params;

/* Returns false, after a report, if `updates` does not have the expected shape. */
static bool check_updates(const ir_node *node, const ir_value *const *in, const ir_shape *expected, ir_scope *scope) {
  char texts[4][IR_SHAPE_TEXT];
  if (ir_shapes_meet(expected, &in[2]->shape))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
            "'updates' is %s, expected %s: 'data' is %s, 'indices' %s",
            ir_shape_text(&in[2]->shape, texts[0], sizeof texts[0]), ir_shape_text(expected, texts[1], sizeof texts[1]),
            ir_shape_text(&in[0]->shape, texts[2], sizeof texts[2]),
            ir_shape_text(&in[1]->shape, texts[3], sizeof texts[3]));
  return false;
}

/* ---- ScatterUpdate ---- */

/* Sets *out to the expected shape of `updates`: the axes of `indices` replace `axis` of `data`. If `axis` is -1
 * (unknown), all dims are open. */
static bool expect_slices(const ir_node *node, const ir_shape *data, const ir_shape *indices, int axis, ir_shape *out,
                          ir_scope *scope) {
  const int rank = data->rank + indices->rank - 1;
  int at = 0;
  if (!ir_rank_fits(node, rank, scope))
    return false;
  *out = ir_shape_of_rank(rank);
  for (int i = 0; i < axis; i++)
    out->dims[at++] = data->dims[i];
  for (int i = 0; i < indices->rank && axis >= 0; i++)
    out->dims[at++] = indices->dims[i];
  for (int i = axis + 1; i < data->rank && axis >= 0; i++)
    out->dims[at++] = data->dims[i];
  return true;
}

static ir_code infer_update(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  ir_shape expected;
  int axis;
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  out->poisoned = !ir_axis_input(node, 3, in[3], data->rank, &axis, scope);
  if (data->rank == 0) {
    ir_report(scope->diags, IR303_RANK_NOT_ALLOWED, ir_input_where(scope, node, 0, -1),
              "'data' is a scalar, which has no axis to update");
    out->poisoned = true;
  }
  if (out->poisoned || data->rank == IR_RANK_UNKNOWN || indices->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned =
      !expect_slices(node, data, indices, axis, &expected, scope) || !check_updates(node, in, &expected, scope);
  return IR_OK;
}

/* ---- ScatterElementsUpdate ---- */

static ir_code infer_elements(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int rank = in[0]->shape.rank, indices = in[1]->shape.rank;
  int axis;
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  out->poisoned = !ir_axis_input(node, 3, in[3], rank, &axis, scope) || !check_updates(node, in, &in[1]->shape, scope);
  if (out->poisoned || rank == IR_RANK_UNKNOWN || indices == IR_RANK_UNKNOWN || rank == indices)
    return IR_OK;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'indices' has rank %d, 'data' rank %d; expected one rank", indices, rank);
  out->poisoned = true;
  return IR_OK;
}

/* ---- ScatterNDUpdate ---- */

/* Sets *out to the expected shape of `updates`: [axes of `indices` without the last.., axes of `data` after the first
 * `length`..]. An index has `length` numbers. */
static bool expect_behind(const ir_node *node, const ir_shape *data, const ir_shape *indices, int length, ir_shape *out,
                          ir_scope *scope) {
  const int rank = indices->rank - 1 + data->rank - length;
  if (!ir_rank_fits(node, rank, scope))
    return false;
  out->rank = rank;
  for (int i = 0; i < indices->rank - 1; i++)
    out->dims[i] = indices->dims[i];
  for (int i = length; i < data->rank; i++)
    out->dims[indices->rank - 1 + i - length] = data->dims[i];
  return true;
}

/* Whether the updates have one element, of any rank, and a scalar is expected. */
static bool is_one(const ir_value *updates, const ir_shape *expected) {
  int64_t elements;
  return expected->rank == 0 && ir_shape_known(&updates->shape) && ir_shape_elements(&updates->shape, &elements) &&
         elements == 1;
}

static ir_code infer_nd(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  ir_shape expected;
  char size[IR_DIM_TEXT];
  if (!ir_movement_same(node, in, out) || data->rank == IR_RANK_UNKNOWN || indices->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const ir_dim length = indices->dims[indices->rank - 1];
  if (length.lo > data->rank) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, indices->rank - 1),
              "an index of 'indices' has %s numbers; 'data' has rank %d", ir_dim_text(length, size, sizeof size),
              data->rank);
    out->poisoned = true;
  } else if (ir_dim_known(length)) {
    out->poisoned = !expect_behind(node, data, indices, (int)length.lo, &expected, scope) ||
                    !(is_one(in[2], &expected) || check_updates(node, in, &expected, scope));
  }
  return IR_OK;
}

/* ---- elements ---- */

/* Updates the ranges `made` of the output, which start as the ranges of `data`. Sees `data` as [outer, size, inner] and
 * `updates` as [outer, n_indices, inner]. */
static void scatter(const ir_value *const *in, int64_t outer, int64_t size, int64_t inner, ir_dim *made) {
  const int64_t n_indices = ir_ranges_count(in[1]);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t j = 0; j < n_indices; j++) {
      const ir_dim index = ir_range_at(in[1], j);
      for (int64_t at = 0; at < size; at++) {
        const bool may_be = ir_dims_meet(index, ir_dim_of(at)) || ir_dims_meet(index, ir_dim_of(at - size));
        for (int64_t i = 0; i < inner && may_be; i++) {
          ir_dim *to = &made[(o * size + at) * inner + i];
          const ir_dim update = ir_range_at(in[2], (o * n_indices + j) * inner + i);
          *to = ir_dim_known(index) ? update : ir_dims_hull(*to, update);
        }
      }
    }
}

static ir_code ranges_along(const ir_value *const *in, int axis, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  const int64_t n = ir_ranges_count(out);
  ir_dim made[IR_MAX_RANGES];
  if (n < 0 || ir_ranges_count(in[0]) < 0 || ir_ranges_count(in[1]) < 0 || ir_ranges_count(in[2]) < 0)
    return IR_OK;
  const int64_t outer = ir_ranges_between(shape, 0, axis), inner = ir_ranges_between(shape, axis + 1, shape->rank);
  if (ir_ranges_count(in[2]) != outer * ir_ranges_count(in[1]) * inner)
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    made[i] = ir_range_at(in[0], i);
  scatter(in, outer, shape->dims[axis].lo, inner, made);
  return ir_ranges_set(out, made, scope);
}

static ir_code update_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  int axis;
  if (ir_ranges_count(out) < 0 || in[0]->shape.rank < 1 ||
      !ir_axis_input(node, 3, in[3], in[0]->shape.rank, &axis, scope) || axis < 0)
    return IR_OK;
  return ranges_along(in, axis, out, scope);
}

/* Sets the ranges of ScatterElementsUpdate and ScatterNDUpdate: only for rank 1, and without reduction. */
static ir_code list_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_taken = ((const scatter_params *)node->params)->reduction == 0 && in[0]->shape.rank == 1;
  return is_taken ? ranges_along(in, 0, out, scope) : IR_OK;
}

/* ---- running ---- */

static ir_code prepare_update(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int axis;
  if (!ir_axis_input(node, 3, in[3], in[0]->shape.rank, &axis, scope))
    return IR_INVALID;
  const ir_slices slices = ir_slices_along(&in[0]->shape, &in[1]->shape, axis, 0);
  return ir_scatter_step(plan, node, &slices, IR_SCATTER_TAKES, true, scope);
}

static const ir_scattering scatterings_12[] = {IR_SCATTER_TAKES, IR_SCATTER_SUM,  IR_SCATTER_PRODUCT,
                                               IR_SCATTER_LEAST, IR_SCATTER_MOST, IR_SCATTER_MEAN};
static const ir_scattering scatterings_15[] = {IR_SCATTER_TAKES,   IR_SCATTER_SUM,   IR_SCATTER_SUBTRACT,
                                               IR_SCATTER_PRODUCT, IR_SCATTER_LEAST, IR_SCATTER_MOST};

/* Checks the axes other than `axis`: the coordinates of an update on these axes must lie in `data`, too. */
static bool check_others(const ir_node *node, const ir_value *const *in, int axis, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  char texts[2][IR_SHAPE_TEXT];
  int64_t elements;
  if (ir_shape_elements(indices, &elements) && elements == 0)
    return true;
  for (int i = 0; i < data->rank; i++)
    if (i != axis && indices->dims[i].lo > data->dims[i].lo) {
      ir_report_firm(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, i),
                     "'indices' is %s, 'data' %s: on axis %d there are more indices than elements",
                     ir_shape_text(indices, texts[0], sizeof texts[0]), ir_shape_text(data, texts[1], sizeof texts[1]),
                     i);
      return false;
    }
  return true;
}

static ir_code prepare_elements(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const scatter_params *params = node->params;
  int axis;
  if (!ir_axis_input(node, 3, in[3], in[0]->shape.rank, &axis, scope) || !check_others(node, in, axis, scope))
    return IR_INVALID;
  const ir_slices slices = ir_slices_of_elements(&in[0]->shape, &in[1]->shape, axis);
  const bool from_data = node->op->attrs == NULL || params->use_init_val;
  return ir_scatter_step(plan, node, &slices, scatterings_12[params->reduction], from_data, scope);
}

static ir_code prepare_nd(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_slices slices = ir_slices_nd(&in[0]->shape, &in[1]->shape, 0);
  const ir_scattering scattering = scatterings_15[((const scatter_params *)node->params)->reduction];
  return ir_scatter_step(plan, node, &slices, scattering, true, scope);
}

/* ---- the rows ---- */

static const char *const reductions_12[] = {"none", "sum", "prod", "min", "max", "mean", NULL};
static const char *const reductions_15[] = {"none", "sum", "sub", "prod", "min", "max", NULL};

#define REDUCTION(words)                                                                                               \
  {                                                                                                                    \
    .name = "reduction", .kind = IR_ATTR_ENUM, .offset = offsetof(scatter_params, reduction), .names = words,          \
    .fallback = "none"                                                                                                 \
  }

static const ir_attr_spec attrs_12[] = {REDUCTION(reductions_12),
                                        {.name = "use_init_val",
                                         .kind = IR_ATTR_BOOL,
                                         .offset = offsetof(scatter_params, use_init_val),
                                         .fallback = "true"},
                                        {.name = NULL}};
static const ir_attr_spec attrs_15[] = {REDUCTION(reductions_15), {.name = NULL}};

#define SCATTER(name, number, page, schema, rule, told, prepared, DATA, var, ...)                                      \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("movement/" page),                   \
    .params_size = sizeof(scatter_params), .attrs = schema,                                                            \
    .inputs = IR_PORTS({DATA("data", var), .ranges = true}, __VA_ARGS__), .outputs = IR_PORTS({DATA("output", var)}),  \
    .infer = rule, .ranges = told, .run = {                                                                            \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepared                                                                                              \
    }                                                                                                                  \
  }
#define AXIS                                                                                                           \
  { IR_WHOLE_NUMBERS("axis", "T_AXIS", 0, 1), .contents = true }
#define FROM_RANK_1(port, var)                                                                                         \
  .name = port, .type_var = var, .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 1,            \
  .rank_max = IR_MAX_RANK

/* Fields of a port row for numbers. OpenVINO also takes booleans and strings, which the specification excludes. */
#define OR_STRINGS(port, var)                                                                                          \
  .name = port, .type_var = var, .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN) | IR_SET(IR_STRING),       \
  .rank_max = IR_MAX_RANK

const ir_op ir_op_scatter_update_3 =
    SCATTER("ScatterUpdate", 3, "scatter-update-3", NULL, infer_update, update_ranges, prepare_update, OR_STRINGS,
            "T_NUMERIC", {IR_WHOLE_NUMBERS("indices", "T_IND", 0, IR_MAX_RANK), .ranges = true},
            {OR_STRINGS("updates", "T_NUMERIC"), .ranges = true}, AXIS);
const ir_op ir_op_scatter_elements_update_3 = SCATTER(
    "ScatterElementsUpdate", 3, "scatter-elements-update-3", NULL, infer_elements, list_ranges, prepare_elements,
    IR_ANY_NUMBER, "T", {IR_WHOLE_NUMBERS("indices", "T_IND", 0, IR_MAX_RANK), .ranges = true},
    {IR_ANY_NUMBER("updates", "T"), .ranges = true}, AXIS);
const ir_op ir_op_scatter_elements_update_12 =
    SCATTER("ScatterElementsUpdate", 12, "scatter-elements-update-12", attrs_12, infer_elements, list_ranges,
            prepare_elements, IR_ANY_TYPE, "T", {IR_WHOLE_NUMBERS("indices", "T_IND", 0, IR_MAX_RANK), .ranges = true},
            {IR_ANY_TYPE("updates", "T"), .ranges = true}, AXIS);
const ir_op ir_op_scatter_nd_update_3 =
    SCATTER("ScatterNDUpdate", 3, "scatter-nd-update-3", NULL, infer_nd, list_ranges, prepare_nd, FROM_RANK_1, "T",
            {IR_INDEX_NUMBERS("indices", "T_IND", 1, IR_MAX_RANK), .ranges = true},
            {IR_ANY_NUMBER("updates", "T"), .ranges = true});
const ir_op ir_op_scatter_nd_update_15 =
    SCATTER("ScatterNDUpdate", 15, "scatter-nd-update-15", attrs_15, infer_nd, list_ranges, prepare_nd, FROM_RANK_1,
            "T", {IR_INDEX_NUMBERS("indices", "T_IND", 1, IR_MAX_RANK), .ranges = true},
            {IR_ANY_NUMBER("updates", "T"), .ranges = true});

/* Split-1 cuts `axis` into parts of equal length, VariadicSplit-1 into parts of the listed lengths. A length of -1
 * means the rest of the axis. */
#include "ops/axes.h"
#include "ops/kernels/concat_split.h"
#include "ops/movement/movement.h"
#include "ops/op.h"

typedef struct split_params {
  int64_t num_splits;
} split_params;

/* Returns false, after a report, if the layer in the file does not have `n` outputs. */
static bool check_outputs(const ir_node *node, int64_t n, ir_scope *scope) {
  if (n == node->n_outputs)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_node_where(scope, node),
            "the layer has %d output%s, and splits into %lld", node->n_outputs, node->n_outputs == 1 ? "" : "s",
            (long long)n);
  return false;
}

/* Sets the shape of every output to the shape of the input; the caller then sets the dim on `axis`. If `axis` is -1
 * (unknown), any axis can be cut, so the lower bound of every dim becomes 0. */
static void set_outputs(const ir_node *node, const ir_value *const *in, int axis, ir_value *out) {
  for (int32_t i = 0; i < node->n_outputs; i++) {
    out[i].shape = in[0]->shape;
    for (int j = 0; j < out[i].shape.rank && axis < 0; j++)
      out[i].shape.dims[j].lo = 0;
  }
}

/* Sets the type of every output to that of input 0, and reads the axis. *axis is -1 if the axis is unknown. Returns
 * false if an input or an attribute is at fault. */
static bool begin(const ir_node *node, const ir_value *const *in, ir_value *out, int *axis, ir_scope *scope) {
  ir_value first = {.type = IR_DYNAMIC};
  bool is_known = ir_movement_begin(node, in, &first);
  for (int32_t i = 0; i < node->n_outputs; i++)
    out[i].type = first.type;
  return is_known && ir_axis_input(node, 1, in[1], in[0]->shape.rank, axis, scope);
}

/* ---- Split ---- */

static bool check_length(const ir_node *node, const ir_value *in, int axis, int64_t n, ir_scope *scope) {
  const ir_dim dim = in->shape.dims[axis];
  char size[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  if (dim.hi == IR_DIM_MAX || ir_ceil_div(dim.lo, n) <= dim.hi / n)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, axis),
            "axis %d of %s%s has the size %s, which is no multiple of num_splits, %lld", axis, ir_type_name(in->type),
            ir_shape_text(&in->shape, shape, sizeof shape), ir_dim_text(dim, size, sizeof size), (long long)n);
  return false;
}

static ir_code infer_split(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t n = ((const split_params *)node->params)->num_splits;
  int axis;
  if (!begin(node, in, out, &axis, scope) || !check_outputs(node, n, scope) ||
      (axis >= 0 && !check_length(node, in[0], axis, n, scope))) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  set_outputs(node, in, axis, out);
  for (int32_t i = 0; i < node->n_outputs && axis >= 0; i++) {
    ir_dim *dim = &out[i].shape.dims[axis];
    *dim = (ir_dim){ir_ceil_div(dim->lo, n), dim->hi == IR_DIM_MAX ? dim->hi : dim->hi / n};
  }
  return IR_OK;
}

/* ---- VariadicSplit ---- */

/* Facts about the listed lengths. */
typedef struct split_lengths {
  ir_dim sum;   /* sum of all lengths except -1 */
  int64_t rest; /* index of the length -1; -1: no length is -1 */
} split_lengths;

static bool read_lengths(const ir_node *node, const ir_value *list, int64_t n, split_lengths *out, ir_scope *scope) {
  *out = (split_lengths){.rest = -1};
  for (int64_t i = 0; i < n; i++) {
    const ir_dim range = ir_range_at(list, i);
    if (range.hi < -1 || (range.hi == -1 && out->rest >= 0)) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
                "'split_lengths' holds %lld at %lld; expected lengths of 0 or more, or -1 once", (long long)range.hi,
                (long long)i);
      return false;
    }
    if (range.hi == -1 && range.lo == -1)
      out->rest = i;
    else
      out->sum = ir_range_add(out->sum, ir_size_of_range(range));
  }
  return true;
}

/* Checks that the sum of the lengths equals the size of the axis, or does not exceed it if a length is -1. */
static bool check_sum(const ir_node *node, const ir_value *in, int axis, const split_lengths *lengths,
                      ir_scope *scope) {
  const ir_dim dim = in->shape.dims[axis];
  const ir_dim sum = {lengths->sum.lo, lengths->sum.hi};
  char texts[2][IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  if (lengths->rest >= 0 ? sum.lo <= dim.hi : ir_dims_meet(sum, dim))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
            "the lengths add up to %s; axis %d of %s%s has the size %s", ir_dim_text(sum, texts[0], sizeof texts[0]),
            axis, ir_type_name(in->type), ir_shape_text(&in->shape, shape, sizeof shape),
            ir_dim_text(dim, texts[1], sizeof texts[1]));
  return false;
}

/* Returns length i, or the rest of `dim` if length i is -1. */
static ir_dim length_of(const ir_value *list, int64_t i, const split_lengths *lengths, ir_dim dim) {
  if (i == lengths->rest)
    return ir_size_of_range(ir_range_subtract(dim, lengths->sum));
  return ir_size_of_range(ir_range_at(list, i));
}

static ir_code infer_variadic(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  int axis;
  split_lengths lengths;
  bool fine = begin(node, in, out, &axis, scope);
  const ir_dim count = fine ? ir_axes_count(in[2]) : ir_dim_any();
  const bool is_told = fine && ir_dim_known(count) && ir_has_ranges(in[2]);
  fine = fine && (ir_dims_meet(count, ir_dim_of(node->n_outputs)) || check_outputs(node, count.lo, scope));
  fine = fine && (!is_told || read_lengths(node, in[2], count.lo, &lengths, scope));
  if (!fine || (is_told && axis >= 0 && !check_sum(node, in[0], axis, &lengths, scope))) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  set_outputs(node, in, axis, out);
  for (int32_t i = 0; i < node->n_outputs && axis >= 0; i++) {
    ir_dim *dim = &out[i].shape.dims[axis];
    *dim = is_told ? length_of(in[2], i, &lengths, *dim) : (ir_dim){0, dim->hi};
  }
  return IR_OK;
}

/* ---- elements ---- */

/* Output i begins after the last element of output i - 1 on the axis. */
static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  int64_t steps[IR_MAX_RANK], begin = 0;
  int axis;
  if (!ir_has_ranges(in[0]) || !ir_axis_input(node, 1, in[1], shape->rank, &axis, scope) || axis < 0)
    return IR_OK;
  for (int i = 0; i < shape->rank; i++)
    steps[i] = ir_ranges_between(shape, i + 1, shape->rank);
  for (int32_t i = 0; i < node->n_outputs && !out[i].poisoned && ir_shape_known(&out[i].shape); i++) {
    const ir_code code = ir_ranges_strided(in[0], begin * steps[axis], steps, &out[i], scope);
    if (code != IR_OK)
      return code;
    begin += out[i].shape.dims[axis].lo;
  }
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int axis;
  if (!ir_axis_input(node, 1, in[1], in[0]->shape.rank, &axis, scope))
    return IR_INVALID;
  return ir_split_step(plan, node, in, axis);
}

/* ---- the rows ---- */

static const ir_attr_spec attrs[] = {{.name = "num_splits",
                                      .kind = IR_ATTR_INT,
                                      .offset = offsetof(split_params, num_splits),
                                      .required = true,
                                      .min = 1,
                                      .max = IR_MAX_PORTS},
                                     {.name = NULL}};

const ir_op ir_op_split_1 = {
    .dialect = IR_OPENVINO,
    .type = "Split",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/split-1"),
    .params_size = sizeof(split_params),
    .attrs = attrs,
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T"), .ranges = true},
                       {IR_WHOLE_NUMBERS("axis", "T_AXIS", 0, 0), .contents = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T"), .variadic = true}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_split,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_MOVE,
    .takes_channels_last = ir_always_channels_last,
};

const ir_op ir_op_variadic_split_1 = {
    .dialect = IR_OPENVINO,
    .type = "VariadicSplit",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/variadic-split-1"),
    .inputs =
        IR_PORTS({IR_ANY_TYPE("data", "T1"), .ranges = true}, {IR_WHOLE_NUMBERS("axis", "T2", 0, 1), .contents = true},
                 {IR_WHOLE_NUMBERS("split_lengths", "T2", 1, 1), .contents = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T1"), .variadic = true}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_variadic,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_MOVE,
    .takes_channels_last = ir_always_channels_last,
};

/* Concat-1 joins any number of inputs along `axis`. */
#include "ops/attr_text.h"
#include "ops/axes.h"
#include "ops/kernels/concat_split.h"
#include "ops/op.h"
#include "ops/ranges.h"
#include <stdio.h>

typedef struct concat_params {
  int64_t axis;
} concat_params;

/* State of joining inputs one by one. */
typedef struct concat_join {
  ir_shape shape;   /* on `axis` the sum of the inputs' sizes, on other axes their intersection */
  int axis;         /* -1: the attribute is at fault; axes are not compared */
  int64_t n_differ; /* number of inputs of another rank or size; only the first such input is reported in full */
  bool too_large;
} concat_join;

static int32_t first_of_known_rank(const ir_node *node, const ir_value *const *in) {
  int32_t i = 0;
  while (i < node->n_inputs && (in[i]->poisoned || in[i]->shape.rank == IR_RANK_UNKNOWN))
    i++;
  return i;
}

/* Returns the first axis other than join->axis on which the input's size contradicts the inputs before it, or -1. */
static int differing_axis(const concat_join *join, const ir_shape *shape) {
  for (int i = 0; i < shape->rank && join->axis >= 0; i++)
    if (i != join->axis && !ir_dims_meet(shape->dims[i], join->shape.dims[i]))
      return i;
  return -1;
}

/* Checks the rank and sizes of an input against the inputs before it. */
static bool check_input(const ir_node *node, const ir_value *in, int32_t index, concat_join *join, ir_scope *scope) {
  bool same_rank = in->shape.rank == join->shape.rank;
  int differing = same_rank ? differing_axis(join, &in->shape) : -1;
  char shape[IR_SHAPE_TEXT], found[IR_DIM_TEXT], expected[IR_DIM_TEXT];
  if (same_rank && differing < 0)
    return true;
  if (join->n_differ++ > 0)
    return false;
  ir_shape_text(&in->shape, shape, sizeof shape);
  if (!same_rank)
    ir_report(scope->diags, IR318_CONCAT_DIMS_DIFFER, ir_input_where(scope, node, index, -1),
              "input %d has rank %d: %s%s; those before it have rank %d", index, in->shape.rank, ir_type_name(in->type),
              shape, join->shape.rank);
  else
    ir_report(scope->diags, IR318_CONCAT_DIMS_DIFFER, ir_input_where(scope, node, index, differing),
              "input %d has %s on axis %d: %s%s; those before it have %s there, and only axis %d may differ", index,
              ir_dim_text(in->shape.dims[differing], found, sizeof found), differing, ir_type_name(in->type), shape,
              ir_dim_text(join->shape.dims[differing], expected, sizeof expected), join->axis);
  return false;
}

static void add_to_axis(concat_join *join, ir_dim dim) {
  ir_dim *sum = &join->shape.dims[join->axis];
  join->too_large = join->too_large || !ir_add(sum->lo, dim.lo, &sum->lo);
  if (sum->hi == IR_DIM_MAX || dim.hi == IR_DIM_MAX || !ir_add(sum->hi, dim.hi, &sum->hi))
    sum->hi = IR_DIM_MAX;
}

static void add_input(concat_join *join, const ir_shape *shape) {
  for (int i = 0; i < shape->rank; i++)
    if (i == join->axis)
      add_to_axis(join, shape->dims[i]);
    else
      join->shape.dims[i] = ir_dims_common(join->shape.dims[i], shape->dims[i]);
}

/* Joins all inputs. Returns false if inputs contradict each other, or an input or the attribute is at fault. */
static bool join_inputs(const ir_node *node, const ir_value *const *in, concat_join *join, ir_scope *scope) {
  bool known = true;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    known = known && !in[i]->poisoned;
    if (in[i]->poisoned)
      continue;
    if (in[i]->shape.rank == IR_RANK_UNKNOWN && join->axis >= 0)
      add_to_axis(join, ir_dim_any());
    else if (in[i]->shape.rank != IR_RANK_UNKNOWN && check_input(node, in[i], i, join, scope) && join->axis >= 0)
      add_input(join, &in[i]->shape);
  }
  if (join->n_differ > 1)
    ir_note(scope->diags, (ir_where){0}, "%lld more of the %d inputs differ from those before them",
            (long long)join->n_differ - 1, node->n_inputs);
  return known && join->n_differ == 0 && join->axis >= 0;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  int32_t first = first_of_known_rank(node, in);
  concat_join join = {.axis = -1};
  for (int32_t i = 0; i < node->n_inputs; i++) {
    out->type = out->type == IR_DYNAMIC ? in[i]->type : out->type;
    out->poisoned = out->poisoned || in[i]->poisoned;
  }
  if (first == node->n_inputs)
    return IR_OK;
  join.shape = in[first]->shape;
  if (ir_attr_usable(node, "axis") &&
      ir_axis_attr(node, "axis", ((const concat_params *)node->params)->axis, join.shape.rank, &join.axis, scope))
    join.shape.dims[join.axis] = ir_dim_of(0);
  out->poisoned = !join_inputs(node, in, &join, scope);
  if (!out->poisoned && join.too_large) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_node_where(scope, node),
              "the sizes on axis %d add up to more than 64 bits hold", join.axis);
    out->poisoned = true;
  }
  if (!out->poisoned)
    out->shape = join.shape;
  return IR_OK;
}

static int axis_of(const ir_node *node, int rank) {
  return ir_axis_from_front(((const concat_params *)node->params)->axis, rank);
}

/* Copies ranges row by row, one row of each input in turn. A row has the axes from the joined axis on. */
static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim joined[IR_MAX_RANGES];
  int64_t n = 0;
  if (ir_ranges_count(out) <= 0)
    return IR_OK;
  const int64_t rows = ir_ranges_between(&out->shape, 0, axis_of(node, out->shape.rank));
  for (int64_t row = 0; row < rows; row++)
    for (int32_t i = 0; i < node->n_inputs; i++) {
      const int64_t length = ir_ranges_count(in[i]) / rows;
      if (ir_ranges_count(in[i]) < 0)
        return IR_OK;
      for (int64_t k = 0; k < length; k++)
        joined[n++] = ir_range_at(in[i], row * length + k);
    }
  return ir_ranges_set(out, joined, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  return ir_concat_step(plan, node, in, axis_of(node, node->outputs[0].shape.rank));
}

/* ---- the row ---- */

#define TERMS_SHOWN 8

/* Implements ir_op.formula. Writes the sizes on the joined axis, such as "3 + 5 = 8". */
static void formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  const ir_value *out = &node->outputs[0];
  char dim[IR_DIM_TEXT];
  size_t used = 0;
  buffer[0] = '\0';
  if (out->poisoned || out->shape.rank == IR_RANK_UNKNOWN)
    return;
  int axis = axis_of(node, out->shape.rank);
  for (int32_t i = 0; i < node->n_inputs && i < TERMS_SHOWN && used < size; i++) {
    bool told = in[i]->shape.rank != IR_RANK_UNKNOWN;
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? " + " : "",
                             ir_dim_text(told ? in[i]->shape.dims[axis] : ir_dim_any(), dim, sizeof dim));
  }
  if (node->n_inputs > TERMS_SHOWN && used < size)
    used += (size_t)snprintf(buffer + used, size - used, " + ... (%d sizes)", node->n_inputs);
  if (used < size)
    snprintf(buffer + used, size - used, " = %s", ir_dim_text(out->shape.dims[axis], dim, sizeof dim));
}

static const ir_attr_spec attrs[] = {{.name = "axis",
                                      .kind = IR_ATTR_INT,
                                      .offset = offsetof(concat_params, axis),
                                      .min = -IR_MAX_RANK,
                                      .max = IR_MAX_RANK - 1,
                                      .required = true,
                                      .fallback = "0",
                                      .fallback_if_allowed = true},
                                     {.name = NULL}};

/* Fields of a port row for numbers. OpenVINO also takes booleans and strings, which the specification excludes. */
#define T_PORT(port)                                                                                                   \
  .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN) | IR_SET(IR_STRING),       \
  .rank_min = 1, .rank_max = IR_MAX_RANK

const ir_op ir_op_concat_1 = {
    .dialect = IR_OPENVINO,
    .type = "Concat",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/concat-1"),
    .params_size = sizeof(concat_params),
    .attrs = attrs,
    .inputs = IR_PORTS({T_PORT("data"), .ranges = true, .variadic = true}),
    .outputs = IR_PORTS({T_PORT("output")}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_MOVE,
    .takes_channels_last = ir_always_channels_last,
    .formula = formula,
};

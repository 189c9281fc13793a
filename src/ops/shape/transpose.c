/* Transpose-1 permutes the axes of `arg`: output dim i is the input's dim input_order[i]. If `input_order` is empty, it
 * reverses the axes. */
#include "ops/shape/transpose.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "ops/ranges.h"

static ir_axes reverse(int rank) {
  ir_axes axes = {.n = rank};
  for (int i = 0; i < rank; i++)
    axes.items[i] = rank - 1 - i;
  return axes;
}

/* Checks that `input_order` lists all axes of the input, or none. If the input's rank is unknown, up to IR_MAX_RANK
 * axes fit. */
static bool check_count(const ir_node *node, const ir_value *const *in, ir_dim count, ir_scope *scope) {
  int rank = in[0]->shape.rank;
  char found[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  if (count.lo == 0 || ir_dims_meet(count, rank == IR_RANK_UNKNOWN ? (ir_dim){0, IR_MAX_RANK} : ir_dim_of(rank)))
    return true;
  ir_dim_text(count, found, sizeof found);
  ir_where where = ir_input_where(scope, node, 1, -1);
  if (rank == IR_RANK_UNKNOWN)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'input_order' holds %s axes; a tensor has up to %d", found,
              IR_MAX_RANK);
  else
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where,
              "'input_order' holds %s axes, expected the %d of the input %s%s, or none to reverse them", found, rank,
              ir_type_name(in[0]->type), ir_shape_text(&in[0]->shape, shape, sizeof shape));
  return false;
}

static bool read_order(const ir_node *node, const ir_tensor *contents, int rank, ir_scope *scope, ir_axes *out) {
  *out = reverse(rank);
  if (ir_tensor_elements(contents) == 0)
    return true;
  return ir_axes_read(node, 1, contents, (ir_axes_rule){.rank = rank, .front_only = true}, scope, out);
}

/* Returns the output shape if the order is unknown: each output dim can be any of the input's dims. */
static ir_shape possible_shape(const ir_shape *in) {
  ir_shape out = *in;
  for (int i = 0; i < out.rank; i++)
    for (int from = 0; from < in->rank; from++)
      out.dims[i] = ir_dims_hull(out.dims[i], in->dims[from]);
  return out;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape shape = in[0]->shape;
  ir_dim count = ir_axes_count(in[1]);
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || !check_count(node, in, count, scope);
  if (out->poisoned)
    return IR_OK;
  if (shape.rank == IR_RANK_UNKNOWN && ir_dim_known(count) && count.lo > 0)
    shape = ir_shape_of_rank((int)count.lo);
  ir_axes order = reverse(shape.rank);
  if (shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  if (in[1]->contents == NULL && count.hi > 0) {
    out->shape = possible_shape(&shape);
    return IR_OK;
  }
  out->poisoned = in[1]->contents != NULL && !read_order(node, in[1]->contents, shape.rank, scope, &order);
  out->shape.rank = out->poisoned ? IR_RANK_UNKNOWN : shape.rank;
  for (int i = 0; i < out->shape.rank; i++)
    out->shape.dims[i] = shape.dims[order.items[i]];
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  int64_t steps[IR_MAX_RANK];
  ir_axes order;
  if (!ir_ranges_pass(in[0], out) || in[1]->contents == NULL ||
      !read_order(node, in[1]->contents, shape->rank, scope, &order))
    return IR_OK;
  for (int i = 0; i < shape->rank; i++)
    steps[i] = ir_ranges_between(shape, order.items[i] + 1, shape->rank);
  return ir_ranges_strided(in[0], 0, steps, out, scope);
}

/* ---- running ---- */

bool ir_transpose_order(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *out) {
  return in[1]->contents != NULL && read_order(node, in[1]->contents, in[0]->shape.rank, scope, out);
}

/* The input and the output can lie with channels last. If no element has to be moved, the output is a view. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape, *to_shape = &node->outputs[0].shape;
  int64_t dims[IR_MAX_RANK], in_strides[IR_MAX_RANK], from[IR_MAX_RANK], to[IR_MAX_RANK];
  bool moves = false;
  ir_axes order;
  if (!ir_transpose_order(node, in, scope, &order))
    return IR_INVALID;
  ir_laid_steps(in[0]->layout, shape, in_strides);
  ir_laid_steps(node->outputs[0].layout, to_shape, to);
  for (int i = 0; i < shape->rank; i++) {
    dims[i] = to_shape->dims[i].lo;
    from[i] = in_strides[order.items[i]];
    moves = moves || (dims[i] != 1 && from[i] != to[i]);
  }
  if (!moves) {
    ir_plan_view(plan);
    return IR_OK;
  }
  const ir_strided_copy copy = ir_strided_copy_of(shape->rank, dims, from, to);
  return ir_strided_copy_step(plan, node, &copy);
}

const ir_op ir_op_transpose_1 = {
    .dialect = IR_OPENVINO,
    .type = "Transpose",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/transpose-1"),
    .inputs = IR_PORTS({.name = "arg",
                        .type_var = "T",
                        .types = IR_SET_STORED,
                        .rank_min = 0,
                        .rank_max = IR_MAX_RANK,
                        .ranges = true},
                       {.name = "input_order",
                        .type_var = "T_AXIS",
                        .types = IR_SET_INTEGERS,
                        .rank_min = 1,
                        .rank_max = 1,
                        .contents = true}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_STORED)),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_TRANSPOSE,
    .reads_any_layout = true,
};

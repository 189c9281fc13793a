/* Tile-1 repeats `data` along every axis. If the shape of `data` and `repeats` have different lengths, the shorter list
 * gets ones at its front. */
#include "ops/axes.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  const ir_dim count = ir_axes_count(in[1]);
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !ir_rank_fits(node, count.lo, scope);
  if (out->poisoned || shape->rank == IR_RANK_UNKNOWN || !ir_dim_known(count))
    return IR_OK;
  const int n = (int)count.lo, rank = shape->rank > n ? shape->rank : n;
  out->shape.rank = rank;
  for (int i = 0; i < rank; i++) {
    const ir_dim dim = i >= rank - shape->rank ? shape->dims[i - (rank - shape->rank)] : ir_dim_of(1);
    const ir_dim times = i >= rank - n ? ir_size_of_range(ir_range_at(in[1], i - (rank - n))) : ir_dim_of(1);
    out->shape.dims[i] =
        ir_size_of_range(ir_range_multiply(dim, ir_has_ranges(in[1]) || i < rank - n ? times : ir_dim_any()));
  }
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node;
  const int64_t n = ir_ranges_count(out);
  ir_dim tiled[IR_MAX_RANGES];
  if (!ir_ranges_pass(in[0], out))
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    tiled[i] = ir_range_at(in[0], ir_ranges_source(&in[0]->shape, &out->shape, i));
  return ir_ranges_set(out, tiled, scope);
}

/* Each axis of the output becomes two axes of the copy: the repetitions, and the axis of the data. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape, *to_shape = &node->outputs[0].shape;
  const int rank = to_shape->rank, missing = rank - shape->rank;
  int64_t steps[IR_MAX_RANK], to_steps[IR_MAX_RANK];
  int64_t dims[2 * IR_MAX_RANK], from[2 * IR_MAX_RANK], to[2 * IR_MAX_RANK];
  (void)scope;
  ir_nd_iter_steps(shape, missing, rank, steps);
  ir_nd_iter_steps(to_shape, 0, rank, to_steps);
  for (int i = 0; i < rank; i++) {
    const int64_t size = i < missing ? 1 : shape->dims[i - missing].lo;
    dims[2 * i] = size > 0 ? to_shape->dims[i].lo / size : 0;
    dims[2 * i + 1] = size;
    from[2 * i] = 0;
    from[2 * i + 1] = steps[i];
    to[2 * i] = size * to_steps[i];
    to[2 * i + 1] = to_steps[i];
  }
  const ir_strided_copy copy = ir_strided_copy_of(2 * rank, dims, from, to);
  return ir_strided_copy_step(plan, node, &copy);
}

const ir_op ir_op_tile_1 = {
    .dialect = IR_OPENVINO,
    .type = "Tile",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/tile-1"),
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T1"), .ranges = true},
                       {IR_WHOLE_NUMBERS("repeats", "T2", 1, 1), .contents = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T1")}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};

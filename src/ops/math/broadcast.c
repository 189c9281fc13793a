#include "ops/math/broadcast.h"

const char *const ir_broadcast_names[] = {"none", "numpy", "pdpd", NULL};

/* ---- shapes ---- */

static bool holds(ir_dim dim, int64_t size) {
  return dim.lo <= size && size <= dim.hi;
}

/* Joins the sizes `a` and `b` of an axis: *out is the hull of their intersection, of `b` if `a` can be 1 (NUMPY), and
 * of `a` if `b` can be 1 (NUMPY, PDPD). Examples for NUMPY: 5, ? -> 5; 2..5, 3..9 -> 3..5; 1..5, 3..9 -> 3..9; 1, ? ->
 * ?. Returns false if no output size is possible. */
static bool join(ir_broadcast_mode mode, ir_dim a, ir_dim b, ir_dim *out) {
  bool any = ir_dims_meet(a, b);
  if (any)
    *out = ir_dims_common(a, b);
  if (mode == IR_BROADCAST_NUMPY && holds(a, 1)) {
    *out = any ? ir_dims_hull(*out, b) : b;
    any = true;
  }
  if (mode != IR_BROADCAST_NONE && holds(b, 1)) {
    *out = any ? ir_dims_hull(*out, a) : a;
    any = true;
  }
  return any;
}

static ir_dim dim_at(const ir_shape *shape, int axis) {
  return axis >= 0 && axis < shape->rank ? shape->dims[axis] : ir_dim_of(1);
}

/* Sets the rank and the offsets of `result` from the ranks of the inputs, which must be known. */
static ir_broadcast_fit align(ir_broadcast rule, int a_rank, int b_rank, ir_broadcast_result *result) {
  result->shape.rank = a_rank;
  switch (rule.mode) {
  case IR_BROADCAST_NONE:
    return a_rank == b_rank ? IR_BROADCAST_FITS : IR_BROADCAST_RANKS_DIFFER;
  case IR_BROADCAST_NUMPY:
    result->shape.rank = a_rank > b_rank ? a_rank : b_rank;
    result->a_offset = result->shape.rank - a_rank;
    result->b_offset = result->shape.rank - b_rank;
    return IR_BROADCAST_FITS;
  case IR_BROADCAST_PDPD:
    if (b_rank > a_rank)
      return IR_BROADCAST_RANK_GREATER;
    if (rule.axis > a_rank)
      return IR_BROADCAST_AXIS_OUTSIDE;
    result->b_offset = rule.axis < 0 ? a_rank - b_rank : (int)rule.axis;
    return IR_BROADCAST_FITS;
  }
  return IR_BROADCAST_FITS;
}

/* Returns the output shape if the rank of `a` or `b` is unknown. */
static ir_shape shape_of_any_rank(ir_broadcast_mode mode, const ir_shape *a, const ir_shape *b) {
  if (a->rank == IR_RANK_UNKNOWN && mode == IR_BROADCAST_NONE)
    return *b;
  return mode == IR_BROADCAST_NUMPY ? ir_shape_unknown() : *a;
}

ir_broadcast_result ir_broadcast_shapes(ir_broadcast rule, const ir_shape *a, const ir_shape *b) {
  ir_broadcast_result result = {.fit = IR_BROADCAST_FITS};
  if (a->rank == IR_RANK_UNKNOWN || b->rank == IR_RANK_UNKNOWN) {
    result.shape = shape_of_any_rank(rule.mode, a, b);
    return result;
  }
  result.fit = align(rule, a->rank, b->rank, &result);
  if (result.fit != IR_BROADCAST_FITS)
    return result;
  for (int i = 0; i < result.shape.rank; i++)
    if (!join(rule.mode, dim_at(a, i - result.a_offset), dim_at(b, i - result.b_offset), &result.shape.dims[i]))
      result.axes |= UINT32_C(1) << i;
  /* PDPD: axes of the second input after the first input's last axis must have size 1. */
  for (int i = result.shape.rank; i < b->rank + result.b_offset; i++)
    if (!holds(b->dims[i - result.b_offset], 1))
      result.axes |= UINT32_C(1) << i;
  if (result.axes != 0)
    result.fit = IR_BROADCAST_SIZES_DIFFER;
  return result;
}

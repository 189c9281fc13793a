#include "base/shape.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ir_dim ir_dims_product(ir_dim a, ir_dim b) {
  ir_dim product = {IR_DIM_MAX, IR_DIM_MAX};
  if (!ir_mul(a.lo, b.lo, &product.lo))
    product.lo = IR_DIM_MAX;
  if (a.hi == 0 || b.hi == 0)
    product.hi = 0;
  else if (a.hi == IR_DIM_MAX || b.hi == IR_DIM_MAX || !ir_mul(a.hi, b.hi, &product.hi))
    product.hi = IR_DIM_MAX;
  return product;
}

ir_shape ir_shape_of(int rank, const int64_t *dims) {
  ir_shape shape = {.rank = rank};
  for (int i = 0; i < rank; i++)
    shape.dims[i] = ir_dim_of(dims[i]);
  return shape;
}

ir_shape ir_shape_unknown(void) {
  return (ir_shape){.rank = IR_RANK_UNKNOWN};
}

ir_shape ir_shape_of_rank(int rank) {
  ir_shape shape = {.rank = rank};
  for (int i = 0; i < rank; i++)
    shape.dims[i] = ir_dim_any();
  return shape;
}

bool ir_shape_known(const ir_shape *shape) {
  for (int i = 0; i < shape->rank; i++)
    if (!ir_dim_known(shape->dims[i]))
      return false;
  return shape->rank != IR_RANK_UNKNOWN;
}

bool ir_shapes_equal(const ir_shape *a, const ir_shape *b) {
  if (a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; i++)
    if (!ir_dims_equal(a->dims[i], b->dims[i]))
      return false;
  return true;
}

bool ir_shapes_meet(const ir_shape *a, const ir_shape *b) {
  if (a->rank == IR_RANK_UNKNOWN || b->rank == IR_RANK_UNKNOWN)
    return true;
  if (a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; i++)
    if (!ir_dims_meet(a->dims[i], b->dims[i]))
      return false;
  return true;
}

bool ir_shape_elements(const ir_shape *shape, int64_t *out_elements) {
  *out_elements = 0;
  if (!ir_shape_known(shape))
    return false;
  /* a dim of 0 decides first, because the product of the other dims can overflow */
  for (int i = 0; i < shape->rank; i++) {
    if (shape->dims[i].lo < 0)
      return false;
    if (shape->dims[i].lo == 0)
      return true;
  }
  int64_t elements = 1;
  for (int i = 0; i < shape->rank; i++)
    if (!ir_mul(elements, shape->dims[i].lo, &elements))
      return false;
  *out_elements = elements;
  return true;
}

const char *ir_dim_text(ir_dim dim, char *buffer, size_t size) {
  if (ir_dim_known(dim))
    snprintf(buffer, size, "%" PRId64, dim.lo);
  else if (dim.hi != IR_DIM_MAX)
    snprintf(buffer, size, "%" PRId64 "..%" PRId64, dim.lo, dim.hi);
  else if (dim.lo <= 0)
    snprintf(buffer, size, "?");
  else
    snprintf(buffer, size, "%" PRId64 "..", dim.lo);
  return buffer;
}

const char *ir_shape_text(const ir_shape *shape, char *buffer, size_t size) {
  char text[IR_SHAPE_TEXT] = "[", dim[IR_DIM_TEXT];
  size_t length = 1;
  for (int i = 0; i < shape->rank; i++) {
    int n = snprintf(text + length, sizeof text - length, "%s%s", i == 0 ? "" : ",",
                     ir_dim_text(shape->dims[i], dim, sizeof dim));
    length += (size_t)n;
  }
  snprintf(buffer, size, "%s%s]", text, shape->rank == IR_RANK_UNKNOWN ? "..." : "");
  return buffer;
}

ir_shape ir_channels_last_shape(const ir_shape *shape) {
  ir_shape last = *shape;
  for (int i = 1; i < shape->rank; i++)
    last.dims[i] = shape->dims[i < shape->rank - 1 ? i + 1 : 1];
  return last;
}

bool ir_lies_alike(const ir_shape *shape) {
  int64_t inner = 1;
  for (int i = 2; i < shape->rank && inner == 1; i++)
    inner = shape->dims[i].lo;
  return shape->rank < 3 || inner == 1 || shape->dims[1].lo == 1;
}

/* Shapes: every dim is an interval of int64_t, known when both ends are equal. */
#ifndef IR_SHAPE_H
#define IR_SHAPE_H

#include "base/limits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_DIM_MAX      INT64_MAX /* `hi` of a dim without an upper bound */
#define IR_RANK_UNKNOWN (-1)

typedef struct ir_dim {
  int64_t lo, hi;
} ir_dim;

typedef struct ir_shape {
  int rank; /* or IR_RANK_UNKNOWN, and then no dim counts */
  ir_dim dims[IR_MAX_RANK];
} ir_shape;

static inline ir_dim ir_dim_of(int64_t n) {
  return (ir_dim){n, n};
}
static inline ir_dim ir_dim_any(void) {
  return (ir_dim){0, IR_DIM_MAX};
}
/* Of numbers that are no sizes yet, and may be negative. */
static inline ir_dim ir_range_any(void) {
  return (ir_dim){INT64_MIN, INT64_MAX};
}
static inline bool ir_dim_known(ir_dim dim) {
  return dim.lo == dim.hi;
}
/* True when some size lies in both. */
static inline bool ir_dims_meet(ir_dim a, ir_dim b) {
  return a.lo <= b.hi && b.lo <= a.hi;
}
/* The least interval that holds both. */
static inline ir_dim ir_dims_hull(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
/* What lies in both; only of two that meet. */
static inline ir_dim ir_dims_common(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
static inline bool ir_dims_equal(ir_dim a, ir_dim b) {
  return a.lo == b.lo && a.hi == b.hi;
}

/* Every product of two sizes; one that 64 bits do not hold is IR_DIM_MAX. */
ir_dim ir_dims_product(ir_dim a, ir_dim b);

ir_shape ir_shape_of(int rank, const int64_t *dims);
ir_shape ir_shape_unknown(void);
/* Of that rank, every dim from 0 on. */
ir_shape ir_shape_of_rank(int rank);
/* True when the rank and every dim are known. */
bool ir_shape_known(const ir_shape *shape);
bool ir_shapes_equal(const ir_shape *a, const ir_shape *b);
/* True when some shape is an instance of both. */
bool ir_shapes_meet(const ir_shape *a, const ir_shape *b);
/* Number of elements of a known shape; false when it does not fit int64_t. A dim of 0 gives 0. */
bool ir_shape_elements(const ir_shape *shape, int64_t *out_elements);
/* Prints [1,3,?,1..640] (also 2.., and [...] for an unknown rank). Writes at most `size` bytes, returns `buffer`. */
const char *ir_shape_text(const ir_shape *shape, char *buffer, size_t size);
const char *ir_dim_text(ir_dim dim, char *buffer, size_t size);
#define IR_SHAPE_TEXT 704 /* bytes that every shape's text fits in */
#define IR_DIM_TEXT   48

/* Checked arithmetic; false on overflow. */
static inline bool ir_add(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool ir_mul(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}
/* ceil(a / b) for a >= 0, b > 0, without overflow. */
static inline int64_t ir_ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

/* ---- channels last ---- */

/* The shape [N, C, D..] as [N, D.., C]. */
ir_shape ir_channels_last_shape(const ir_shape *shape);
/* Whether [N, C, D..] and [N, D.., C] are the same bytes. */
bool ir_lies_alike(const ir_shape *shape);

#endif

/* Shapes. A dim is an interval of int64_t; it is known if both ends are equal. */
#ifndef IR_SHAPE_H
#define IR_SHAPE_H

#include "base/limits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_DIM_MAX      INT64_MAX /* `hi` of an unbounded dim */
#define IR_RANK_UNKNOWN (-1)

typedef struct ir_dim {
  int64_t lo, hi;
} ir_dim;

typedef struct ir_shape {
  int rank; /* or IR_RANK_UNKNOWN: `dims` is unused */
  ir_dim dims[IR_MAX_RANK];
} ir_shape;

static inline ir_dim ir_dim_of(int64_t n) {
  return (ir_dim){n, n};
}
static inline ir_dim ir_dim_any(void) {
  return (ir_dim){0, IR_DIM_MAX};
}
/* The interval of all integers. ir_dim_any is for sizes, which are not negative. */
static inline ir_dim ir_range_any(void) {
  return (ir_dim){INT64_MIN, INT64_MAX};
}
static inline bool ir_dim_known(ir_dim dim) {
  return dim.lo == dim.hi;
}
/* Whether the intervals intersect. */
static inline bool ir_dims_meet(ir_dim a, ir_dim b) {
  return a.lo <= b.hi && b.lo <= a.hi;
}
/* The smallest interval that contains both. */
static inline ir_dim ir_dims_hull(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
/* The intersection of two intervals, which must not be empty. */
static inline ir_dim ir_dims_common(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
static inline bool ir_dims_equal(ir_dim a, ir_dim b) {
  return a.lo == b.lo && a.hi == b.hi;
}

/* The interval of all products of two sizes. An end beyond 64 bits becomes IR_DIM_MAX. */
ir_dim ir_dims_product(ir_dim a, ir_dim b);

ir_shape ir_shape_of(int rank, const int64_t *dims);
ir_shape ir_shape_unknown(void);
/* A shape of known rank and open dims. */
ir_shape ir_shape_of_rank(int rank);
/* Whether the rank and every dim are known. */
bool ir_shape_known(const ir_shape *shape);
bool ir_shapes_equal(const ir_shape *a, const ir_shape *b);
/* Whether some shape with known dims lies in both. */
bool ir_shapes_meet(const ir_shape *a, const ir_shape *b);
/* Number of elements of a known shape, 0 if a dim is 0. False if the number does not fit int64_t, or the shape is
 * not known. */
bool ir_shape_elements(const ir_shape *shape, int64_t *out_elements);
/* Prints a shape, such as "[1,3,?,1..640]" or "[2..]"; "[...]" if the rank is unknown. Writes at most `size` bytes
 * including the NUL, and returns `buffer`. */
const char *ir_shape_text(const ir_shape *shape, char *buffer, size_t size);
const char *ir_dim_text(ir_dim dim, char *buffer, size_t size);
#define IR_SHAPE_TEXT 704 /* bytes, enough for the text of any shape */
#define IR_DIM_TEXT   48

/* Add or multiply; false on overflow. */
static inline bool ir_add(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool ir_mul(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}
/* Adds n >= 0 to a sum, which stops at the largest number: a faulty file can declare any sizes. */
static inline void ir_add_to(int64_t n, int64_t *io_sum) {
  if (!ir_add(*io_sum, n, io_sum))
    *io_sum = INT64_MAX;
}
/* a / b rounded up, for a >= 0 and b > 0. Does not overflow. */
static inline int64_t ir_ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

/* ---- channels last ---- */

/* Converts a shape [N, C, D..] to [N, D.., C]. */
ir_shape ir_channels_last_shape(const ir_shape *shape);
/* Whether the elements of a known shape have the same order in memory in both layouts: [N, C, D..] and [N, D.., C]. */
bool ir_lies_alike(const ir_shape *shape);

#endif

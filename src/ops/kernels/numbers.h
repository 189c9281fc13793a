/* Computes minima and maxima of two numbers, and multiples. */
#ifndef IR_NUMBERS_H
#define IR_NUMBERS_H

#include "base/shape.h"

static inline int64_t round_up(int64_t n, int64_t multiple) {
  return ir_ceil_div(n, multiple) * multiple;
}

static inline int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Minimum and maximum of two elements. If either is NaN, the result is NaN. If both are equal, the result is b. */
#define IR_LESSER(a, b)  ((a) < (b) || (a) != (a) ? (a) : (b))
#define IR_GREATER(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))

#endif

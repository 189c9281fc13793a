/* Elements of float tensors as intervals. Such a range (ops/ranges.h) has, in place of numbers, their positions in the
 * order of all doubles, with 0 for 0.0, so that code that moves, selects or orders ranges need not know the type. A NaN
 * has no position: an element that may be NaN has no range. */
#ifndef IR_FLOAT_RANGES_H
#define IR_FLOAT_RANGES_H

#include "ops/op.h"
#include <string.h>

/* The position of a number in the order of all doubles, 0 for 0.0: a positive number's bits grow with it, a negative
 * one's shrink. */
static inline int64_t ir_order_of(double number) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

/* Interval [lo, hi]; unknown if an end is NaN. */
typedef struct ir_interval {
  double lo, hi;
} ir_interval;

ir_dim ir_range_of_interval(ir_interval span);
ir_interval ir_interval_of_range(ir_dim range);

/* Rounds the number to that float type. The other function gives its bytes, ir_type_size(type) of them. */
double ir_float_rounded(ir_type type, double number);
void ir_float_store(ir_type type, double number, void *bytes);

/* Range of an element of type `from` after conversion to type `to`. */
ir_dim ir_range_converted(ir_dim range, ir_type from, ir_type to);

/* Range of a monotonically increasing function of an element of float type `type`, rounded to it. */
ir_dim ir_range_rising(ir_type type, double (*rule)(double), ir_dim range);
/* The same for a function that is monotonic in each of two arguments: a sum, a product, a quotient whose divisor cannot
 * be 0. */
ir_dim ir_range_of_two(ir_type type, double (*rule)(double, double), ir_dim a, ir_dim b);

#endif

/* Ranges of float tensors (ops/ranges.h). Their ends are no numbers, but positions in the order of all doubles; 0.0
 * has position 0. So code that copies, selects or compares ranges works for floats and integers. NaN has no
 * position: an element that can be NaN has an open range. */
#ifndef IR_FLOAT_RANGES_H
#define IR_FLOAT_RANGES_H

#include "ops/op.h"
#include <string.h>

/* Position of a number in the order of all doubles. The bits of a positive double, read as an integer, ascend with
 * its value. Those of a negative double descend, so they are mirrored. */
static inline int64_t ir_order_of(double number) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

/* Numbers from `lo` to `hi`. If an end is NaN, nothing is known. */
typedef struct ir_interval {
  double lo, hi;
} ir_interval;

ir_dim ir_range_of_interval(ir_interval span);
ir_interval ir_interval_of_range(ir_dim range);

/* Round a number to the float type `type`: to a double, or to ir_type_size(type) bytes at `bytes`. */
double ir_float_rounded(ir_type type, double number);
void ir_float_store(ir_type type, double number, void *bytes);

/* Range of an element of type `from` after conversion to type `to`. */
ir_dim ir_range_converted(ir_dim range, ir_type from, ir_type to);

/* Range of rule(x), rounded to the float type `type`, for x in `range`. The rule must be monotonically increasing. */
ir_dim ir_range_rising(ir_type type, double (*rule)(double), ir_dim range);
/* Range of rule(x, y), rounded to the float type `type`, for x in `a` and y in `b`. The rule must be monotonic in
 * each argument: a sum, a product, or a quotient whose divisor cannot be 0. */
ir_dim ir_range_of_two(ir_type type, double (*rule)(double, double), ir_dim a, ir_dim b);

#endif

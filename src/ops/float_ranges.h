/* Elements of float tensors as intervals. Such a range (ops/ranges.h) holds places in the order of all doubles in place
 * of the numbers, 0 for 0.0: what moves, chooses or orders ranges need not look at their type. A NaN has no place:
 * nothing is told of an element that may be one. */
#ifndef IR_FLOAT_RANGES_H
#define IR_FLOAT_RANGES_H

#include "ops/op.h"

/* From lo to hi; where an end is a NaN nothing is told. */
typedef struct ir_interval {
  double lo, hi;
} ir_interval;

ir_dim ir_range_of_interval(ir_interval span);
ir_interval ir_interval_of_range(ir_dim range);

/* The number as a tensor of that float type holds it; the same as its bytes, ir_type_size(type) of them. */
double ir_float_rounded(ir_type type, double number);
void ir_float_store(ir_type type, double number, void *bytes);

/* An element of type `from` as one of type `to`. */
ir_dim ir_range_converted(ir_dim range, ir_type from, ir_type to);

/* What a function that does not fall makes of an element of float type `type`, rounded to it. */
ir_dim ir_range_rising(ir_type type, double (*rule)(double), ir_dim range);
/* The same of a function of two, each time rising or falling in one while the other stays: a sum, a product, a quotient
 * of two intervals of which the second is on one side of 0. */
ir_dim ir_range_of_two(ir_type type, double (*rule)(double, double), ir_dim a, ir_dim b);

#endif

/* Numbers of every element type as long double, which represents all of them exactly. For reference results in
 * tests. */
#ifndef NAIVE_NUMBER_H
#define NAIVE_NUMBER_H

#include "base/dtype.h"

bool naive_is_float(ir_type type);
/* Return the lowest and the greatest finite number of the type. */
long double naive_lowest(ir_type type);
long double naive_greatest(ir_type type);

long double naive_load(ir_type type, const void *data, int64_t index);
/* Stores `x`, which the type must represent exactly. */
void naive_store(ir_type type, void *data, int64_t index, long double x);

/* A 128-bit two's complement number, wide enough for the sum or product of two 64-bit integers. */
__extension__ typedef unsigned __int128 naive_bits;
naive_bits naive_bits_of(long double x);
/* Returns the number in the low bits, for an integer type. */
long double naive_wrap(ir_type type, naive_bits bits);

/* Rounds x to the nearest number of a float type, ties to even. If x is too large, returns an infinity. */
long double naive_round(ir_type type, long double x);
/* Returns the distance from |x| to the next greater number of a float type. */
long double naive_ulp(ir_type type, long double x);
/* Returns whether a and b are the same number. NaN equals NaN, and -0 differs from 0. */
bool naive_equal(long double a, long double b);

#endif

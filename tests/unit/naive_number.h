/* Numbers of every element type as long double, which represents them all. */
#ifndef NAIVE_NUMBER_H
#define NAIVE_NUMBER_H

#include "base/dtype.h"

bool naive_is_float(ir_type type);
/* The lowest and the greatest finite number of the type. */
long double naive_lowest(ir_type type);
long double naive_greatest(ir_type type);

long double naive_load(ir_type type, const void *data, int64_t index);
/* Stores `x`, which the type represents. */
void naive_store(ir_type type, void *data, int64_t index, long double x);

/* 128-bit two's complement, wide enough for any sum or product. */
__extension__ typedef unsigned __int128 naive_bits;
naive_bits naive_bits_of(long double x);
/* For an integer type: the number in the low bits. */
long double naive_wrap(ir_type type, naive_bits bits);

/* For a float type: the nearest number, ties to even; infinite if x is too large. */
long double naive_round(ir_type type, long double x);
/* For a float type: the distance from |x| to the next greater number. */
long double naive_ulp(ir_type type, long double x);
/* Whether the numbers are the same: NaN equals NaN, -0 differs from 0. */
bool naive_equal(long double a, long double b);

#endif

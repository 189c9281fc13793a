/* The numbers of every element type as long double, which holds them all. */
#ifndef NAIVE_NUMBER_H
#define NAIVE_NUMBER_H

#include "base/dtype.h"

bool naive_is_float(ir_type type);
/* The lowest and greatest finite number. */
long double naive_lowest(ir_type type);
long double naive_greatest(ir_type type);

long double naive_load(ir_type type, const void *data, int64_t index);
/* `x` is a number of the type. */
void naive_store(ir_type type, void *data, int64_t index, long double x);

/* Two's complement of 128 bits, wide enough for any sum or product. */
__extension__ typedef unsigned __int128 naive_bits;
naive_bits naive_bits_of(long double x);
/* An integer type: the number that has the low ones of these bits. */
long double naive_wrap(ir_type type, naive_bits bits);

/* A float type: the number nearest to x, ties to even, infinite when that is too large. */
long double naive_round(ir_type type, long double x);
/* A float type: the distance from |x| to the next greater number. */
long double naive_ulp(ir_type type, long double x);
/* The same number: NaN is NaN, and -0 is not 0. */
bool naive_equal(long double a, long double b);

#endif

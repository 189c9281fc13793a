/* Elements of the types of IR_SET_NARROW, which kernels do not compute with: integers and floats of 1 to 8 bits, packed
 * into bytes as OpenVINO's .bin has them. */
#ifndef IR_NARROW_TYPES_H
#define IR_NARROW_TYPES_H

#include "base/dtype.h"

/* Bytes of so many elements of any type with a number of bits; false when they do not fit 64 bits. Elements are stored
 * in packs, the fewest of them that fill whole bytes: 8 of u3 and 4 of u6 in 3 bytes, 2 of u4 in one; an f32 is a pack
 * by itself. */
bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out);

/* The bits of element `index`, from the lowest; setting them takes as many of `bits` as the type has. */
unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index);
void ir_narrow_set_bits(ir_type type, void *data, int64_t index, unsigned bits);
/* The number that these bits are. */
double ir_narrow_number(ir_type type, unsigned bits);
/* The bits of the nearest number of a type of IR_SET_NARROW_FLOATS, ties to even, as OpenVINO rounds: to f8e4m3 and
 * f8e5m2 by way of f16. What is too large becomes NaN in f8e4m3, infinite in f8e5m2, and the largest in the others. NaN
 * stays NaN where the type has one; f4e2m1 makes the largest of it, nf4 0. f8e8m0 makes its least number of 0 and of
 * what is negative. */
unsigned ir_narrow_of(ir_type type, double number);

#endif

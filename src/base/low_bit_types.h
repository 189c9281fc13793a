/* Elements of the types in IR_SET_NARROW, with which kernels do not compute: integers and floats of 1 to 8 bits, packed
 * into bytes as in OpenVINO's .bin. */
#ifndef IR_NARROW_TYPES_H
#define IR_NARROW_TYPES_H

#include "base/dtype.h"

/* Bytes of `elements` elements of any type with a number of bits; false if they do not fit 64 bits. Elements are stored
 * in packs, the fewest that fill whole bytes: 8 of u3 and 4 of u6 in 3 bytes, 2 of u4 in one; an f32 is a pack by
 * itself. */
bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out);

/* Gets or sets the bits of element `index`, right-aligned. Setting ignores bits beyond the width of the type. */
unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index);
void ir_narrow_set_bits(ir_type type, void *data, int64_t index, unsigned bits);
/* Decodes the bits to a number. */
double ir_narrow_number(ir_type type, unsigned bits);
/* Encodes the nearest number of a type in IR_SET_NARROW_FLOATS, ties to even, as OpenVINO does: f8e4m3 and f8e5m2 are
 * rounded to f16 first. Too large numbers become NaN in f8e4m3, infinity in f8e5m2, and the largest number in the
 * others. NaN stays NaN if the type has one, else becomes the largest number in f4e2m1 and 0 in nf4. f8e8m0 turns 0 and
 * negative numbers into its least number. */
unsigned ir_narrow_of(ir_type type, double number);

#endif

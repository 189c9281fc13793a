/* Elements of the low-bit types (IR_SET_NARROW): integers and floats of 1 to 8 bits, packed into bytes in the order
 * of OpenVINO's .bin. */
#ifndef IR_NARROW_TYPES_H
#define IR_NARROW_TYPES_H

#include "base/dtype.h"

/* Number of bytes of `elements` elements of any type; false if it exceeds 64 bits. Elements are stored in packs. A
 * pack has the fewest elements that fill whole bytes: 8 of u3 or 4 of u6 in 3 bytes, 2 of u4 in one byte, 1 of f32
 * in 4 bytes. The last pack can have unused bits. */
bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out);

/* Get or set the bits of element `index`, in the lowest bits of an unsigned. ir_narrow_set_bits ignores higher bits. */
unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index);
void ir_narrow_set_bits(ir_type type, void *data, int64_t index, unsigned bits);
/* The number that the bits represent. */
double ir_narrow_number(ir_type type, unsigned bits);
/* Encodes a number as a type of IR_SET_NARROW_FLOATS, with OpenVINO's rules. Rounds to the nearest number, ties to
 * even; f8e4m3 and f8e5m2 round to f16 first.
 * Too large numbers become NaN in f8e4m3, infinity in f8e5m2, and the largest number in the other types. NaN becomes
 * the largest number in f4e2m1, 0 in nf4, and NaN in the other types. 0 and negative numbers become the least number
 * in f8e8m0. */
unsigned ir_narrow_of(ir_type type, double number);

#endif

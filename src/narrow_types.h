/* Elements of the types that files hold and kernels do not compute with: integers and floats of 1 to 8 bits, packed
 * into bytes as OpenVINO's .bin has them. */
#ifndef IR_NARROW_TYPES_H
#define IR_NARROW_TYPES_H

#include "dtype.h"

#define IR_SET_NARROW_FLOATS                                                                                           \
  (IR_SET(IR_NF4) | IR_SET(IR_F4E2M1) | IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F8E8M0))
#define IR_SET_NARROW                                                                                                  \
  (IR_SET_NARROW_FLOATS | IR_SET(IR_I4) | IR_SET(IR_U1) | IR_SET(IR_U2) | IR_SET(IR_U3) | IR_SET(IR_U4) | IR_SET(IR_U6))

/* Bytes of so many elements of any type with a number of bits; false when they do not fit 64 bits. Elements are stored
 * in packs, the fewest of them that fill whole bytes: 8 of u3 and 4 of u6 in 3 bytes, 2 of u4 in one; an f32 is a pack
 * by itself. */
bool ir_packed_bytes(ir_type type, int64_t elements, int64_t *out);

/* The bits of element `index`, from the lowest. */
unsigned ir_narrow_bits(ir_type type, const void *data, int64_t index);
/* The number that these bits are in a type of IR_SET_NARROW. */
double ir_narrow_number(ir_type type, unsigned bits);

#endif

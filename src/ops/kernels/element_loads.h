/* Loads elements of any stored type, the types of less than 8 bits among them, as a compute type. A pack is the fewest
 * elements that fill whole bytes, such as 8 of u3. A code is an element of a low-bit type in the low bits of a byte. */
#ifndef IR_ELEMENT_LOADS_H
#define IR_ELEMENT_LOADS_H

#include "ops/kernels/compute_type.h"

/* Copies elements [begin, begin + n) to codes: n is at most IR_PIECE, and `begin` the first element of a pack. The
 * codes of the last pack have room behind element n. */
void ir_codes_load(ir_type type, const void *data, int64_t begin, int64_t n, uint8_t *codes);
/* Copies codes back. Bits behind the last element become 0. */
void ir_codes_store(ir_type type, uint8_t *codes, int64_t begin, int64_t n, void *data);

/* ---- numbers ---- */

/* The number of an f8e4m3 or f8e5m2 whose exponent and mantissa were moved to the places that they have in an f32, and
 * its sign to bit 31; other bits are ignored. The bits are then an f32 that is a power of 2 too small. The last code of
 * f8e4m3 is NaN, without a sign; none is infinite. */
static inline float ir_f8e4m3_moved(uint32_t bits) {
  const bool is_nan = (bits & 0x07f00000) == 0x07f00000;
  const uint32_t number = ir_f32_bits(ir_f32_of_bits(bits & 0x87f00000) * 0x1p120f);
  return ir_f32_of_bits(is_nan ? 0x7fc00000 : number);
}
static inline float ir_f8e5m2_moved(uint32_t bits) {
  const uint32_t magnitude = bits & 0x0fe00000, infinity = 0x7cU << 21;
  const uint32_t number = ir_f32_bits(ir_f32_of_bits(bits & 0x8fe00000) * 0x1p112f);
  return ir_f32_of_bits(number | (magnitude >= infinity ? 0x7f800000 : 0) | (magnitude > infinity ? 0x400000 : 0));
}

typedef struct ir_elements {
  ir_type type;
  ir_compute_type compute;
  const void *data;   /* need not be aligned */
  float numbers[512]; /* floats of 4 bits: the numbers of the two codes of each byte */
} ir_elements;

/* `compute` is a type that ir_compute_load accepts for `type`; low-bit types are loaded as u8, i8 or f32 are. */
ir_elements ir_elements_of(ir_type type, const void *data, ir_compute_type compute);
/* Returns elements [begin, begin + n) as the compute type: in place if they have that type, else loaded into `out`. n
 * is at most IR_PIECE, and `begin` the first element of a pack. */
const void *ir_elements_load(const ir_elements *elements, int64_t begin, int64_t n, void *out);

#endif

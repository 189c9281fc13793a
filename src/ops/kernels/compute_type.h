/* Converts elements between their stored type and one of four compute types. Kernels load, compute and store a piece of
 * elements at a time. f16 and bf16 are computed in f32, and rounded once when they are stored. */
#ifndef IR_COMPUTE_TYPE_H
#define IR_COMPUTE_TYPE_H

#include "base/dtype.h"

typedef enum ir_compute_type {
  IR_COMPUTE_F32, /* for f32, f16, bf16; also for integers of 8 and 16 bits and booleans, which it represents exactly */
  IR_COMPUTE_F64, /* for any type */
  IR_COMPUTE_I64, /* for signed integers */
  IR_COMPUTE_U64, /* for unsigned integers, and for booleans as 0 or 1 */
  IR_N_COMPUTE_TYPES
} ir_compute_type;

enum { IR_PIECE = 512 }; /* elements of a piece: several pieces fit the L1 cache */

/* Holds the elements of a piece in any compute type. */
typedef union ir_piece {
  float f32[IR_PIECE];
  double f64[IR_PIECE];
  int64_t i64[IR_PIECE];
  uint64_t u64[IR_PIECE];
} ir_piece;

/* Returns the compute type for elements of `type`. It is IR_COMPUTE_F64 only for f64. */
ir_compute_type ir_compute_type_of(ir_type type);
/* Returns the bytes of an element of a compute type. */
size_t ir_compute_size(ir_compute_type compute);
/* Whether elements of the compute type and of `type` have the same bytes, so that they need no conversion. */
bool ir_compute_type_is(ir_compute_type compute, ir_type type);

/* Loads n elements of type `from` as compute type `to`, which is IR_COMPUTE_F64, ir_compute_type_of(from) or, for
 * integers of 8 and 16 bits and booleans, IR_COMPUTE_F32. IR_COMPUTE_F64 rounds integers above 2^53; all other elements
 * stay exact. */
void ir_compute_load(ir_type from, const void *elements, ir_compute_type to, void *compute, int64_t n);
/* Stores n elements of compute type `from` as type `to`:
 *   to float            rounds once, to nearest, ties to even; overflow becomes infinity
 *   integer to integer  keeps the low bits
 *   float to integer    truncates toward zero to a signed integer, and keeps its low bits. The signed integer has 32
 *                       bits for i8, u8, i16, u16 and i32, and 64 bits for u32, i64 and u64
 *   to boolean          0 becomes false; any other number and NaN become true. (In OpenVINO, NaN becomes true in
 *                       constants, but false in the CPU plugin's runs.)
 * NaN, and floats that do not fit the signed integer, become the lowest signed integer; but u64 also holds floats
 * from 2^63 to 2^64. So -1.5 is 255 as u8; 3e9 is 0 as u8, -2147483648 as i32, 3e9 as u32. OpenVINO's CPU plugin
 * converts f32 by the same rule, but with 32 bits for all types. */
void ir_compute_store(ir_compute_type from, const void *compute, ir_type to, void *elements, int64_t n);
/* Returns the signed integer to which ir_compute_store truncates infinity for `type`, before it takes the low bits. */
int64_t ir_integer_of_infinity(ir_type type);
/* Returns the lowest finite number of a float type. */
double ir_lowest_number(ir_type type);

#endif

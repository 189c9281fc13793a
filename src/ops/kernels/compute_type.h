/* Kernels load elements of a stored type as one of four compute types, a piece at a time, and store the results back.
 * f16 and bf16 are computed in f32 and rounded once. */
#ifndef IR_COMPUTE_TYPE_H
#define IR_COMPUTE_TYPE_H

#include "base/dtype.h"

typedef enum ir_compute_type {
  IR_COMPUTE_F32, /* for f32, f16, bf16 */
  IR_COMPUTE_F64, /* for any type; converts integers as Convert does */
  IR_COMPUTE_I64, /* for signed integers */
  IR_COMPUTE_U64, /* for unsigned integers, and for booleans as 0 or 1 */
  IR_N_COMPUTE_TYPES
} ir_compute_type;

enum { IR_PIECE = 512 }; /* elements that are loaded at once: several pieces fit the L1 cache */

/* Holds the elements of a piece in any compute type. */
typedef union ir_piece {
  float f32[IR_PIECE];
  double f64[IR_PIECE];
  int64_t i64[IR_PIECE];
  uint64_t u64[IR_PIECE];
} ir_piece;

/* The compute type for elements of a stored type; the size of its elements. */
ir_compute_type ir_compute_type_of(ir_type type);
size_t ir_compute_size(ir_compute_type compute);
/* True if the type and the compute type have the same memory format. */
bool ir_compute_type_is(ir_compute_type compute, ir_type type);

/* Loads `n` elements of a stored type as a compute type. This is exact, except that IR_COMPUTE_F64 rounds integers of
 * 2^53 and more. */
void ir_compute_load(ir_type from, const void *elements, ir_compute_type to, void *compute, int64_t n);
/* Stores `n` elements of a compute type as a stored type.
 *
 * To a float: rounds once, to nearest, ties to even; overflow is infinite.
 * To an integer: an integer keeps its low bits. A float is truncated toward zero to a signed integer of 32 bits for i8,
 * u8, i16, u16 and i32, of 64 bits for u32, i64 and u64 (where values below 2^64 fit too); a value that does not fit,
 * or NaN, becomes the lowest such integer. The type keeps the low bits. So -1.5 is 255 as u8, and 3e9 is 0 as u8,
 * -2147483648 as i32, 3e9 as u32. OpenVINO's CPU plugin does the same from f32, but with 32 bits for all types. To a
 * boolean: true unless 0 or NaN. */
void ir_compute_store(ir_compute_type from, const void *compute, ir_type to, void *elements, int64_t n);
/* The integer that infinity becomes by that rule, before the low bits are taken. */
int64_t ir_integer_of_infinity(ir_type type);

#endif

/* What kernels compute in: elements of the stored types are loaded as one of four compute types, some at a time, and
 * what is computed of them is stored again. f16 and bf16 are computed in f32 and rounded once. */
#ifndef IR_COMPUTE_TYPE_H
#define IR_COMPUTE_TYPE_H

#include "base/dtype.h"

typedef enum ir_compute_type {
  IR_COMPUTE_F32, /* of f32, f16, bf16 */
  IR_COMPUTE_F64, /* of any type; of integers as Convert has it */
  IR_COMPUTE_I64, /* of signed integers */
  IR_COMPUTE_U64, /* of unsigned integers and booleans, which are 0 or 1 */
  IR_N_COMPUTE_TYPES
} ir_compute_type;

enum { IR_PIECE = 512 }; /* elements that are loaded together: some pieces fit the first cache */

/* As many elements as a piece has, of any compute type. */
typedef union ir_piece {
  float f32[IR_PIECE];
  double f64[IR_PIECE];
  int64_t i64[IR_PIECE];
  uint64_t u64[IR_PIECE];
} ir_piece;

/* The one that elements of a stored type are computed in, and its bytes. */
ir_compute_type ir_compute_type_of(ir_type type);
size_t ir_compute_size(ir_compute_type compute);
/* True when elements of the type lie in memory as those of the compute type do. */
bool ir_compute_type_is(ir_compute_type compute, ir_type type);

/* `n` elements of a stored type in a compute type: a number of the type is the same there, but for integers of 2^53 and
 * more as IR_COMPUTE_F64, which are rounded. */
void ir_compute_load(ir_type from, const void *elements, ir_compute_type to, void *compute, int64_t n);
/* `n` elements of a compute type as a stored type.
 *
 * To a float: rounded once, to nearest, ties to even; what is too large is infinite.
 * To an integer: an integer keeps its low bits. A float is cut toward zero, into 32 bits with sign for i8, u8, i16, u16
 * and i32, into 64 for u32, i64 and u64 (there what is below 2^64 fits too); what does not fit, and NaN, is the lowest
 * number of those bits, of which the low ones are kept. So -1.5 is 255 as u8, and 3e9 is 0 as u8, -2147483648 as i32,
 * 3e9 as u32. OpenVINO's CPU plugin does the same from f32, but in 32 bits for all types. To a boolean: whether it is
 * not 0, which NaN is not. */
void ir_compute_store(ir_compute_type from, const void *compute, ir_type to, void *elements, int64_t n);
/* What an infinite number is as an integer type by that rule, before its low bits are taken. */
int64_t ir_integer_of_infinity(ir_type type);

#endif

/* Reads elements of any type (IR_SET_HELD) a block at a time, in a form that all types share. */
#ifndef IR_TENSOR_BLOCK_H
#define IR_TENSOR_BLOCK_H

#include "base/tensor.h"

#define IR_BLOCK 512 /* elements; loops over a tensor use blocks of at most this size */

/* Size of the block that begins at `first`. */
static inline int64_t ir_block_size(int64_t n_elements, int64_t first) {
  return n_elements - first < IR_BLOCK ? n_elements - first : IR_BLOCK;
}

/* Converts elements [first, first + n) to double: exact except for 64-bit integers above 2^53. Booleans become 0 and
 * 1. */
void ir_block_values(const ir_tensor *tensor, int64_t first, int64_t n, double *out_values);

/* Whether the elements are equal to the bit; `first` begins a block. For types that share bytes it is also false if
 * only the padding of the last byte differs. */
bool ir_block_same_bytes(const ir_tensor *a, const ir_tensor *b, int64_t first, int64_t n);

/* Elements of two tensors of one type and shape, with their distances. `gap` and `steps` are valid for finite elements
 * only. */
typedef struct ir_pair_block {
  double got[IR_BLOCK], expected[IR_BLOCK];
  bool finite[IR_BLOCK]; /* finite on both sides */
  double gap[IR_BLOCK];  /* |got - expected|; for integers rounded up, so that comparing it with any double is exact */
  uint64_t steps[IR_BLOCK]; /* distance in ulps, that is in representable values; 0 between -0.0 and 0.0 */
} ir_pair_block;

void ir_pair_block_load(const ir_tensor *got, const ir_tensor *expected, int64_t first, int64_t n,
                        ir_pair_block *out_block);

#endif

/* Reads elements of any type (IR_SET_HELD) as double or as integers, in blocks. */
#ifndef IR_TENSOR_BLOCK_H
#define IR_TENSOR_BLOCK_H

#include "base/tensor.h"

#define IR_BLOCK 512 /* number of elements of the largest block */

/* Number of elements in the block that begins at element `first`. */
static inline int64_t ir_block_size(int64_t n_elements, int64_t first) {
  return n_elements - first < IR_BLOCK ? n_elements - first : IR_BLOCK;
}

/* Converts elements [first, first + n) to double. 64-bit integers above 2^53 are rounded; booleans become 0 and 1. */
void ir_block_values(const ir_tensor *tensor, int64_t first, int64_t n, double *out_values);

/* Whether elements [first, first + n) have equal bits; `first` is a multiple of IR_BLOCK. If elements share bytes, the
 * unused bits of the last byte are compared too. */
bool ir_block_same_bytes(const ir_tensor *a, const ir_tensor *b, int64_t first, int64_t n);

/* A block of elements of two tensors of one type and shape, and their distances. `gap` and `steps` are valid only where
 * `finite` is true. `gap` of integers is rounded up to a double, so `gap <= x` is exact for every double x. */
typedef struct ir_pair_block {
  double got[IR_BLOCK], expected[IR_BLOCK];
  bool finite[IR_BLOCK];    /* both elements are finite */
  double gap[IR_BLOCK];     /* |got - expected| */
  uint64_t steps[IR_BLOCK]; /* distance in representable values; 0 between -0.0 and 0.0 */
} ir_pair_block;

void ir_pair_block_load(const ir_tensor *got, const ir_tensor *expected, int64_t first, int64_t n,
                        ir_pair_block *out_block);

#endif

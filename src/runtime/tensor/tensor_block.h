/* Elements of tensors of any type (IR_SET_HELD), a block at a time, in a form that all types share. */
#ifndef IR_TENSOR_BLOCK_H
#define IR_TENSOR_BLOCK_H

#include "base/tensor.h"

#define IR_BLOCK 512 /* elements; loops over a tensor take blocks of this size or less */

/* Of the block that begins at `first`. */
static inline int64_t ir_block_size(int64_t n_elements, int64_t first) {
  return n_elements - first < IR_BLOCK ? n_elements - first : IR_BLOCK;
}

/* Elements [first, first + n) as double: exact but for 64-bit integers above 2^53. Booleans are 0 and 1. */
void ir_block_values(const ir_tensor *tensor, int64_t first, int64_t n, double *out_values);

/* True when the elements are the same to the bit; `first` begins a block. Of types that share bytes false also when
 * only what fills the last byte differs. */
bool ir_block_same_bytes(const ir_tensor *a, const ir_tensor *b, int64_t first, int64_t n);

/* Elements of two tensors of one type and shape, and how far apart they are. `gap` and `steps` count for finite ones
 * only. */
typedef struct ir_pair_block {
  double got[IR_BLOCK], expected[IR_BLOCK];
  bool finite[IR_BLOCK]; /* both sides */
  double gap[IR_BLOCK];  /* |got - expected|; of integers rounded up, so that comparing it with any double is exact */
  uint64_t
      steps[IR_BLOCK]; /* ulps: values that the type can represent from one to the other; of -0.0 and 0.0 it is 0 */
} ir_pair_block;

void ir_pair_block_load(const ir_tensor *got, const ir_tensor *expected, int64_t first, int64_t n,
                        ir_pair_block *out_block);

#endif

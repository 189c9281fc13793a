/* Strided copies: all ops that permute, repeat, cut or join use them. */
#ifndef IR_STRIDED_COPY_H
#define IR_STRIDED_COPY_H

#include "ops/prepare.h"

#define IR_MOST_STRIDES (2 * IR_MAX_RANK + 2) /* axes of a copy: each of a tensor's may be cut into two */

/* A block of elements with two strides for each axis, in elements: 0 repeats, a negative one goes back. */
typedef struct ir_strided_copy {
  int rank; /* at least 2: the last axis has the smallest stride in `to`, the one before it the smallest in `from` */
  int64_t dims[IR_MOST_STRIDES], from[IR_MOST_STRIDES], to[IR_MOST_STRIDES];
  int64_t from_first, to_first; /* offset of the block on each side */
} ir_strided_copy;

/* Makes the copy of a block [dims..], axes in any order; merges axes where possible. The block starts at 0. */
ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to);

/* Copies elements of 1, 2, 4 or 8 bytes. A block with a dim of 0 copies nothing and ignores the pointers. `exec` splits
 * large blocks between workers; NULL: no workers. */
void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to, ir_exec *exec);

/* Appends the step that copies input 0 of a node to output 0; it reads no other input. */
ir_code ir_strided_copy_step(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy);
/* The same from one slot to another. */
ir_code ir_strided_copy_step_on(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy, int32_t in,
                                int32_t out);

#endif

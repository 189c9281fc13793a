/* Moving elements from one layout to another: what every op does that permutes, repeats, cuts or joins. */
#ifndef IR_STRIDED_COPY_H
#define IR_STRIDED_COPY_H

#include "ops/prepare.h"

#define IR_MOST_STRIDES (2 * IR_MAX_RANK + 2) /* axes of a copy: those of a tensor, each cut into two */

/* A block of elements with a stride for each axis on both sides, counted in elements: 0 repeats, a negative one goes
 * back. */
typedef struct ir_strided_copy {
  int rank; /* at least 2: the last axis steps least in `to`, the one before it least in `from` */
  int64_t dims[IR_MOST_STRIDES], from[IR_MOST_STRIDES], to[IR_MOST_STRIDES];
  int64_t from_first, to_first; /* where the block begins on both sides */
} ir_strided_copy;

/* Of a block [dims..], its axes in any order; axes that can be walked as one become one. It begins at 0. */
ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to);

/* Copies elements of 1, 2, 4 or 8 bytes. A block with a dim of 0 has none; the pointers do not count then. Large blocks
 * are shared by `exec`; NULL: by nobody. */
void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to, ir_exec *exec);

/* Appends the step that makes output 0 of a node of its input 0, and reads no other one. */
ir_code ir_strided_copy_step(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy);
/* The same from one slot to another. */
ir_code ir_strided_copy_step_on(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy, int32_t in,
                                int32_t out);

#endif

/* Copies blocks of elements with strides, for all ops that permute, repeat, cut or join tensors. */
#ifndef IR_STRIDED_COPY_H
#define IR_STRIDED_COPY_H

#include "ops/prepare.h"

#define IR_MOST_STRIDES (2 * IR_MAX_RANK + 2) /* most axes of a copy: each axis of a tensor can be cut into two */

/* A block of elements, with two strides for each axis, in elements: `from` in the source, `to` in the target. Stride 0
 * repeats an element, a negative stride goes back. */
typedef struct ir_strided_copy {
  int rank; /* at least 2. The last axis has the smallest stride in `to`; among the other axes, the axis before it has
               the smallest stride in `from` */
  int64_t dims[IR_MOST_STRIDES], from[IR_MOST_STRIDES], to[IR_MOST_STRIDES];
  int64_t from_first, to_first; /* offset of the block in the source; in the target */
} ir_strided_copy;

/* Makes the copy of a block [dims..], whose axes can be in any order. Merges axes if possible. The block starts at
 * offset 0. */
ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to);

/* Makes the copy of a tensor from one layout to another. */
ir_strided_copy ir_strided_copy_between(const ir_shape *shape, ir_layout from, ir_layout to);

/* Copies the block; elements have 1, 2, 4 or 8 bytes. If a dim is 0, copies nothing and ignores the pointers. `exec`
 * shares large blocks among workers; if it is NULL, there are no workers. */
void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to, ir_exec *exec);

/* For a kernel that makes n copies into `out`, in a loop. Returns `exec` if each copy is large: then it is shared among
 * workers, and can be stopped in the middle. Returns NULL if the kernel shares the loop. */
ir_exec *ir_strided_copy_exec(const ir_tensor *out, int64_t n, ir_exec *exec);

/* Writes n copies of an element of 1, 2, 4 or 8 bytes. */
void ir_fill_elements(size_t element, const void *value, void *to, int64_t n);
/* Fills a tensor with copies of its element `value`, shared among workers. */
void ir_fill_tensor(const ir_tensor *out, const void *value, ir_exec *exec);

/* Appends the step that copies input 0 of the node to output 0. The step reads no other input. */
ir_code ir_strided_copy_step(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy);
/* Appends the step that copies slot `in` to slot `out`. */
ir_code ir_strided_copy_step_on(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy, int32_t in,
                                int32_t out);

#endif

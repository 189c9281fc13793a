/* Moving elements from one layout to another: what Transpose and Concat do. */
#ifndef IR_STRIDED_COPY_H
#define IR_STRIDED_COPY_H

#include "shape.h"

/* A block of elements with a stride for each axis on both sides, counted in elements. */
typedef struct ir_strided_copy {
  int rank; /* at least 2: the last axis steps least in `to`, the one before it least in `from` */
  int64_t dims[IR_MAX_RANK + 2], from[IR_MAX_RANK + 2], to[IR_MAX_RANK + 2];
} ir_strided_copy;

/* Of a block [dims..] whose axes are in the order that they have in `to`; axes that can be walked as one become one. */
ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to);

/* Copies elements of 1, 2, 4 or 8 bytes. A block with a dim of 0 has none; the pointers do not count then. */
void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to);

#endif

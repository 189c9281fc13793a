/* Converts elements from other storage orders: swapped bytes, or column-major. */
#ifndef IR_ELEMENT_ORDER_H
#define IR_ELEMENT_ORDER_H

#include "base/byte_stream.h"
#include "base/tensor.h"

#define IR_HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Swaps the bytes of `n` elements of 1, 2, 4 or 8 bytes, in place. */
void ir_swap_elements(void *data, size_t size, int64_t n);
/* Splits a column-major file (the first axis is contiguous) into slabs, each of one or more indices of the last axis
 * that is longer than 1. */
typedef struct ir_slabs {
  int64_t n;         /* number of slabs of one index */
  size_t slab_bytes; /* bytes of one slab */
} ir_slabs;
ir_slabs ir_slabs_of(const ir_tensor *tensor);
/* Copies the slabs [first, first + n) from `from`, where they begin, to the row-major tensor. */
void ir_copy_column_major(const void *from, int64_t first, int64_t n, ir_tensor *to);
/* Writes the elements row-major, little-endian. */
bool ir_write_elements(const ir_tensor *tensor, ir_byte_sink sink);

#endif

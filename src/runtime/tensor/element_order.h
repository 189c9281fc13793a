/* Converts elements from the byte order or axis order of a file. */
#ifndef IR_ELEMENT_ORDER_H
#define IR_ELEMENT_ORDER_H

#include "base/byte_stream.h"
#include "base/tensor.h"

#define IR_HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Swaps the bytes of `n` elements of 1, 2, 4 or 8 bytes, in place. */
void ir_swap_elements(void *data, size_t size, int64_t n);
/* A column-major file (its first axis is contiguous) is read in slabs. A slab is the part of the file for one index of
 * the last axis that is longer than 1. */
typedef struct ir_slabs {
  int64_t n;         /* number of slabs in the tensor */
  size_t slab_bytes; /* bytes of one slab */
} ir_slabs;
ir_slabs ir_slabs_of(const ir_tensor *tensor);
/* Copies the column-major slabs [first, first + n), which are stored at `from`, to the row-major tensor `to`. */
void ir_copy_column_major(const void *from, int64_t first, int64_t n, ir_tensor *to);
/* Writes the elements in row-major order, little-endian. */
bool ir_write_elements(const ir_tensor *tensor, ir_byte_sink sink);

#endif

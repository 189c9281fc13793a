/* Where buffers lie in one block of memory, so that those that are needed at the same time do not overlap. */
#ifndef IR_MEMORY_LAYOUT_H
#define IR_MEMORY_LAYOUT_H

#include "base/arena.h"

/* A buffer, needed from step `first` to step `last`, both included. */
typedef struct ir_buffer {
  size_t bytes, first, last;
  size_t offset; /* in the block */
} ir_buffer;

typedef struct ir_block_layout {
  size_t block_bytes;
  size_t live_bytes; /* the most that buffers which are needed at once take: no block can be smaller */
} ir_block_layout;

#define IR_LAYOUT_ALIGNMENT 64 /* of offsets; sizes are rounded up to it */

/* Finds the offsets of buffers that come in the order of `first`: each takes the first gap that it finds, in the order
 * of time or, where that leaves much unused, in the best of some others. False when memory is out or the sizes
 * overflow. */
bool ir_layout_find(ir_buffer *buffers, size_t n, const ir_memory *memory, ir_block_layout *out_layout);

#endif

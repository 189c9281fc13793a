/* Places buffers in one block of memory so that buffers with overlapping lifetimes do not overlap. */
#ifndef IR_MEMORY_LAYOUT_H
#define IR_MEMORY_LAYOUT_H

#include "base/arena.h"

/* A buffer that lives from step `first` to step `last`, inclusive. */
typedef struct ir_buffer {
  size_t bytes, first, last;
  size_t offset; /* in the block */
} ir_buffer;

typedef struct ir_block_layout {
  size_t block_bytes;
  size_t live_bytes; /* peak of the buffers that live at once: a lower bound of the block */
} ir_block_layout;

#define IR_LAYOUT_ALIGNMENT 64 /* alignment of offsets; sizes are rounded up to it */

/* Finds the offsets of buffers that are sorted by `first`. Each takes the first gap, chronologically or, if that leaves
 * much unused, in the best of some other orders. False when memory is out or the sizes overflow. */
bool ir_layout_find(ir_buffer *buffers, size_t n, const ir_memory *memory, ir_block_layout *out_layout);

#endif

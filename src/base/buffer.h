/* A growing piece of memory, which is also a sink. */
#ifndef IR_BUFFER_H
#define IR_BUFFER_H

#include "base/arena.h"
#include "base/byte_stream.h"

typedef struct ir_buffer {
  const ir_memory *memory;
  char *data; /* `n` bytes and a NUL; NULL while empty */
  size_t n, capacity;
  bool out_of_memory; /* an addition failed, so bytes are missing */
} ir_buffer;

/* Appends bytes. If memory is out, sets `out_of_memory` and returns false. */
bool ir_buffer_add(ir_buffer *buffer, const void *data, size_t bytes);
bool ir_buffer_add_text(ir_buffer *buffer, const char *text);
ir_byte_sink ir_sink_of_buffer(ir_buffer *buffer);
void ir_buffer_reset(ir_buffer *buffer);

#endif

#include "base/buffer.h"
#include <string.h>

enum { LEAST_BYTES = 256 };

bool ir_buffer_add(ir_buffer *buffer, const void *data, size_t bytes) {
  const size_t needed = buffer->n + bytes + 1;
  if (needed > buffer->capacity) {
    const size_t twice = 2 * buffer->capacity + LEAST_BYTES, wanted = needed > twice ? needed : twice;
    char *grown = ir_grow(buffer->memory, buffer->data, buffer->n, wanted);
    buffer->out_of_memory = buffer->out_of_memory || grown == NULL;
    if (grown == NULL)
      return false;
    buffer->data = grown;
    buffer->capacity = wanted;
  }
  if (bytes > 0)
    memcpy(buffer->data + buffer->n, data, bytes);
  buffer->n += bytes;
  buffer->data[buffer->n] = '\0';
  return true;
}

bool ir_buffer_add_text(ir_buffer *buffer, const char *text) {
  return ir_buffer_add(buffer, text, strlen(text));
}

static bool write_to_buffer(void *user, const void *data, size_t bytes) {
  return ir_buffer_add(user, data, bytes);
}

ir_byte_sink ir_sink_of_buffer(ir_buffer *buffer) {
  return (ir_byte_sink){write_to_buffer, buffer};
}

void ir_buffer_reset(ir_buffer *buffer) {
  ir_free(buffer->memory, buffer->data);
  *buffer = (ir_buffer){.memory = buffer->memory};
}

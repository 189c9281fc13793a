#include "ir_intern.h"
#include <string.h>

enum { MAX_LENGTH = 64 }; /* bytes; longer texts are rarely repeated */

/* Computes the hash function FNV-1a, and mixes the upper bits into the lower bits. */
static uint32_t hash(const void *bytes, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ ((const unsigned char *)bytes)[i]) * 16777619u;
  return h ^ h >> 15;
}

static bool holds(const ir_interned *slot, const void *bytes, size_t length) {
  return slot->bytes != NULL && slot->length == length && memcmp(slot->bytes, bytes, length) == 0;
}

const char *ir_intern_text(ir_intern *intern, const char *text, size_t length) {
  if (length > MAX_LENGTH)
    return ir_arena_text(intern->arena, text, length);
  ir_interned *slot = &intern->texts[hash(text, length) % IR_INTERN_TEXTS];
  if (!holds(slot, text, length))
    *slot = (ir_interned){ir_arena_text(intern->arena, text, length), length};
  return slot->bytes;
}

const ir_dim *ir_intern_dims(ir_intern *intern, const ir_dim *dims, int n) {
  uint64_t h = 0;
  for (int i = 0; i < n; i++)
    h = (h ^ (uint64_t)dims[i].lo) * UINT64_C(0x9e3779b97f4a7c15);
  ir_interned *slot = &intern->dims[(h >> 32) % IR_INTERN_DIMS];
  const size_t length = (size_t)n * sizeof *dims;
  if (!holds(slot, dims, length)) {
    ir_dim *copy = ir_arena_array(intern->arena, (size_t)n, sizeof *dims);
    if (copy != NULL)
      memcpy(copy, dims, length);
    *slot = (ir_interned){copy, length};
  }
  return slot->bytes;
}

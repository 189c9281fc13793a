/* Memory: a struct for the caller's allocator, and an arena for objects with the lifetime of a model. */
#ifndef IR_ARENA_H
#define IR_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allocator of a context. `alloc` returns NULL when memory is out; `release` accepts NULL. */
typedef struct ir_memory {
  void *(*alloc)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
  size_t most_bytes; /* limit of one run; 0: see memory_limit.h */
} ir_memory;

/* Uses malloc and free. */
ir_memory ir_memory_default(void);

void *ir_alloc(const ir_memory *memory, size_t bytes);
/* Allocates a zeroed array; NULL when count * size overflows or memory is out. */
void *ir_alloc_zero(const ir_memory *memory, size_t count, size_t size);
/* Returns whole pages to the system whose contents are no longer needed, or can be read from their file again. They
 * stay usable. */
void ir_release_pages(void *data, size_t bytes);
/* Requests small pages for memory that is released in parts, so that no page spans two parts. */
void ir_ask_for_small_pages(void *data, size_t bytes);
void ir_free(const ir_memory *memory, void *block);
/* Moves the `old_bytes` of `block` to a new block of `new_bytes`; on failure returns NULL and keeps `block`. */
void *ir_grow(const ir_memory *memory, void *block, size_t old_bytes, size_t new_bytes);
/* Makes room for one more element in an array that doubles: `*array` has `n` elements of `size` bytes and room for
 * `*capacity`. False when memory is out; then nothing has changed. */
bool ir_reserve(const ir_memory *memory, void **array, size_t n, size_t *capacity, size_t size);

/* Bump allocator. ir_arena_reset frees all blocks; none is freed alone. */
typedef struct ir_arena {
  const ir_memory *memory;
  struct ir_arena_block *blocks;
  size_t used_bytes; /* of the newest block */
  size_t total_bytes;
  size_t max_bytes;
} ir_arena;

void ir_arena_init(ir_arena *arena, const ir_memory *memory, size_t max_bytes);
void ir_arena_reset(ir_arena *arena);
/* Allocates 16-byte aligned, zeroed memory; NULL when memory is out or the arena has reached its limit. */
void *ir_arena_alloc(ir_arena *arena, size_t bytes);
void *ir_arena_array(ir_arena *arena, size_t count, size_t size);
/* Copies `length` bytes and appends a NUL. */
char *ir_arena_text(ir_arena *arena, const char *text, size_t length);

#endif

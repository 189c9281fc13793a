/* Memory: the caller's allocator behind one struct, and an arena for what lives and dies with a model. */
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
  size_t most_bytes; /* that one run may take of it; 0: see memory_limit.h */
} ir_memory;

/* malloc and free. */
ir_memory ir_memory_default(void);

void *ir_alloc(const ir_memory *memory, size_t bytes);
/* Zeroed array; NULL when count * size overflows or memory is out. */
void *ir_alloc_zero(const ir_memory *memory, size_t count, size_t size);
/* Gives the system back whole pages of memory whose contents nobody wants any more, or that it can read from its file
 * again. Advice: they stay usable. */
void ir_release_pages(void *data, size_t bytes);
/* For memory that is given back in parts: in small pages, of which none reaches beyond a part. */
void ir_ask_for_small_pages(void *data, size_t bytes);
void ir_free(const ir_memory *memory, void *block);
/* Moves `old_bytes` of `block` to a block of `new_bytes`; on failure returns NULL and leaves `block` as it was. */
void *ir_grow(const ir_memory *memory, void *block, size_t old_bytes, size_t new_bytes);
/* Makes room for one more element in an array that doubles: `*array` has `n` elements of `size`, room for `*capacity`.
 * False when memory is out; then nothing has changed. */
bool ir_reserve(const ir_memory *memory, void **array, size_t n, size_t *capacity, size_t size);

/* Bump allocator. Blocks are never freed singly; ir_arena_reset frees all. */
typedef struct ir_arena {
  const ir_memory *memory;
  struct ir_arena_block *blocks;
  size_t used_bytes; /* in the newest block */
  size_t total_bytes;
  size_t max_bytes;
} ir_arena;

void ir_arena_init(ir_arena *arena, const ir_memory *memory, size_t max_bytes);
void ir_arena_reset(ir_arena *arena);
/* 16-byte aligned, zeroed; NULL when memory or the arena's cap is out. */
void *ir_arena_alloc(ir_arena *arena, size_t bytes);
void *ir_arena_array(ir_arena *arena, size_t count, size_t size);
/* NUL-terminated copy of `length` bytes. */
char *ir_arena_text(ir_arena *arena, const char *text, size_t length);

#endif

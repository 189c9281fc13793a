/* Memory: the caller's allocator, and arenas: memory that is allocated in small pieces and freed at once. */
#ifndef IR_ARENA_H
#define IR_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allocator of a context. `alloc` returns NULL if memory is out; `release` accepts NULL. Both get `user`. */
typedef struct ir_memory {
  void *(*alloc)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
  size_t most_bytes; /* memory limit of one run; 0: see diag/memory_limit.h */
} ir_memory;

/* Returns an allocator that uses malloc and free. */
ir_memory ir_memory_default(void);

void *ir_alloc(const ir_memory *memory, size_t bytes);
/* Allocates a zeroed array. NULL if count * size overflows or memory is out. */
void *ir_alloc_zero(const ir_memory *memory, size_t count, size_t size);
/* Returns the whole pages within `data` to the system. Their contents must not be needed again, unless a file is
 * mapped there: its pages are read again on access. The addresses stay valid. */
void ir_release_pages(void *data, size_t bytes);
/* Requests small pages for a block whose parts are released one by one. A huge page could span two parts, and would
 * stay allocated until both are released. */
void ir_ask_for_small_pages(void *data, size_t bytes);
void ir_free(const ir_memory *memory, void *block);
/* Replaces `block` by a new block of `new_bytes` with the same first bytes, and frees `block`. `old_bytes` is the
 * size of `block`. If memory is out, returns NULL and keeps `block`. */
void *ir_grow(const ir_memory *memory, void *block, size_t old_bytes, size_t new_bytes);
/* Makes room for one more element in a growing array. `*array` has `n` elements of `size` bytes and room for
 * `*capacity`, which is doubled if needed. Returns false and changes nothing if memory is out. */
bool ir_reserve(const ir_memory *memory, void **array, size_t n, size_t *capacity, size_t size);

/* An arena takes pieces of memory one after another from large blocks. ir_arena_reset frees all pieces at once; no
 * piece can be freed alone. */
typedef struct ir_arena {
  const ir_memory *memory;
  struct ir_arena_block *blocks;
  size_t used_bytes; /* bytes of the newest block that are in use */
  size_t total_bytes;
  size_t max_bytes;
} ir_arena;

void ir_arena_init(ir_arena *arena, const ir_memory *memory, size_t max_bytes);
void ir_arena_reset(ir_arena *arena);
/* Allocates zeroed memory, aligned to 16 bytes. NULL if memory is out or the arena would exceed `max_bytes`. */
void *ir_arena_alloc(ir_arena *arena, size_t bytes);
void *ir_arena_array(ir_arena *arena, size_t count, size_t size);
/* Same, but not zeroed: the system clears gigabytes only when they are written. */
void *ir_arena_uncleared(ir_arena *arena, size_t count, size_t size);
/* Copies `length` bytes of text and appends a NUL. */
char *ir_arena_text(ir_arena *arena, const char *text, size_t length);

#endif

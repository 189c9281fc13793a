#include "base/arena.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  ALIGNMENT = 16,
  MIN_BLOCK = 8 * 1024,
  MAX_BLOCK = 16 * 1024 * 1024,
  HUGE_PAGE = 2 * 1024 * 1024,
  LEAST_GIVEN_BACK = 64 * 1024 /* smaller ranges are not worth a system call */
};

typedef struct ir_arena_block {
  struct ir_arena_block *next;
  size_t size; /* size of the member `bytes` */
  _Alignas(ALIGNMENT) unsigned char bytes[];
} ir_arena_block;

static void *default_alloc(void *user, size_t bytes) {
  (void)user;
  return malloc(bytes);
}

static void default_release(void *user, void *block) {
  (void)user;
  free(block);
}

ir_memory ir_memory_default(void) {
  return (ir_memory){.alloc = default_alloc, .release = default_release, .user = NULL};
}

/* Calls madvise with `advice` for the pages, of `page` bytes, that lie completely in the block. */
static void advise(void *block, size_t bytes, size_t page, int advice) {
  const uintptr_t begin = ((uintptr_t)block + page - 1) & ~(uintptr_t)(page - 1);
  const uintptr_t end = ((uintptr_t)block + bytes) & ~(uintptr_t)(page - 1);
  if (begin < end)
    madvise((void *)begin, end - begin, advice);
}

static size_t page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

void ir_release_pages(void *data, size_t bytes) {
  if (bytes >= LEAST_GIVEN_BACK)
    advise(data, bytes, page_bytes(), MADV_DONTNEED);
}

void ir_ask_for_small_pages(void *data, size_t bytes) {
  if (bytes >= HUGE_PAGE)
    advise(data, bytes, page_bytes(), MADV_NOHUGEPAGE);
}

void *ir_alloc(const ir_memory *memory, size_t bytes) {
  void *block = memory->alloc(memory->user, bytes == 0 ? 1 : bytes);
  /* huge pages: filling the tensors of a large model then causes a fifth of the page faults */
  if (block != NULL && bytes >= HUGE_PAGE)
    advise(block, bytes, HUGE_PAGE, MADV_HUGEPAGE);
  return block;
}

void *ir_alloc_zero(const ir_memory *memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return NULL;
  void *block = ir_alloc(memory, bytes);
  if (block != NULL)
    memset(block, 0, bytes);
  return block;
}

void ir_free(const ir_memory *memory, void *block) {
  memory->release(memory->user, block);
}

void *ir_grow(const ir_memory *memory, void *block, size_t old_bytes, size_t new_bytes) {
  void *grown = ir_alloc(memory, new_bytes);
  if (grown == NULL)
    return NULL;
  if (block != NULL)
    memcpy(grown, block, old_bytes < new_bytes ? old_bytes : new_bytes);
  ir_free(memory, block);
  return grown;
}

bool ir_reserve(const ir_memory *memory, void **array, size_t n, size_t *capacity, size_t size) {
  if (n < *capacity)
    return true;
  size_t wanted, bytes;
  if (*capacity == 0)
    wanted = 8;
  else if (__builtin_mul_overflow(*capacity, 2, &wanted))
    return false;
  if (__builtin_mul_overflow(wanted, size, &bytes))
    return false;
  void *grown = ir_grow(memory, *array, n * size, bytes);
  if (grown == NULL)
    return false;
  *array = grown;
  *capacity = wanted;
  return true;
}

void ir_arena_init(ir_arena *arena, const ir_memory *memory, size_t max_bytes) {
  *arena = (ir_arena){.memory = memory, .max_bytes = max_bytes};
}

void ir_arena_reset(ir_arena *arena) {
  for (ir_arena_block *block = arena->blocks, *next; block != NULL; block = next) {
    next = block->next;
    ir_free(arena->memory, block);
  }
  ir_arena_init(arena, arena->memory, arena->max_bytes);
}

static ir_arena_block *take_block(ir_arena *arena, size_t size) {
  size_t bytes;
  if (__builtin_add_overflow(size, sizeof(ir_arena_block), &bytes) || bytes > arena->max_bytes - arena->total_bytes)
    return NULL;
  ir_arena_block *block = ir_alloc(arena->memory, bytes);
  if (block == NULL)
    return NULL;
  block->size = size;
  arena->total_bytes += bytes;
  return block;
}

/* Returns the size of the next block. Blocks grow with the arena, so a large model needs few blocks, and a small one
 * little memory. */
static size_t next_block_size(const ir_arena *arena) {
  size_t size = arena->total_bytes;
  size = size < MIN_BLOCK ? MIN_BLOCK : size > MAX_BLOCK ? MAX_BLOCK : size;
  size -= sizeof(ir_arena_block);
  size_t left = arena->max_bytes - arena->total_bytes;
  return left < size + sizeof(ir_arena_block) && left > sizeof(ir_arena_block) ? left - sizeof(ir_arena_block) : size;
}

static void *take(ir_arena *arena, size_t bytes, size_t alignment) {
  ir_arena_block *newest = arena->blocks;
  size_t begin = (arena->used_bytes + alignment - 1) & ~(alignment - 1);
  if (newest == NULL || begin > newest->size || bytes > newest->size - begin) {
    size_t size = next_block_size(arena);
    if (bytes > size / 4) { /* a large piece has its own block, linked behind the newest one */
      ir_arena_block *own = take_block(arena, bytes);
      if (own == NULL)
        return NULL;
      ir_arena_block **place = newest == NULL ? &arena->blocks : &newest->next;
      own->next = *place;
      *place = own;
      if (newest == NULL)
        arena->used_bytes = bytes;
      return own->bytes;
    }
    newest = take_block(arena, size);
    if (newest == NULL)
      return NULL;
    newest->next = arena->blocks;
    arena->blocks = newest;
    begin = 0;
  }
  arena->used_bytes = begin + bytes;
  return newest->bytes + begin;
}

void *ir_arena_alloc(ir_arena *arena, size_t bytes) {
  void *piece = take(arena, bytes, ALIGNMENT);
  if (piece != NULL)
    memset(piece, 0, bytes);
  return piece;
}

void *ir_arena_array(ir_arena *arena, size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? NULL : ir_arena_alloc(arena, bytes);
}

void *ir_arena_uncleared(ir_arena *arena, size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? NULL : take(arena, bytes, ALIGNMENT);
}

char *ir_arena_text(ir_arena *arena, const char *text, size_t length) {
  if (length == SIZE_MAX)
    return NULL;
  char *copy = take(arena, length + 1, 1);
  if (copy == NULL)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* Defines an allocator for tests. The allocator counts live blocks and can refuse all requests from the n-th on. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include "base/arena.h"
#include <stdlib.h>

typedef struct failing_memory {
  int64_t n_alive;
  int64_t n_requests;
  int64_t refuse_at; /* number of the first refused request, counted from 0; -1: no request is refused */
  size_t largest;
} failing_memory;

static inline void *failing_alloc(void *user, size_t bytes) {
  failing_memory *state = user;
  if (state->refuse_at >= 0 && state->n_requests >= state->refuse_at)
    return NULL;
  state->n_requests++;
  state->largest = bytes > state->largest ? bytes : state->largest;
  void *block = malloc(bytes);
  if (block != NULL) {
    state->n_alive++;
    for (size_t i = 0; i < bytes && i < 4096; i++)
      ((unsigned char *)block)[i] = 0xa5; /* fills the block, so that reading uninitialized memory shows */
  }
  return block;
}

static inline void failing_release(void *user, void *block) {
  failing_memory *state = user;
  if (block != NULL)
    state->n_alive--;
  free(block);
}

static inline ir_memory failing_memory_of(failing_memory *state) {
  *state = (failing_memory){.refuse_at = -1};
  return (ir_memory){.alloc = failing_alloc, .release = failing_release, .user = state};
}

#endif

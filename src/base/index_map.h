/* A hash table from keys to numbers. The caller keeps the keys and compares them: has number `value` this key? */
#ifndef IR_INDEX_MAP_H
#define IR_INDEX_MAP_H

#include "base/arena.h"

typedef struct ir_map_cell {
  uint64_t hash;
  int32_t value; /* -1: free */
} ir_map_cell;

typedef struct ir_index_map {
  const ir_memory *memory;
  ir_map_cell *cells;
  size_t mask; /* number of cells - 1 */
} ir_index_map;

typedef bool ir_same_key(const void *key, int32_t value, const void *user);

/* Allocates room for `n` keys. False when memory is out. */
bool ir_index_map_init(ir_index_map *map, const ir_memory *memory, size_t n);
void ir_index_map_reset(ir_index_map *map);
/* The number with the key, or -1. */
int32_t ir_index_map_find(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same, const void *user);
/* Adds `value`; if its key exists already, returns the existing number instead, else -1. */
int32_t ir_index_map_add(ir_index_map *map, uint64_t hash, const void *key, int32_t value, ir_same_key *same,
                         const void *user);

/* Hash functions with random keys for each process, so that no model can provoke collisions; nothing may depend on
 * their order. */
uint64_t ir_hash_number(int64_t number);
uint64_t ir_hash_text(const char *text);

#endif

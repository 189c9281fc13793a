/* A hash table from a key to a number; the keys stay with the caller, who tells whether number `value` has the key
 * looked for. */
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
  size_t mask; /* cells - 1 */
} ir_index_map;

typedef bool ir_same_key(const void *key, int32_t value, const void *user);

/* Room for `n` keys. False when memory is out. */
bool ir_index_map_init(ir_index_map *map, const ir_memory *memory, size_t n);
void ir_index_map_reset(ir_index_map *map);
/* The number that has the key, or -1. */
int32_t ir_index_map_find(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same, const void *user);
/* Adds `value` unless its key is there already; returns the number that was there, or -1. */
int32_t ir_index_map_add(ir_index_map *map, uint64_t hash, const void *key, int32_t value, ir_same_key *same,
                         const void *user);

/* Keyed anew in each process, so that no model can be made whose keys share cells; nothing may depend on their order.
 */
uint64_t ir_hash_number(int64_t number);
uint64_t ir_hash_text(const char *text);

#endif

/* A hash table from keys to numbers. It stores only hashes and numbers; the caller stores the keys and compares
 * them. */
#ifndef IR_INDEX_MAP_H
#define IR_INDEX_MAP_H

#include "base/arena.h"

typedef struct ir_map_cell {
  uint32_t hash; /* low bits of the key's hash, to skip most calls of ir_same_key */
  int32_t value; /* -1: the cell is free */
} ir_map_cell;

typedef struct ir_index_map {
  const ir_memory *memory;
  ir_map_cell *cells;
  size_t mask; /* number of cells - 1 */
} ir_index_map;

typedef bool ir_same_key(const void *key, int32_t value, const void *user);

/* Allocates room for `n` keys. False if memory is out. */
bool ir_index_map_init(ir_index_map *map, const ir_memory *memory, size_t n);
void ir_index_map_reset(ir_index_map *map);
/* The number of the key; -1 if the table lacks the key. */
int32_t ir_index_map_find(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same, const void *user);
/* Adds a key with number `value` and returns -1. If the table already has the key, changes nothing and returns the
 * key's number. */
int32_t ir_index_map_add(ir_index_map *map, uint64_t hash, const void *key, int32_t value, ir_same_key *same,
                         const void *user);

/* Hash functions. Each process draws random keys for them, so that no model can be made to cause collisions. No
 * result of irrun may depend on the order of hashes. */
uint64_t ir_hash_number(int64_t number);
uint64_t ir_hash_text(const char *text);

#endif

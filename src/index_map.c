#include "index_map.h"

/* Numbers in a row get cells in a row, which a cache likes; what is above 16 bits is spread. */
uint64_t ir_hash_number(int64_t number) {
  return (uint64_t)number + ((uint64_t)number >> 16) * UINT64_C(0x9E3779B97F4A7C15);
}

/* FNV-1a. */
uint64_t ir_hash_text(const char *text) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
  return hash ^ hash >> 32;
}

bool ir_index_map_init(ir_index_map *map, const ir_memory *memory, size_t n) {
  size_t capacity = 16;
  while (capacity / 2 < n)
    capacity *= 2;
  *map = (ir_index_map){.memory = memory, .mask = capacity - 1};
  map->cells = ir_alloc_zero(memory, capacity, sizeof *map->cells);
  for (size_t i = 0; map->cells != NULL && i < capacity; i++)
    map->cells[i].value = -1;
  return map->cells != NULL;
}

void ir_index_map_reset(ir_index_map *map) {
  if (map->cells != NULL)
    ir_free(map->memory, map->cells);
  *map = (ir_index_map){.cells = NULL};
}

/* The cell of the key, or the free one where it would stand: the table is never more than half full. */
static size_t cell_of(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same, const void *user) {
  size_t i = hash & map->mask;
  while (map->cells[i].value >= 0 && (map->cells[i].hash != hash || !same(key, map->cells[i].value, user)))
    i = (i + 1) & map->mask;
  return i;
}

int32_t ir_index_map_find(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same,
                          const void *user) {
  return map->cells[cell_of(map, hash, key, same, user)].value;
}

int32_t ir_index_map_add(ir_index_map *map, uint64_t hash, const void *key, int32_t value, ir_same_key *same,
                         const void *user) {
  ir_map_cell *cell = &map->cells[cell_of(map, hash, key, same, user)];
  int32_t before = cell->value;
  if (before < 0)
    *cell = (ir_map_cell){.hash = hash, .value = value};
  return before;
}

#include "base/index_map.h"
#include <string.h>
#include <sys/auxv.h>

/* The hash is a polynomial over the numbers modulo a prime, evaluated at a secret random point: any two texts of n
 * bytes collide with probability n / 2^63, even if an attacker chose them (Carter and Wegman 1979). */
#define PRIME ((UINT64_C(1) << 61) - 1)
__extension__ typedef unsigned __int128 uint128;

enum {
  WORD = 7, /* bytes of text in one number, which stays below the prime */
  RUN = 2   /* bits: 4 cells fill a cache line */
};

static uint64_t place = 3, factor = 5;

/* Runs before main; uses the 16 random bytes that the kernel gives each process. */
__attribute__((constructor)) static void draw_keys(void) {
  uint64_t random[2];
  const void *given = (const void *)getauxval(AT_RANDOM);
  if (given == NULL)
    return;
  memcpy(random, given, sizeof random);
  place = random[0] % (PRIME - 1) + 1;
  factor = random[1] % (PRIME - 1) + 1;
}

/* Computes a * b + c modulo the prime. */
static uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t c) {
  const uint128 product = (uint128)a * b + c;
  const uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}

/* Mixes the bits as splitmix64 does (Steele, Lea, Flood 2014). The table uses the low bits; without mixing, evenly
 * spaced numbers would cluster. */
static uint64_t finish(uint64_t hash) {
  hash = multiply_add(hash, factor, 0);
  hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
  return hash ^ hash >> 31;
}

/* Four consecutive numbers get consecutive cells. */
uint64_t ir_hash_number(int64_t number) {
  const uint64_t run = (uint64_t)number >> RUN;
  return finish(run) << RUN | ((uint64_t)number & ((1 << RUN) - 1));
}

uint64_t ir_hash_text(const char *text) {
  uint64_t hash = 0;
  for (size_t left = strlen(text), n; left > 0; text += n, left -= n) {
    uint64_t word = 0;
    n = left < WORD ? left : WORD;
    memcpy(&word, text, n);
    hash = multiply_add(hash, place, word);
  }
  return finish(hash);
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

/* The cell of the key, or the free cell for it: the table is never more than half full. */
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

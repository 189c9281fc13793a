#include "base/index_map.h"
#include <string.h>
#include <sys/auxv.h>

/* The text is cut into numbers of 7 bytes. The hash is a polynomial with these coefficients, modulo a prime, at a
 * secret random point. Two texts of n bytes collide with a probability of at most n / 2^63, even if an attacker
 * chose them (Carter and Wegman 1979). */
#define PRIME ((UINT64_C(1) << 61) - 1)
__extension__ typedef unsigned __int128 uint128;

enum {
  WORD = 7, /* bytes of text in one coefficient, which is below the prime */
  RUN = 2   /* number of low bits that are not hashed: 4 consecutive numbers share a cache line */
};

static uint64_t place = 3, factor = 5;

/* Runs before main. The kernel gives each process 16 random bytes. */
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

/* Mixes the bits of the hash like splitmix64 (Steele, Lea, Flood 2014). Cells are chosen by the low bits; without
 * mixing, evenly spaced numbers would get neighbouring cells. */
static uint64_t finish(uint64_t hash) {
  hash = multiply_add(hash, factor, 0);
  hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
  return hash ^ hash >> 31;
}

/* Hashes a number. Four consecutive numbers get consecutive cells, if the first is a multiple of 4. */
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

/* Index of the cell with the key, or of the free cell where it belongs. The search ends, because at most half of the
 * cells are in use. */
static size_t cell_of(const ir_index_map *map, uint64_t hash, const void *key, ir_same_key *same, const void *user) {
  size_t i = hash & map->mask;
  while (map->cells[i].value >= 0 && (map->cells[i].hash != (uint32_t)hash || !same(key, map->cells[i].value, user)))
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
    *cell = (ir_map_cell){.hash = (uint32_t)hash, .value = value};
  return before;
}

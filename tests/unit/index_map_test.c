/* Tests the hash table: its results, and that no choice of keys makes searches long. */
#include "base/index_map.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 60000, KEY = 64 };

static int64_t numbers[N];
static char texts[N][KEY];

static bool same_number(const void *key, int32_t value, const void *user) {
  (void)user;
  return *(const int64_t *)key == numbers[value];
}

static bool same_text(const void *key, int32_t value, const void *user) {
  (void)user;
  return strcmp(key, texts[value]) == 0;
}

/* Counts the cells that searches for all keys pass before they find the key. In a half-full table, half a cell per
 * key is usual. */
static void expect_short_searches(const ir_index_map *map, const char *what) {
  int64_t passed = 0;
  for (size_t i = 0; i <= map->mask; i++)
    passed += map->cells[i].value < 0 ? 0 : (int64_t)((i - (size_t)map->cells[i].hash) & map->mask);
  if (passed > 4 * N)
    fail_msg("%s: %lld cells are passed for %d keys", what, (long long)passed, N);
}

static void add_numbers(const char *what) {
  ir_memory memory = ir_memory_default();
  ir_index_map map;
  assert_true(ir_index_map_init(&map, &memory, N));
  for (int32_t i = 0; i < N; i++)
    assert_int_equal(ir_index_map_add(&map, ir_hash_number(numbers[i]), &numbers[i], i, same_number, NULL), -1);
  expect_short_searches(&map, what);
  for (int32_t i = 0; i < N; i++)
    assert_int_equal(ir_index_map_find(&map, ir_hash_number(numbers[i]), &numbers[i], same_number, NULL), i);
  const int64_t other = INT64_MIN + 1;
  assert_int_equal(ir_index_map_find(&map, ir_hash_number(other), &other, same_number, NULL), -1);
  assert_int_equal(ir_index_map_add(&map, ir_hash_number(numbers[7]), &numbers[7], 9, same_number, NULL), 7);
  ir_index_map_reset(&map);
}

static void add_texts(const char *what) {
  ir_memory memory = ir_memory_default();
  ir_index_map map;
  assert_true(ir_index_map_init(&map, &memory, N));
  for (int32_t i = 0; i < N; i++)
    assert_int_equal(ir_index_map_add(&map, ir_hash_text(texts[i]), texts[i], i, same_text, NULL), -1);
  expect_short_searches(&map, what);
  for (int32_t i = 0; i < N; i++)
    assert_int_equal(ir_index_map_find(&map, ir_hash_text(texts[i]), texts[i], same_text, NULL), i);
  assert_int_equal(ir_index_map_find(&map, ir_hash_text("no"), "no", same_text, NULL), -1);
  ir_index_map_reset(&map);
}

static void searches_of_numbers_are_short(void **state) {
  (void)state;
  for (int step = 0; step < 48; step++) {
    for (int64_t i = 0; i < N; i++)
      numbers[i] = i << step;
    add_numbers("multiples of a power of 2");
  }
  for (int64_t i = 0; i < N; i++)
    numbers[i] = (i / 16) * 4096 - i % 16;
  add_numbers("runs that are far from each other");
  /* These keys collide if the hash is n + (n >> 16) * 0x9E3779B97F4A7C15, without random bits. */
  int32_t n = 0;
  for (uint64_t high = 0; n < N; high++) {
    const uint64_t low = -((high << 16) + high * UINT64_C(0x9E3779B97F4A7C15)) & 0x1ffff;
    if (low < 1 << 16)
      numbers[n++] = (int64_t)(high << 16 | low);
  }
  add_numbers("numbers that share a cell without a key");
}

static void searches_of_texts_are_short(void **state) {
  (void)state;
  static const char *const around[][2] = {
      {"", ""}, {"layer_", ""}, {"/model/layers.", "/self_attn/q_proj/MatMul"}, {"1234567", "______"}};
  for (size_t f = 0; f < sizeof around / sizeof around[0]; f++) {
    for (int32_t i = 0; i < N; i++)
      snprintf(texts[i], KEY, "%s%d%s", around[f][0], i, around[f][1]);
    add_texts(around[f][0]);
  }
}

static const char *self; /* path of this program */

/* Hashes differ between processes, since each process has its own random bits. */
static void hashes_have_a_key(void **state) {
  (void)state;
  const uint64_t own[] = {ir_hash_number(1 << 20), ir_hash_text("layer")};
  char command[600];
  snprintf(command, sizeof command, "'%s' print", self);
  FILE *other = popen(command, "r");
  uint64_t found[2] = {0, 0};
  assert_non_null(other);
  assert_int_equal(fscanf(other, "%" SCNu64 " %" SCNu64, &found[0], &found[1]), 2);
  assert_int_equal(pclose(other), 0);
  assert_true(found[0] != own[0] && found[1] != own[1]);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return printf("%" PRIu64 " %" PRIu64 "\n", ir_hash_number(1 << 20), ir_hash_text("layer")) < 0;
  self = argv[0];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_of_numbers_are_short),
      cmocka_unit_test(searches_of_texts_are_short),
      cmocka_unit_test(hashes_have_a_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

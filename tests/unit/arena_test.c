/* Tests that arena memory is zeroed, aligned and limited, and that a failing allocator is reported. */
#include "base/arena.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void the_default_is_malloc(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  void *block = ir_alloc(&memory, 10);
  assert_non_null(block);
  memset(block, 1, 10);
  ir_free(&memory, block);
  ir_free(&memory, NULL);
  void *empty = ir_alloc(&memory, 0);
  assert_non_null(empty);
  ir_free(&memory, empty);
}

static void zeroed_arrays_do_not_overflow(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  assert_null(ir_alloc_zero(&memory, SIZE_MAX / 2, 3));
  assert_int_equal(counts.n_requests, 0);
  unsigned char *bytes = ir_alloc_zero(&memory, 100, 3);
  for (int i = 0; i < 300; i++)
    assert_int_equal(bytes[i], 0);
  ir_free(&memory, bytes);
  assert_int_equal(counts.n_alive, 0);
}

static void growing_keeps_what_there_was(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  char *block = ir_grow(&memory, NULL, 0, 4);
  memcpy(block, "abc", 4);
  block = ir_grow(&memory, block, 4, 1000);
  assert_string_equal(block, "abc");
  counts.refuse_at = 0;
  assert_null(ir_grow(&memory, block, 1000, 2000));
  assert_string_equal(block, "abc");
  counts.refuse_at = -1;
  block = ir_grow(&memory, block, 1000, 2); /* shrink */
  assert_memory_equal(block, "ab", 2);
  ir_free(&memory, block);
  assert_int_equal(counts.n_alive, 0);
}

static void arrays_double(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  void *array = NULL;
  size_t capacity = 0;
  for (size_t n = 0; n < 1000; n++) {
    assert_true(ir_reserve(&memory, &array, n, &capacity, sizeof(uint32_t)));
    assert_true(capacity > n);
    ((uint32_t *)array)[n] = (uint32_t)n;
  }
  assert_true(counts.n_requests < 10);
  for (uint32_t n = 0; n < 1000; n++)
    assert_int_equal(((uint32_t *)array)[n], n);
  void *before = array;
  size_t full = capacity;
  counts.refuse_at = 0;
  assert_false(ir_reserve(&memory, &array, full, &capacity, sizeof(uint32_t)));
  assert_ptr_equal(array, before);
  assert_int_equal(capacity, full);
  size_t huge = SIZE_MAX / 2 + 1;
  assert_false(ir_reserve(&memory, &array, huge, &huge, 1));
  ir_free(&memory, array);
  assert_int_equal(counts.n_alive, 0);
}

static void pieces_are_zeroed_and_aligned(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_arena arena;
  ir_arena_init(&arena, &memory, SIZE_MAX);
  unsigned char *last = NULL;
  for (size_t bytes = 0; bytes < 2000; bytes += 7) {
    unsigned char *piece = ir_arena_alloc(&arena, bytes);
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % 16, 0);
    assert_ptr_not_equal(piece, bytes > 7 ? last : NULL);
    for (size_t i = 0; i < bytes; i++)
      assert_int_equal(piece[i], 0);
    memset(piece, 0xff, bytes);
    last = piece;
    assert_non_null(ir_arena_text(&arena, "x", bytes % 2)); /* texts of other lengths between the pieces */
  }
  assert_true(counts.n_requests < 10);
  ir_arena_reset(&arena);
  assert_int_equal(counts.n_alive, 0);
  assert_int_equal(arena.total_bytes, 0);
  assert_non_null(ir_arena_alloc(&arena, 8)); /* the arena is usable after the failure */
  ir_arena_reset(&arena);
}

static void texts_are_ended(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_arena arena;
  ir_arena_init(&arena, &memory, SIZE_MAX);
  assert_string_equal(ir_arena_text(&arena, "kernel=", 6), "kernel");
  assert_string_equal(ir_arena_text(&arena, "", 0), "");
  assert_null(ir_arena_text(&arena, "", SIZE_MAX));
  assert_null(ir_arena_array(&arena, SIZE_MAX / 2, 4));
  ir_arena_reset(&arena);
}

static void a_big_piece_leaves_the_block_in_use(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_arena arena;
  ir_arena_init(&arena, &memory, SIZE_MAX);
  unsigned char *first = ir_arena_alloc(&arena, 16);
  unsigned char *big = ir_arena_alloc(&arena, 10 * 1024 * 1024);
  unsigned char *second = ir_arena_alloc(&arena, 16);
  assert_non_null(big);
  memset(big, 1, 10 * 1024 * 1024);
  assert_ptr_equal(second, first + 16);
  assert_int_equal(counts.n_requests, 2);
  ir_arena_reset(&arena);
  big = ir_arena_alloc(&arena, 1024 * 1024); /* the first piece after the reset */
  first = ir_arena_alloc(&arena, 16);
  assert_true(first < big || first >= big + 1024 * 1024);
  ir_arena_reset(&arena);
  assert_int_equal(counts.n_alive, 0);
}

static void the_cap_holds(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  const size_t cap = 300 * 1024;
  ir_arena arena;
  ir_arena_init(&arena, &memory, cap);
  assert_null(ir_arena_alloc(&arena, cap));
  assert_int_equal(counts.n_requests, 0);
  size_t taken = 0;
  while (ir_arena_alloc(&arena, 1024) != NULL)
    taken += 1024;
  assert_true(arena.total_bytes <= cap);
  assert_true(taken > cap - 8 * 1024); /* nearly all of the limit is usable */
  assert_null(ir_arena_alloc(&arena, SIZE_MAX - 8));
  ir_arena_reset(&arena);
  assert_int_equal(counts.n_alive, 0);
}

static void no_memory_is_no_piece(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_arena arena;
  ir_arena_init(&arena, &memory, SIZE_MAX);
  counts.refuse_at = 0;
  assert_null(ir_arena_alloc(&arena, 16));
  assert_null(ir_arena_alloc(&arena, 1 << 20));
  assert_null(ir_arena_text(&arena, "a", 1));
  counts.refuse_at = -1;
  assert_non_null(ir_arena_alloc(&arena, 16));
  ir_arena_reset(&arena);
  assert_int_equal(counts.n_alive, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default_is_malloc),
      cmocka_unit_test(zeroed_arrays_do_not_overflow),
      cmocka_unit_test(growing_keeps_what_there_was),
      cmocka_unit_test(arrays_double),
      cmocka_unit_test(pieces_are_zeroed_and_aligned),
      cmocka_unit_test(texts_are_ended),
      cmocka_unit_test(a_big_piece_leaves_the_block_in_use),
      cmocka_unit_test(the_cap_holds),
      cmocka_unit_test(no_memory_is_no_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

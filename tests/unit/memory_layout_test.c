/* Tests the layout of buffers in one block. Buffers that live at the same time must not overlap, and the block must
 * be hardly larger than the largest sum of live buffers. */
#include "draw.h"
#include "exec/memory_layout.h"
#include "failing_memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BUFFERS = 5000 };

static ir_buffer buffers[MOST_BUFFERS];

static ir_block_layout find(size_t n) {
  ir_memory memory = ir_memory_default();
  ir_block_layout layout;
  assert_true(ir_layout_find(buffers, n, &memory, &layout));
  return layout;
}

static bool are_apart(const ir_buffer *a, const ir_buffer *b) {
  return a->last < b->first || b->last < a->first || a->offset + a->bytes <= b->offset ||
         b->offset + b->bytes <= a->offset;
}

static void check(size_t n, const ir_block_layout *layout) {
  for (size_t i = 0; i < n; i++) {
    size_t live = 0;
    assert_true(buffers[i].offset % IR_LAYOUT_ALIGNMENT == 0);
    assert_true(buffers[i].offset + buffers[i].bytes <= layout->block_bytes);
    for (size_t j = 0; j < n; j++) {
      assert_true(i == j || are_apart(&buffers[i], &buffers[j]));
      live += buffers[j].first <= buffers[i].first && buffers[i].first <= buffers[j].last ? buffers[j].bytes : 0;
    }
    assert_true(live <= layout->live_bytes);
  }
}

/* Draws n buffers. Buffer i begins at step i and lives for up to two more steps, every eighth for up to `longest`. */
static void draw_buffers(size_t n, int64_t longest) {
  for (size_t i = 0; i < n; i++) {
    buffers[i] = (ir_buffer){.bytes = (size_t)(between(0, 64) << between(0, 16)), .first = i};
    buffers[i].last = i + (size_t)between(1, one_in(8) ? longest : 2);
  }
}

static void nothing_takes_nothing(void **state) {
  (void)state;
  ir_block_layout layout = find(0);
  assert_int_equal(layout.block_bytes, 0);
  assert_int_equal(layout.live_bytes, 0);
}

/* The first fit places 30 after 10 and 20; the largest first leaves nothing unused. It is not tried for small blocks.
 */
static void a_chain_takes_its_two_largest_neighbours(void **state) {
  (void)state;
  enum { SMALL = 64, LARGE = 64 << 10 };
  const size_t sizes[] = {10, 20, 30, 5, 25};
  for (size_t unit = SMALL; unit <= LARGE; unit += LARGE - SMALL) {
    for (size_t i = 0; i < 5; i++)
      buffers[i] = (ir_buffer){.bytes = sizes[i] * unit, .first = i, .last = i + 1};
    ir_block_layout layout = find(5);
    check(5, &layout);
    assert_int_equal(layout.live_bytes, 50 * unit);
    assert_int_equal(layout.block_bytes, (unit == SMALL ? 60 : 50) * unit);
  }
}

static void equal_buffers_take_turns(void **state) {
  (void)state;
  for (size_t i = 0; i < MOST_BUFFERS; i++)
    buffers[i] = (ir_buffer){.bytes = 1000, .first = i, .last = i + 1};
  ir_block_layout layout = find(MOST_BUFFERS);
  assert_int_equal(layout.block_bytes, 2 * 1024);
}

static void no_two_that_live_at_once_overlap(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    size_t n = (size_t)between(1, 60);
    draw_buffers(n, between(2, 60));
    ir_block_layout layout = find(n);
    check(n, &layout);
  }
}

/* Most blocks are at most a twentieth larger than the live bytes, which is not always possible. In a larger block, a
 * run releases the pages of dead buffers. */
static void blocks_are_tight(void **state) {
  (void)state;
  int n_loose = 0;
  for (int i = 0; i < 300; i++) {
    draw_buffers(40, 6);
    ir_block_layout layout = find(40);
    n_loose += layout.block_bytes > layout.live_bytes + layout.live_bytes / 20;
    assert_true(layout.block_bytes <= 2 * layout.live_bytes);
  }
  assert_in_range(n_loose, 0, 30);
}

static void a_long_model_is_placed(void **state) {
  (void)state;
  draw_buffers(MOST_BUFFERS, MOST_BUFFERS);
  ir_block_layout layout = find(MOST_BUFFERS);
  check(MOST_BUFFERS, &layout);
}

static void sizes_that_overflow_are_refused(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_block_layout layout;
  buffers[0] = (ir_buffer){.bytes = SIZE_MAX};
  assert_false(ir_layout_find(buffers, 1, &memory, &layout));
  buffers[0].bytes = buffers[1].bytes = SIZE_MAX / 2;
  buffers[2] = (ir_buffer){.bytes = 1024};
  assert_false(ir_layout_find(buffers, 3, &memory, &layout));
}

static void memory_that_is_out_is_told(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_block_layout layout;
  bool found = false;
  for (int64_t i = 0; !found; i++) {
    counts.n_requests = 0;
    counts.refuse_at = i;
    buffers[0] = (ir_buffer){.bytes = 64};
    found = ir_layout_find(buffers, 1, &memory, &layout);
    assert_int_equal(counts.n_alive, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_takes_nothing),
      cmocka_unit_test(a_chain_takes_its_two_largest_neighbours),
      cmocka_unit_test(equal_buffers_take_turns),
      cmocka_unit_test(no_two_that_live_at_once_overlap),
      cmocka_unit_test(blocks_are_tight),
      cmocka_unit_test(a_long_model_is_placed),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(memory_that_is_out_is_told),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}

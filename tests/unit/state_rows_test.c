/* Tests the rows that attention keeps: they grow, are reordered, and stay if an execution fails. */
#include "failing_memory.h"
#include "ops/attention/state_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { HEADS = 2, WIDTH = 3, MOST = 4096 };

static failing_memory allocator;
static ir_memory memory;
static ir_diags diags;
static const ir_index_input input = {.diags = &diags, .name = "beam_idx"};

static int begin(void **state) {
  (void)state;
  memory = failing_memory_of(&allocator);
  ir_diags_init(&diags, &memory);
  return 0;
}

static int end(void **state) {
  (void)state;
  ir_diags_reset(&diags);
  assert_int_equal(allocator.n_alive, 0);
  return 0;
}

/* The element of a row: `batch` and `place` say where it was appended. */
static float number(int64_t batch, int64_t head, int64_t place, int64_t column) {
  return (float)(((batch * HEADS + head) * 1000 + place) * WIDTH + column);
}

static ir_code append_to(ir_state_rows *rows, int64_t batch, int64_t n, const int32_t *beams, int64_t n_beams) {
  static float data[MOST];
  const ir_shape shape = ir_shape_of(4, (const int64_t[]){batch, HEADS, n, WIDTH});
  const ir_shape list = ir_shape_of(1, &n_beams);
  float *to = data;
  assert_true(batch * HEADS * n * WIDTH <= MOST);
  for (int64_t b = 0; b < batch; b++)
    for (int64_t h = 0; h < HEADS; h++)
      for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < WIDTH; c++)
          *to++ = number(b, h, rows->length + i, c);
  const ir_tensor now = ir_tensor_borrow(IR_F32, &shape, data, (size_t)(to - data) * sizeof *data);
  const ir_tensor order = ir_tensor_borrow(IR_I32, &list, (void *)beams, (size_t)n_beams * sizeof *beams);
  return ir_state_append(rows, &now, beams == NULL ? NULL : &order, &input, &memory);
}

static void append(ir_state_rows *rows, int64_t batch, int64_t n, const int32_t *beams) {
  assert_int_equal(append_to(rows, batch, n, beams, batch), IR_OK);
}

/* Compares one head with the numbers of batch[i] at place i. */
static void check(const ir_tensor *tensor, int64_t at, int64_t n, const int *batch) {
  for (int64_t h = 0; h < HEADS; h++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t c = 0; c < WIDTH; c++) {
        const int64_t offset = (((at * HEADS + h) * tensor->dims[2]) + i) * WIDTH + c;
        assert_float_equal(((const float *)tensor->data)[offset], batch[i] < 0 ? 0 : number(batch[i], h, i, c), 0);
      }
}

static void rows_are_appended(void **state) {
  (void)state;
  static const int zeros[64] = {0};
  ir_state_rows rows = {.length = 0};
  int64_t length = 0, n_rooms = 0;
  for (int64_t n = 0; length < 60; n = n == 5 ? 0 : n + 1) { /* also no rows */
    const void *before = rows.room.data;
    append(&rows, 1, n, NULL);
    assert_int_equal(rows.next_length, length + n);
    ir_state_end(&rows, true);
    length += n;
    n_rooms += rows.room.data != before;
    assert_int_equal(rows.length, length);
    assert_true(rows.room.dims[2] >= length);
    check(&rows.room, 0, length, zeros);
  }
  assert_in_range(n_rooms, 2, 8); /* the room doubles */
  ir_state_release(&rows);
}

static void matrices_are_reordered(void **state) {
  (void)state;
  ir_state_rows rows = {.length = 0};
  append(&rows, 2, 2, (const int32_t[]){7, -9}); /* there is nothing to reorder yet */
  ir_state_end(&rows, true);
  append(&rows, 3, 1, (const int32_t[]){1, -2, 1});
  check(&rows.room, 0, 2, (const int[]){0, 0}); /* the rows before stay as they are */
  check(&rows.room, 1, 2, (const int[]){1, 1});
  assert_ptr_not_equal(ir_state_room(&rows), &rows.room);
  ir_state_end(&rows, true);
  check(&rows.room, 0, 3, (const int[]){1, 1, 0});
  check(&rows.room, 1, 3, (const int[]){0, 0, 1});
  check(&rows.room, 2, 3, (const int[]){1, 1, 2});
  const void *room = rows.room.data;
  append(&rows, 3, 1, (const int32_t[]){0, 1, -1}); /* the same order */
  ir_state_end(&rows, true);
  assert_ptr_equal(rows.room.data, room);
  append(&rows, 1, 0, (const int32_t[]){2});
  ir_state_end(&rows, true);
  check(&rows.room, 0, 4, (const int[]){1, 1, 2, 2});
  append(&rows, 0, 1, (const int32_t[]){0});
  ir_state_end(&rows, true);
  assert_int_equal(rows.room.dims[0], 0);
  ir_state_release(&rows);
}

/* Gather-8 returns zeros for an index out of range. */
static void a_missing_matrix_is_zero(void **state) {
  (void)state;
  ir_state_rows rows = {.length = 0};
  append(&rows, 2, 2, NULL);
  ir_state_end(&rows, true);
  append(&rows, 2, 1, (const int32_t[]){2, -3});
  ir_state_end(&rows, true);
  check(&rows.room, 0, 3, (const int[]){-1, -1, 0});
  check(&rows.room, 1, 3, (const int[]){-1, -1, 1});
  ir_state_release(&rows);
}

static void a_failed_execution_changes_nothing(void **state) {
  (void)state;
  static const int32_t swapped[] = {1, 0};
  ir_state_rows rows = {.length = 0};
  append(&rows, 2, 3, NULL);
  ir_state_end(&rows, true);
  for (int i = 0; i < 4; i++) { /* the first one makes room */
    append(&rows, 2, 2 + i, i % 2 == 0 ? NULL : swapped);
    ir_state_end(&rows, false);
    assert_int_equal(rows.length, 3);
    check(&rows.room, 0, 3, (const int[]){0, 0, 0});
    check(&rows.room, 1, 3, (const int[]){1, 1, 1});
  }
  append(&rows, 2, 1, swapped);
  append(&rows, 2, 1, swapped); /* without an end between them: the first one failed */
  ir_state_end(&rows, true);
  check(&rows.room, 0, 4, (const int[]){1, 1, 1, 0});
  ir_state_end(&rows, true); /* an execution without the attention */
  assert_int_equal(rows.length, 4);
  ir_state_release(&rows);
}

static void faults_are_reported(void **state) {
  (void)state;
  static const int32_t order[] = {0, 0, 0};
  ir_state_rows rows = {.length = 0};
  append(&rows, 2, 1, NULL);
  ir_state_end(&rows, true);
  assert_int_equal(append_to(&rows, 2, 1, order, 3), IR_BAD_DATA);
  assert_string_equal(diags.last->message, "'beam_idx' makes the batch of the kept rows 3, and the new rows have 2");
  assert_int_equal(append_to(&rows, 3, 1, NULL, 0), IR_BAD_DATA);
  for (int i = 0; i < 3; i++) {
    allocator.refuse_at = allocator.n_requests + i;
    const ir_code code = append_to(&rows, 2, 100, order, 2);
    allocator.refuse_at = -1;
    assert_int_equal(code, i < 2 ? IR_NO_MEMORY : IR_OK);
    ir_state_end(&rows, false);
    check(&rows.room, 0, 1, (const int[]){0});
    check(&rows.room, 1, 1, (const int[]){1});
  }
  ir_state_release(&rows);
}

static void rows_move(void **state) {
  (void)state;
  ir_state_rows rows = {.length = 0};
  ir_tensor tensor = {.data = NULL};
  append(&rows, 2, 3, NULL);
  ir_state_end(&rows, true);
  append(&rows, 2, 1, NULL);
  ir_state_end(&rows, true);
  allocator.refuse_at = allocator.n_requests;
  assert_false(ir_state_move(&rows, &memory, &tensor));
  allocator.refuse_at = -1;
  check(&rows.room, 1, 4, (const int[]){1, 1, 1, 1});
  assert_true(ir_state_move(&rows, &memory, &tensor));
  assert_int_equal(rows.length, 0);
  assert_int_equal(rows.room.rank, 0);
  assert_int_equal(tensor.dims[2], 4);
  check(&tensor, 0, 4, (const int[]){0, 0, 0, 0});
  check(&tensor, 1, 4, (const int[]){1, 1, 1, 1});
  append(&rows, 1, 1, NULL);
  ir_state_take(&rows, &tensor); /* replaces the rows */
  assert_null(tensor.data);
  append(&rows, 2, 1, (const int32_t[]){1, 1});
  ir_state_end(&rows, true);
  check(&rows.room, 0, 5, (const int[]){1, 1, 1, 1, 0});
  ir_state_release(&rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_are_appended, begin, end),
      cmocka_unit_test_setup_teardown(matrices_are_reordered, begin, end),
      cmocka_unit_test_setup_teardown(a_missing_matrix_is_zero, begin, end),
      cmocka_unit_test_setup_teardown(a_failed_execution_changes_nothing, begin, end),
      cmocka_unit_test_setup_teardown(faults_are_reported, begin, end),
      cmocka_unit_test_setup_teardown(rows_move, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

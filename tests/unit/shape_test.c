/* Tests shapes as intervals: known dims, intersection, number of elements, and text. */
#include "base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static ir_shape shape2(ir_dim a, ir_dim b) {
  return (ir_shape){.rank = 2, .dims = {a, b}};
}

static void assert_text(ir_shape shape, const char *expected) {
  char text[IR_SHAPE_TEXT];
  assert_string_equal(ir_shape_text(&shape, text, sizeof text), expected);
}

static void a_shape_is_known_when_every_dim_is(void **state) {
  (void)state;
  ir_shape known = ir_shape_of(3, (const int64_t[]){1, 0, 7}), scalar = ir_shape_of(0, NULL);
  ir_shape any = shape2(ir_dim_of(1), ir_dim_any()), unknown = ir_shape_unknown();
  assert_true(ir_shape_known(&known));
  assert_true(ir_shape_known(&scalar));
  assert_false(ir_shape_known(&any));
  assert_false(ir_shape_known(&unknown));
  assert_int_equal(unknown.rank, IR_RANK_UNKNOWN);
}

static void equal_is_not_the_same_as_able_to_meet(void **state) {
  (void)state;
  ir_shape low = shape2(ir_dim_of(1), (ir_dim){1, 4}), high = shape2(ir_dim_of(1), (ir_dim){4, 9});
  ir_shape apart = shape2(ir_dim_of(1), (ir_dim){5, 9}), other_rank = ir_shape_of(1, (const int64_t[]){1});
  ir_shape unknown = ir_shape_unknown();
  assert_true(ir_shapes_equal(&low, &low));
  assert_false(ir_shapes_equal(&low, &high));
  assert_false(ir_shapes_equal(&low, &other_rank));
  assert_false(ir_shapes_equal(&low, &unknown));
  assert_true(ir_shapes_equal(&unknown, &unknown));
  assert_true(ir_shapes_meet(&low, &high)); /* both contain 4 */
  assert_false(ir_shapes_meet(&low, &apart));
  assert_false(ir_shapes_meet(&low, &other_rank));
  assert_true(ir_shapes_meet(&low, &unknown));
  assert_true(ir_shapes_meet(&unknown, &apart));
}

static bool count(int rank, const int64_t *dims, int64_t *out_elements) {
  ir_shape shape = ir_shape_of(rank, dims);
  return ir_shape_elements(&shape, out_elements);
}

static void elements_are_counted_without_overflow(void **state) {
  (void)state;
  int64_t n;
  assert_true(count(0, NULL, &n));
  assert_int_equal(n, 1);
  assert_true(count(3, (const int64_t[]){2, 3, 4}, &n));
  assert_int_equal(n, 24);
  assert_true(count(2, (const int64_t[]){INT64_MAX, 1}, &n));
  assert_true(n == INT64_MAX);
  assert_false(count(2, (const int64_t[]){INT64_MAX, 2}, &n));
  assert_false(count(2, (const int64_t[]){INT64_C(4294967296), INT64_C(4294967296)}, &n)); /* 2^64 */
  assert_true(count(3, (const int64_t[]){INT64_MAX, INT64_MAX, 0}, &n));
  assert_int_equal(n, 0);
  assert_false(count(1, (const int64_t[]){-1}, &n));
  ir_shape any = shape2(ir_dim_of(1), ir_dim_any()), unknown = ir_shape_unknown();
  assert_false(ir_shape_elements(&any, &n));
  assert_false(ir_shape_elements(&unknown, &n));
  assert_int_equal(n, 0);
}

static void shapes_are_printed(void **state) {
  (void)state;
  assert_text(ir_shape_of(4, (const int64_t[]){1, 3, 32, 32}), "[1,3,32,32]");
  assert_text(ir_shape_of(0, NULL), "[]");
  assert_text(ir_shape_unknown(), "[...]");
  assert_text(shape2(ir_dim_any(), (ir_dim){1, 640}), "[?,1..640]");
  assert_text(shape2((ir_dim){2, IR_DIM_MAX}, (ir_dim){0, 7}), "[2..,0..7]");
  assert_text(shape2(ir_dim_of(IR_DIM_MAX), ir_dim_of(0)), "[9223372036854775807,0]");
}

static void the_longest_text_fits(void **state) {
  (void)state;
  ir_shape shape = {.rank = IR_MAX_RANK};
  for (int i = 0; i < IR_MAX_RANK; i++)
    shape.dims[i] = (ir_dim){IR_DIM_MAX - 2, IR_DIM_MAX - 1};
  char text[IR_SHAPE_TEXT], dim[IR_DIM_TEXT];
  ir_shape_text(&shape, text, sizeof text);
  assert_int_equal(strlen(text), 16 * 40 + 15 + 2);
  assert_int_equal(text[strlen(text) - 1], ']');
  ir_dim_text((ir_dim){INT64_MIN, INT64_MIN + 1}, dim, sizeof dim);
  assert_string_equal(dim, "-9223372036854775808..-9223372036854775807");
}

static void a_small_buffer_is_not_left(void **state) {
  (void)state;
  char text[8] = "#######";
  ir_shape shape = ir_shape_of(2, (const int64_t[]){123, 456});
  assert_string_equal(ir_shape_text(&shape, text, 5), "[123");
  assert_int_equal(text[5], '#');
  assert_string_equal(ir_dim_text(ir_dim_of(12345), text, 3), "12");
}

static void arithmetic_is_checked(void **state) {
  (void)state;
  int64_t n;
  assert_true(ir_add(INT64_MAX - 1, 1, &n));
  assert_false(ir_add(INT64_MAX, 1, &n));
  assert_false(ir_mul(INT64_C(1) << 32, INT64_C(1) << 31, &n));
  assert_int_equal(ir_ceil_div(0, 3), 0);
  assert_int_equal(ir_ceil_div(7, 3), 3);
  assert_int_equal(ir_ceil_div(6, 3), 2);
  assert_true(ir_ceil_div(INT64_MAX, 2) == INT64_C(1) << 62);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shape_is_known_when_every_dim_is),
      cmocka_unit_test(equal_is_not_the_same_as_able_to_meet),
      cmocka_unit_test(elements_are_counted_without_overflow),
      cmocka_unit_test(shapes_are_printed),
      cmocka_unit_test(the_longest_text_fits),
      cmocka_unit_test(a_small_buffer_is_not_left),
      cmocka_unit_test(arithmetic_is_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests numbers and dims in the text of model files, up to the limits of 64 bits. */
#include "base/number_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    ir_number_fault fault;
    int64_t value;
  } cases[] = {
      {"0", IR_NUMBER_OK, 0},
      {"007", IR_NUMBER_OK, 7},
      {"-12", IR_NUMBER_OK, -12},
      {"999999999999999999", IR_NUMBER_OK, 999999999999999999},
      {"9223372036854775807", IR_NUMBER_OK, INT64_MAX},
      {"-9223372036854775808", IR_NUMBER_OK, INT64_MIN},
      {"0000000000000000000000000000001", IR_NUMBER_OK, 1},
      {"9223372036854775808", IR_NUMBER_TOO_LARGE, 0},
      {"-9223372036854775809", IR_NUMBER_TOO_LARGE, 0},
      {"99999999999999999999999999999999", IR_NUMBER_TOO_LARGE, 0},
      {"", IR_NUMBER_UNREADABLE, 0},
      {"-", IR_NUMBER_UNREADABLE, 0},
      {"+1", IR_NUMBER_UNREADABLE, 0},
      {" 1", IR_NUMBER_UNREADABLE, 0},
      {"1x", IR_NUMBER_UNREADABLE, 0},
      {"99999999999999999999x", IR_NUMBER_UNREADABLE, 0},
      {"--1", IR_NUMBER_UNREADABLE, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int64_t value;
    assert_int_equal(ir_text_number(cases[i].text, strlen(cases[i].text), &value), cases[i].fault);
    if (cases[i].fault == IR_NUMBER_OK)
      assert_true(value == cases[i].value);
  }
}

static void dims(void **state) {
  (void)state;
  static const struct {
    const char *text;
    ir_dim_fault fault;
    int64_t lo, hi;
  } cases[] = {
      {"0", IR_DIM_OK, 0, 0},
      {"32", IR_DIM_OK, 32, 32},
      {"?", IR_DIM_OK, 0, IR_DIM_MAX},
      {"-1", IR_DIM_OK, 0, IR_DIM_MAX},
      {"1..640", IR_DIM_OK, 1, 640},
      {"..9", IR_DIM_OK, 0, 9},
      {"5..", IR_DIM_OK, 5, IR_DIM_MAX},
      {"4..4", IR_DIM_OK, 4, 4},
      {"9223372036854775806", IR_DIM_OK, INT64_MAX - 1, INT64_MAX - 1},
      {"9223372036854775807", IR_DIM_TOO_LARGE, 0, 0},
      {"1..99999999999999999999", IR_DIM_TOO_LARGE, 0, 0},
      {"4..3", IR_DIM_REVERSED, 0, 0},
      {"-2", IR_DIM_NEGATIVE, 0, 0},
      {"-2..3", IR_DIM_NEGATIVE, 0, 0},
      {"..", IR_DIM_UNREADABLE, 0, 0},
      {"1...3", IR_DIM_UNREADABLE, 0, 0},
      {"", IR_DIM_UNREADABLE, 0, 0},
      {"??", IR_DIM_UNREADABLE, 0, 0},
      {"4.0", IR_DIM_UNREADABLE, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_dim dim;
    assert_int_equal(ir_text_dim(cases[i].text, strlen(cases[i].text), IR_DIM_IN_SHAPE, &dim), cases[i].fault);
    if (cases[i].fault == IR_DIM_OK)
      assert_true(dim.lo == cases[i].lo && dim.hi == cases[i].hi);
  }
}

static void dims_that_are_numbers_only(void **state) {
  (void)state;
  ir_dim dim;
  assert_int_equal(ir_text_dim("7", 1, IR_DIM_NUMBER, &dim), IR_DIM_OK);
  assert_int_equal(ir_text_dim("?", 1, IR_DIM_NUMBER, &dim), IR_DIM_UNREADABLE);
  assert_int_equal(ir_text_dim("-1", 2, IR_DIM_NUMBER, &dim), IR_DIM_NEGATIVE);
  assert_int_equal(ir_text_dim("1..2", 4, IR_DIM_NUMBER, &dim), IR_DIM_UNREADABLE);
}

/* A port's <dim> can be -1 (any size), a..b or a.., but neither ? nor ..b, which only shape attributes can have. */
static void dims_of_ports(void **state) {
  (void)state;
  ir_dim dim;
  assert_int_equal(ir_text_dim("-1", 2, IR_DIM_IN_PORT, &dim), IR_DIM_OK);
  assert_int_equal(dim.hi, IR_DIM_MAX);
  assert_int_equal(ir_text_dim("1..640", 6, IR_DIM_IN_PORT, &dim), IR_DIM_OK);
  assert_int_equal(dim.hi, 640);
  assert_int_equal(ir_text_dim("2..", 3, IR_DIM_IN_PORT, &dim), IR_DIM_OK);
  assert_int_equal(ir_text_dim("?", 1, IR_DIM_IN_PORT, &dim), IR_DIM_UNREADABLE);
  assert_int_equal(ir_text_dim("..640", 5, IR_DIM_IN_PORT, &dim), IR_DIM_UNREADABLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),
      cmocka_unit_test(dims),
      cmocka_unit_test(dims_that_are_numbers_only),
      cmocka_unit_test(dims_of_ports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

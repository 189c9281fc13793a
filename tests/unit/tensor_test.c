/* Tests tensors: checked sizes, aligned memory, elements of every type, and numbers as text. */
#include "base/available_memory.h"
#include "base/tensor.h"
#include "diag/memory_limit.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

static void sizes_are_checked(void **state) {
  (void)state;
  size_t bytes;
  ir_shape shape = ir_shape_of(2, (const int64_t[]){3, 5});
  assert_true(ir_tensor_bytes(IR_F64, &shape, &bytes));
  assert_int_equal(bytes, 120);
  assert_true(ir_tensor_bytes(IR_BOOLEAN, &shape, &bytes));
  assert_int_equal(bytes, 15);
  assert_true(ir_tensor_bytes(IR_U4, &shape, &bytes));
  assert_int_equal(bytes, 8);
  assert_false(ir_tensor_bytes(IR_STRING, &shape, &bytes));
  assert_false(ir_tensor_bytes(IR_DYNAMIC, &shape, &bytes));
  shape = ir_shape_of(1, (const int64_t[]){INT64_MAX});
  assert_true(ir_tensor_bytes(IR_U8, &shape, &bytes));
  assert_false(ir_tensor_bytes(IR_F32, &shape, &bytes));
  shape = ir_shape_of(2, (const int64_t[]){INT64_C(1) << 40, INT64_C(1) << 40});
  assert_false(ir_tensor_bytes(IR_U8, &shape, &bytes));
  shape.dims[1] = ir_dim_any();
  assert_false(ir_tensor_bytes(IR_U8, &shape, &bytes));
  shape = ir_shape_unknown();
  assert_false(ir_tensor_bytes(IR_U8, &shape, &bytes));
  assert_int_equal(bytes, 0);
}

static void blocks_are_aligned_and_given_back(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  for (int64_t n = 0; n < 100; n++) {
    ir_tensor tensor;
    ir_shape shape = ir_shape_of(2, (const int64_t[]){n, 3});
    assert_true(ir_tensor_alloc(&tensor, &memory, IR_I16, &shape));
    assert_non_null(tensor.data);
    assert_int_equal((uintptr_t)tensor.data % 64, 0);
    assert_int_equal(tensor.bytes, n * 6);
    assert_int_equal(ir_tensor_elements(&tensor), n * 3);
    memset(tensor.data, 1, tensor.bytes);
    ir_shape back = ir_tensor_shape(&tensor);
    assert_true(ir_shapes_equal(&shape, &back));
    ir_tensor_release(&tensor);
    assert_null(tensor.data);
    ir_tensor_release(&tensor);
  }
  ir_tensor_release(NULL);
  assert_int_equal(counts.n_alive, 0);
}

static void scalars_have_one_element(void **state) {
  (void)state;
  double value = 2.5;
  ir_shape shape = ir_shape_of(0, NULL);
  ir_tensor tensor = ir_tensor_borrow(IR_F64, &shape, &value, sizeof value);
  assert_int_equal(ir_tensor_elements(&tensor), 1);
  assert_true(ir_tensor_get(&tensor, 0).f == 2.5);
  ir_tensor_release(&tensor); /* the tensor is borrowed, so nothing is freed */
  assert_null(tensor.data);
}

static void a_zero_counts_before_the_others_overflow(void **state) {
  (void)state;
  failing_memory counts;
  const ir_memory memory = failing_memory_of(&counts);
  const int64_t huge = INT64_C(1) << 62;
  ir_shape shape = ir_shape_of(4, (int64_t[]){huge, huge, 0, huge});
  ir_tensor tensor;
  assert_true(ir_tensor_alloc(&tensor, &memory, IR_F64, &shape));
  assert_int_equal(ir_tensor_elements(&tensor), 0);
  assert_int_equal(tensor.bytes, 0);
  assert_false(ir_tensor_is_outline(&tensor));
  ir_tensor_release(&tensor);
  assert_int_equal(counts.n_alive, 0);
}

static void an_outline_has_a_shape_alone(void **state) {
  (void)state;
  ir_shape shape = ir_shape_of(2, (int64_t[]){3, 4});
  ir_tensor tensor = ir_tensor_outline(IR_F32, &shape);
  assert_true(ir_tensor_is_outline(&tensor));
  assert_int_equal(ir_tensor_elements(&tensor), 12);
  assert_null(tensor.data);
  ir_tensor_release(&tensor);
  float values[12] = {0};
  tensor = ir_tensor_borrow(IR_F32, &shape, values, sizeof values);
  assert_false(ir_tensor_is_outline(&tensor));
}

static void what_cannot_be_had_is_empty(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_tensor tensor = {.rank = 7, .data = &counts};
  ir_shape shape = ir_shape_of(1, (const int64_t[]){10});
  assert_false(ir_tensor_alloc(&tensor, &memory, IR_STRING, &shape));
  assert_null(tensor.data);
  assert_int_equal(tensor.rank, 0);
  counts.refuse_at = 0;
  assert_false(ir_tensor_alloc(&tensor, &memory, IR_F32, &shape));
  assert_null(tensor.data);
  ir_tensor_release(&tensor);
  counts.refuse_at = -1;
  size_t limit = ir_available_memory("");
  assert_true(limit > 1 << 20 && limit < SIZE_MAX);
  const int64_t above[] = {2 * (int64_t)limit, INT64_MAX - 10, INT64_MAX};
  for (size_t i = 0; i < 3; i++) {
    shape = ir_shape_of(1, &above[i]);
    assert_false(ir_tensor_alloc(&tensor, &memory, IR_U8, &shape));
  }
  assert_int_equal(counts.n_requests, 0); /* refused without calling the allocator */
}

/* ---- elements ---- */

/* Reads element `index` from an unaligned address, as a mapped file can have. */
static ir_number get(ir_type type, const void *elements, size_t size, int64_t index) {
  unsigned char bytes[40];
  memcpy(bytes + 1, elements, 2 * size);
  ir_shape shape = ir_shape_of(1, (const int64_t[]){2});
  ir_tensor tensor = ir_tensor_borrow(type, &shape, bytes + 1, 2 * size);
  return ir_tensor_get(&tensor, index);
}

static void assert_float(ir_number number, double expected) {
  assert_int_equal(number.kind, IR_NUMBER_FLOAT);
  assert_true(number.f == expected);
  assert_true(ir_number_as_double(number) == expected);
}

static void assert_signed(ir_number number, int64_t expected) {
  assert_int_equal(number.kind, IR_NUMBER_SIGNED);
  assert_true(number.i == expected);
  assert_true(ir_number_as_double(number) == (double)expected);
}

static void assert_unsigned(ir_number number, uint64_t expected) {
  assert_int_equal(number.kind, IR_NUMBER_UNSIGNED);
  assert_true(number.u == expected);
  assert_true(ir_number_as_double(number) == (double)expected);
}

static void elements_of_every_type_are_read(void **state) {
  (void)state;
  assert_float(get(IR_F32, (const float[]){1.5f, -FLT_MAX}, 4, 1), -(double)FLT_MAX);
  assert_float(get(IR_F64, (const double[]){DBL_MIN, 0.1}, 8, 1), 0.1);
  assert_float(get(IR_F16, (const uint16_t[]){0, 0xc000}, 2, 1), -2);
  assert_float(get(IR_BF16, (const uint16_t[]){0x3fc0, 0}, 2, 0), 1.5);
  assert_signed(get(IR_I8, (const int8_t[]){0, INT8_MIN}, 1, 1), INT8_MIN);
  assert_signed(get(IR_I16, (const int16_t[]){0, INT16_MIN}, 2, 1), INT16_MIN);
  assert_signed(get(IR_I32, (const int32_t[]){0, INT32_MIN}, 4, 1), INT32_MIN);
  assert_signed(get(IR_I64, (const int64_t[]){0, INT64_MIN}, 8, 1), INT64_MIN);
  assert_unsigned(get(IR_U8, (const uint8_t[]){0, UINT8_MAX}, 1, 1), UINT8_MAX);
  assert_unsigned(get(IR_U16, (const uint16_t[]){0, UINT16_MAX}, 2, 1), UINT16_MAX);
  assert_unsigned(get(IR_U32, (const uint32_t[]){0, UINT32_MAX}, 4, 1), UINT32_MAX);
  assert_unsigned(get(IR_U64, (const uint64_t[]){0, UINT64_MAX}, 8, 1), UINT64_MAX);
  assert_unsigned(get(IR_BOOLEAN, (const uint8_t[]){0, 255}, 1, 0), 0);
  assert_unsigned(get(IR_BOOLEAN, (const uint8_t[]){0, 255}, 1, 1), 1);
}

/* ---- text ---- */

static const char *text_of(ir_type type, ir_number number) {
  static char buffer[IR_NUMBER_TEXT];
  return ir_number_text(type, number, buffer, sizeof buffer);
}

static const char *float_text(ir_type type, double value) {
  return text_of(type, (ir_number){.kind = IR_NUMBER_FLOAT, .f = value});
}

static void numbers_are_printed(void **state) {
  (void)state;
  assert_string_equal(float_text(IR_F32, 1), "1");
  assert_string_equal(float_text(IR_F32, (double)0.1f), "0.100000001");
  assert_string_equal(float_text(IR_F64, 0.1), "0.10000000000000001");
  assert_string_equal(float_text(IR_F32, -0.0), "-0");
  assert_string_equal(float_text(IR_F16, 65504), "65504");
  assert_string_equal(float_text(IR_F32, 1e30), "1e+30");
  assert_string_equal(float_text(IR_F32, (double)NAN), "nan");
  assert_string_equal(float_text(IR_F64, -(double)NAN), "nan");
  assert_string_equal(float_text(IR_F64, (double)INFINITY), "inf");
  assert_string_equal(float_text(IR_F32, -(double)INFINITY), "-inf");
  assert_string_equal(float_text(IR_F64, -DBL_MAX), "-1.7976931348623157e+308");
  assert_string_equal(float_text(IR_F64, -5e-324), "-4.9406564584124654e-324");
  assert_string_equal(text_of(IR_I64, (ir_number){.kind = IR_NUMBER_SIGNED, .i = INT64_MIN}), "-9223372036854775808");
  assert_string_equal(text_of(IR_U64, (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = UINT64_MAX}),
                      "18446744073709551615");
  assert_string_equal(text_of(IR_BOOLEAN, (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = 1}), "1");
  char small[4];
  assert_string_equal(ir_number_text(IR_I32, (ir_number){.kind = IR_NUMBER_SIGNED, .i = 12345}, small, sizeof small),
                      "123");
}

static void every_16_bit_float_reads_back(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 0x7f80; bits++) {
    double values[] = {(double)ir_f16_to_f32((uint16_t)bits), (double)ir_bf16_to_f32((uint16_t)bits)};
    for (int i = 0; i < 2; i++)
      if (isfinite(values[i]))
        assert_true((double)strtof(float_text(i == 0 ? IR_F16 : IR_BF16, values[i]), NULL) == values[i]);
  }
}

/* Numbers have a point in every locale, even if its decimal sign is a comma or U+066B, which has two bytes. */
static void the_point_is_a_point_everywhere(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_AT.UTF-8"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (setlocale(LC_NUMERIC, names[i]) == NULL)
      continue;
    found = true;
    assert_string_equal(float_text(IR_F64, -1234567.25), "-1234567.25");
    assert_string_equal(float_text(IR_F32, 1.5e+30), "1.5e+30");
  }
  setlocale(LC_NUMERIC, "C");
  if (!found)
    skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_checked),
      cmocka_unit_test(blocks_are_aligned_and_given_back),
      cmocka_unit_test(scalars_have_one_element),
      cmocka_unit_test(a_zero_counts_before_the_others_overflow),
      cmocka_unit_test(an_outline_has_a_shape_alone),
      cmocka_unit_test(what_cannot_be_had_is_empty),
      cmocka_unit_test(elements_of_every_type_are_read),
      cmocka_unit_test(numbers_are_printed),
      cmocka_unit_test(every_16_bit_float_reads_back),
      cmocka_unit_test(the_point_is_a_point_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

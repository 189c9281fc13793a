/* Tests Convert and ConvertLike between all pairs of types against exact arithmetic and against OpenVINO's results. */
#include "element_list.h"
#include "element_types.h"
#include "naive_number.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

enum { PIECE = 256 /* elements that a kernel converts at once */ };

/* ---- the rule ---- */

static long double cut(ir_type to, long double x) {
  bool wide = to == IR_U32 || to == IR_I64 || to == IR_U64;
  long double limit = ldexpl(1, wide ? 63 : 31), whole = truncl(x);
  if (to == IR_U64 && whole >= limit && whole < 2 * limit)
    return whole;
  return whole >= -limit && whole < limit ? whole : -limit;
}

static long double naive_convert(ir_type from, ir_type to, long double x) {
  if (to == IR_BOOLEAN)
    return isnan(x) || x != 0;
  if (naive_is_float(to))
    return naive_round(to, x);
  return naive_wrap(to, naive_bits_of(naive_is_float(from) ? cut(to, x) : x));
}

/* ---- values ---- */

/* Makes a list of numbers around each power of two, of both signs, with and without a fraction; and NaN and
 * infinities. */
static element_list values_of(ir_type type) {
  element_list list = {.type = type};
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int bits = 0; bits <= 66; bits++) {
      element_list_add(&list, sign * ldexpl(1, bits));
      element_list_add(&list, sign * ldexpl(1.2345678L, bits));
      element_list_add(&list, sign * ldexpl(1.4999L, bits));
      element_list_add(&list, sign * (ldexpl(1, bits) - (bits < 60 ? 0.5L : 1)));
      element_list_add(&list, sign * (ldexpl(1, bits) + (bits < 60 ? 1.75L : 1)));
    }
    element_list_add(&list, sign * 0.0L);
    element_list_add(&list, sign * 1e-30L);
    if (naive_is_float(type)) {
      element_list_add(&list, sign * 65519.99L);
      element_list_add(&list, sign * 3e9L);
      element_list_add(&list, sign * 1e30L);
      element_list_add(&list, sign * (long double)INFINITY);
    }
  }
  if (naive_is_float(type))
    element_list_add(&list, NAN);
  element_list_add(&list, naive_greatest(type));
  element_list_add(&list, naive_lowest(type));
  return list;
}

/* ---- every pair ---- */

static void check_run(const model_run *run, const element_list *list, ir_type to) {
  ir_type from = list->type;
  if (run->status != IRRUN_OK)
    fail_msg("%s to %s ends with %d, %s", ir_type_name(from), ir_type_name(to), (int)run->status, model_run_rules(run));
  irrun_tensor_info out = irrun_tensor_get_info(run->values);
  assert_string_equal(irrun_type_name(out.type), ir_type_name(to));
  assert_int_equal(out.elements, list->n);
  for (int64_t i = 0; i < list->n; i++) {
    long double x = naive_load(from, list->data, i), expected = naive_convert(from, to, x);
    if (!naive_equal(naive_load(to, out.data, i), expected))
      fail_msg("%s %.20Lg to %s is %.20Lg, expected %.20Lg", ir_type_name(from), x, ir_type_name(to),
               naive_load(to, out.data, i), expected);
  }
}

static void check_pair(const element_list *list, ir_type to) {
  char data[64];
  sprintf(data, "destination_type=\"%s\"", ir_type_name(to));
  op_model c = {.type = "Convert", .data = data, .n_inputs = 1};
  c.inputs[0] = (op_input){.type = list->type, .rank = 1, .dims = {list->n}, .data = list->data};
  model_run run = op_model_run(&c);
  check_run(&run, list, to);
  model_run_end(&run);
  /* ConvertLike converts a constant to the type of a tensor of another shape. */
  const uint64_t like[2] = {0};
  c = (op_model){.type = "ConvertLike", .n_inputs = 2, .inputs = {c.inputs[0]}};
  c.inputs[0].constant = true;
  c.inputs[1] = (op_input){.type = to, .rank = 2, .dims = {1, 2}, .data = like};
  run = op_model_run(&c);
  check_run(&run, list, to);
  model_run_end(&run);
}

static void every_type_becomes_every_other(void **state) {
  (void)state;
  for (size_t i = 0; i < N_ELEMENT_TYPES; i++) {
    element_list list = values_of(element_types[i]);
    assert_true(list.n > PIECE || ir_type_bits(element_types[i]) < 64);
    for (size_t j = 0; j < N_ELEMENT_TYPES; j++)
      check_pair(&list, element_types[j]);
  }
}

/* ---- results of OpenVINO ---- */

static void values_are_those_of_openvino(void **state) {
  (void)state;
  static const struct {
    ir_type from, to;
    long double x, expected;
  } cases[] = {
      {IR_F32, IR_I8, 128, -128},
      {IR_F32, IR_I8, 300.7L, 44},
      {IR_F32, IR_I8, -300.7L, -44},
      {IR_F32, IR_I8, 3e9L, 0},
      {IR_F32, IR_U8, -1.5L, 255},
      {IR_F32, IR_U8, 70000, 112},
      {IR_F32, IR_U8, NAN, 0},
      {IR_F32, IR_I16, 40000, -25536},
      {IR_F32, IR_U16, -70000, 61072},
      {IR_F32, IR_U16, INFINITY, 0},
      {IR_F32, IR_I32, 2147483648.0L, INT32_MIN},
      {IR_F32, IR_I32, -INFINITY, INT32_MIN},
      {IR_F32, IR_I32, NAN, INT32_MIN},
      {IR_F32, IR_I32, -2.9L, -2},
      {IR_F32, IR_U32, -1.5L, 4294967295.0L},
      {IR_F32, IR_U32, 3e9L, 3e9L},
      {IR_F32, IR_I64, 3e9L, 3e9L},
      {IR_F32, IR_I64, 1e20L, (long double)INT64_MIN},
      {IR_F32, IR_U64, 18446742974197923840.0L, 18446742974197923840.0L},
      {IR_F32, IR_BOOLEAN, 1e-40L, 1},
      {IR_F64, IR_BOOLEAN, NAN, 1},
      {IR_F32, IR_F16, 65520, INFINITY},
      {IR_F32, IR_F16, 65519, 65504},
      /* slightly above the tie 2049: rounding to f32 first would make it the tie, which rounds to 2048 */
      {IR_F64, IR_F16, 2049.0000001L, 2050},
      {IR_I32, IR_F32, 16777217, 16777216},
      {IR_I64, IR_BF16, 70000, 70144},
      /* 1 more than a tie: rounding to f64 first would result in the tie, which rounds down */
      {IR_I64, IR_BF16, 0x1p62L + 0x1p54L + 1, 0x1p62L + 0x1p55L},
      {IR_U64, IR_BF16, 0x1p63L + 0x1p55L + 1, 0x1p63L + 0x1p56L},
      {IR_I64, IR_F32, -(0x1p62L + 0x1p38L + 1), -(0x1p62L + 0x1p39L)},
      {IR_F64, IR_I32, -2147483648.5L, INT32_MIN},
      {IR_I64, IR_I32, 4294967296.0L + 5, 5},
      {IR_I32, IR_U32, -1, 4294967295.0L},
      {IR_I32, IR_BOOLEAN, INT32_MIN, 1},
      {IR_BOOLEAN, IR_F16, 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char data[64];
    uint64_t x;
    sprintf(data, "destination_type=\"%s\"", ir_type_name(cases[i].to));
    naive_store(cases[i].from, &x, 0, cases[i].x);
    op_model c = {.type = "Convert", .data = data, .n_inputs = 1};
    c.inputs[0] = (op_input){.type = cases[i].from, .data = &x, .open = true};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, IRRUN_OK);
    const void *out = irrun_tensor_get_info(run.values).data;
    if (!naive_equal(naive_load(cases[i].to, out, 0), cases[i].expected))
      fail_msg("%s %Lg to %s is %.20Lg", ir_type_name(cases[i].from), cases[i].x, ir_type_name(cases[i].to),
               naive_load(cases[i].to, out, 0));
    model_run_end(&run);
  }
}

static void nothing_stays_nothing(void **state) {
  (void)state;
  op_model c = {.type = "Convert", .data = "destination_type=\"u8\"", .n_inputs = 1};
  c.inputs[0] = (op_input){.type = IR_F64, .rank = 3, .dims = {2, 0, 3}, .data = ""};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.elements, 0);
  assert_int_equal(out.rank, 3);
  model_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_becomes_every_other),
      cmocka_unit_test(values_are_those_of_openvino),
      cmocka_unit_test(nothing_stays_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

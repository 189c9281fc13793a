/* Tests nGraph's Constant: elements of every type from text, rejected texts with their places, and elements from an
 * archive. */
#include "op_case.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Binds and infers a Constant. */
static void begin(op_case *c, const char *type, const char *shape, const char *value) {
  const char *const attrs[] = {"element_type", type, "shape", shape, value == NULL ? NULL : "value", value, NULL};
  op_case_begin_in(c, IR_NGRAPH, "Constant", "0", attrs);
  assert_int_equal(c->diags.status, IR_OK);
  op_case_infer(c, 0, false);
}

static ir_code load(op_case *c, ir_tensor *out) {
  ir_scope scope = {.graph = &c->graph, .diags = &c->diags, .arena = &c->arena, .memory = &c->memory};
  return c->node.op->run.contents(&c->node, &c->out[0], &scope, out);
}

/* Compares the elements with `expected`, a text such as "1 -2 nan". */
static void expect(const char *type, const char *shape, const char *value, const char *expected, const char *rules) {
  op_case c;
  ir_tensor tensor;
  char text[512] = "", number[IR_NUMBER_TEXT];
  size_t used = 0;
  begin(&c, type, shape, value);
  if (strcmp(op_case_rules(&c), rules) != 0)
    fail_msg("%s %s: reports '%s', expected '%s'", type, value, op_case_rules(&c), rules);
  assert_false(c.out[0].poisoned);
  assert_int_equal(load(&c, &tensor), IR_OK);
  for (int64_t i = 0; i < ir_tensor_elements(&tensor); i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "",
                             ir_number_text(tensor.type, ir_tensor_get(&tensor, i), number, sizeof number));
  if (strcmp(text, expected) != 0)
    fail_msg("%s %s: '%s', expected '%s'", type, value, text, expected);
  ir_tensor_release(&tensor);
  op_case_end(&c);
}

static void floats(void **state) {
  (void)state;
  expect("float", "4", "\"1.5\", \"-3e-2\",\"0x1.8p1\" , \"-0\"", "1.5 -0.0299999993 3 -0", "");
  expect("float", "3", "\"NAN\", \"INFINITY\", \"-INFINITY\"", "nan inf -inf", "");
  expect("float", "2", "\"3.40282347e+38\", \"1e-46\"", "3.40282347e+38 0", "");
  expect("double", "2", "\"0.1\", \"1e308\"", "0.10000000000000001 1e+308", "");
  /* read as f64, the number would be a tie of f32; it has to be rounded once */
  expect("float", "", "\"1.00000005960464477539062500001\"", "1.00000012", "");
  expect("float16", "3", "\"1.0009765\", \"65504\", \"INFINITY\"", "1.00097656 65504 inf", "");
  expect("bfloat16", "2", "\"1.01\", \"-2\"", "1.0078125 -2", "");
  expect("f32", "2,2", "\"7\"", "7 7 7 7", "");
}

static void integers(void **state) {
  (void)state;
  expect("int8_t", "3", "\"-128\", \"127\", \"+5\"", "-128 127 5", "");
  expect("uint8_t", "2", "\"0\", \"255\"", "0 255", "");
  expect("int16_t", "2", "\"-32768\", \"32767\"", "-32768 32767", "");
  expect("uint16_t", "1", "\"65535\"", "65535", "");
  expect("int32_t", "2", "\"-2147483648\", \"2147483647\"", "-2147483648 2147483647", "");
  expect("uint32_t", "1", "\"4294967295\"", "4294967295", "");
  expect("int64_t", "2", "\"-9223372036854775808\", \"9223372036854775807\"",
         "-9223372036854775808 9223372036854775807", "");
  expect("uint64_t", "1", "\"18446744073709551615\"", "18446744073709551615", "");
  expect("char", "3", "\"0\", \"1\", \"1\"", "0 1 1", "");
  expect("int64_t", "2,0", "", "", "");
  expect("int64_t", "0", "\"3\"", "", "");
}

/* As in nGraph, integers of 8 and 16 bits are taken modulo 2^bits, with a warning. */
static void cut_integers(void **state) {
  (void)state;
  expect("uint8_t", "3", "\"256\", \"-1\", \"300\"", "0 255 44", "warning IR207");
  expect("int8_t", "2", "\"128\", \"1000\"", "-128 -24", "warning IR207");
  expect("int16_t", "2", "\"70000\"", "4464 4464", "warning IR207");
}

static void faults(void **state) {
  (void)state;
  static const struct {
    const char *type, *shape, *value, *rules, *message;
  } cases[] = {
      {"float", "2", "\"1\", \"x\"", "IR206", "'value' holds 'x', expected strings with one number each"},
      {"float", "2", "\"1\", \"\"", "IR206", "'value' holds '', expected strings with one number each"},
      {"float", "2", "\"1 2\", \"1,5\"", "IR206", "'value' holds '1 2', '1,5', expected strings with one number each"},
      {"float", "1", "1.5", "IR206", "'value' holds '1.5', expected strings with one number each"},
      {"int32_t", "1", "\"1.5\"", "IR206", "'value' holds '1.5', expected strings with one whole number each"},
      {"int32_t", "1", "\"0x10\"", "IR206", "'value' holds '0x10', expected strings with one whole number each"},
      {"int32_t", "1", "\"-\"", "IR206", "'value' holds '-', expected strings with one whole number each"},
      {"float", "1", "\"1e39\"", "IR207", "'value' holds '1e39', expected numbers that f32 holds"},
      {"float16", "1", "\"65520\"", "IR207", "'value' holds '65520', expected numbers that f16 holds"},
      {"double", "1", "\"-1e309\"", "IR207", "'value' holds '-1e309', expected numbers that f64 holds"},
      {"int16_t", "1", "\"70000\"", "IR207", "'value' holds '70000', expected numbers from -32768 to 32767"},
      {"int16_t", "2", "\"70000\", \"1\"", "IR207", "'value' holds '70000', expected numbers from -32768 to 32767"},
      {"uint32_t", "1", "\"-1\"", "IR207", "'value' holds '-1', expected numbers from 0 to 4294967295"},
      {"uint64_t", "1", "\"18446744073709551616\"", "IR207",
       "'value' holds '18446744073709551616', expected numbers from 0 to 18446744073709551615"},
      {"uint8_t", "1", "\"18446744073709551616\"", "IR207",
       "'value' holds '18446744073709551616', expected numbers from 0 to 255"},
      {"char", "1", "\"2\"", "IR207", "'value' holds '2', expected numbers from 0 to 1"},
      {"char", "2", "\"2\"", "IR207", "'value' holds '2', expected numbers from 0 to 1"},
      {"float", "2,2", "\"1\", \"2\", \"3\"", "IR208", "'value' has 3 values, expected 4 for f32[2,2], or one for all"},
      {"float", "2", "", "IR208", "'value' has 0 values, expected 2 for f32[2], or one for all"},
      {"float", "3", "\"a\", \"1e99\"", "IR206 IR207 IR208",
       "'value' holds 'a', expected strings with one number each"},
      {"float", "1", NULL, "IR204", "Constant-0 needs the attribute 'value'"},
      {"uint1_t", "8", "\"1\"", "IR207", "a Constant of u1 has no elements that nGraph could write"},
      {"dynamic", "1", "\"1\"", "IR207", "a Constant of dynamic has no elements that nGraph could write"},
      {"float", "4611686018427387904,4", "\"1\"", "IR308", "the bytes of this shape do not fit 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    ir_tensor tensor;
    begin(&c, cases[i].type, cases[i].shape, cases[i].value);
    if (strcmp(op_case_rules(&c), cases[i].rules) != 0)
      fail_msg("case %zu: '%s', expected '%s'", i, op_case_rules(&c), cases[i].rules);
    assert_string_equal(c.diags.first->message, cases[i].message);
    assert_int_equal(load(&c, &tensor), IR_INVALID);
    assert_string_equal(op_case_rules(&c), cases[i].rules);
    op_case_end(&c);
  }
}

/* The reported place is the wrong item, not the whole array. */
static void places(void **state) {
  (void)state;
  static const char file[] = "{\"value\": [\"1\", \"2\",\n  \"zwei\"]}\n";
  const char *begin_of_value = strstr(file, "\"1\"");
  char value[64];
  scratch_file scratch = scratch_file_make("constant.json", file, sizeof file - 1);
  snprintf(value, sizeof value, "%.*s", (int)strcspn(begin_of_value, "]"), begin_of_value);
  op_case c;
  int error;
  begin(&c, "float", "3", value);
  c.graph.source = ir_source_open(&c.memory, IR_SOURCE_TEXT, scratch.path, &error);
  assert_non_null(c.graph.source);
  c.layer.attrs[2].at = (ir_at){(uint32_t)(begin_of_value - file), (uint32_t)strlen(value)};
  op_case_infer(&c, 0, false);
  assert_int_equal(c.diags.first->line, 2);
  assert_int_equal(c.diags.first->column, 4);
  assert_int_equal(c.diags.first->end_column, 8);
  op_case_end(&c);
  scratch_file_remove(&scratch);
}

static void elements_of_an_archive(void **state) {
  (void)state;
  static const int32_t in_archive[] = {7, -8, 9};
  for (size_t n = 2; n <= 3; n++) {
    op_case c;
    ir_tensor tensor;
    begin(&c, "int32_t", "3", NULL);
    c.layer.data = in_archive;
    c.layer.data_bytes = (int64_t)(n * sizeof *in_archive);
    op_case_infer(&c, 0, false);
    assert_string_equal(op_case_rules(&c), n == 3 ? "" : "IR403");
    assert_int_equal(load(&c, &tensor), n == 3 ? IR_OK : IR_INVALID);
    if (n == 3)
      assert_memory_equal(tensor.data, in_archive, sizeof in_archive);
    ir_tensor_release(&tensor);
    op_case_end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats), cmocka_unit_test(integers), cmocka_unit_test(cut_integers),
      cmocka_unit_test(faults), cmocka_unit_test(places),   cmocka_unit_test(elements_of_an_archive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests nGraph's pools: the specification's example, each difference from the IR's rules, the spellings of both
 * versions, and attribute names in messages. */
#include "base/number_text.h"
#include "op_case.h"
#include "ops/registry.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ATTRS(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define WINDOW(w, s) "window_shape", w, "window_movement_strides", s
#define PADS(b, a)   "padding_below", b, "padding_above", a
#define INCLUDE(yes) "include_padding_in_avg_computation", yes

static ir_shape shape_of(const char *text) {
  ir_shape shape = {.rank = 0};
  if (strcmp(text, "...") == 0)
    return ir_shape_unknown();
  for (; *text != '\0'; text += strcspn(text, ",") + (text[strcspn(text, ",")] == ','))
    assert_int_equal(ir_text_dim(text, strcspn(text, ","), IR_DIM_IN_SHAPE, &shape.dims[shape.rank++]), IR_DIM_OK);
  return shape;
}

/* ---- values ---- */

static void run_f32(const char *type, const char *version, const char *const *attrs, const char *shape, const float *x,
                    const float *expected, const char *rules) {
  op_case c;
  ir_shape in_shape = shape_of(shape);
  size_t bytes;
  assert_true(ir_tensor_bytes(IR_F32, &in_shape, &bytes));
  ir_tensor in = ir_tensor_borrow(IR_F32, &in_shape, (void *)(uintptr_t)x, bytes);
  op_case_begin_in(&c, IR_NGRAPH, type, version, attrs);
  assert_string_equal(op_case_rules(&c), "");
  const ir_tensor *out = op_case_run(&c, &in, 1);
  assert_string_equal(op_case_rules(&c), rules);
  for (int64_t i = 0; i < ir_tensor_elements(out); i++)
    if (memcmp((const float *)out->data + i, &expected[i], sizeof *expected) != 0)
      fail_msg("element %lld is %.9g, expected %.9g", (long long)i, (double)((const float *)out->data)[i],
               (double)expected[i]);
  op_case_end(&c);
}

static void worked_example_of_the_page(void **state) {
  (void)state;
  static const float x[] = {1, 3, 5, 7, 11, 13, 17, 19, 23};
  static const float without[] = {1, 2, 4, 4, 5.5F, 8, 12, 13.5F, 16.5F};
  static const float with[] = {0.25F, 1, 2, 2, 5.5F, 8, 6, 13.5F, 16.5F};
  run_f32("AvgPool", "0", ATTRS(WINDOW("2, 2", "1, 1"), PADS("1, 1", "0, 0"), INCLUDE("false")), "1,1,3,3", x, without,
          "");
  run_f32("AvgPool", "0", ATTRS(WINDOW("2, 2", ""), PADS("1, 1", ""), INCLUDE("true"), "pad_type", "0"), "1,1,3,3", x,
          with, "");
  run_f32("AvgPool", "1", ATTRS("kernel", "2,2", "pads_begin", "1,1"), "1,1,3,3", x, without, "");
  run_f32("AvgPool", "1", ATTRS("kernel", "2,2", "pads_begin", "1,1", "exclude_pad", "false"), "1,1,3,3", x, with, "");
}

static void examples_of_both_spellings(void **state) {
  (void)state;
  static const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 3, 2, 4, 1}, means[] = {3.5F, 5.5F, 5.5F, 4.5F};
  run_f32("AvgPool", "0", ATTRS(WINDOW("2, 2", "2, 2"), PADS("0, 0", "0, 0"), INCLUDE("false"), "pad_type", "0"),
          "1,1,4,4", x, means, "");
  static const float old[] = {1, -2, 3, -4}, maxima[] = {1, 3};
  run_f32("MaxPool", "0", ATTRS(WINDOW("2", "2")), "1,1,4", old, maxima, "");
}

/* As a number, nGraph's pad_type 1 is SAME_LOWER and 2 is SAME_UPPER. VALID (3) keeps the pads. */
static void pad_types(void **state) {
  (void)state;
  static const float x[] = {1, 2, 3}, lower[] = {1, 2, 3}, upper[] = {2, 3, 3}, padded[] = {1, 2, 3, 3};
  run_f32("MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("0", "0"), "pad_type", "1"), "1,1,3", x, lower, "");
  run_f32("MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("0", "0"), "pad_type", "2"), "1,1,3", x, upper, "");
  run_f32("MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), "pad_type", "3"), "1,1,3", x, padded, "");
  run_f32("MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "1"), "1,1,3", x, lower, "");
  run_f32("MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "SAME_UPPER"), "1,1,3", x, upper, "");
  run_f32("MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "VALID", "pads_begin", "1", "pads_end", "1"), "1,1,3", x,
          padded, "");
}

/* Windows that lie in the padding only. Their NaN has the same bits on every machine. */
static void windows_of_nothing(void **state) {
  (void)state;
  static const float none[1] = {0}, nan[] = {NAN, NAN}, zeros[] = {0, 0}, lowest[] = {-3.40282347e38F, -3.40282347e38F};
  run_f32("AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), INCLUDE("false")), "1,2,0", none, nan,
          "warning IR305");
  run_f32("AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), INCLUDE("true")), "1,2,0", none, zeros,
          "warning IR305");
  run_f32("MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1")), "1,2,0", none, lowest, "warning IR305");
  static const float x[] = {1, 2, 3, 4}, past[] = {1, 3, NAN};
  run_f32("AvgPool", "0", ATTRS(WINDOW("1", "2"), PADS("0", "0"), INCLUDE("false"), "ceil_mode", "true"), "1,1,4", x,
          past, "warning IR305");
}

/* ---- inference and reports ---- */

typedef struct infer_case {
  const char *type, *version, *const *attrs, *in;
  ir_type element;
  const char *expected; /* the inferred shape and the rules */
} infer_case;

static void try_cases(const infer_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    op_case c;
    op_case_begin_in(&c, IR_NGRAPH, cases[i].type, cases[i].version, cases[i].attrs);
    char bound[256], text[IR_SHAPE_TEXT + 600] = "", shape[IR_SHAPE_TEXT];
    snprintf(bound, sizeof bound, "%s", op_case_rules(&c));
    c.in[0] = op_case_value(cases[i].element, shape_of(cases[i].in));
    op_case_infer(&c, 1, false);
    snprintf(text, sizeof text, "%s %s%s%s",
             c.out[0].poisoned ? "-" : ir_shape_text(&c.out[0].shape, shape, sizeof shape), bound,
             *bound != '\0' ? " " : "", op_case_rules(&c));
    if (strcmp(text, cases[i].expected) != 0)
      fail_msg("case %zu, %s-%s of %s: '%s', expected '%s'", i, cases[i].type, cases[i].version, cases[i].in, text,
               cases[i].expected);
    op_case_end(&c);
  }
}
#define TRY(cases) try_cases(cases, sizeof(cases) / sizeof((cases)[0]))

#define NONE PADS("", "")

static void shapes(void **state) {
  (void)state;
  const infer_case cases[] = {
      {"AvgPool", "0", ATTRS(WINDOW("2,3", "2,1"), NONE, INCLUDE("true")), "...", IR_F32, "[1..,1..,1..,1..] "},
      {"MaxPool", "0", ATTRS(WINDOW("2", "2")), "?,3,?", IR_F32, "[1..,3,1..] "},
      {"MaxPool", "0", ATTRS(WINDOW("1,1,1,1,1,1,1,1,1,1,1,1,1,2", "")), "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2", IR_I8,
       "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] "},
      {"AvgPool", "1", ATTRS("kernel", "3", "strides", "2", "rounding_type", "CEIL"), "1,1,7", IR_U16, "[1,1,3] "},
      /* SAME_UPPER uses the file's pads as long as any size is open, even if the spatial size is known */
      {"MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "SAME_UPPER"), "?,1,8", IR_F32, "[1..,1,7] note IR209"},
      {"MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "SAME_UPPER"), "2,1,8", IR_F32, "[2,1,8] "},
      {"MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "SAME_UPPER", "pads_begin", "1"), "2,1,8", IR_F32,
       "[2,1,8] note IR209"},
      {"MaxPool", "0", ATTRS(WINDOW("2", "1"), "pad_type", "2"), "2,1,8", IR_F32, "[2,1,7] note IR209 "},
  };
  TRY(cases);
}

static void refusals(void **state) {
  (void)state;
  const infer_case cases[] = {
      {"AvgPool", "0", ATTRS(WINDOW("2", "2"), NONE, INCLUDE("true")), "1,4", IR_F32, "- IR303"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "2"), NONE, INCLUDE("true")), "1,1,4,4", IR_F32, "- IR208"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "2"), PADS("0,0", "0"), INCLUDE("true")), "...", IR_F32, "- IR208"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "0"), NONE, INCLUDE("true")), "1,1,4", IR_F32, "- IR207 "},
      {"AvgPool", "0", ATTRS(WINDOW("0", "1"), NONE, INCLUDE("true")), "1,1,4", IR_F32, "- IR207 "},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("-1", "0"), INCLUDE("true")), "1,1,4", IR_F32, "- IR207 "},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), NONE, INCLUDE("true"), "pad_type", "4"), "1,1,4", IR_F32, "- IR207 "},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), NONE), "1,1,4", IR_F32, "- IR204 "},
      {"AvgPool", "0", ATTRS("window_shape", "2", NONE, INCLUDE("true")), "1,1,4", IR_F32, "- IR204 "},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), INCLUDE("true")), "1,1,4", IR_F32, "- IR204 IR204 "},
      {"AvgPool", "0", ATTRS(WINDOW("", "1"), NONE, INCLUDE("true")), "1,1,4", IR_F32, "- IR204 "},
      {"MaxPool", "0", ATTRS(WINDOW("2", "1"), "padding_below", "1"), "1,1,4", IR_F32, "- IR204 "},
      {"MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("", "1")), "1,1,4", IR_F32, "- IR204 "},
      {"MaxPool", "1", ATTRS("strides", "1"), "1,1,4", IR_F32, "- IR204 "},
      {"MaxPool", "1", ATTRS("kernel", "2", "auto_pad", "SAME"), "1,1,4", IR_F32, "- IR207 "},
      {"MaxPool", "0", ATTRS(WINDOW("2", "1")), "0,0,4", IR_F32, "- IR307"},
      {"MaxPool", "0", ATTRS(WINDOW("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "")), "...", IR_F32, "- IR004"},
      {"MaxPool", "0", ATTRS(WINDOW("2", "1"), PADS("3", "1")), "1,1,0", IR_F32, "[1,1,3] warning IR305"},
      {"MaxPool", "0", ATTRS(WINDOW("5", "1"), PADS("1", "0")), "1,1,3", IR_F32, "- IR304"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("2", "0"), INCLUDE("false")), "1,1,?", IR_F32, "- IR311"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("2", "0"), INCLUDE("true")), "1,1,3", IR_F32,
       "[1,1,4] warning IR305"},
      /* an empty average in a type without NaN is an error */
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), INCLUDE("false")), "1,1,0", IR_I32, "[1,1,1] IR305"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), INCLUDE("false")), "1,1,0", IR_BOOLEAN, "[1,1,1] IR305"},
      {"AvgPool", "0", ATTRS(WINDOW("2", "1"), PADS("1", "1"), INCLUDE("true")), "1,1,0", IR_I32,
       "[1,1,1] warning IR305"},
      /* a window that ends past the padding is an error */
      {"AvgPool", "0", ATTRS(WINDOW("2", "2"), NONE, INCLUDE("true"), "ceil_mode", "true"), "1,1,5", IR_F32,
       "[1,1,3] IR320"},
      {"MaxPool", "1", ATTRS("kernel", "2,2", "strides", "2,2", "rounding_type", "1"), "1,1,4,5", IR_F32,
       "[1,1,2,3] IR320"},
      {"MaxPool", "1", ATTRS("kernel", "2", "strides", "2", "pads_end", "1", "rounding_type", "CEIL"), "1,1,5", IR_F32,
       "[1,1,3] "},
  };
  TRY(cases);
}

/* With --allow=IR320, positions past the padding count as padding. */
static void past_the_padding_if_allowed(void **state) {
  (void)state;
  float x[] = {1, 2, 3, 4, 6};
  ir_shape shape = shape_of("1,1,5");
  ir_tensor in = ir_tensor_borrow(IR_F32, &shape, x, sizeof x);
  for (int include = 0; include < 2; include++) {
    op_case c;
    op_case_begin_in(&c, IR_NGRAPH, "AvgPool", "0",
                     ATTRS(WINDOW("2", "2"), NONE, INCLUDE(include ? "true" : "false"), "ceil_mode", "true"));
    c.diags.policy[IR320_WINDOW_PAST_PADDING] = IR_POLICY_ALLOW;
    const ir_tensor *out = op_case_run(&c, &in, 1);
    assert_string_equal(op_case_rules(&c), "warning IR320");
    assert_true(((const float *)out->data)[2] == (include ? 3 : 6));
    op_case_end(&c);
  }
}

/* If a size is open, the check uses the file's pads, and the run uses the pads of SAME_UPPER. Therefore an empty window
 * and two lists of pads without effect appear only in the run. */
static void same_pads_in_a_run(void **state) {
  (void)state;
  int8_t x[] = {1, 2, 3, 4};
  ir_shape shape = shape_of("1,1,4");
  ir_tensor in = ir_tensor_borrow(IR_I8, &shape, x, sizeof x);
  op_case c;
  op_case_begin_in(
      &c, IR_NGRAPH, "MaxPool", "1",
      ATTRS("kernel", "1", "strides", "2", "auto_pad", "SAME_UPPER", "pads_end", "1", "rounding_type", "CEIL"));
  c.in[0] = op_case_value(IR_I8, shape_of("?,1,4"));
  op_case_infer(&c, 1, false);
  assert_string_equal(op_case_rules(&c), "note IR209");
  assert_true(ir_dims_equal(c.out[0].shape.dims[2], ir_dim_of(3)));
  const ir_tensor *out = op_case_run(&c, &in, 1);
  assert_string_equal(op_case_rules(&c), "note IR209 warning IR305");
  static const int8_t expected[] = {1, 3, INT8_MIN};
  assert_int_equal(out->bytes, sizeof expected);
  assert_memory_equal(out->data, expected, sizeof expected);
  op_case_end(&c);
}

static void an_attribute_of_the_other_version(void **state) {
  (void)state;
  op_case c;
  op_case_begin_in(&c, IR_NGRAPH, "MaxPool", "1", ATTRS("kernel", "2", "window_movement_strides", "2"));
  assert_string_equal(op_case_rules(&c), "warning IR205");
  assert_string_equal(c.diags.first->hint, "MaxPool-0 has it: \"op_version\": 0");
  op_case_end(&c);
}

static const char *message_of(op_case *c, const char *version, const char *const *attrs, const char *in) {
  op_case_begin_in(c, IR_NGRAPH, "AvgPool", version, attrs);
  c->in[0] = op_case_value(IR_F32, shape_of(in));
  op_case_infer(c, 1, false);
  assert_non_null(c->diags.first);
  return c->diags.first->message;
}

static void messages_have_the_names_of_the_file(void **state) {
  (void)state;
  op_case c;
  assert_string_equal(message_of(&c, "0", ATTRS(WINDOW("1,5", "1,1"), PADS("0,1", "0,0"), INCLUDE("true")), "1,1,3,3"),
                      "window_shape 5 exceeds the padded input 4 on spatial axis 1 (W)");
  assert_string_equal(c.diags.first->notes->next->message,
                      "needed: window_shape <= in + padding_below + padding_above = 3 + 1 + 0");
  op_case_end(&c);
  assert_string_equal(message_of(&c, "0", ATTRS(WINDOW("2", "1"), PADS("0", "2"), INCLUDE("false")), "1,1,3"),
                      "padding_above 2 is not smaller than the window 2 on spatial axis 0 (W)");
  assert_string_equal(c.diags.first->notes->message,
                      "with include_padding_in_avg_computation 'false' such a window would have nothing to average");
  op_case_end(&c);
  assert_string_equal(
      message_of(&c, "0", ATTRS(WINDOW("2", "2"), NONE, INCLUDE("false"), "ceil_mode", "true"), "1,1,5"),
      "window [2] ends past the padding: nGraph gives it no value");
  assert_string_equal(c.diags.first->notes->message, "on spatial axis 0 (W) it covers 4 to 5, the padded input 0 to 4");
  op_case_end(&c);
  assert_string_equal(
      message_of(&c, "0", ATTRS(WINDOW("2", "1"), PADS("0", "1"), INCLUDE("true"), "pad_type", "2"), "1,1,5"),
      "padding_above is without effect: pad_type is 'SAME_UPPER'");
  op_case_end(&c);
  assert_string_equal(message_of(&c, "1", ATTRS("kernel", "2", "auto_pad", "2", "pads_end", "1"), "1,1,5"),
                      "pads_end is without effect: auto_pad is 'SAME_UPPER'");
  op_case_end(&c);
}

/* ---- the other ops ---- */

static void get_output_element(void **state) {
  (void)state;
  float x[] = {1, 2};
  ir_shape shape = shape_of("2");
  ir_tensor in = ir_tensor_borrow(IR_F32, &shape, x, sizeof x);
  op_case c;
  op_case_begin_in(&c, IR_NGRAPH, "GetOutputElement", "0", ATTRS("n", "0"));
  assert_memory_equal(op_case_run(&c, &in, 1)->data, x, sizeof x);
  assert_string_equal(op_case_rules(&c), "");
  op_case_end(&c);
  op_case_begin_in(&c, IR_NGRAPH, "GetOutputElement", "0", ATTRS("n", "1"));
  c.links[0] = (ir_link){0, 2};
  op_case_infer(&c, 1, false);
  assert_string_equal(op_case_rules(&c), "note IR209");
  op_case_end(&c);
}

static void parameters(void **state) {
  (void)state;
  static const struct {
    const char *type, *shape, *expected;
  } cases[] = {{"float", "1,?,3", "f32[1,?,3]"},
               {"bfloat16", "...", "bf16[...]"},
               {"char", "", "boolean[]"},
               {"u8", "2", "u8[2]"},
               {"uint1_t", "8", "u1[8]"},
               {"dynamic", "2", "dynamic[2]"},
               {"float32", "2", "IR206"},
               {"Float", "2", "IR206"},
               {"nf4", "2", "IR206"},
               {"float", "-3", "IR207"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    char text[IR_SHAPE_TEXT + 16], shape[IR_SHAPE_TEXT];
    op_case_begin_in(&c, IR_NGRAPH, "Parameter", "0", ATTRS("element_type", cases[i].type, "shape", cases[i].shape));
    snprintf(text, sizeof text, "%s", op_case_rules(&c));
    op_case_infer(&c, 0, false);
    if (!c.out[0].poisoned)
      snprintf(text, sizeof text, "%s%s", ir_type_name(c.out[0].type),
               ir_shape_text(&c.out[0].shape, shape, sizeof shape));
    assert_string_equal(text, cases[i].expected);
    op_case_end(&c);
  }
}

static void lookups(void **state) {
  (void)state;
  static const struct {
    const char *type, *version;
    ir_lookup result;
    int number;
    const char *meant;
  } cases[] = {{"AvgPool", "0", IR_OP_FOUND, 0, NULL},         {"AvgPool", "1", IR_OP_FOUND, 1, NULL},
               {"AvgPool", "2", IR_OP_NOT_IN_OPSET, 0, NULL},  {"Parameter", "1", IR_OP_NOT_IN_OPSET, 0, NULL},
               {"AvgPool", "-1", IR_OP_NOT_IN_OPSET, 0, NULL}, {"AvgPool", "one", IR_OP_UNKNOWN_OPSET, 0, NULL},
               {"Convolution", "0", IR_OP_NOT_HERE, 0, NULL},  {"Reshape", "1", IR_OP_NOT_HERE, 1, NULL},
               {"Const", "0", IR_OP_UNKNOWN_TYPE, 0, NULL},    {"avgpool", "0", IR_OP_UNKNOWN_TYPE, 0, "AvgPool"},
               {"Xor", "0", IR_OP_NOT_HERE, 0, NULL},          {"Abs", "0", IR_OP_NOT_HERE, 0, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_op_match match = ir_op_find(IR_NGRAPH, cases[i].type, cases[i].version);
    assert_int_equal(match.result, cases[i].result);
    assert_int_equal(match.version, cases[i].number);
    assert_int_equal(match.op != NULL, match.result == IR_OP_FOUND);
    if (cases[i].meant != NULL)
      assert_string_equal(match.meant, cases[i].meant);
    if (match.op != NULL)
      assert_int_equal(match.op->dialect, IR_NGRAPH);
  }
  assert_int_equal(ir_op_find(IR_OPENVINO, "AvgPool", "opset1").op->dialect, IR_OPENVINO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worked_example_of_the_page),
      cmocka_unit_test(examples_of_both_spellings),
      cmocka_unit_test(pad_types),
      cmocka_unit_test(windows_of_nothing),
      cmocka_unit_test(shapes),
      cmocka_unit_test(refusals),
      cmocka_unit_test(past_the_padding_if_allowed),
      cmocka_unit_test(same_pads_in_a_run),
      cmocka_unit_test(an_attribute_of_the_other_version),
      cmocka_unit_test(messages_have_the_names_of_the_file),
      cmocka_unit_test(get_output_element),
      cmocka_unit_test(parameters),
      cmocka_unit_test(lookups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

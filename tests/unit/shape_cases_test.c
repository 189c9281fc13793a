/* Tests single cases of Reshape, Squeeze, Unsqueeze, Transpose and Concat: the specification's examples, sizes of 0,
 * open sizes and ranks, and refusals. */
#include "op_case.h"
#include "ops/attr_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NONE       INT64_MIN /* marks the end of a list */
#define LIST(...)  ((const int64_t[]){__VA_ARGS__, NONE})
#define EMPTY_LIST ((const int64_t[]){NONE})

static ir_shape shape_of(const char *text) {
  ir_diags diags;
  ir_memory memory = ir_memory_default();
  ir_diags_init(&diags, &memory);
  ir_text_value value = {.name = "shape", .text = text, .n_items = *text != '\0'};
  for (const char *t = text; *t != '\0'; t++)
    value.n_items += *t == ',';
  ir_shape shape;
  assert_int_equal(ir_text_shape(&value, true, &shape, &diags), IR_OK);
  ir_diags_reset(&diags);
  return shape;
}

static ir_value list_of(op_case *c, const int64_t *items) {
  int64_t n = 0;
  while (items[n] != NONE)
    n++;
  return op_case_list(c, IR_I64, 1, items, n);
}

/* Expects the output's shape and the reports, such as "[2,?]", "[2,4] warning IR319" or "IR317". */
static void expect(op_case *c, const char *what, const char *expected) {
  char text[IR_SHAPE_TEXT + 300], shape[IR_SHAPE_TEXT];
  const char *rules = op_case_rules(c);
  snprintf(text, sizeof text, "%s%s%s", c->out[0].poisoned ? "" : ir_shape_text(&c->out[0].shape, shape, sizeof shape),
           !c->out[0].poisoned && *rules != '\0' ? " " : "", rules);
  if (strcmp(text, expected) != 0)
    fail_msg("%s: '%s', expected '%s'", what, text, expected);
}

typedef struct list_case {
  const char *in;
  const int64_t *list; /* NULL: the op has no second input */
  const char *expected;
} list_case;

/* Tries cases of an op whose second input is a list of integers. */
static void try_cases(const char *type, const char *opset, const char *const *attrs, const list_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    op_case c;
    op_case_begin(&c, type, opset, attrs);
    c.in[0] = op_case_value(IR_F32, shape_of(cases[i].in));
    if (cases[i].list != NULL)
      c.in[1] = list_of(&c, cases[i].list);
    op_case_infer(&c, cases[i].list != NULL ? 2 : 1, false);
    char what[96];
    snprintf(what, sizeof what, "%s, case %zu, of %s", type, i, cases[i].in);
    expect(&c, what, cases[i].expected);
    op_case_end(&c);
  }
}
#define TRY(type, opset, cases, ...)                                                                                   \
  try_cases(type, opset, (const char *const[]){__VA_ARGS__, NULL}, cases, sizeof(cases) / sizeof((cases)[0]))

/* ---- Reshape ---- */

static void reshape_with_zeros_that_copy(void **state) {
  (void)state;
  const list_case cases[] = {
      {"2,5,5,24", LIST(0, -1, 4), "[2,150,4]"},
      {"2,2,3", LIST(0, 0, 1, -1), "[2,2,1,3]"},
      {"3,1,1", LIST(-1, 0), "[3,1]"},
      {"3,1,1", LIST(0, -1), "[3,1]"},
      {"?,3,7,7", LIST(0, -1), "[?,147]"},
      {"?,?,7", LIST(0, 0, -1), "[?,?,7]"},
      {"1..4,6", LIST(0, 2, -1), "[1..4,2,3]"},
      {"?,3", LIST(-1, 3), "[?,3]"},
      {"0,3", LIST(0, -1), "[0,3]"},
      {"2,0,3", LIST(0, 0, -1), "[2,0,3]"},
      {"0,3", LIST(0, 4), "[0,4]"},
      {"0,3", LIST(0, 2, -1), "IR317"},
      {"2,3", LIST(0, 4), "IR317"},
      {"5,0", LIST(0), "IR317"},
      {"2,3", LIST(2, 3, 0), "IR317"},
      {"?,3", LIST(0, 4), "[0,4] warning IR317"},
      {"...", LIST(0, 4, -1), "[?,4,?]"},
  };
  TRY("Reshape", "opset1", cases, "special_zero", "true");
}

static void reshape_with_zeros_that_are_sizes(void **state) {
  (void)state;
  const list_case cases[] = {
      {"2,5,5,0", LIST(0, 4), "[0,4]"},
      {"2,5,5,0", LIST(0, -1), "[0,1]"},
      {"0,3", LIST(2, -1), "[2,0]"},
      {"2,3", LIST(0, -1), "IR317"},
      {"?,3", LIST(0, -1), "[0,1] warning IR317"},
      {"1,1", EMPTY_LIST, "[]"},
      {"", EMPTY_LIST, "[]"},
      {"", LIST(-1, 1), "[1,1]"},
      {"2", EMPTY_LIST, "IR317"},
      {"2,3", LIST(-1, -1), "IR317"},
      {"2,3", LIST(-2, 3), "IR317"},
      {"2,3", LIST(-2, -1, -1), "IR317"},
      {"2,3", LIST(-1, 4), "IR317"},
      {"5..7,3", LIST(4, -1), "IR317"},
      {"?,3", LIST(4, -1), "[4,?]"},
      {"1..10,3", LIST(4, -1), "[4,3..6]"},
      {"1..,6", LIST(4, -1), "[4,3..]"},
      {"?,3", LIST(5), "IR317"},
      {"?,?", LIST(5), "[5]"},
      {"1..8,1..9", LIST(7, 11), "IR317"},
      {"2..3,3..4,4..5", LIST(-1), "[24..60]"},
      {"2..3,3..4,4..5", LIST(7, -1), "IR317"},
      {"...", LIST(3, -1), "[3,?]"},
      {"...", LIST(0, -1), "[0,1] warning IR317"},
      {"4294967296,4294967296", LIST(-1), "IR308"},
      {"?,4294967296,4294967296", LIST(-1), "IR308"},
      {"2", LIST(4294967296, 4294967296), "IR308"},
      {"2", LIST(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2), "IR004"},
  };
  TRY("Reshape", "opset1", cases, "special_zero", "false");
}

/* For wide intervals inference does not try every size. Results lie within the inferred interval, but do not always
 * reach its ends. */
static void reshape_of_wide_intervals(void **state) {
  (void)state;
  op_case c;
  op_case_begin(&c, "Reshape", "opset1", (const char *const[]){"special_zero", "false", NULL});
  c.in[0] = op_case_value(IR_F32, shape_of("100..9000,200..9000,3"));
  c.in[1] = list_of(&c, LIST(7, -1));
  op_case_infer(&c, 2, false);
  expect(&c, "Reshape", "[7,8572..34714285]");
  int n_legal = 0;
  for (int64_t a = 100; a <= 9000; a += 37)
    for (int64_t b = 200; b <= 9000; b += 53)
      if (a * b * 3 % 7 == 0) {
        n_legal++;
        assert_true(a * b * 3 / 7 >= c.out[0].shape.dims[1].lo && a * b * 3 / 7 <= c.out[0].shape.dims[1].hi);
      }
  assert_true(n_legal > 1000);
  op_case_end(&c);
}

static void reshape_to_what_a_run_brings(void **state) {
  (void)state;
  static const struct {
    const char *length, *expected;
  } cases[] = {{"3", "[?,?,?]"},  {"1", "[12..18]"}, {"0", "[]"},     {"?", "[...]"},
               {"1..2", "[...]"}, {"...", "[...]"},  {"17", "IR004"}, {"17..", "IR004"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    op_case_begin(&c, "Reshape", "opset1", (const char *const[]){"special_zero", "false", NULL});
    c.in[0] = op_case_value(IR_F32, shape_of("2..3,6"));
    c.in[1] = op_case_value(IR_I64, shape_of(cases[i].length));
    op_case_infer(&c, 2, false);
    expect(&c, cases[i].length, cases[i].expected);
    op_case_end(&c);
  }
}

/* Tries a fault beside another fault, and a missing special_zero, which matters only for a target of 0. */
static void reshape_with_faults_elsewhere(void **state) {
  (void)state;
  op_case c;
  op_case_begin(&c, "Reshape", "opset1", (const char *const[]){NULL});
  assert_string_equal(op_case_rules(&c), "IR204");
  c.in[0] = op_case_value(IR_F32, shape_of("2,3"));
  c.in[1] = list_of(&c, LIST(3, 2));
  op_case_infer(&c, 2, false);
  expect(&c, "no zero", "[3,2]");
  c.in[1] = list_of(&c, LIST(0, 3));
  op_case_infer(&c, 2, false);
  expect(&c, "a zero of unknown meaning", "");
  c.in[0].poisoned = true;
  c.in[1] = list_of(&c, LIST(-5, 3));
  op_case_infer(&c, 2, false);
  expect(&c, "an input at fault", "IR317");
  op_case_end(&c);
}

static void reshape_by_lists_of_every_type(void **state) {
  (void)state;
  static const ir_type types[] = {IR_I8, IR_U8, IR_I16, IR_U16, IR_I32, IR_U32, IR_I64, IR_U64};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    op_case c;
    bool is_signed = ir_type_in(types[i], IR_SET_SIGNED);
    op_case_begin(&c, "Reshape", "opset1", (const char *const[]){"special_zero", "false", NULL});
    c.in[0] = op_case_value(IR_F32, shape_of("2,3"));
    c.in[1] = op_case_list(&c, types[i], 1, (const int64_t[]){3, is_signed ? -1 : 2}, 2);
    op_case_infer(&c, 2, false);
    expect(&c, ir_type_name(types[i]), "[3,2]");
    /* -1 if the type is signed, otherwise a size that no tensor can have */
    c.in[1] = op_case_list(&c, types[i], 1, (const int64_t[]){-1}, 1);
    op_case_infer(&c, 2, false);
    expect(&c, ir_type_name(types[i]), is_signed ? "[6]" : "IR317");
    op_case_end(&c);
  }
}

/* ---- Squeeze ---- */

static void squeeze_listed_axes(void **state) {
  (void)state;
  const list_case cases[] = {
      {"1,3,1,2", LIST(0, 2), "[3,2]"},
      {"1", LIST(0), "[]"},
      {"1,3,1,2", LIST(-2), "[1,3,2]"},
      {"1,3,1,2", LIST(1), "[1,3,1,2] warning IR319"},
      {"1,3,1,2", LIST(0, 1, 3), "[3,1,2] warning IR319"},
      {"1,0", LIST(1), "[1,0] warning IR319"},
      {"1,3,1,2", LIST(0, 0), "[3,1,2] warning IR315"},
      {"1,3,1,2", LIST(0, -4), "[3,1,2] warning IR315"},
      {"1,3,1,2", LIST(4), "IR315"},
      {"1,3,1,2", LIST(-5, 0), "IR315"},
      {"", LIST(0), "[] warning IR315"},
      {"", LIST(-1, 0), "[] warning IR315"},
      {"", LIST(1), "IR315"},
      {"", LIST(0, -2), "IR315"},
      {"?,3", LIST(0), "[3]"},
      {"2..4,3", LIST(0), "[2..4,3] warning IR319"},
      {"...", LIST(0), "[...]"},
  };
  TRY("Squeeze", "opset1", cases, NULL);
  TRY("Squeeze", "opset14", cases, NULL);
  TRY("Squeeze", "opset15", cases, NULL);
}

static void squeeze_all_axes(void **state) {
  (void)state;
  const list_case cases[] = {
      {"1,3,1,2", NULL, "[3,2]"},   {"1,3,1,2", EMPTY_LIST, "[3,2]"}, {"1,1", NULL, "[]"},    {"", NULL, "[]"},
      {"0,1", NULL, "[0]"},         {"2..4,1", NULL, "[2..4]"},       {"?,1", NULL, "[...]"}, {"...", NULL, "[...]"},
      {"1..2", EMPTY_LIST, "[...]"}};
  TRY("Squeeze", "opset1", cases, NULL);
  TRY("Squeeze", "opset16", cases, "allow_axis_skip", "true");
}

static void squeeze_that_may_skip(void **state) {
  (void)state;
  const list_case cases[] = {{"1,3", LIST(0, 1), "[3]"},
                             {"2,3", LIST(0), "[2,3]"},
                             {"?", LIST(0), "[...]"},
                             {"2,?", LIST(1), "[...]"},
                             {"2,?", LIST(0), "[2,?]"}};
  TRY("Squeeze", "opset15", cases, "allow_axis_skip", "true");
}

/* A run has the shape `run` for the checked shape `checked`. `expected` is the result of the run. */
static void squeeze_in_a_run(void **state) {
  (void)state;
  static const struct {
    const char *checked, *run, *expected;
    bool skip;
  } cases[] = {{"?,3", "1,3", "[3]", false},
               {"?,3", "4,3", "IR319", false},
               {"1..4,?", "1,2", "[2]", false},
               {"2..,?", "4,3", "[4,3]", false},
               {"...", "4,3", "[4,3] warning IR319", false},
               {"?,3", "4,3", "[4,3]", true},
               {"?,3", "1,3", "[3]", true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    op_case_begin(&c, "Squeeze", "opset15",
                  (const char *const[]){"allow_axis_skip", cases[i].skip ? "true" : "false", NULL});
    c.in[0] = op_case_value(IR_F32, shape_of(cases[i].checked));
    c.in[1] = list_of(&c, LIST(0));
    op_case_infer(&c, 2, false);
    c.in[0] = op_case_value(IR_F32, shape_of(cases[i].run));
    op_case_infer(&c, 2, true);
    expect(&c, cases[i].checked, cases[i].expected);
    op_case_end(&c);
  }
}

/* ---- Unsqueeze ---- */

static void unsqueeze(void **state) {
  (void)state;
  const list_case cases[] = {
      {"2,3", LIST(0, 3), "[1,2,3,1]"},
      {"2,3", LIST(3, 0), "[1,2,3,1]"},
      {"", LIST(0), "[1]"},
      {"2,3", LIST(-1), "[2,3,1]"},
      {"2,3", LIST(0, -3), "[1,1,2,3]"},
      {"?,1..4", LIST(1), "[?,1,1..4]"},
      {"0,3", LIST(1), "[0,1,3]"},
      {"2,3", LIST(3), "IR315"},
      {"2,3", LIST(-4), "IR315"},
      {"2,3", LIST(0, 0), "IR315"},
      {"2,3,4", LIST(4, -1), "IR315"},
      {"2,3", EMPTY_LIST, "[2,3] warning IR315"},
      {"...", LIST(0), "[...]"},
      {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", LIST(0), "IR004"},
  };
  TRY("Unsqueeze", "opset1", cases, NULL);
}

/* ---- Transpose ---- */

static void transpose(void **state) {
  (void)state;
  const list_case cases[] = {
      {"2,3,4", LIST(2, 0, 1), "[4,2,3]"},
      {"2,3,4", EMPTY_LIST, "[4,3,2]"},
      {"", EMPTY_LIST, "[]"},
      {"2", LIST(0), "[2]"},
      {"?,3,1..4", LIST(2, 0, 1), "[1..4,?,3]"},
      {"?,3,1..4", EMPTY_LIST, "[1..4,3,?]"},
      {"...", LIST(1, 0), "[?,?]"},
      {"...", EMPTY_LIST, "[...]"},
      {"...", LIST(1, 1), "IR315"},
      {"2,3,4", LIST(-1, 0, 1), "IR315"},
      {"2,3,4", LIST(0, 1), "IR315"},
      {"2,3,4", LIST(0, 1, 2, 3), "IR315"},
      {"2,3,4", LIST(0, 1, 1), "IR315"},
      {"2,3,4", LIST(0, 1, 3), "IR315"},
      {"...", LIST(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "IR315"},
  };
  TRY("Transpose", "opset1", cases, NULL);
}

static void transpose_by_what_a_run_brings(void **state) {
  (void)state;
  static const struct {
    const char *in, *length, *expected;
  } cases[] = {{"2,5,3", "3", "[2..5,2..5,2..5]"},
               {"2,5,3", "0", "[3,5,2]"},
               {"2,5,3", "?", "[2..5,2..5,2..5]"},
               {"2,5,3", "2", "IR315"},
               {"2,5,3", "4..", "IR315"},
               {"2,5,3", "0..2", "[2..5,2..5,2..5]"},
               {"...", "2", "[?,?]"},
               {"...", "?", "[...]"},
               {"...", "17", "IR315"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    op_case_begin(&c, "Transpose", "opset1", (const char *const[]){NULL});
    c.in[0] = op_case_value(IR_F32, shape_of(cases[i].in));
    c.in[1] = op_case_value(IR_I64, shape_of(cases[i].length));
    op_case_infer(&c, 2, false);
    expect(&c, cases[i].length, cases[i].expected);
    op_case_end(&c);
  }
}

/* ---- Concat ---- */

static void concat(void **state) {
  (void)state;
  static const struct {
    const char *axis, *in[3], *expected;
  } cases[] = {
      {"1", {"1,8,50,50", "1,16,50,50", "1,32,50,50"}, "[1,56,50,50]"},
      {"-3", {"1,8,50,50", "1,16,50,50", "1,32,50,50"}, "[1,56,50,50]"},
      {"0", {"2,3"}, "[2,3]"},
      {"0", {"0,3", "2,3"}, "[2,3]"},
      {"0", {"1..4,?", "2..5,1..3"}, "[3..9,1..3]"},
      {"0", {"1,3", "2..,3"}, "[3..,3]"},
      {"0", {"...", "2,3"}, "[2..,3]"},
      {"-1", {"2,3", "...", "..3,1..2"}, "[2,4..]"},
      {"0", {"...", "..."}, "[...]"},
      {"1", {"2,3", "4,3"}, "IR318"},
      {"1", {"2,3", "4,3", "5,3"}, "IR318"},
      {"0", {"2,3", "2,3,1"}, "IR318"},
      {"0", {"1..4,1..3", "2..5,4..5"}, "IR318"},
      {"2", {"2,3", "4,3"}, "IR207"},
      {"-3", {"2,3", "4,3"}, "IR207"},
      {"2", {"2,3", "2,3,1"}, "IR207 IR318"},
      {"0", {"2,3", ""}, "IR303"},
      {"0", {"9223372036854775806,0", "2,0"}, "IR308"},
      {"0", {"0..9223372036854775806,0", "..9,0"}, "[?,0]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    int32_t n = 0;
    op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", cases[i].axis, NULL});
    for (; n < 3 && cases[i].in[n] != NULL; n++)
      c.in[n] = op_case_value(IR_F32, shape_of(cases[i].in[n]));
    op_case_infer(&c, n, false);
    expect(&c, cases[i].in[0], cases[i].expected);
    op_case_end(&c);
  }
}

static void concat_of_types(void **state) {
  (void)state;
  op_case c;
  op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", "0", NULL});
  c.in[0] = op_case_value(IR_F32, shape_of("2"));
  c.in[1] = op_case_value(IR_I32, shape_of("2"));
  op_case_infer(&c, 2, false);
  expect(&c, "f32 and i32", "IR306");
  c.in[0].type = IR_DYNAMIC;
  op_case_infer(&c, 2, false);
  expect(&c, "unknown and i32", "[4]");
  assert_int_equal(c.out[0].type, IR_I32);
  c.in[0].type = c.in[1].type = IR_BOOLEAN;
  op_case_infer(&c, 2, false);
  expect(&c, "booleans", "[4] note IR306");
  op_case_end(&c);
}

/* One fault is reported: input 0 is the only input that differs from the others. */
static void concat_of_many_that_differ(void **state) {
  (void)state;
  op_case c;
  op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", "0", NULL});
  for (int i = 0; i < OP_CASE_INPUTS; i++)
    c.in[i] = op_case_value(IR_F32, shape_of(i == 0 ? "2,3" : "2,4"));
  op_case_infer(&c, OP_CASE_INPUTS, false);
  expect(&c, "Concat", "IR318");
  assert_non_null(strstr(c.diags.first->message, "input 1 has 4 on axis 1"));
  assert_non_null(c.diags.first->notes);
  assert_non_null(strstr(c.diags.first->notes->message, "62 more"));
  op_case_end(&c);
}

/* ---- formulas ---- */

static void formulas(void **state) {
  (void)state;
  static const struct {
    const char *type, *attr, *value, *in[2], *expected;
  } cases[] = {{"Reshape", "special_zero", "true", {"2,3,4", NULL}, "2*3*4 = 2*12"},
               {"Reshape", "special_zero", "true", {"?,3,4", NULL}, "?*3*4 = ?*12"},
               {"Reshape", "special_zero", "true", {"...", NULL}, ""},
               {"Concat", "axis", "-1", {"2,3", "2,5"}, "3 + 5 = 8"},
               {"Concat", "axis", "0", {"1..4,3", "..."}, "1..4 + ? = 1.."}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_case c;
    char text[128];
    op_case_begin(&c, cases[i].type, "opset1", (const char *const[]){cases[i].attr, cases[i].value, NULL});
    c.in[0] = op_case_value(IR_F32, shape_of(cases[i].in[0]));
    c.in[1] = cases[i].in[1] == NULL ? list_of(&c, LIST(0, -1)) : op_case_value(IR_F32, shape_of(cases[i].in[1]));
    op_case_infer(&c, 2, false);
    c.node.op->formula(&c.node, (const ir_value *const[]){&c.in[0], &c.in[1]}, text, sizeof text);
    assert_string_equal(text, cases[i].expected);
    op_case_end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reshape_with_zeros_that_copy),
      cmocka_unit_test(reshape_with_zeros_that_are_sizes),
      cmocka_unit_test(reshape_of_wide_intervals),
      cmocka_unit_test(reshape_to_what_a_run_brings),
      cmocka_unit_test(reshape_with_faults_elsewhere),
      cmocka_unit_test(reshape_by_lists_of_every_type),
      cmocka_unit_test(squeeze_listed_axes),
      cmocka_unit_test(squeeze_all_axes),
      cmocka_unit_test(squeeze_that_may_skip),
      cmocka_unit_test(squeeze_in_a_run),
      cmocka_unit_test(unsqueeze),
      cmocka_unit_test(transpose),
      cmocka_unit_test(transpose_by_what_a_run_brings),
      cmocka_unit_test(concat),
      cmocka_unit_test(concat_of_types),
      cmocka_unit_test(concat_of_many_that_differ),
      cmocka_unit_test(formulas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

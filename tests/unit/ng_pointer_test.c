/* Tests JSON pointers, such as "/ops/2/name", that are computed for places in a text. */
#include "base/source.h"
#include "parser/ng_pointer.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

typedef struct pointer_case {
  const char *span; /* the place is the first occurrence of this text */
  const char *pointer;
} pointer_case;

static scratch_file file;

static ir_source *open_text(const char *text) {
  static ir_memory memory;
  memory = ir_memory_default();
  int error = 0;
  scratch_write(file.path, text, strlen(text));
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
  assert_non_null(source);
  ng_name_places(source);
  return source;
}

static void check_one(ir_source *source, const char *text, const pointer_case *c) {
  char pointer[256] = "";
  const char *at = strstr(text, c->span);
  assert_non_null(at);
  const ir_span span = {at - text, at - text + (int64_t)strlen(c->span)};
  const bool found = source->find_path(source, span, pointer, sizeof pointer);
  if (found != (c->pointer != NULL) || (found && strcmp(pointer, c->pointer) != 0))
    fail_msg("'%s' is at '%s', expected '%s'", c->span, found ? pointer : "nowhere",
             c->pointer == NULL ? "nowhere" : c->pointer);
}

/* Looks places up in both orders: forward, a look-up continues from the last one; backward, it starts again. */
static void check(const char *text, const pointer_case *cases, size_t n) {
  ir_source *source = open_text(text);
  for (size_t i = 0; i < n; i++)
    check_one(source, text, &cases[i]);
  for (size_t i = n; i-- > 0;)
    check_one(source, text, &cases[i]);
  ir_source_free(source);
}

#define CHECK(text, cases) check(text, cases, sizeof(cases) / sizeof(cases)[0])

static void parts_of_a_model(void **state) {
  (void)state;
  static const char text[] =
      "[{\"name\": \"f\", \"ops\": [\n"
      " {\"op\": \"P\", \"shape\": [1, 22, null], \"inputs\": [\"a\", {\"node\": \"b\", \"index\": 7}]},\n"
      " {\"empty\": {}, \"none\": [ ], \"last\": true}\n]}, 5]";
  static const pointer_case cases[] = {{"[{\"name\"", NULL},
                                       {"{\"name\": \"f\"", "/0"},
                                       {"\"name\"", "/0/name"},
                                       {"name", "/0/name"},
                                       {"\"f\"", "/0/name"},
                                       {"[\n {\"op\"", "/0/ops"},
                                       {"{\"op\": \"P\", \"shape\": [1, 22, null]", "/0/ops/0"},
                                       {"op\": \"P\"", "/0/ops/0/op"},
                                       {"[1, 22, null]", "/0/ops/0/shape"},
                                       {"1, 22, null", "/0/ops/0/shape"},
                                       {"1", "/0/ops/0/shape/0"},
                                       {"22", "/0/ops/0/shape/1"},
                                       {"null", "/0/ops/0/shape/2"},
                                       {"\"a\"", "/0/ops/0/inputs/0"},
                                       {"{\"node\"", "/0/ops/0/inputs/1"},
                                       {"\"index\"", "/0/ops/0/inputs/1/index"},
                                       {"7", "/0/ops/0/inputs/1/index"},
                                       {"{\"empty\": {}", "/0/ops/1"},
                                       {"{}", "/0/ops/1/empty"},
                                       {"[ ]", "/0/ops/1/none"},
                                       {"true", "/0/ops/1/last"},
                                       {"}, 5", NULL},
                                       {"5", "/1"}};
  CHECK(text, cases);
}

static void names_and_strings(void **state) {
  (void)state;
  static const char text[] = "{\"a/b~c\": [\"]}\\\"[,{\", 3], \"\\\"q\\\\\": {\"\": 4}, \"\\u00e9\": 6}";
  static const pointer_case cases[] = {{"\"]}", "/a~1b~0c/0"},      {"[,{", "/a~1b~0c/0"}, {"3", "/a~1b~0c/1"},
                                       {"\\\"q\\\\", "/\\\"q\\\\"}, {"4", "/\\\"q\\\\/"},  {"6", "/\\u00e9"}};
  CHECK(text, cases);
}

static void what_is_not_well_formed(void **state) {
  (void)state;
  static const char text[] = "[1, {\"a\": [2, x";
  static const pointer_case cases[] = {{"1", "/0"}, {"x", "/1/a/1"}};
  CHECK(text, cases);
  static const pointer_case no_name[] = {{"1", "/0"}, {"x", "/1"}};
  CHECK("[1, {\"a\": 2, x", no_name);
  static const pointer_case closed[] = {{"9", NULL}, {"8", "/1"}};
  CHECK("]]} 9, [0, 8", closed);
}

/* The JSON text begins after other bytes, as in an archive. */
static void behind_other_bytes(void **state) {
  (void)state;
  static const char text[] = "{\"[[[\"[10, 20]";
  ir_source *source = open_text(text);
  source->text_begin = strstr(text, "[10") - text;
  const pointer_case item = {"20", "/1"};
  check_one(source, text, &item);
  ir_source_free(source);
}

static void names_too_long_and_nesting_too_deep(void **state) {
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "{\"%0300d\": 7, \"b\": 8}", 0);
  static const pointer_case cases[] = {{"7", NULL}, {"8", "/b"}};
  CHECK(text, cases);
  memset(text, '[', 600);
  strcpy(text + 600, "9");
  static const pointer_case deep[] = {{"9", NULL}};
  CHECK(text, deep);
}

static int make_file(void **state) {
  (void)state;
  file = scratch_file_make("model.json", "", 0);
  return 0;
}

static int remove_file(void **state) {
  (void)state;
  scratch_file_remove(&file);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_a_model),
      cmocka_unit_test(names_and_strings),
      cmocka_unit_test(what_is_not_well_formed),
      cmocka_unit_test(behind_other_bytes),
      cmocka_unit_test(names_too_long_and_nesting_too_deep),
  };
  return cmocka_run_group_tests(tests, make_file, remove_file);
}

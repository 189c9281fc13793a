/* Compares each op in `irrun --list-ops --json` with its file in tests/spec, such as tests/spec/AvgPool-16.json. The
 * files were typed by hand from the specification. nGraph's ops are in tests/spec/ngraph. */
#include <cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_BYTES (1 << 20)

static cJSON *parse_stream(FILE *stream, const char *what) {
  char *text = calloc(1, MAX_BYTES);
  assert_non_null(text);
  assert_true(fread(text, 1, MAX_BYTES - 1, stream) < MAX_BYTES - 1);
  cJSON *json = cJSON_Parse(text);
  if (json == NULL)
    fail_msg("%s is not JSON", what);
  free(text);
  return json;
}

static cJSON *list_ops(void) {
  const char *program = getenv("IRRUN");
  char command[4096];
  assert_non_null(program);
  snprintf(command, sizeof command, "'%s' --list-ops --json", program);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  cJSON *json = parse_stream(pipe, command);
  assert_int_equal(pclose(pipe), 0);
  return json;
}

static const char *text_of(const cJSON *node, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(node, key));
  return text == NULL ? "" : text;
}

static cJSON *read_page(const cJSON *op) {
  const char *source = getenv("IRRUN_SOURCE");
  char path[4096];
  bool is_ngraph = strcmp(text_of(op, "dialect"), "ngraph") == 0;
  snprintf(path, sizeof path, "%s/tests/spec/%s%s-%d.json", source == NULL ? "." : source, is_ngraph ? "ngraph/" : "",
           text_of(op, "type"), cJSON_GetObjectItemCaseSensitive(op, "version")->valueint);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    fail_msg("an op without a file of its page: %s", path);
  cJSON *json = parse_stream(file, path);
  fclose(file);
  return json;
}

/* Returns whether a text such as "f32, f64 or f16" has exactly the words of the list, in any order. */
static bool same_words(const char *text, const cJSON *words) {
  static const char *const separators[] = {", ", " or "};
  int n_words = 0;
  while (*text != '\0') {
    size_t length = strlen(text), skip = 0;
    for (size_t i = 0; i < 2; i++) {
      const char *end = strstr(text, separators[i]);
      if (end != NULL && (size_t)(end - text) < length) {
        length = (size_t)(end - text);
        skip = strlen(separators[i]);
      }
    }
    const cJSON *word = NULL;
    bool found = false;
    cJSON_ArrayForEach(word, words) {
      const char *known = cJSON_GetStringValue(word);
      found = found || (known != NULL && strlen(known) == length && strncmp(known, text, length) == 0);
    }
    if (!found)
      return false;
    n_words++;
    text += length + skip;
  }
  return n_words == cJSON_GetArraySize(words);
}

static bool same_value(const cJSON *got, const cJSON *expected) {
  return cJSON_IsArray(expected) ? cJSON_IsString(got) && same_words(got->valuestring, expected)
                                 : cJSON_Compare(got, expected, true);
}

/* Compares the members of two objects, without lists of objects. A member that a file of tests/spec lacks has to be
 * false. */
static void compare_members(const cJSON *got, const cJSON *expected, const char *what) {
  const cJSON *member = NULL;
  cJSON_ArrayForEach(member, expected) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(got, member->string);
    if (cJSON_IsArray(other) || strcmp(member->string, "notes") == 0)
      continue;
    if (!same_value(other, member))
      fail_msg("%s: '%s' differs from its page: %s", what, member->string, cJSON_PrintUnformatted(other));
  }
  cJSON_ArrayForEach(member, got) {
    const bool is_ours = strcmp(member->string, "runs") == 0; /* the specification says nothing about "runs" */
    if (!cJSON_HasObjectItem(expected, member->string) && !cJSON_IsFalse(member) && !is_ours)
      fail_msg("%s: the page's file does not say '%s'", what, member->string);
  }
}

static const cJSON *find_named(const cJSON *list, const char *name) {
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list) {
    if (strcmp(text_of(item, "name"), name) == 0)
      return item;
  }
  return NULL;
}

static void compare_lists(const cJSON *op, const cJSON *page, const char *key) {
  const cJSON *got = cJSON_GetObjectItemCaseSensitive(op, key), *item = NULL;
  const cJSON *expected = cJSON_GetObjectItemCaseSensitive(page, key);
  char what[256];
  snprintf(what, sizeof what, "%s, %s", text_of(op, "type"), key);
  if (cJSON_GetArraySize(got) != cJSON_GetArraySize(expected))
    fail_msg("%s: %d here, %d on the page", what, cJSON_GetArraySize(got), cJSON_GetArraySize(expected));
  cJSON_ArrayForEach(item, expected) {
    snprintf(what, sizeof what, "%s, %s, %s", text_of(op, "type"), key, text_of(item, "name"));
    const cJSON *like = find_named(got, text_of(item, "name"));
    if (like == NULL)
      fail_msg("%s: missing", what);
    compare_members(like, item, what);
  }
}

static void test_ops_are_as_their_pages_say(void **state) {
  (void)state;
  cJSON *report = list_ops();
  const cJSON *op = NULL;
  int n_ops = 0;
  cJSON_ArrayForEach(op, cJSON_GetObjectItemCaseSensitive(report, "ops")) {
    cJSON *page = read_page(op);
    compare_members(op, page, text_of(op, "type"));
    compare_lists(op, page, "inputs");
    compare_lists(op, page, "outputs");
    compare_lists(op, page, "attributes");
    cJSON_Delete(page);
    n_ops++;
  }
  assert_true(n_ops >= 5);
  cJSON_Delete(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ops_are_as_their_pages_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

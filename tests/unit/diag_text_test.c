/* Tests escaping for terminals, excerpts of source lines, edit distances, and the texts of the rule table. */
#include "diag/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- escaping ---- */

static void assert_printable(const char *text, const char *expected) {
  char buffer[256];
  assert_ptr_equal(ir_printable(text, buffer, sizeof buffer), buffer);
  assert_string_equal(buffer, expected);
}

static void plain_text_is_left_alone(void **state) {
  (void)state;
  assert_printable("", "");
  assert_printable("kernel=\"2, 2\" a\\b", "kernel=\"2, 2\" a\\b");
  assert_printable("\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \xc2\xa0",
                   "\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \xc2\xa0");
}

static void controls_are_escaped(void **state) {
  (void)state;
  assert_printable("a\nb\tc\rd", "a\\nb\\tc\\rd");
  assert_printable("\x1b[31m\x01\x7f\b", "\\x1b[31m\\x01\\x7f\\x08");
  assert_printable("\xc2\x80\xc2\x9b\xc2\x9f",
                   "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f"); /* C1 controls; \x9b also begins a terminal command */
}

/* A character that changes the text direction can make one name look like another. */
static void controls_of_direction_are_escaped(void **state) {
  (void)state;
  char buffer[64];
  /* NOLINTBEGIN(misc-misleading-bidirectional): the controls are what is tested */
  assert_printable("a\xe2\x80\xae", "a\\xe2\\x80\\xae");
  assert_printable("\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x80\\xaa\\xe2\\x81\\xa6\\xe2\\x81\\xa9");
  assert_printable("\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\xe2\\x80\\x8e\\xe2\\x80\\x8f\\xd8\\x9c");
  assert_printable("\xe2\x80\xa8\xe2\x80\xa9",
                   "\\xe2\\x80\\xa8\\xe2\\x80\\xa9"); /* line and paragraph separators: some programs end the line */
  assert_printable("\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
                   "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"); /* code points next to the escaped ones */
  assert_string_equal(ir_printable_line("\xe2\x80\xaex", buffer, sizeof buffer), "\xef\xbf\xbdx");
  /* NOLINTEND(misc-misleading-bidirectional) */
}

/* XML 1.0 forbids these two characters, and no others that UTF-8 can encode beside the control characters. */
static void characters_that_xml_forbids_are_escaped(void **state) {
  (void)state;
  assert_printable("\xef\xbf\xbe\xef\xbf\xbf", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  assert_printable("\xef\xbf\xbd\xef\xbe\xbf\xf0\x9f\xbf\xbf", "\xef\xbf\xbd\xef\xbe\xbf\xf0\x9f\xbf\xbf");
}

static void commands_to_logs_are_escaped(void **state) {
  (void)state;
  char buffer[64];
  assert_printable("a ##[error]b", "a \\x23#[error]b");
  assert_printable("##vso[task]", "\\x23#vso[task]");
  assert_printable("###[x", "#\\x23#[x");
  assert_printable("# ## ### #[ ##vso", "# ## ### #[ ##vso");
  assert_string_equal(ir_printable_line("a ##[error]b", buffer, sizeof buffer), "a \xef\xbf\xbd#[error]b");
}

static void bytes_that_are_no_utf8_are_escaped(void **state) {
  (void)state;
  assert_printable("\xff\xfe", "\\xff\\xfe");
  assert_printable("\x80z", "\\x80z");
  assert_printable("\xc3", "\\xc3");
  assert_printable("\xc3z", "\\xc3z");
  assert_printable("\xe6\x97", "\\xe6\\x97");
  assert_printable("\xc0\xaf\xc1\xbf", "\\xc0\\xaf\\xc1\\xbf"); /* overlong encodings */
  assert_printable("\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");          /* overlong encoding */
  assert_printable("\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"); /* overlong encoding */
  assert_printable("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* a surrogate, which UTF-8 forbids */
  assert_printable("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
  assert_printable("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80");
}

static void escaping_twice_changes_nothing(void **state) {
  (void)state;
  for (int byte = 1; byte < 256; byte++) {
    char text[] = {'a', (char)byte, 'b', '\0'}, once[64], twice[64];
    ir_printable(text, once, sizeof once);
    assert_string_equal(ir_printable(once, twice, sizeof twice), once);
    for (const char *c = once; *c != '\0'; c++)
      assert_true(*c >= ' ' && *c < 0x7f);
  }
}

static void cuts_are_marked_and_whole(void **state) {
  (void)state;
  const char *text = "ab\xe6\x97\xa5\ncd"; /* printed as 2 + 3 + 2 + 2 = 9 bytes; the newline becomes \n */
  const char *expected[] = {
      "", "", "", "", "...", "a...", "ab...", "ab...", "ab...", "ab\xe6\x97\xa5...", "ab\xe6\x97\xa5\\ncd"};
  char buffer[16];
  for (size_t size = 0; size <= 10; size++) {
    memset(buffer, '#', sizeof buffer);
    ir_printable(text, buffer, size);
    assert_int_equal(buffer[size], '#');
    if (size > 0)
      assert_string_equal(buffer, expected[size]);
  }
}

static void a_source_line_keeps_its_columns(void **state) {
  (void)state;
  char buffer[64];
  assert_string_equal(ir_printable_line("\ta\x1b\xc2\x9b\xc3\xa9", buffer, sizeof buffer),
                      " a\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9");
  assert_string_equal(ir_printable_line("\xe9 \xe6\x97x\x80y", buffer, sizeof buffer), "\xef\xbf\xbd \xef\xbf\xbdxy");
}

/* ---- names ---- */

/* Computes the edit distance from the full table of optimal string alignment. */
static int slow_distance(const char *a, const char *b) {
  static int table[40][40];
  int n = (int)strlen(a), m = (int)strlen(b);
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      int least = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      least = table[i - 1][j] + 1 < least ? table[i - 1][j] + 1 : least;
      least = table[i][j - 1] + 1 < least ? table[i][j - 1] + 1 : least;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && table[i - 2][j - 2] + 1 < least)
        least = table[i - 2][j - 2] + 1;
      table[i][j] = least;
    }
  }
  return table[n][m];
}

static void edits_are_counted(void **state) {
  (void)state;
  assert_int_equal(ir_edit_distance("", "", 0), 0);
  assert_int_equal(ir_edit_distance("kernel", "kernel", 0), 0);
  assert_int_equal(ir_edit_distance("kernal", "kernel", 3), 1);
  assert_int_equal(ir_edit_distance("kernl", "kernel", 3), 1);
  assert_int_equal(ir_edit_distance("kerneel", "kernel", 3), 1);
  assert_int_equal(ir_edit_distance("krenel", "kernel", 3), 1);
  assert_int_equal(ir_edit_distance("exclude_pad", "exclude-pad", 1), 1);
  assert_int_equal(ir_edit_distance("", "abc", 3), 3);
  assert_true(ir_edit_distance("strides", "kernel", 3) > 3);
  assert_true(ir_edit_distance("a", "b", 0) > 0);
}

static void edits_agree_with_the_plain_table(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int round = 0; round < 20000; round++) {
    char words[2][16];
    for (int w = 0; w < 2; w++) {
      seed = seed * UINT64_C(6364136223846793005) + 1;
      size_t length = (size_t)(seed >> 60) % 12;
      for (size_t i = 0; i < length; i++)
        words[w][i] = (char)('a' + (seed >> (20 + 2 * i)) % 3);
      words[w][length] = '\0';
    }
    int expected = slow_distance(words[0], words[1]);
    for (int limit = 0; limit <= 8; limit++) {
      int found = ir_edit_distance(words[0], words[1], limit);
      if (expected <= limit ? found != expected : found <= limit)
        fail_msg("'%s' to '%s' within %d: %d, expected %d", words[0], words[1], limit, found, expected);
    }
  }
}

static void long_words_cost_little(void **state) {
  (void)state;
  enum { LENGTH = 2000000 };
  char *a = malloc(LENGTH + 1), *b = malloc(LENGTH + 1);
  memset(a, 'x', LENGTH);
  memset(b, 'x', LENGTH);
  a[LENGTH] = b[LENGTH] = '\0';
  b[LENGTH / 2] = 'y';
  assert_int_equal(ir_edit_distance(a, b, 3), 1);
  assert_true(ir_edit_distance(a, "x", 3) > 3);
  free(a);
  free(b);
}

static void guesses_are_near(void **state) {
  (void)state;
  const char *const names[] = {"kernel", "strides", "pads_begin", "pads_end", "exclude-pad", "axis"};
  const size_t n = sizeof names / sizeof names[0];
  assert_string_equal(ir_did_you_mean("stride", names, n), "strides");
  assert_string_equal(ir_did_you_mean("exclude_pad", names, n), "exclude-pad");
  assert_string_equal(ir_did_you_mean("pad_begin", names, n), "pads_begin");
  assert_string_equal(ir_did_you_mean("KERNEL", names, n), "kernel");
  assert_string_equal(ir_did_you_mean("axes", names, n), "axis"); /* one edit in four characters is near enough */
  assert_null(ir_did_you_mean("ax", names, n));
  assert_null(ir_did_you_mean("dilations", names, n));
  assert_null(ir_did_you_mean("", names, n));
  assert_null(ir_did_you_mean("kernel", NULL, 0));
  const char *const close[] = {"abcdeX", "abcdef", "ABCDE"};
  assert_string_equal(ir_did_you_mean("abcdeY", close, 3), "abcdeX"); /* the first of equally near names */
  assert_string_equal(ir_did_you_mean("a", (const char *const[]){"b", "A"}, 2), "A");
  static const char *many[10001];
  for (size_t i = 0; i < 10001; i++)
    many[i] = i == 9999 ? "kernel" : "strides";
  assert_string_equal(ir_did_you_mean("kernels", many, 10000), "kernel");
  assert_null(ir_did_you_mean("kernels", many, 10001));
}

/* ---- rules ---- */

static void rules_are_found_by_id_and_slug(void **state) {
  (void)state;
  ir_rule rule;
  for (int i = 0; i < IR_RULE_COUNT; i++) {
    const ir_rule_row *row = &ir_rule_rows[i];
    assert_int_equal(strlen(row->id), 5);
    assert_true(ir_rule_find(row->id, 5, &rule) && rule == (ir_rule)i);
    assert_true(ir_rule_find(row->slug, strlen(row->slug), &rule) && rule == (ir_rule)i);
    if (i > 0)
      assert_true(strcmp(ir_rule_rows[i - 1].id, row->id) < 0);
  }
  assert_true(ir_rule_find("ir304,IR305", 5, &rule));
  assert_int_equal(rule, IR304_KERNEL_EXCEEDS_INPUT);
  const char *const none[] = {"", "IR999", "IR30", "IR3044", "Kernel-exceeds-input", "kernel-exceeds", " IR304"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_false(ir_rule_find(none[i], strlen(none[i]), &rule));
}

static void the_worse_of_two_codes(void **state) {
  (void)state;
  const ir_code order[] = {IR_OK, IR_DIFFERS,   IR_BAD_DATA, IR_UNSUPPORTED, IR_INVALID,
                           IR_IO, IR_NO_MEMORY, IR_USAGE,    IR_INTERNAL};
  enum { N = sizeof order / sizeof order[0] };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_int_equal(ir_code_worse(order[i], order[j]), order[i > j ? i : j]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_text_is_left_alone),
      cmocka_unit_test(controls_are_escaped),
      cmocka_unit_test(controls_of_direction_are_escaped),
      cmocka_unit_test(characters_that_xml_forbids_are_escaped),
      cmocka_unit_test(commands_to_logs_are_escaped),
      cmocka_unit_test(bytes_that_are_no_utf8_are_escaped),
      cmocka_unit_test(escaping_twice_changes_nothing),
      cmocka_unit_test(cuts_are_marked_and_whole),
      cmocka_unit_test(a_source_line_keeps_its_columns),
      cmocka_unit_test(edits_are_counted),
      cmocka_unit_test(edits_agree_with_the_plain_table),
      cmocka_unit_test(long_words_cost_little),
      cmocka_unit_test(guesses_are_near),
      cmocka_unit_test(rules_are_found_by_id_and_slug),
      cmocka_unit_test(the_worse_of_two_codes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

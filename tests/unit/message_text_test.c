/* Tests parts of messages: shortened texts, and counts with nouns. */
#include "base/message_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEN "0123456789"

static void a_number_has_its_noun(void **state) {
  (void)state;
  assert_string_equal(ir_count(0, "byte").text, "0 bytes");
  assert_string_equal(ir_count(1, "byte").text, "1 byte");
  assert_string_equal(ir_count(INT64_MAX, "value").text, "9223372036854775807 values");
}

static void what_fits_is_whole(void **state) {
  (void)state;
  const char *sixty = TEN TEN TEN TEN TEN TEN;
  assert_string_equal(ir_shown_text("").text, "");
  assert_string_equal(ir_shown_text("4x").text, "4x");
  assert_string_equal(ir_shown("4xyz", 2).text, "4x");
  assert_string_equal(ir_shown_text(sixty).text, sixty);
}

/* The text has 56 to 59 one-byte characters, one character of 1 to 4 bytes, and five z. The cut must not split the
 * character. */
static void a_long_text_is_cut_between_characters(void **state) {
  (void)state;
  static const char before[] = TEN TEN TEN TEN TEN "012345678";
  static const char *const characters[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9d\x84\x9e"};
  for (size_t i = 0; i < 4; i++)
    for (size_t n_before = 56; n_before <= 59; n_before++) {
      char text[80], expected[80];
      snprintf(text, sizeof text, "%.*s%s%s", (int)n_before, before, characters[i], "zzzzz");
      const bool fits = n_before + strlen(characters[i]) <= IR_MOST_SHOWN;
      const size_t n_z = fits ? IR_MOST_SHOWN - n_before - strlen(characters[i]) : 0;
      snprintf(expected, sizeof expected, "%.*s%s%.*s...", (int)n_before, before, fits ? characters[i] : "", (int)n_z,
               "zzzzz");
      assert_string_equal(ir_shown_text(text).text, n_z == 5 ? text : expected);
    }
}

static void what_is_no_utf8_is_cut_anywhere(void **state) {
  (void)state;
  char text[81];
  memset(text, '\x80', 80);
  text[80] = '\0';
  assert_int_equal(strlen(ir_shown_text(text).text), IR_MOST_SHOWN + 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_number_has_its_noun),
      cmocka_unit_test(what_fits_is_whole),
      cmocka_unit_test(a_long_text_is_cut_between_characters),
      cmocka_unit_test(what_is_no_utf8_is_cut_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests that characters forbidden in XML are hidden from the parser, regardless of how the text is split into
 * pieces. */
#include "parser/ir_hidden.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ir_memory memory;

static ir_source *open_text(const char *text) {
  int error = 0;
  memory = ir_memory_default();
  scratch_file file = scratch_file_make("text.xml", text, strlen(text));
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
  scratch_file_remove(&file);
  assert_non_null(source);
  return source;
}

/* Hides forbidden characters of `text`. The text is written to `out` in pieces of up to `piece` bytes. */
static ir_hidden hide(ir_source *source, size_t piece, char *out) {
  ir_hidden hidden = {.n = 0};
  ir_window window;
  size_t used = 0, n;
  assert_true(ir_window_init(&window, source, 0, 64));
  while ((n = ir_hidden_feed(&hidden, &window, out + used, piece)) > 0)
    used += n;
  out[used] = '\0';
  ir_window_reset(&window);
  return hidden;
}

typedef struct hidden_case {
  const char *text, *shown;
  int n, at, length, letter; /* number of hidden characters; byte, length and code of the first */
} hidden_case;

static const hidden_case cases[] = {
    {"", "", 0, 0, 0, 0},
    {"<a b='\t\r\n&#9;&#xA;&amp;&#38;&#0;&#xD800;&#65533;\xef\xbf\xbd\xef\xbc\x81'/>",
     "<a b='\t\r\n&#9;&#xA;&amp;&#38;&#0;&#xD800;&#65533;\xef\xbf\xbd\xef\xbc\x81'/>", 0, 0, 0, 0},
    {"a\x01z\x1f", "a*z*", 2, 1, 1, 1},
    {"<a b='&#27;[0m'/>", "<a b='&#09;[0m'/>", 1, 6, 5, 27},
    {"&#x1b;&#X1b;&#x001F;&#b;", "&#x09;&#X1b;&#x0009;&#b;", 2, 0, 6, 27},
    {"\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd", 2, 0, 3, 0xfffe},
    {"&#65534;&#xFFFF;&#x10FFFF;", "&#00009;&#x0009;&#x10FFFF;", 2, 0, 8, 0xfffe},
    {"&#;&#x;&;&#1", "&#;&#x;&;&#1", 0, 0, 0, 0},
    {"&#00000000000001;\xef\xbf", "&#00000000000001;\xef\xbf", 0, 0, 0, 0},
    {"0123456789012345678901234567890123456789012345678901234567890123456789\x02"
     "0123456789012345678901234567890123456789012345678901234567890123456789&#2;",
     "0123456789012345678901234567890123456789012345678901234567890123456789*"
     "0123456789012345678901234567890123456789012345678901234567890123456789&#9;",
     2, 70, 1, 2},
};

static void whatever_the_pieces(void **state) {
  (void)state;
  char shown[256];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_source *source = open_text(cases[i].text);
    for (size_t piece = IR_HIDDEN_MAX + 1; piece < 160; piece++) {
      const ir_hidden hidden = hide(source, piece, shown);
      assert_string_equal(shown, cases[i].shown);
      assert_int_equal(hidden.n, cases[i].n);
      assert_int_equal(hidden.letter, cases[i].letter);
      assert_int_equal(hidden.at.begin, cases[i].at);
      assert_int_equal(hidden.at.end, cases[i].at + cases[i].length);
    }
    ir_source_free(source);
  }
}

/* A piece can be smaller than a character reference such as &#38;. All bytes still arrive in order. */
static void tiny_pieces(void **state) {
  (void)state;
  char shown[256];
  ir_source *source = open_text("<a b='&amp;&lt;&#38;x'/>");
  for (size_t piece = 1; piece <= IR_HIDDEN_MAX; piece++) {
    hide(source, piece, shown);
    assert_string_equal(shown, "<a b='&amp;&lt;&#38;x'/>");
  }
  ir_source_free(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_the_pieces), cmocka_unit_test(tiny_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

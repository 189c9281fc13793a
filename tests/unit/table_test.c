/* Tests how the program shortens wide texts (names, lists and tables), and where it gets the width. */
#include "cli/table.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct cut_case {
  const char *text;
  int width;
  const char *expected;
} cut_case;

static void try_cuts(void (*cut)(cli_string *, int), const cut_case *cases, size_t n_cases) {
  for (size_t i = 0; i < n_cases; i++) {
    cli_string string = {0};
    cli_add(&string, "%s", cases[i].text);
    cut(&string, cases[i].width);
    assert_string_equal(cli_text(&string), cases[i].expected);
    cli_reset(&string);
  }
}

static void names_lose_their_middle(void **state) {
  (void)state;
  static const cut_case cases[] = {
      {"model.22.cv2.0/conv/Conv", 24, "model.22.cv2.0/conv/Conv"},
      {"model.22.cv2.0/conv/Conv", 23, "model.22.c.../conv/Conv"},
      {"model.22.cv2.0/conv/Conv", 10, "mod...Conv"},
      {"model", 4, "...l"},
      {"model", 3, "..."},
      {"", 0, ""},
      {"\u00fcber\u00fcber\u00fcber", 9, "\u00fcbe...ber"}, /* a letter of two bytes and one column */
      {"\u5c64\u5c64\u5c64\u5c64\u5c64\u5c64", 10,
       "\u5c64...\u5c64\u5c64"}, /* a character of three bytes and two columns */
  };
  try_cuts(cli_cut_middle, cases, sizeof cases / sizeof cases[0]);
}

static void lists_keep_whole_items(void **state) {
  (void)state;
  static const cut_case cases[] = {
      {"f32[1,2], i64[3], i64[4]", 24, "f32[1,2], i64[3], i64[4]"},
      {"f32[1,2], i64[3], i64[4]", 23, "f32[1,2], ... (3)"},
      {"f32[1,2], i64[3], i64[4], i64[5]", 25, "f32[1,2], i64[3], ... (4)"},
      {"f32[1,2], i64[3], i64[4]", 3, "f32[1,2], ... (3)"},
      {"f32[1,2], i64[3], i64[4], i64[5], ... (900)", 28, "f32[1,2], i64[3], ... (900)"},
      {"f32[1,2,3,4]", 5, "f32[1,2,3,4]"},
      {"", 0, ""},
  };
  try_cuts(cli_cut_list, cases, sizeof cases / sizeof cases[0]);
}

/* ---- tables ---- */

static const cli_column columns[] = {
    {.title = "id", .right = true},
    {.title = "layer", .cut = CLI_CUT_MIDDLE},
    {.title = "inputs", .cut = CLI_CUT_LIST, .may_go = true},
    {.title = "output", .cut = CLI_CUT_LIST},
};

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  (void)user;
  (void)details;
  if (index == 0) {
    cli_add(&cells[0], "10");
    cli_add(&cells[1], "backbone/stage1/block2/conv");
    cli_add(&cells[2], "f32[1,8], i64[1], i64[2]");
    cli_add(&cells[3], "f32[1,4], i64[4]");
  }
  return index == 0;
}

static void assert_table(int width, const char *expected) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *out = open_memstream(&text, &bytes);
  assert_non_null(out);
  cli_print_table(out, width, columns, 4, fill_row, NULL);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

static void tables_fit(void **state) {
  (void)state;
  const char *whole = " id  layer                        inputs                    output\n"
                      " 10  backbone/stage1/block2/conv  f32[1,8], i64[1], i64[2]  f32[1,4], i64[4]\n";
  assert_table(CLI_ANY_WIDTH, whole);
  assert_table(76, whole);
  assert_table(75, " id  layer                       inputs                    output\n"
                   " 10  backbone/st.../block2/conv  f32[1,8], i64[1], i64[2]  f32[1,4], i64[4]\n");
  assert_table(62, " id  layer                 inputs             output\n"
                   " 10  backbone...ock2/conv  f32[1,8], ... (3)  f32[1,4], i64[4]\n");
  assert_table(60, " id  layer                        output\n"
                   " 10  backbone/stage1/block2/conv  f32[1,4], i64[4]\n");
  /* each column has a smallest width, even if the terminal is narrower */
  assert_table(1, " id  layer                 output\n"
                  " 10  backbone...ock2/conv  f32[1,4], i64[4]\n");
}

static void the_terminal_tells_the_width(void **state) {
  (void)state;
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_int_equal(cli_line_width(file), 120);
  fclose(file);
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0)
    skip();
  assert_int_equal(grantpt(master) | unlockpt(master), 0);
  FILE *terminal = fopen(ptsname(master), "r+");
  assert_non_null(terminal);
  struct winsize size = {.ws_row = 24, .ws_col = 97};
  assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
  assert_int_equal(cli_line_width(terminal), 97);
  size.ws_col = 0; /* a serial line has 0 columns */
  assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
  assert_int_equal(cli_line_width(terminal), 120);
  fclose(terminal);
  close(master);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_lose_their_middle),
      cmocka_unit_test(lists_keep_whole_items),
      cmocka_unit_test(tables_fit),
      cmocka_unit_test(the_terminal_tells_the_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

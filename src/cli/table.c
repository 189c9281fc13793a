#include "table.h"

#define MAX_WIDTH 60 /* a longer cell moves only its own row */

static void print_row(FILE *out, const cli_column *columns, const int *widths, int n_columns, const cli_string *cells) {
  int blanks = 1; /* owed until text follows: a row never ends in blanks */
  for (int i = 0; i < n_columns; i++) {
    const char *text = cli_text(&cells[i]);
    int width = cli_width(text), missing = width < widths[i] ? widths[i] - width : 0;
    int before = columns[i].right ? missing : 0;
    if (*text != '\0') {
      fprintf(out, "%*s%s", blanks + before, "", text);
      blanks = missing - before + 2;
    } else {
      blanks += widths[i] + 2;
    }
  }
  fputc('\n', out);
}

static void measure(const cli_string *cells, int n_columns, int *widths) {
  for (int i = 0; i < n_columns; i++) {
    int width = cli_width(cli_text(&cells[i]));
    if (width > widths[i] && width <= MAX_WIDTH)
      widths[i] = width;
  }
}

void cli_print_table(FILE *out, const cli_column *columns, int n_columns, cli_row_function *row, void *user) {
  cli_string cells[CLI_MAX_COLUMNS] = {{0}}, details = {0};
  int widths[CLI_MAX_COLUMNS] = {0};
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n_columns; i++) {
      cli_clear(&cells[i]);
      cli_add(&cells[i], "%s", columns[i].title);
    }
    for (int64_t index = 0;; index++) {
      if (pass == 0) {
        measure(cells, n_columns, widths);
      } else {
        print_row(out, columns, widths, n_columns, cells);
        fputs(cli_text(&details), out);
      }
      for (int i = 0; i < CLI_MAX_COLUMNS; i++)
        cli_clear(&cells[i]);
      cli_clear(&details);
      if (!row(user, index, cells, &details))
        break;
    }
  }
  for (int i = 0; i < CLI_MAX_COLUMNS; i++)
    cli_reset(&cells[i]);
  cli_reset(&details);
}

#include "table.h"

#include <string.h>

#define MAX_WIDTH  60 /* columns; a wider uncut cell does not widen its column, but shifts the rest of its row */
#define MIN_MIDDLE 20 /* minimum width of a cell that is cut in its middle */

typedef struct extent {
  int width;
  int least; /* minimum width of the column after cutting */
} extent;

static void print_row(FILE *out, const cli_column *columns, const extent *extents, int n_columns,
                      const cli_string *cells) {
  int blanks = 1; /* blanks to print before the next text; a row without further text ends without them */
  for (int i = 0; i < n_columns; i++) {
    const char *text = cli_text(&cells[i]);
    int width = cli_width(text), missing = width < extents[i].width ? extents[i].width - width : 0;
    int before = columns[i].right ? missing : 0;
    if (*text != '\0') {
      fprintf(out, "%*s%s", blanks + before, "", text);
      blanks = missing - before + 2;
    } else if (extents[i].width > 0) {
      blanks += extents[i].width + 2;
    }
  }
  fputc('\n', out);
}

/* Widens `extents` for one row: `width` to its whole cells, `least` to its cells after cutting. */
static void measure(const cli_column *columns, int n_columns, bool cuts, cli_string *cells, extent *extents) {
  for (int i = 0; i < n_columns; i++) {
    extent *column = &extents[i];
    const bool is_cut = cuts && columns[i].cut != CLI_WHOLE;
    const int width = cli_width(cli_text(&cells[i]));
    if (width > column->width && (width <= MAX_WIDTH || is_cut))
      column->width = width;
    if (columns[i].cut == CLI_CUT_LIST)
      cli_cut_list(&cells[i], 0);
    const int least = columns[i].cut == CLI_CUT_MIDDLE ? MIN_MIDDLE : cli_width(cli_text(&cells[i]));
    if (is_cut && least > column->least)
      column->least = least;
  }
}

/* Narrows columns, from the left, until the table is at most `limit` wide. Returns false if the table stays wider. */
static bool narrow(const cli_column *columns, int n_columns, int limit, extent *extents) {
  int excess = -1 - limit;
  for (int i = 0; i < n_columns; i++)
    excess += extents[i].width > 0 ? extents[i].width + 2 : 0;
  for (int i = 0; i < n_columns && excess > 0; i++) {
    int spare = columns[i].cut == CLI_WHOLE ? 0 : extents[i].width - extents[i].least;
    int given = spare < excess ? spare : excess;
    if (given > 0) {
      extents[i].width -= given;
      excess -= given;
    }
  }
  return excess <= 0;
}

static void fit(const cli_column *columns, int n_columns, int limit, extent *extents) {
  extent before[CLI_MAX_COLUMNS];
  memcpy(before, extents, sizeof before);
  if (narrow(columns, n_columns, limit, extents))
    return;
  for (int i = 0; i < n_columns; i++)
    extents[i] = columns[i].may_go ? (extent){0, 0} : before[i];
  narrow(columns, n_columns, limit, extents);
}

static void cut_cells(cli_string *cells, const cli_column *columns, int n_columns, const extent *extents) {
  for (int i = 0; i < n_columns; i++) {
    if (extents[i].width == 0)
      cli_clear(&cells[i]);
    else if (columns[i].cut == CLI_CUT_MIDDLE)
      cli_cut_middle(&cells[i], extents[i].width);
    else if (columns[i].cut == CLI_CUT_LIST)
      cli_cut_list(&cells[i], extents[i].width);
  }
}

/* Makes row `index`, or the row of titles if `index` is -1. Returns false after the last row. */
static bool fill(const cli_column *columns, int n_columns, cli_row_function *row, void *user, int64_t index,
                 cli_string *cells, cli_string *details) {
  for (int i = 0; i < CLI_MAX_COLUMNS; i++)
    cli_clear(&cells[i]);
  cli_clear(details);
  if (index >= 0)
    return row(user, index, cells, details);
  for (int i = 0; i < n_columns; i++)
    cli_add(&cells[i], "%s", columns[i].title);
  return true;
}

void cli_print_table(FILE *out, int width, const cli_column *columns, int n_columns, cli_row_function *row,
                     void *user) {
  cli_string cells[CLI_MAX_COLUMNS] = {{0}}, details = {0};
  extent extents[CLI_MAX_COLUMNS] = {{0, 0}};
  const int64_t first = columns[0].title != NULL ? -1 : 0;
  const bool cuts = width < CLI_ANY_WIDTH;
  for (int64_t i = first; fill(columns, n_columns, row, user, i, cells, &details); i++)
    measure(columns, n_columns, cuts, cells, extents);
  if (cuts)
    fit(columns, n_columns, width, extents);
  for (int64_t i = first; fill(columns, n_columns, row, user, i, cells, &details); i++) {
    if (cuts)
      cut_cells(cells, columns, n_columns, extents);
    print_row(out, columns, extents, n_columns, cells);
    fputs(cli_text(&details), out);
  }
  for (int i = 0; i < CLI_MAX_COLUMNS; i++)
    cli_reset(&cells[i]);
  cli_reset(&details);
}

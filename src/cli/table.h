/* Prints tables with aligned columns. Each row is made twice: first to measure the columns, then to print the row. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "text.h"

#define CLI_MAX_COLUMNS 8

typedef enum cli_cut { CLI_WHOLE, CLI_CUT_MIDDLE, CLI_CUT_LIST } cli_cut;

typedef struct cli_column {
  const char *title; /* NULL in every column: the table has no row of titles */
  bool right;        /* right-aligned */
  cli_cut cut;       /* how to shorten cells if the table is too wide */
  bool may_go;       /* drop the column if shortening cells is not enough */
} cli_column;

/* Makes row `index`: fills `cells`, CLI_MAX_COLUMNS empty strings, and `details`, whole lines that are printed after
 * the row. Cells beyond the last column are not printed. Returns false after the last row. */
typedef bool cli_row_function(void *user, int64_t index, cli_string *cells, cli_string *details);

/* Prints a table. If it is wider than `width`, narrows columns one by one from the left: names to 20 columns at least,
 * lists to one item at least. If the table is still too wide, drops the columns with `may_go`. */
void cli_print_table(FILE *out, int width, const cli_column *columns, int n_columns, cli_row_function *row, void *user);

#endif

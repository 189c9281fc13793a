/* A table of aligned columns. Its rows are made twice: to find the widths, and to print. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "text.h"

#define CLI_MAX_COLUMNS 8

typedef enum cli_cut { CLI_WHOLE, CLI_CUT_MIDDLE, CLI_CUT_LIST } cli_cut;

typedef struct cli_column {
  const char *title; /* NULL in all columns: no row of titles */
  bool right;        /* right-aligned */
  cli_cut cut;       /* how its cells are cut if the table is too wide */
  bool may_go;       /* dropped if cutting is not enough */
} cli_column;

/* Fills the empty strings `cells` with row `index` (cells beyond the last column are not printed) and `details` with
 * whole lines that follow the row. False after the last row. */
typedef bool cli_row_function(void *user, int64_t index, cli_string *cells, cli_string *details);

/* A table wider than `width` is narrowed column by column from the left until it fits: names are cut to 20 columns,
 * lists to their first item. */
void cli_print_table(FILE *out, int width, const cli_column *columns, int n_columns, cli_row_function *row, void *user);

#endif

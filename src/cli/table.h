/* A table of aligned columns whose rows are made twice: once to find the widths, once to print. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "text.h"

#define CLI_MAX_COLUMNS 8

typedef struct cli_column {
  const char *title;
  bool right; /* aligned to the right */
} cli_column;

/* Fills `cells`, which are empty, with row `index` (those behind the last column are not printed); `details`, also
 * empty, are whole lines that follow the row. False behind the last row. */
typedef bool cli_row_function(void *user, int64_t index, cli_string *cells, cli_string *details);

void cli_print_table(FILE *out, const cli_column *columns, int n_columns, cli_row_function *row, void *user);

#endif

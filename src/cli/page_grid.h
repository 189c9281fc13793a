/* The rows of one group of a page while it is laid out. A cell is a child of the group, a line that enters, or a bend
 * where a line passes a row. */
#ifndef CLI_PAGE_GRID_H
#define CLI_PAGE_GRID_H

#include <stdint.h>

typedef struct cli_cell {
  int64_t row, place; /* place: index in the row */
  double x;
  double wish, weight; /* weighted mean of the neighbours' x, and the sum of the weights */
  int64_t width;
} cli_cell;

/* The neighbours of cell i in the row above or below: cells[first[i]] to cells[first[i + 1] - 1]. */
typedef struct cli_neighbours {
  int64_t *first, *cells;
} cli_neighbours;

typedef struct cli_grid {
  cli_cell *cells;
  int64_t n_cells, n_rows;
  int64_t **rows; /* cells of each row, from left to right */
  int64_t *n_in_row;
  cli_neighbours above, below;
} cli_grid;

/* page_rows.c: finds an order of the cells of each row in which few lines cross. */
void cli_grid_sort(cli_grid *grid);
/* page_columns.c: sets x of all cells, from 0 on. */
void cli_grid_place(cli_grid *grid);

#endif

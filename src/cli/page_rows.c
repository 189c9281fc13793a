/* Orders the cells of each row by the mean places of their neighbours, as Sugiyama, Tagawa and Toda do: Methods for
 * visual understanding of hierarchical system structures, 1981. */
#include "page_grid.h"
#include "text.h"

#include <stdlib.h>

enum { SWEEPS = 12 };

typedef struct sorted {
  double key;
  int64_t cell, place;
} sorted;

static int by_key(const void *a, const void *b) {
  const sorted *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Sorts a row by the mean place of neighbours. A cell without neighbours keeps its place. */
static void sort_row(cli_grid *grid, int64_t row, const cli_neighbours *of, sorted *buffer) {
  const int64_t n = grid->n_in_row[row];
  for (int64_t i = 0; i < n; i++) {
    const int64_t cell = grid->rows[row][i], first = of->first[cell], end = of->first[cell + 1];
    double sum = 0;
    for (int64_t k = first; k < end; k++) {
      const cli_cell *neighbour = &grid->cells[of->cells[k]];
      sum += ((double)neighbour->place + 0.5) / (double)grid->n_in_row[neighbour->row];
    }
    buffer[i] = (sorted){end > first ? sum / (double)(end - first) : ((double)i + 0.5) / (double)n, cell, i};
  }
  qsort(buffer, (size_t)n, sizeof *buffer, by_key);
  for (int64_t i = 0; i < n; i++) {
    grid->rows[row][i] = buffer[i].cell;
    grid->cells[buffer[i].cell].place = i;
  }
}

void cli_grid_sort(cli_grid *grid) {
  int64_t longest = 0;
  for (int64_t row = 0; row < grid->n_rows; row++)
    longest = grid->n_in_row[row] > longest ? grid->n_in_row[row] : longest;
  if (longest < 2)
    return;
  sorted *buffer = cli_allocate((size_t)longest, sizeof *buffer);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int64_t row = 1; row < grid->n_rows; row++)
      sort_row(grid, row, &grid->above, buffer);
    for (int64_t row = grid->n_rows - 2; row >= 0 && sweep < SWEEPS - 1; row--)
      sort_row(grid, row, &grid->below, buffer);
  }
  free(buffer);
}

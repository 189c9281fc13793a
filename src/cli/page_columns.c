/* Sets the x of cells: each row moves near to the means of its neighbours, with the least sum of squares that the order
 * and the widths of its cells allow. */
#include "page_grid.h"
#include "page_tree.h"

#include <math.h>
#include <stdlib.h>

enum { PASSES = 10 };

/* Cells that touch each other, and share one shift of their wishes. */
typedef struct run {
  double sum, weight;
  int64_t n;
} run;

static double distance(const cli_cell *left, const cli_cell *right) {
  const bool bends = left->width == CLI_BEND_WIDTH && right->width == CLI_BEND_WIDTH;
  return (double)(left->width + right->width) / 2 + (bends ? 0 : CLI_COLUMN_GAP);
}

/* Moves the cells of a row to their wishes, in order and without overlap: a regression to an ascending sequence, by
 * joining neighbours that are in each other's way. */
static void settle(cli_grid *grid, int64_t row, run *runs) {
  const int64_t n = grid->n_in_row[row], *cells = grid->rows[row];
  int64_t n_runs = 0, at = 0;
  double offset = 0;
  for (int64_t i = 0; i < n; i++) {
    cli_cell *cell = &grid->cells[cells[i]];
    offset += i > 0 ? distance(&grid->cells[cells[i - 1]], cell) : 0;
    const double weight = cell->width == CLI_BEND_WIDTH ? 3 : 1;
    runs[n_runs++] = (run){(cell->wish - offset) * weight, weight, 1};
    while (n_runs > 1 &&
           runs[n_runs - 2].sum * runs[n_runs - 1].weight >= runs[n_runs - 1].sum * runs[n_runs - 2].weight) {
      n_runs--;
      runs[n_runs - 1].sum += runs[n_runs].sum;
      runs[n_runs - 1].weight += runs[n_runs].weight;
      runs[n_runs - 1].n += runs[n_runs].n;
    }
  }
  offset = 0;
  for (int64_t i = 0; i < n_runs; i++)
    for (int64_t k = 0; k < runs[i].n; k++, at++) {
      offset += at > 0 ? distance(&grid->cells[cells[at - 1]], &grid->cells[cells[at]]) : 0;
      grid->cells[cells[at]].x = runs[i].sum / runs[i].weight + offset;
    }
}

static void wish(cli_grid *grid, int64_t row, bool above, bool below) {
  for (int64_t i = 0; i < grid->n_in_row[row]; i++) {
    const int64_t cell = grid->rows[row][i];
    double sum = 0;
    int64_t n = 0;
    for (int64_t k = grid->above.first[cell]; above && k < grid->above.first[cell + 1]; k++, n++)
      sum += grid->cells[grid->above.cells[k]].x;
    for (int64_t k = grid->below.first[cell]; below && k < grid->below.first[cell + 1]; k++, n++)
      sum += grid->cells[grid->below.cells[k]].x;
    grid->cells[cell].wish = n > 0 ? sum / (double)n : grid->cells[cell].x;
  }
}

void cli_grid_place(cli_grid *grid) {
  run *runs = cli_allocate((size_t)grid->n_cells, sizeof *runs);
  for (int64_t row = 0; row < grid->n_rows; row++) /* all cells wish for 0: each row begins packed around it */
    settle(grid, row, runs);
  for (int pass = 0; pass < PASSES; pass++) {
    const bool last = pass == PASSES - 1;
    for (int64_t row = 1; row < grid->n_rows; row++) {
      wish(grid, row, true, last);
      settle(grid, row, runs);
    }
    for (int64_t row = grid->n_rows - 2; row >= 0; row--) {
      wish(grid, row, last, true);
      settle(grid, row, runs);
    }
  }
  double least = INFINITY;
  for (int64_t i = 0; i < grid->n_cells; i++)
    least = fmin(least, grid->cells[i].x - (double)grid->cells[i].width / 2);
  for (int64_t i = 0; i < grid->n_cells; i++)
    grid->cells[i].x -= least;
  free(runs);
}

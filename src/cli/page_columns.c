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
    runs[n_runs++] = (run){(cell->wish - offset) * cell->weight, cell->weight, 1};
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

/* Returns the weight of a line between neighbours: bends of one line stay straight, then boxes that feed boxes. The
 * row above and the row below use the same weights, so a long chain does not drift to one side. */
static double weight_of(const cli_cell *a, const cli_cell *b) {
  const int n_bends = (a->width == CLI_BEND_WIDTH) + (b->width == CLI_BEND_WIDTH);
  return n_bends == 2 ? 8 : n_bends == 1 ? 1 : 4;
}

static void add_wishes(cli_grid *grid, const cli_neighbours *of, int64_t number) {
  cli_cell *cell = &grid->cells[number];
  for (int64_t k = of->first[number]; k < of->first[number + 1]; k++) {
    const cli_cell *neighbour = &grid->cells[of->cells[k]];
    const double weight = weight_of(cell, neighbour);
    cell->wish += weight * neighbour->x;
    cell->weight += weight;
  }
}

/* Sets the wishes of a row. A cell without neighbours wishes to stay. */
static void wish(cli_grid *grid, int64_t row, bool above, bool below) {
  for (int64_t i = 0; i < grid->n_in_row[row]; i++) {
    const int64_t number = grid->rows[row][i];
    cli_cell *cell = &grid->cells[number];
    cell->wish = cell->weight = 0;
    if (above)
      add_wishes(grid, &grid->above, number);
    if (below)
      add_wishes(grid, &grid->below, number);
    cell->wish = cell->weight > 0 ? cell->wish / cell->weight : cell->x;
    cell->weight = cell->weight > 0 ? cell->weight : 1;
  }
}

void cli_grid_place(cli_grid *grid) {
  run *runs = cli_allocate((size_t)grid->n_cells, sizeof *runs);
  for (int64_t i = 0; i < grid->n_cells; i++)
    grid->cells[i].weight = 1;
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

/* Lays out one group of a page: gives each child a row below the children that feed it, makes a cell for each row that
 * a line passes, and lets the grid find orders and columns. */
#include "page_grid.h"
#include "page_tree.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BENDS = 200000 }; /* further lines of a group have no bends, and pass behind boxes */

typedef struct group_layout {
  cli_page_tree *t;
  cli_page_group *group;
  const cli_page_line *lines;
  int64_t n_lines, n, n_entries; /* n: children; the entries have the numbers from n on */
  int64_t *first_line;           /* of each child, the number of its first line; n_lines: none */
  int64_t *rows;                 /* of each child and entry */
  int64_t *first_bend, *n_bends; /* of each child and entry */
  cli_grid grid;
} group_layout;

static int64_t index_of(const group_layout *l, int64_t node) {
  return l->t->nodes[node].index;
}

static bool crosses(const cli_page_line *line) {
  return line->above >= 0 && line->below >= 0;
}

/* ---- rows ---- */

static void find_first_lines(group_layout *l) {
  for (int64_t i = 0; i < l->n; i++)
    l->first_line[i] = l->n_lines;
  for (int64_t i = l->n_lines - 1; i >= 0; i--)
    if (l->lines[i].above >= 0)
      l->first_line[index_of(l, l->lines[i].above)] = i;
}

/* Gives each child a row below all children that feed it. If children feed each other in a circle, the first of them in
 * the file's order is placed before the others, and some lines lead upwards. */
static void find_rows(group_layout *l) {
  int64_t *n_waiting = cli_allocate((size_t)l->n, sizeof *n_waiting),
          *queue = cli_allocate((size_t)l->n, sizeof *queue);
  bool *is_placed = cli_allocate((size_t)l->n, sizeof *is_placed);
  int64_t n_queued = 0, n_placed = 0, unplaced = 0;
  for (int64_t i = 0; i < l->n_lines; i++)
    if (crosses(&l->lines[i]))
      n_waiting[index_of(l, l->lines[i].below)]++;
  for (int64_t i = 0; i < l->n; i++)
    if (n_waiting[i] == 0)
      queue[n_queued++] = i;
  while (n_placed < l->n) {
    if (n_placed == n_queued) {
      while (is_placed[unplaced])
        unplaced++;
      queue[n_queued++] = unplaced;
    }
    const int64_t child = queue[n_placed++];
    is_placed[child] = true;
    for (int64_t i = l->first_line[child]; i < l->n_lines && l->lines[i].above == l->group->children[child]; i++) {
      const int64_t below = crosses(&l->lines[i]) ? index_of(l, l->lines[i].below) : -1;
      if (below < 0 || is_placed[below])
        continue;
      l->rows[below] = l->rows[below] > l->rows[child] ? l->rows[below] : l->rows[child] + 1;
      if (--n_waiting[below] == 0)
        queue[n_queued++] = below;
    }
  }
  free(n_waiting);
  free(queue);
  free(is_placed);
}

/* Moves children that nothing feeds down to their first reader. */
static void move_down(group_layout *l) {
  bool *is_fed = cli_allocate((size_t)l->n, sizeof *is_fed);
  for (int64_t i = 0; i < l->n_lines; i++)
    if (l->lines[i].below >= 0)
      is_fed[index_of(l, l->lines[i].below)] = true;
  for (int64_t child = 0; child < l->n; child++) {
    int64_t least = INT64_MAX;
    for (int64_t i = l->first_line[child]; i < l->n_lines && l->lines[i].above == l->group->children[child]; i++)
      if (crosses(&l->lines[i]) && l->rows[index_of(l, l->lines[i].below)] < least)
        least = l->rows[index_of(l, l->lines[i].below)];
    if (!is_fed[child] && least != INT64_MAX && least > l->rows[child])
      l->rows[child] = least - 1;
  }
  free(is_fed);
}

/* Makes an entry of the group for each layer outside that feeds a child. Lines that enter are sorted by that layer only
 * within a child, so the entries are sorted here. */
static int by_layer(const void *a, const void *b) {
  const cli_page_entry *x = a, *y = b;
  return (x->layer > y->layer) - (x->layer < y->layer);
}

static void make_entries(group_layout *l) {
  cli_page_group *group = l->group;
  int64_t n = 0;
  group->entries = cli_allocate((size_t)l->n_lines, sizeof *group->entries);
  for (int64_t i = 0; i < l->n_lines; i++)
    if (l->lines[i].above < 0)
      group->entries[n++].layer = l->lines[i].from;
  if (n > 0)
    qsort(group->entries, (size_t)n, sizeof *group->entries, by_layer);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || group->entries[i].layer != group->entries[i - 1].layer)
      group->entries[group->n_entries++] = group->entries[i];
  l->n_entries = group->n_entries;
}

/* Returns the child or entry from which the line comes. */
static int64_t begin_of(const group_layout *l, const cli_page_line *line) {
  if (line->above >= 0)
    return index_of(l, line->above);
  const cli_page_entry key = {.layer = line->from};
  const cli_page_entry *found = bsearch(&key, l->group->entries, (size_t)l->n_entries, sizeof key, by_layer);
  return l->n + (found - l->group->entries);
}

/* ---- cells ---- */

/* Counts the rows that the lines of each child and entry pass. All lines of a child share their bends. */
static void count_bends(group_layout *l) {
  for (int64_t i = 0; i < l->n_lines; i++) {
    const cli_page_line *line = &l->lines[i];
    const int64_t begin = begin_of(l, line);
    const int64_t end = line->below < 0 ? l->group->n_rows : l->rows[index_of(l, line->below)];
    if (end - l->rows[begin] - 1 > l->n_bends[begin])
      l->n_bends[begin] = end - l->rows[begin] - 1;
  }
  const int64_t n = l->n + l->n_entries;
  int64_t n_bends = 0;
  for (int64_t i = 0; i < n; i++) {
    if (n_bends + l->n_bends[i] > MOST_BENDS)
      l->n_bends[i] = 0;
    l->first_bend[i] = n + n_bends;
    n_bends += l->n_bends[i];
  }
  l->grid.n_cells = n + n_bends;
}

/* Returns the cell of a child's or entry's line in a row; -1: the line has no bend there. */
static int64_t cell_at(const group_layout *l, int64_t begin, int64_t row) {
  if (row == l->rows[begin])
    return begin;
  const int64_t bend = row - l->rows[begin] - 1;
  return bend >= 0 && bend < l->n_bends[begin] ? l->first_bend[begin] + bend : -1;
}

static void make_cells(group_layout *l) {
  cli_grid *grid = &l->grid;
  const int64_t top = l->n_entries > 0 ? -1 : 0; /* entries lie in a row above the others */
  grid->n_rows = l->group->n_rows - top;
  grid->cells = cli_allocate((size_t)grid->n_cells, sizeof *grid->cells);
  grid->rows = cli_allocate((size_t)grid->n_rows, sizeof *grid->rows);
  grid->n_in_row = cli_allocate((size_t)grid->n_rows, sizeof *grid->n_in_row);
  for (int64_t i = 0; i < l->n + l->n_entries; i++)
    for (int64_t k = -1; k < l->n_bends[i]; k++)
      grid->cells[k < 0 ? i : l->first_bend[i] + k] =
          (cli_cell){.row = l->rows[i] + 1 + k - top, .width = k < 0 && i < l->n ? CLI_BOX_WIDTH : CLI_BEND_WIDTH};
  for (int64_t i = 0; i < grid->n_cells; i++)
    grid->n_in_row[grid->cells[i].row]++;
  for (int64_t row = 0; row < grid->n_rows; row++) {
    grid->rows[row] = cli_allocate((size_t)grid->n_in_row[row], sizeof *grid->rows[row]);
    grid->n_in_row[row] = 0;
  }
  for (int64_t i = 0; i < grid->n_cells; i++) {
    cli_cell *cell = &grid->cells[i];
    cell->place = grid->n_in_row[cell->row]++;
    grid->rows[cell->row][cell->place] = i;
  }
}

/* Calls are made twice: first to count neighbours, then, with `fill`, to list them. */
static void add_pair(cli_grid *grid, int64_t above, int64_t below, bool fill) {
  if (above < 0 || below < 0)
    return;
  if (fill) {
    grid->below.cells[grid->below.first[above + 1]] = below;
    grid->above.cells[grid->above.first[below + 1]] = above;
  }
  grid->below.first[above + 1]++;
  grid->above.first[below + 1]++;
}

static void add_pairs(group_layout *l, bool fill) {
  for (int64_t i = 0; i < l->n + l->n_entries; i++)
    for (int64_t k = 0; k < l->n_bends[i]; k++)
      add_pair(&l->grid, k == 0 ? i : l->first_bend[i] + k - 1, l->first_bend[i] + k, fill);
  for (int64_t i = 0; i < l->n_lines; i++) {
    const cli_page_line *line = &l->lines[i];
    if (line->below < 0)
      continue;
    const int64_t below = index_of(l, line->below);
    add_pair(&l->grid, cell_at(l, begin_of(l, line), l->rows[below] - 1), below, fill);
  }
}

/* Makes `first` the sums of counts, moved by one cell, so that listing the neighbours moves it back. */
static void sum_counts(cli_neighbours *neighbours, int64_t n_cells) {
  int64_t sum = 0;
  for (int64_t i = 0; i <= n_cells; i++) {
    const int64_t count = neighbours->first[i];
    neighbours->first[i] = i == 0 ? 0 : sum;
    sum += count;
  }
  neighbours->cells = cli_allocate((size_t)sum, sizeof *neighbours->cells);
}

static void find_neighbours(group_layout *l) {
  cli_grid *grid = &l->grid;
  grid->above.first = cli_allocate((size_t)grid->n_cells + 1, sizeof *grid->above.first);
  grid->below.first = cli_allocate((size_t)grid->n_cells + 1, sizeof *grid->below.first);
  add_pairs(l, false);
  sum_counts(&grid->above, grid->n_cells);
  sum_counts(&grid->below, grid->n_cells);
  add_pairs(l, true);
}

/* ---- the result ---- */

static int64_t *list_bends(const group_layout *l, int64_t of) {
  int64_t *bends = cli_allocate((size_t)l->n_bends[of], sizeof *bends);
  for (int64_t k = 0; k < l->n_bends[of]; k++)
    bends[k] = llround(l->grid.cells[l->first_bend[of] + k].x);
  return bends;
}

static void keep(group_layout *l) {
  cli_page_group *group = l->group;
  for (int64_t i = 0; i < l->n; i++) {
    cli_page_node *node = &l->t->nodes[group->children[i]];
    node->x = llround(l->grid.cells[i].x);
    node->row = l->rows[i];
    node->n_bends = l->n_bends[i];
    node->bends = list_bends(l, i);
  }
  for (int64_t i = 0; i < l->n_entries; i++) {
    cli_page_entry *entry = &group->entries[i];
    entry->x = llround(l->grid.cells[l->n + i].x);
    entry->n_bends = l->n_bends[l->n + i];
    entry->bends = list_bends(l, l->n + i);
  }
  for (int64_t i = 0; i < l->grid.n_cells; i++) {
    const int64_t right = llround(l->grid.cells[i].x + (double)l->grid.cells[i].width / 2);
    group->width = right > group->width ? right : group->width;
  }
}

static void free_grid(cli_grid *grid) {
  for (int64_t row = 0; row < grid->n_rows; row++)
    free(grid->rows[row]);
  free(grid->rows);
  free(grid->n_in_row);
  free(grid->cells);
  free(grid->above.first);
  free(grid->above.cells);
  free(grid->below.first);
  free(grid->below.cells);
}

void cli_page_lay_out_group(cli_page_tree *tree, int64_t group, const cli_page_line *lines, int64_t n_lines) {
  group_layout l = {.t = tree, .group = cli_page_group_of(tree, group), .lines = lines, .n_lines = n_lines};
  l.n = l.group->n_children;
  make_entries(&l);
  const size_t n = (size_t)(l.n + l.n_entries);
  l.first_line = cli_allocate((size_t)l.n, sizeof *l.first_line);
  l.rows = cli_allocate(n, sizeof *l.rows);
  l.first_bend = cli_allocate(n, sizeof *l.first_bend);
  l.n_bends = cli_allocate(n, sizeof *l.n_bends);
  find_first_lines(&l);
  find_rows(&l);
  move_down(&l);
  for (int64_t i = 0; i < l.n; i++)
    l.group->n_rows = l.rows[i] >= l.group->n_rows ? l.rows[i] + 1 : l.group->n_rows;
  for (int64_t i = l.n; i < l.n + l.n_entries; i++)
    l.rows[i] = -1;
  count_bends(&l);
  make_cells(&l);
  find_neighbours(&l);
  cli_grid_sort(&l.grid);
  cli_grid_place(&l.grid);
  keep(&l);
  free_grid(&l.grid);
  free(l.first_line);
  free(l.rows);
  free(l.first_bend);
  free(l.n_bends);
}

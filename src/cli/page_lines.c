/* Finds the lines of each group of a page, and lays out all groups. A line between layers of different groups becomes a
 * line in each group on its way: it leaves the groups of its source, crosses one, and enters those of its reader. */
#include "page_tree.h"

#include <stdlib.h>

typedef struct line_list {
  cli_page_line *lines;
  size_t n, capacity;
} line_list;

static void add_line(line_list *list, cli_page_line line) {
  list->lines = cli_with_room(list->lines, list->n, &list->capacity, sizeof *list->lines);
  list->lines[list->n++] = line;
}

static int depth_of(const cli_page_tree *t, int64_t node) {
  int depth = 0;
  for (; t->nodes[node].parent >= 0; node = t->nodes[node].parent)
    depth++;
  return depth;
}

static void add_lines_between(const cli_page_tree *t, line_list *list, int64_t from, int64_t above, int64_t below) {
  int of_above = depth_of(t, above), of_below = depth_of(t, below);
  while (t->nodes[above].parent != t->nodes[below].parent) {
    const int deepest = of_above > of_below ? of_above : of_below;
    if (of_above == deepest) {
      add_line(list, (cli_page_line){t->nodes[above].parent, from, above, -1});
      above = t->nodes[above].parent;
      of_above--;
    }
    if (of_below == deepest) {
      add_line(list, (cli_page_line){t->nodes[below].parent, from, -1, below});
      below = t->nodes[below].parent;
      of_below--;
    }
  }
  if (above != below)
    add_line(list, (cli_page_line){t->nodes[above].parent, from, above, below});
}

static void find_lines(const cli_page_tree *t, line_list *list) {
  const cli_picture *p = t->picture;
  for (int64_t i = 0; i < t->n_layers; i++)
    for (int k = 0; k < p->layers[i].n_sources && t->nodes[i].parent >= 0; k++)
      if (t->nodes[p->layers[i].sources[k]].parent >= 0)
        add_lines_between(t, list, p->layers[i].sources[k], p->layers[i].sources[k], i);
  for (int64_t i = 0; i < t->n_groups; i++) {
    const cli_page_group *group = &t->groups[i];
    const int64_t first = group->n_children > 0 ? t->nodes[t->n_layers + i].place : -1;
    if (i > 0 && group->kind == CLI_GROUP_BODY && first >= 0)
      add_lines_between(t, list, p->layers[first].owner, p->layers[first].owner, t->n_layers + i);
  }
}

static int by_group(const void *a, const void *b) {
  const cli_page_line *x = a, *y = b;
  const int64_t one[] = {x->group, x->above, x->below, x->above < 0 ? x->from : 0};
  const int64_t other[] = {y->group, y->above, y->below, y->above < 0 ? y->from : 0};
  for (int i = 0; i < 4; i++)
    if (one[i] != other[i])
      return one[i] < other[i] ? -1 : 1;
  return 0;
}

void cli_page_lay_out(cli_page_tree *tree) {
  line_list list = {0};
  find_lines(tree, &list);
  if (list.n > 0)
    qsort(list.lines, list.n, sizeof *list.lines, by_group);
  size_t n = 0;
  for (size_t i = 0; i < list.n; i++)
    if (n == 0 || by_group(&list.lines[n - 1], &list.lines[i]) != 0)
      list.lines[n++] = list.lines[i];
  size_t first = 0;
  for (int64_t i = 0; i < tree->n_groups; i++) {
    const int64_t group = tree->n_layers + i;
    while (first < n && list.lines[first].group < group)
      first++;
    size_t end = first;
    while (end < n && list.lines[end].group == group)
      end++;
    cli_page_lay_out_group(tree, group, list.lines + first, (int64_t)(end - first));
  }
  free(list.lines);
}

/* Prints the comparisons of inner tensors: a table, and the first layer whose result differs. */
#include "run_inner.h"
#include "table.h"

#include <stdlib.h>

enum { MOST_ROWS = 20 }; /* maximum number of rows without -v */

typedef enum column { ID, LAYER, OP, TENSOR, COMPARED, N_COLUMNS } column;

typedef struct inner_rows {
  const cli_run *r;
  const cli_inner **shown;
  int64_t n;
} inner_rows;

static bool differs(const cli_inner *inner) {
  return !inner->unreadable && !inner->comparison.match;
}

static int by_order(const void *a, const void *b) {
  const cli_inner *x = *(const cli_inner *const *)a, *y = *(const cli_inner *const *)b;
  return (x->order > y->order) - (x->order < y->order);
}

/* Returns the compared tensors in running order. The caller frees the list. */
static const cli_inner **in_order(const cli_run *r, int64_t *out_n) {
  const cli_inner **list = cli_allocate((size_t)r->n_inner, sizeof *list);
  *out_n = 0;
  for (int64_t i = 0; i < r->n_inner; i++)
    if (r->inner[i].order >= 0)
      list[(*out_n)++] = &r->inner[i];
  if (*out_n > 0)
    qsort(list, (size_t)*out_n, sizeof *list, by_order);
  return list;
}

static void add_result(cli_string *cell, const cli_inner *inner) {
  const irrun_comparison *result = &inner->comparison;
  if (inner->unreadable) {
    cli_add(cell, "not compared");
  } else if (!result->comparable) {
    cli_add(cell, "DIFFERS in shape or type");
  } else {
    if (result->match)
      cli_add(cell, "ok");
    else
      cli_add(cell, "DIFFERS  %lld of %lld", (long long)result->mismatched, (long long)result->count);
    cli_add(cell, "  max abs ");
    cli_add_difference(cell, result->not_finite > 0 ? result->worst_abs : result->abs_max);
  }
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const inner_rows *rows = user;
  (void)details;
  if (index >= rows->n)
    return false;
  const cli_inner *inner = rows->shown[index];
  irrun_layer layer = {.size = sizeof layer};
  irrun_value value = {.size = sizeof value};
  irrun_model_get_layer(rows->r->model, inner->layer, &layer);
  irrun_model_get_layer_output(rows->r->model, inner->layer, inner->port, &value);
  cli_add_name(&cells[ID], layer.id);
  cli_add_name(&cells[LAYER], irrun_model_get_tensor_key(rows->r->model, inner->layer, inner->port));
  cli_add_name(&cells[OP], layer.type);
  cli_add(&cells[OP], "-%d", layer.version);
  cli_add_value(&cells[TENSOR], &value);
  add_result(&cells[COMPARED], inner);
  return true;
}

static void print_table(const cli_run *r, const cli_inner **list, int64_t n) {
  static const cli_column columns[N_COLUMNS] = {[ID] = {"id", .right = true},
                                                [LAYER] = {"layer", .cut = CLI_CUT_MIDDLE},
                                                [OP] = {"op"},
                                                [TENSOR] = {"tensor"},
                                                [COMPARED] = {"compared"}};
  inner_rows rows = {.r = r, .shown = cli_allocate((size_t)n, sizeof *rows.shown)};
  int64_t n_left = 0;
  for (int64_t i = 0; i < n; i++) {
    bool shown = r->c->options.verbose || (differs(list[i]) && rows.n < MOST_ROWS);
    n_left += !shown && differs(list[i]);
    if (shown)
      rows.shown[rows.n++] = list[i];
  }
  if (rows.n > 0)
    cli_print_table(r->c->results, cli_results_width(r->c), columns, N_COLUMNS, fill_row, &rows);
  if (n_left > 0)
    fprintf(r->c->results, "   ... %lld more differ; -v shows all\n", (long long)n_left);
  free(rows.shown);
}

static void add_key(cli_string *line, const cli_run *r, const cli_inner *inner) {
  cli_add(line, "'");
  cli_add_name(line, irrun_model_get_tensor_key(r->model, inner->layer, inner->port));
  cli_add(line, "'");
}

/* Prints "pool.xml: 'pool' is the first that diverges, behind 'x': 2 of 4 tensors differ, 1 not computed". */
static void print_summary(const cli_run *r, const cli_inner **list, int64_t n) {
  cli_string line = {0};
  int64_t first = 0, n_unreadable = 0;
  while (first < n && !differs(list[first]))
    first++;
  for (int64_t i = 0; i < n; i++)
    n_unreadable += list[i]->unreadable;
  cli_add_name(&line, r->path);
  if (first < n) {
    cli_add(&line, ": ");
    add_key(&line, r, list[first]);
    cli_add(&line, " is the first that diverges");
    if (first > 0) {
      cli_add(&line, ", behind ");
      add_key(&line, r, list[first - 1]);
    }
  }
  cli_add(&line, ": %lld of ", (long long)(first < n ? r->n_inner_differ : n - n_unreadable));
  cli_add_count(&line, n, "tensor");
  cli_add(&line, first < n ? " differ" : " match");
  if (n == 1)
    cli_add(&line, first < n ? "s" : "es");
  if (r->n_inner > n)
    cli_add(&line, ", %lld not computed", (long long)(r->n_inner - n));
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

void cli_print_inner(cli_run *r) {
  int64_t n;
  const cli_inner **list = in_order(r, &n);
  if (!r->c->options.quiet)
    print_table(r, list, n);
  print_summary(r, list, n);
  free(list);
}

void cli_json_inner(cli_run *r, cli_node *model) {
  int64_t n;
  const cli_inner **list = in_order(r, &n);
  cli_node *nodes = cli_node_array(model, "inner");
  for (int64_t i = 0; i < n; i++) {
    irrun_layer layer = {.size = sizeof layer};
    irrun_model_get_layer(r->model, list[i]->layer, &layer);
    cli_node *node = cli_node_object(nodes, NULL);
    cli_node_text(node, "name", irrun_model_get_tensor_key(r->model, list[i]->layer, list[i]->port));
    cli_node_scalar(node, "id", layer.id);
    cli_json_comparison(node, list[i]->path, &list[i]->comparison);
    if (list[i]->heatmap.is_written)
      cli_node_printable(node, "heatmap", list[i]->heatmap.path);
  }
  free(list);
}

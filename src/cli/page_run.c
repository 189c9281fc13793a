#include "page_run.h"
#include "irrun_state.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DIFFERING = 30, PAIRS = 200, CELLS = 64 };

/* ---- differences ---- */

static double value_at(const irrun_tensor *tensor, int64_t index) {
  char text[48];
  return strtod(irrun_tensor_text(tensor, index, text, sizeof text), NULL);
}

/* Adds pairs [got, expected] at equal distances, without those that are not finite. */
static void add_pairs(cli_node *node, const irrun_tensor *got, const irrun_tensor *expected) {
  const int64_t n = irrun_tensor_get_info(got).elements, n_pairs = n < PAIRS ? n : PAIRS;
  cli_node *list = cli_node_array(node, "pairs");
  for (int64_t i = 0; i < n_pairs; i++) {
    const int64_t at = (int64_t)((double)i / (double)n_pairs * (double)n);
    const double x = value_at(got, at), y = value_at(expected, at);
    if (!isfinite(x) || !isfinite(y))
      continue;
    cli_node *pair = cli_node_array(list, NULL);
    cli_node_number(pair, NULL, x);
    cli_node_number(pair, NULL, y);
  }
}

static void add_map(cli_run *r, cli_node *node, int64_t layer, int port, const irrun_comparison *comparison,
                    const irrun_tensor *got, const irrun_tensor *expected) {
  const irrun_tolerance tolerance = {comparison->atol, comparison->rtol, comparison->ulp};
  irrun_comparison again = {.size = sizeof again};
  cli_heatmap *map = cli_heatmap_create(got, CELLS);
  const irrun_status status = irrun_model_compare_layer(r->model, layer, port, NULL, got, expected, r->c->options.cast,
                                                        tolerance, cli_heatmap_see, map, &again);
  if (status == IRRUN_OK || status == IRRUN_DIFFERS)
    cli_json_heatmap(cli_node_object(node, "map"), map);
  cli_heatmap_free(map);
}

void cli_page_keep(cli_run *r, int64_t layer, int port, const irrun_comparison *comparison, const irrun_tensor *got,
                   const irrun_tensor *expected) {
  if (cli_page_path(r->c) == NULL || comparison->match || !comparison->comparable || layer < 0 ||
      r->n_differing >= MOST_DIFFERING)
    return;
  if (r->differing == NULL)
    r->differing = cli_node_list();
  r->n_differing++;
  cli_node *node = cli_node_object(r->differing, NULL);
  cli_node_integer(node, "layer", layer);
  cli_node_integer(node, "port", port);
  add_pairs(node, got, expected);
  add_map(r, node, layer, port, comparison, got, expected);
}

/* ---- statistics ---- */

/* A callback of type irrun_visit. */
static irrun_status visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                          const irrun_tensor **out_instead) {
  (void)out_instead;
  return cli_stats_add(user, layer, port, tensor);
}

/* Adds the statistics of --stats. Without it, executes the run again, layer by layer, and leaves out a model with
 * variables, which the execution would change. */
static irrun_status add_tensors(cli_run *r, cli_node *page) {
  cli_node *list = cli_node_array(page, "tensors");
  if (r->stats != NULL) {
    cli_page_all_stats(list, r->stats);
    return IRRUN_OK;
  }
  if (irrun_run_get_variable(r->run, 0, &(irrun_variable){.size = sizeof(irrun_variable)}))
    return IRRUN_OK;
  cli_stats *stats = cli_stats_begin(r->c, r->model);
  irrun_run_visit_bodies(r->run, visit, stats);
  const irrun_status status = irrun_run_execute(r->run);
  irrun_run_visit(r->run, NULL, NULL);
  cli_page_all_stats(list, stats);
  cli_stats_free(stats);
  return status;
}

irrun_status cli_page_add_run(cli_run *r, cli_node *page, const cli_profile *profile) {
  irrun_status status = add_tensors(r, page);
  cli_node_tabulate(page, "tensors");
  if (r->differing != NULL)
    cli_node_adopt(page, "differing", r->differing);
  r->differing = NULL;
  if (status == IRRUN_OK)
    status = cli_page_add_times(r, page, profile);
  return status == IRRUN_OK ? cli_page_add_plan(r, page) : status;
}

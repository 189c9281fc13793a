/* --check-shapes: reads and checks every model. Prints its table or summary, then its diagnostics, then its verdict:
 * the most important line comes last. */
#include "baseline.h"
#include "model_folder.h"
#include "report_json.h"
#include "report_text.h"

static void print_model(cli *c, irrun_model *model) {
  if (cli_model_info(model).n_layers > CLI_MOST_LAYERS && !c->options.verbose)
    cli_print_summary(c, model);
  else
    cli_print_layers(c, model, NULL, 0);
  cli_print_sizes(c, model);
}

static void report_json(cli *c, irrun_model *model, const char *path, irrun_status status) {
  cli_node *node = cli_json_next_model(c->json);
  cli_json_model(c, node, model, path, status);
  if (model != NULL)
    cli_json_sizes(node, model);
}

/* Prints "500 models: 498 ok, 2 invalid": `counts` has a number of models for each exit status. */
static void print_counts(cli *c, const int *counts) {
  cli_string line = {0};
  cli_add_count(&line, c->options.n_models, "model");
  for (int status = 0, n = 0; status <= IRRUN_INTERNAL; status++)
    if (counts[status] > 0)
      cli_add(&line, "%s %d %s", n++ == 0 ? ":" : ",", counts[status], cli_verdict((irrun_status)status));
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

irrun_status cli_check_mode(cli *c) {
  irrun_status worst = irrun_status_worse(cli_expand_folders(c), cli_baseline_open(c));
  if (worst != IRRUN_OK)
    return worst;
  const bool only_failures = c->options.quiet && c->options.n_models > 1;
  int counts[IRRUN_INTERNAL + 1] = {0};
  bool tables = !c->options.quiet && (c->options.n_models == 1 || c->options.verbose);
  for (int i = 0; i < c->options.n_models; i++) {
    const char *path = c->options.models[i];
    irrun_model *model;
    irrun_status status = cli_read_model(c, path, IRRUN_TO_CHECK, &model);
    if (model != NULL)
      status = irrun_status_worse(status, cli_check_assertions(c, model, NULL));
    status = cli_judge(c, status, i);
    worst = irrun_status_worse(worst, status);
    counts[status]++;
    if (c->json != NULL) {
      report_json(c, model, path, status);
    } else {
      if (tables && model != NULL)
        print_model(c, model);
      cli_show_diagnostics(c);
      if (status != IRRUN_OK || !only_failures)
        cli_print_verdict(c, model, path, status);
      cli_flush_results(c);
    }
    irrun_model_free(model);
  }
  if (only_failures && c->json == NULL)
    print_counts(c, counts);
  return irrun_status_worse(worst, cli_baseline_write(c));
}

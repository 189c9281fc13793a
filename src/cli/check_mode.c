/* --check-shapes: reads and checks every model. Prints its table or summary, then its diagnostics, then its verdict:
 * the most important line comes last. */
#include "baseline.h"
#include "model_folder.h"
#include "page.h"
#include "report_text.h"
#include "sandbox.h"
#include "stats.h"

static void print_model(cli *c, irrun_model *model) {
  const bool is_summary = cli_model_info(model).n_layers > CLI_MOST_LAYERS && !c->options.verbose;
  if (is_summary)
    cli_print_summary(c, model);
  else
    cli_print_layers(c, model, NULL, 0);
  cli_print_sizes(c, model, is_summary);
}

/* --stats: the statistics of constants, and how layers are quantized. */
static irrun_status report_stats(cli *c, irrun_model *model, cli_node *node) {
  if (model == NULL || !cli_options_have(&c->options, CLI_OPTION_STATS))
    return IRRUN_OK;
  cli_stats *stats = cli_stats_begin(c, model);
  const irrun_status status = cli_stats_add_constants(stats);
  if (node != NULL) {
    cli_json_stats(stats, node);
    cli_json_quantized(node, model);
  } else {
    cli_print_stats(stats);
    cli_print_quantized(c, model);
  }
  cli_stats_free(stats);
  return status;
}

static irrun_status report_json(cli *c, irrun_model *model, const char *path, irrun_status status) {
  cli_node *node = cli_json_next_model(c->json);
  cli_json_model(c, node, model, path, status);
  if (model != NULL)
    cli_json_sizes(node, model);
  return report_stats(c, model, node);
}

/* Writes the page of --report. */
static irrun_status report_page(cli *c, irrun_model *model, const char *path, irrun_status status) {
  if (cli_page_path(c) == NULL)
    return IRRUN_OK;
  cli_json *page = cli_json_create();
  cli_page_add_model(c, page, model, path, status, 0);
  return cli_page_end(c, page, status);
}

/* Checks, before any work, what the options name. */
static irrun_status check_options(cli *c) {
  const char *release = cli_options_next(&c->options, CLI_OPTION_FOR, &(int){0});
  irrun_status worst = irrun_status_worse(cli_page_check(c), cli_check_constants(c));
  if (release != NULL)
    worst = irrun_status_worse(worst, irrun_context_check_release(c->context, release));
  if (cli_page_path(c) == NULL || c->options.n_models == 1)
    return worst;
  return cli_fault(c->context, "IR801", NULL, "write a page for each", "'--report' shows one MODEL, and here are %d",
                   c->options.n_models);
}

/* Checks what options ask for. `status` is that of the model. */
static irrun_status check_model(cli *c, irrun_model *model, irrun_status status) {
  const char *release = cli_options_next(&c->options, CLI_OPTION_FOR, &(int){0});
  status = irrun_status_worse(status, cli_check_assertions(c, model, NULL));
  if (release != NULL)
    status = irrun_status_worse(status, irrun_model_check_release(model, release));
  return status;
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
  worst = irrun_status_worse(worst, check_options(c));
  if (worst != IRRUN_OK)
    return worst;
  cli_enter_sandbox(c, NULL);
  const bool only_failures = c->options.quiet && c->options.n_models > 1;
  int counts[IRRUN_INTERNAL + 1] = {0};
  bool tables = !c->options.quiet && (c->options.n_models == 1 || c->options.verbose);
  for (int i = 0; i < c->options.n_models; i++) {
    const char *path = c->options.models[i];
    irrun_model *model;
    irrun_status status = cli_read_model(c, path, IRRUN_TO_CHECK, &model);
    if (model != NULL)
      status = check_model(c, model, status);
    if (model != NULL && status == IRRUN_OK) /* the model is ok, even if the file cannot be written */
      worst = irrun_status_worse(worst, cli_save_constants(c, model));
    status = cli_judge(c, status, i);
    worst = irrun_status_worse(worst, status);
    counts[status]++;
    if (c->json != NULL) {
      worst = irrun_status_worse(worst, report_json(c, model, path, status));
    } else {
      if (tables && model != NULL)
        print_model(c, model);
      worst = irrun_status_worse(worst, report_stats(c, model, NULL));
      cli_show_diagnostics(c);
      if (status != IRRUN_OK || !only_failures)
        cli_print_verdict(c, model, path, status);
      cli_flush_results(c);
    }
    worst = irrun_status_worse(worst, report_page(c, model, path, status));
    irrun_model_free(model);
  }
  if (only_failures && c->json == NULL)
    print_counts(c, counts);
  /* The known findings of an unreadable model would be lost. */
  return worst == IRRUN_IO ? worst : irrun_status_worse(worst, cli_baseline_write(c));
}

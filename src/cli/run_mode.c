/* The default mode: reads a model, binds its inputs, runs it, compares and writes its outputs. Checks the whole command
 * line before the run, and writes --output after the run. */
#include "against.h"
#include "page_run.h"
#include "report_text.h"
#include "run_inner.h"
#include "run_keys.h"
#include "sandbox.h"

#include <stdlib.h>
#include <string.h>

static irrun_status read_assertions(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_ASSERT_OUTPUT, &at)) != NULL;)
    worst = irrun_status_worse(worst, irrun_model_check_assertion(r->model, text));
  return worst;
}

/* Computes, compares and writes. `bound` is the status of cli_bind_run_outputs. */
static irrun_status run_step(cli_run *r, irrun_status bound, cli_profile *profile) {
  irrun_status status = cli_bind_run_inputs(r, bound);
  if (status == IRRUN_OK)
    status = cli_ask_peer(r);
  if (status == IRRUN_OK)
    status = cli_bind_pictures(r);
  if (status == IRRUN_OK)
    status = cli_execute_run(r);
  if (status != IRRUN_OK)
    return status;
  if (cli_is_profiled(r->c))
    cli_profile_take(profile, r->run);
  status = irrun_status_worse(r->inner_status, cli_compare_outputs(r));
  status = irrun_status_worse(status, cli_check_assertions(r->c, r->model, r->run));
  status = irrun_status_worse(status, cli_write_outputs(r));
  return irrun_status_worse(status, cli_profile_write(r, profile));
}

void cli_show_missing_ops(irrun_model *model) {
  cli_string missing = {0};
  cli_add_missing_ops(&missing, model, CLI_ANY_WIDTH);
  if (missing.length > 0)
    fprintf(stderr, "Ops that irrun does not have: %s.\n", cli_text(&missing));
  cli_reset(&missing);
}

static bool has_results(const cli_run *r) {
  for (int64_t i = 0; i < r->n_outputs && r->is_executed; i++)
    if (irrun_run_output(r->run, i) != NULL)
      return true;
  return false;
}

static void report_json(cli_run *r, cli_node *node, const cli_profile *profile) {
  const bool computed = has_results(r);
  cli_json_llm(r, node);
  if (computed)
    cli_json_results(r, node);
  if (computed && cli_compares(&r->c->options))
    cli_json_comparisons(r, node);
  if (computed && r->n_inner > 0)
    cli_json_inner(r, node);
  if (computed && r->n_alone > 0)
    cli_json_alone(r, node);
  if (profile != NULL && profile->steps != NULL)
    cli_json_profile(r, node, profile);
}

/* Writes the page of --report, unless the command line is wrong. */
static irrun_status report_page(cli_run *r, const cli_profile *profile, irrun_status status) {
  if (!r->writes_page || status == IRRUN_USAGE)
    return IRRUN_OK;
  cli_json *page = cli_json_create();
  cli_node *node = cli_page_add_model(r->c, page, r->model, r->path, status, 0);
  if (r->run != NULL)
    report_json(r, node, NULL);
  const irrun_status added = has_results(r) ? cli_page_add_run(r, cli_node_member(node, "page"), profile) : IRRUN_OK;
  return irrun_status_worse(added, cli_page_end(r->c, page, irrun_status_worse(status, added)));
}

static void print_step(const cli_run *r) {
  cli_string line = {0};
  cli_add(&line, "%s %d of %d", r->data_set != NULL ? "input" : "step", r->step + 1, r->n_steps);
  if (r->data_set != NULL) {
    cli_add(&line, ": ");
    cli_add_name(&line, r->data_set);
  }
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void report_text(cli_run *r, const cli_profile *profile, irrun_status status) {
  cli *c = r->c;
  const bool computed = has_results(r), compares = cli_compares(&c->options);
  const bool shows = !c->options.quiet || compares || !cli_options_have(&c->options, CLI_OPTION_OUTPUT);
  if (r->n_steps > 0 && shows && (r->step > 0 || r->is_executed))
    print_step(r);
  cli_show_diagnostics(c);
  if (status == IRRUN_UNSUPPORTED && !computed && r->model != NULL)
    cli_show_missing_ops(r->model);
  if (computed && !c->options.quiet)
    cli_print_llm(r);
  if (computed)
    cli_print_results(r);
  if (computed && compares)
    cli_print_comparisons(r);
  if (computed && r->n_inner > 0)
    cli_print_inner(r);
  if (computed && c->options.verbose)
    cli_print_alone(r);
  if (computed && r->is_saved && !c->options.quiet)
    cli_print_saved(c, r->save_all, r->n_saved, "tensor");
  if (computed && c->options.verbose)
    cli_print_products(r);
  if (profile != NULL && profile->steps != NULL)
    cli_print_profile(r, profile);
  cli_flush_results(c);
}

/* Runs one step and reports on it. */
static irrun_status do_step(cli_run *r, irrun_status bound) {
  cli_profile profile = {.steps = NULL};
  const irrun_status status = run_step(r, bound, &profile);
  const cli_profile *shown = cli_options_have(&r->c->options, CLI_OPTION_PROFILE) ? &profile : NULL;
  if (r->c->json != NULL) {
    r->node = r->n_steps > 0 ? cli_node_alone() : cli_json_next_model(r->c->json);
    if (r->n_steps == 0)
      cli_json_model(r->c, r->node, r->model, r->path, status);
    else
      cli_node_integer(r->node, "exit", status);
    if (r->data_set != NULL)
      cli_node_printable(r->node, "data_set", r->data_set);
    if (r->n_steps == 0)
      cli_json_stats(r->stats, r->node);
    report_json(r, r->node, shown);
  } else {
    report_text(r, shown, status);
  }
  const irrun_status of_page = report_page(r, &profile, status);
  cli_profile_reset(&profile);
  return irrun_status_worse(status, of_page);
}

/* Makes the options of a step the program's options. `all` are those of the command line. */
static void choose_step(cli *c, const cli_options *all, int step) {
  c->options.n_given = cli_options_of_step(all, step, c->options.given);
}

/* Runs all steps, one after the other. A step that differs does not end them, any other fault does. */
static irrun_status do_steps(cli_run *steps, int n, const cli_options *all) {
  cli *c = steps->c;
  irrun_status bound = IRRUN_OK, worst = IRRUN_OK;
  for (int i = 0; i < n; i++) {
    choose_step(c, all, i);
    bound = irrun_status_worse(bound, read_assertions(&steps[i]));
    bound = irrun_status_worse(bound, cli_bind_run_outputs(&steps[i]));
  }
  if (bound == IRRUN_OK)
    bound = cli_plan_state(&steps[n - 1]);
  if (bound == IRRUN_OK)
    bound = cli_load_state(&steps[0]);
  if (n > 1 && c->json == NULL)
    cli_show_diagnostics(c);
  for (int i = 0; i < n && (worst == IRRUN_OK || worst == IRRUN_DIFFERS); i++) {
    choose_step(c, all, i);
    if (i > 0 && steps[i].data_set != NULL) {
      irrun_run_reset_state(steps[i].run);
      bound = irrun_status_worse(bound, cli_load_state(&steps[i]));
    }
    worst = irrun_status_worse(worst, do_step(&steps[i], bound));
  }
  return worst == IRRUN_OK || worst == IRRUN_DIFFERS ? irrun_status_worse(worst, cli_save_state(&steps[n - 1])) : worst;
}

/* Reports options that write one file, which the next step would overwrite. */
static irrun_status check_steps(const cli *c) {
  const cli_options *options = &c->options;
  const char *option = cli_options_have(options, CLI_OPTION_SAVE_ALL)                     ? "--save-all"
                       : cli_options_next(options, CLI_OPTION_PROFILE, &(int){0}) != NULL ? "--profile=FILE"
                       : cli_page_path(c) != NULL                                         ? "--report"
                                                                                          : NULL;
  if (cli_options_steps(options) == 1 || option == NULL)
    return IRRUN_OK;
  return cli_fault(c->context, "IR801", NULL, "bring the run to that step with --save-state, then --load-state",
                   "'%s' writes one file, and here are %d steps", option, cli_options_steps(options));
}

/* Reads the model and makes the run of all steps. */
static irrun_status open_run(cli *c, cli_run *first) {
  irrun_status status = irrun_status_worse(cli_check_targets(c), cli_check_fills(c));
  status = irrun_status_worse(status, check_steps(c));
  const irrun_status of_page = cli_page_check(c);
  status = irrun_status_worse(status, of_page);
  if (status == IRRUN_OK)
    status = irrun_context_set_threads(c->context, c->options.threads);
  cli_enter_sandbox(c, NULL);
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_context_set_max_time(c->context, c->options.max_ns);
  cli_release_library_pages(); /* of the dynamic loader, then those of the parser */
  if (status == IRRUN_OK)
    status = cli_read_model(c, first->path, IRRUN_TO_RUN, &first->model);
  first->writes_page = cli_page_path(c) != NULL && of_page == IRRUN_OK;
  cli_release_library_pages();
  return status == IRRUN_OK ? irrun_run_create(first->model, &first->run) : status;
}

/* Adds the reports of all steps to that of the model. */
static void join_reports(cli_run *steps, int n, irrun_status status) {
  cli *c = steps->c;
  cli_node *model = cli_json_next_model(c->json);
  cli_json_model(c, model, steps->model, steps->path, status);
  cli_json_stats(steps->stats, model);
  cli_node *list = n > 1 ? cli_node_array(model, "steps") : NULL;
  for (int i = 0; i < n; i++)
    if (steps[i].node != NULL)
      cli_node_adopt(list, NULL, steps[i].node);
}

irrun_status cli_run_mode(cli *c) {
  irrun_status status = cli_expand_folder(c);
  const cli_options all = c->options;
  const int n = cli_options_steps(&all);
  c->all = &all;
  cli_run *steps = cli_allocate((size_t)n, sizeof *steps), first = {.c = c, .path = all.models[0]};
  if (status == IRRUN_OK)
    status = open_run(c, &first);
  if (first.run != NULL && cli_options_have(&all, CLI_OPTION_STATS))
    first.stats = cli_stats_begin(c, first.model);
  for (int i = 0; i < n; i++) {
    steps[i] = first;
    steps[i].before = i > 0 ? &steps[i - 1] : NULL;
    steps[i].step = i;
    steps[i].n_steps = n > 1 ? n : 0;
    steps[i].data_set = i < all.n_found ? all.found[i] : NULL;
  }
  c->options.given = cli_allocate((size_t)all.n_given + 1, sizeof *all.given);
  if (first.run != NULL)
    status = do_steps(steps, n, &all);
  else if (c->json == NULL)
    report_text(&first, NULL, status);
  if (c->json == NULL)
    cli_print_stats(first.stats);
  if (c->json != NULL && (n > 1 || first.run == NULL))
    join_reports(steps, n, status);
  for (int i = 0; i < n; i++)
    cli_free_step(&steps[i]);
  free(steps);
  free(c->options.given);
  c->options = all;
  c->all = NULL;
  if (first.run == NULL)
    status = irrun_status_worse(status, report_page(&first, NULL, status));
  cli_stats_free(first.stats);
  cli_free_run(&first);
  return status;
}

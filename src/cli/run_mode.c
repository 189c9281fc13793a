/* The default mode: reads a model, binds its inputs, runs it, compares and writes its outputs. Checks the whole command
 * line before the run, and writes --output after the run. */
#include "profile.h"
#include "report_text.h"
#include "run_inner.h"
#include "run_keys.h"

#include <stdlib.h>
#include <string.h>

irrun_status cli_prepare_run(cli_run *r) {
  irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  cli_claim_stdin_for_model(r);
  irrun_status status = irrun_run_create(r->model, &r->run);
  if (status != IRRUN_OK)
    return status;
  status = cli_bind_outputs(r);
  status = irrun_status_worse(status, cli_bind_expected(r));
  if (status == IRRUN_OK)
    status = cli_bind_inner(r);
  if (status == IRRUN_OK)
    status = cli_plan_files(r);
  status = irrun_status_worse(status, cli_bind_inputs(r));
  if (status == IRRUN_OK)
    status = cli_check_inputs_kept(r);
  if (status == IRRUN_OK)
    status = cli_bind_heatmaps(r);
  return status == IRRUN_OK ? cli_plan_trace(r) : status;
}

irrun_status cli_compute_run(cli_run *r) {
  irrun_status status = cli_prepare_run(r);
  if (status != IRRUN_OK)
    return status;
  irrun_run_profile(r->run, cli_options_have(&r->c->options, CLI_OPTION_PROFILE));
  irrun_run_watch(r->run, true);
  return cli_execute(r);
}

static irrun_status read_assertions(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_ASSERT_OUTPUT, &at)) != NULL;)
    worst = irrun_status_worse(worst, irrun_model_check_assertion(r->model, text));
  return worst;
}

static irrun_status run(cli_run *r, cli_profile *profile) {
  irrun_status status = read_assertions(r);
  if (status == IRRUN_OK)
    status = cli_compute_run(r);
  if (status != IRRUN_OK)
    return status;
  if (cli_options_have(&r->c->options, CLI_OPTION_PROFILE))
    cli_profile_take(profile, r->run);
  status = irrun_status_worse(r->inner_status, cli_compare_outputs(r));
  status = irrun_status_worse(status, cli_check_assertions(r->c, r->model, r->run));
  status = irrun_status_worse(status, cli_write_outputs(r));
  return irrun_status_worse(status, cli_profile_write(r, profile));
}

void cli_free_run(cli_run *r) {
  irrun_run_free(r->run);
  irrun_model_free(r->model);
  for (int i = 0; i < r->n_files; i++)
    irrun_tensor_file_free(r->files[i]);
  cli_free_outputs(r);
  free(r->sources);
  free(r->input_files);
  cli_free_expected(r);
  free(r->files);
  cli_free_alone(r);
  cli_free_inner(r);
}

void cli_show_missing_ops(irrun_model *model) {
  cli_string missing = {0};
  cli_add_missing_ops(&missing, model, CLI_ANY_WIDTH);
  if (missing.length > 0)
    fprintf(stderr, "Ops that irrun does not have: %s.\n", cli_text(&missing));
  cli_reset(&missing);
}

static bool has_results(const cli_run *r) {
  for (int64_t i = 0; i < r->n_outputs && r->run != NULL; i++)
    if (irrun_run_output(r->run, i) != NULL)
      return true;
  return false;
}

static void report(cli_run *r, const cli_profile *profile, irrun_status status) {
  cli *c = r->c;
  bool computed = has_results(r), compares = cli_options_have(&c->options, CLI_OPTION_EXPECT);
  if (c->json != NULL) {
    cli_node *node = cli_json_next_model(c->json);
    cli_json_model(c, node, r->model, r->path, status);
    if (computed)
      cli_json_results(r, node);
    if (computed && compares)
      cli_json_comparisons(r, node);
    if (computed && r->n_inner > 0)
      cli_json_inner(r, node);
    if (computed && r->n_alone > 0)
      cli_json_alone(r, node);
    if (profile->steps != NULL)
      cli_json_profile(r, node, profile);
    return;
  }
  cli_show_diagnostics(c);
  if (status == IRRUN_UNSUPPORTED && !computed && r->model != NULL)
    cli_show_missing_ops(r->model);
  if (computed)
    cli_print_results(r);
  if (computed && compares)
    cli_print_comparisons(r);
  if (computed && r->n_inner > 0)
    cli_print_inner(r);
  if (computed && c->options.verbose)
    cli_print_alone(r);
  if (computed && r->save_all != NULL && !c->options.quiet)
    cli_print_saved(r);
  if (computed && c->options.verbose)
    cli_print_products(r);
  if (profile->steps != NULL)
    cli_print_profile(r, profile);
}

irrun_status cli_run_mode(cli *c) {
  cli_run r = {.c = c, .path = c->options.models[0]};
  cli_profile profile = {.steps = NULL};
  irrun_status status = irrun_status_worse(cli_check_targets(c), cli_check_fills(c));
  if (status == IRRUN_OK)
    status = irrun_context_set_threads(c->context, c->options.threads);
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_context_set_max_time(c->context, c->options.max_ns);
  if (status == IRRUN_OK)
    status = cli_read_model(c, r.path, IRRUN_TO_RUN, &r.model);
  cli_release_library_pages();
  if (status == IRRUN_OK)
    status = run(&r, &profile);
  report(&r, &profile, status);
  cli_profile_reset(&profile);
  cli_free_run(&r);
  return status;
}

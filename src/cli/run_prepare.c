/* Binds the command line to a model, and runs it. */
#include "page.h"
#include "run_inner.h"
#include "run_keys.h"

#include <stdlib.h>
#include <string.h>

irrun_status cli_bind_run_outputs(cli_run *r) {
  irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  r->requested = cli_allocate((size_t)r->n_outputs, sizeof *r->requested);
  cli_claim_stdin_for_model(r);
  irrun_status status = cli_bind_outputs(r);
  status = irrun_status_worse(status, cli_bind_save_all(r));
  status = irrun_status_worse(status, cli_bind_expected(r));
  const bool asks_peer = cli_options_have(&r->c->options, CLI_OPTION_AGAINST);
  if (status == IRRUN_OK && !asks_peer)
    status = cli_bind_inner(r);
  for (int64_t i = 0; i < r->n_outputs && asks_peer; i++)
    r->requested[i] = true;
  return status == IRRUN_OK ? cli_plan_files(r) : status;
}

/* Requests the step's outputs, and takes away the inputs of the step before. Keeps the plans if both steps request the
 * same. */
static irrun_status begin_step(cli_run *r) {
  irrun_status status = IRRUN_OK;
  const size_t bytes = (size_t)r->n_outputs * sizeof *r->requested;
  for (int64_t i = 0; i < r->n_inputs && r->before != NULL; i++)
    status = irrun_status_worse(status, irrun_run_set_input(r->run, i, NULL, false, NULL));
  if (r->before != NULL && memcmp(r->before->requested, r->requested, bytes) == 0)
    return status;
  irrun_run_request_all(r->run);
  for (int64_t i = 0; i < r->n_outputs; i++)
    if (r->requested[i])
      status = irrun_status_worse(status, irrun_run_request_output(r->run, i));
  return status;
}

/* Checks the file of --report. A run that cannot start gets its page too, unless the page would overwrite a file. */
static irrun_status plan_page(cli_run *r) {
  const char *path = cli_page_path(r->c);
  const irrun_status status = path != NULL ? cli_plan_side_file(r, CLI_OPTION_REPORT, path) : IRRUN_OK;
  r->writes_page = path != NULL && status == IRRUN_OK;
  return status;
}

irrun_status cli_bind_run_inputs(cli_run *r, irrun_status bound) {
  irrun_status status = irrun_status_worse(bound, begin_step(r));
  status = irrun_status_worse(status, cli_bind_inputs(r));
  return irrun_status_worse(status, plan_page(r));
}

irrun_status cli_bind_pictures(cli_run *r) {
  const irrun_status status = cli_bind_heatmaps(r);
  return status == IRRUN_OK ? cli_plan_trace(r) : status;
}

irrun_status cli_prepare_run(cli_run *r) {
  irrun_status status = r->run == NULL ? irrun_run_create(r->model, &r->run) : IRRUN_OK;
  if (status == IRRUN_OK)
    status = cli_bind_run_inputs(r, cli_bind_run_outputs(r));
  return status == IRRUN_OK ? cli_bind_pictures(r) : status;
}

bool cli_is_profiled(const cli *c) {
  return cli_options_have(&c->options, CLI_OPTION_PROFILE) || cli_page_path(c) != NULL;
}

irrun_status cli_execute_run(cli_run *r) {
  irrun_run_profile(r->run, cli_is_profiled(r->c));
  irrun_run_watch(r->run, true);
  return cli_execute(r);
}

irrun_status cli_compute_run(cli_run *r) {
  irrun_status status = cli_prepare_run(r);
  return status == IRRUN_OK ? cli_execute_run(r) : status;
}

void cli_free_step(cli_run *r) {
  for (int i = 0; i < r->n_files; i++)
    irrun_tensor_file_free(r->files[i]);
  cli_free_outputs(r);
  free(r->requested);
  free(r->sources);
  cli_free_expected(r);
  free(r->files);
  cli_free_keys(r);
  cli_node_free(r->differing);
  cli_free_inner(r);
}

void cli_free_run(cli_run *r) {
  irrun_run_free(r->run);
  irrun_model_free(r->model);
  cli_free_step(r);
}

/* Loads and saves the variables of a run: --load-state and --save-state. */
#include "irrun_state.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static const char *path_of(const cli_run *r, cli_option option) {
  return cli_options_next(&r->c->options, option, &(int){0});
}

static int64_t count_variables(const cli_run *r, bool set_only) {
  irrun_variable variable = {.size = sizeof variable};
  int64_t n = 0;
  for (int64_t i = 0; irrun_run_get_variable(r->run, i, &variable); i++)
    n += !set_only || variable.is_set;
  return n;
}

irrun_status cli_plan_state(cli_run *r) {
  static const cli_option options[] = {CLI_OPTION_LOAD_STATE, CLI_OPTION_SAVE_STATE};
  const char *saved = path_of(r, CLI_OPTION_SAVE_STATE);
  for (int i = 0; i < 2; i++) {
    const char *path = path_of(r, options[i]), *name = cli_option_rows[options[i]].name;
    if (path != NULL && count_variables(r, false) == 0)
      return cli_fault(r->c->context, "IR801", NULL, NULL, "'--%s %s': the model has no variables (ReadValue)", name,
                       path);
    if (path != NULL && irrun_output_form(path) != IRRUN_FORM_NPZ)
      return cli_fault(r->c->context, "IR801", NULL, NULL, "'--%s %s': the name does not end in .npz", name, path);
  }
  return saved == NULL ? IRRUN_OK : cli_plan_side_file(r, CLI_OPTION_SAVE_STATE, saved);
}

/* Reads one tensor of a state. A key that is no variable is read as it is, for irrun_run_set_variable to refuse. */
static irrun_status read_variable(cli_run *r, irrun_tensor_file *file, int64_t key, irrun_tensor **out_tensor) {
  irrun_variable variable = {.size = sizeof variable};
  irrun_value value = {.size = sizeof value, .type = IRRUN_DYNAMIC, .shape = {.rank = -1}};
  const int64_t number = irrun_run_find_variable(r->run, irrun_tensor_file_key(file, key));
  if (irrun_run_get_variable(r->run, number, &variable))
    irrun_model_get_layer_output(r->model, variable.layer, 0, &value);
  return irrun_tensor_file_read(file, key, value.type, &value.shape, out_tensor);
}

static void print_state(const cli_run *r, const char *before, const char *path) {
  const int64_t n = count_variables(r, true), n_others = count_variables(r, false) - n;
  cli_string line = {0};
  if (r->c->options.quiet || r->c->json != NULL)
    return;
  cli_add_count(&line, n, "variable");
  cli_add(&line, " %s ", before);
  cli_add_name(&line, path);
  if (n_others > 0)
    cli_add(&line, ", %lld with first values", (long long)n_others);
  fprintf(r->c->results, "state  %s\n", cli_text(&line));
  cli_reset(&line);
}

irrun_status cli_load_state(cli_run *r) {
  const char *path = path_of(r, CLI_OPTION_LOAD_STATE);
  irrun_tensor_file *file = NULL;
  if (path == NULL)
    return IRRUN_OK;
  irrun_status worst = irrun_tensor_file_open(r->c->context, path, &file);
  if (worst == IRRUN_OK && irrun_tensor_file_count(file) < 0)
    worst =
        cli_fault(r->c->context, "IR508", path, NULL, "a state has keys, and this file has one tensor without a key");
  const int64_t n = worst == IRRUN_OK ? irrun_tensor_file_count(file) : 0;
  for (int64_t key = 0; key < n; key++) {
    irrun_tensor *tensor;
    irrun_status status = read_variable(r, file, key, &tensor);
    if (status == IRRUN_OK)
      status = irrun_run_set_variable(r->run, irrun_tensor_file_key(file, key), tensor, path);
    worst = irrun_status_worse(worst, status);
  }
  irrun_tensor_file_free(file);
  if (worst == IRRUN_OK)
    print_state(r, "from", path);
  return worst;
}

irrun_status cli_save_state(cli_run *r) {
  const char *path = path_of(r, CLI_OPTION_SAVE_STATE);
  if (path == NULL)
    return IRRUN_OK;
  const size_t most = (size_t)count_variables(r, true);
  const irrun_tensor **tensors = cli_allocate(most, sizeof *tensors);
  const char **ids = cli_allocate(most, sizeof *ids);
  irrun_variable variable = {.size = sizeof variable};
  int64_t n = 0;
  bool is_read = true;
  for (int64_t i = 0; irrun_run_get_variable(r->run, i, &variable); i++) {
    if (!variable.is_set)
      continue;
    tensors[n] = irrun_run_read_variable(r->run, i);
    is_read = is_read && tensors[n] != NULL;
    ids[n++] = variable.id;
  }
  irrun_status status = is_read ? IRRUN_OK : IRRUN_IO;
  if (status == IRRUN_OK)
    status = irrun_archive_write(r->c->context, n, tensors, ids, path);
  if (status == IRRUN_OK)
    print_state(r, "->", path);
  free(tensors);
  free(ids);
  return status;
}

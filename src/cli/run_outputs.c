/* Binds --output, and writes the outputs. */
#include "oom_report.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMS_HINT "use .npy, .npz, .raw or .bin, DIR/ or -"

static bool is_folder(const char *path) {
  struct stat found;
  return path[strlen(path) - 1] == '/' || (stat(path, &found) == 0 && S_ISDIR(found.st_mode));
}

static bool find_form(cli_target *target) {
  irrun_form form = irrun_output_form(target->path);
  if (irrun_output_descriptor(target->path) < 0 && is_folder(target->path))
    target->form = CLI_FORM_FOLDER;
  else if (form == IRRUN_FORM_NPZ)
    target->form = CLI_FORM_ARCHIVE;
  else
    target->form = CLI_FORM_TENSOR;
  return form != IRRUN_FORM_NONE || target->form == CLI_FORM_FOLDER;
}

/* Whether the text can be [NAME=]PATH with a PATH of a known form. A NAME can contain '=', so without the model any '='
 * can be the separator. */
static bool may_be_target(const char *text) {
  for (const char *at = text; *at != '\0'; at++) {
    cli_target target = {.path = at};
    if ((at == text || at[-1] == '=') && find_form(&target))
      return true;
  }
  return false;
}

irrun_status cli_check_targets(cli *c) {
  int at = 0;
  irrun_status worst = IRRUN_OK;
  for (const char *text; (text = cli_options_next(&c->options, CLI_OPTION_OUTPUT, &at)) != NULL;)
    if (!may_be_target(text))
      worst = cli_fault(c->context, "IR801", NULL, FORMS_HINT,
                        "'--output %s': the name does not say which form to write", text);
  return worst;
}

/* Reports IR801 if `target` and a report would share a stream. If the tensor goes to stdout, moves text reports to
 * stderr. */
static irrun_status claim_stream(cli_run *r, cli_target *target) {
  int descriptor = irrun_output_descriptor(target->path);
  const char *hint = "write the tensor to a file";
  bool has_json = r->c->json != NULL;
  if (descriptor == STDOUT_FILENO && has_json)
    return cli_fault(r->c->context, "IR801", NULL, hint, "'--output %s' and '%s' both write to stdout", target->path,
                     r->c->options.format == CLI_SARIF ? "--format=sarif" : "--json");
  if (descriptor == STDERR_FILENO && !has_json)
    return cli_fault(r->c->context, "IR801", NULL, hint, "'--output %s': diagnostics go to stderr", target->path);
  if (descriptor != STDOUT_FILENO)
    return IRRUN_OK;
  if (irrun_output_form(target->path) == IRRUN_FORM_NPY)
    target->path = "-";
  r->c->results = stderr;
  r->c->color_results = r->c->color_errors;
  return IRRUN_OK;
}

static irrun_status add_target(cli_run *r, const char *text) {
  cli_target target = {.output = -1};
  irrun_status status = cli_match_option(r, IRRUN_OUTPUTS, CLI_OPTION_OUTPUT, text, true, &target.output, &target.path);
  if (status != IRRUN_OK)
    return status;
  if (!find_form(&target))
    return cli_fault(r->c->context, "IR801", NULL, FORMS_HINT,
                     "'--output %s': the name does not say which form to write", target.path);
  status = claim_stream(r, &target);
  if (status != IRRUN_OK)
    return status;
  bool takes_all = target.form == CLI_FORM_ARCHIVE || target.form == CLI_FORM_FOLDER;
  if (target.output < 0 && !takes_all) {
    if (r->n_outputs != 1)
      return cli_needs_name(r, IRRUN_OUTPUTS, CLI_OPTION_OUTPUT, target.path);
    target.output = 0;
  }
  for (int64_t i = 0; i < r->n_outputs; i++)
    r->requested[i] = r->requested[i] || target.output < 0 || target.output == i;
  r->targets[r->n_targets++] = target;
  return status;
}

irrun_status cli_bind_outputs(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  r->targets = cli_allocate((size_t)r->c->options.n_given, sizeof *r->targets);
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_OUTPUT, &at)) != NULL;)
    worst = irrun_status_worse(worst, add_target(r, text));
  return worst;
}

void cli_free_outputs(cli_run *r) {
  cli_free_files(r);
  free(r->targets);
}

static irrun_status write_tensor(cli_run *r, int64_t output, const char *path) {
  const char *key = irrun_model_get_key(r->model, IRRUN_OUTPUTS, output);
  return key == NULL ? IRRUN_IO : irrun_tensor_write(r->c->context, irrun_run_output(r->run, output), key, path);
}

static irrun_status write_archive(cli_run *r, const char *path) {
  const irrun_tensor **tensors = cli_allocate((size_t)r->n_outputs, sizeof *tensors);
  const char **names = cli_allocate((size_t)r->n_outputs, sizeof *names);
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; i < r->n_outputs; i++) {
    tensors[i] = irrun_run_output(r->run, i);
    names[i] = irrun_model_get_key(r->model, IRRUN_OUTPUTS, i);
    if (names[i] == NULL)
      status = IRRUN_IO;
  }
  if (status == IRRUN_OK)
    status = irrun_archive_write(r->c->context, r->n_outputs, tensors, names, path);
  free(tensors);
  free(names);
  return status;
}

/* Makes the missing folders of --output DIR/. `*out_made` is true if any folder was made. */
static irrun_status make_folders(cli_run *r, bool *out_made) {
  irrun_status worst = IRRUN_OK;
  *out_made = false;
  for (int i = 0; i < r->n_targets; i++) {
    const char *path = r->targets[i].path;
    if (r->targets[i].form != CLI_FORM_FOLDER)
      continue;
    if (mkdir(path, 0777) == 0)
      *out_made = true;
    else if (errno != EEXIST)
      worst = irrun_status_worse(
          worst, cli_fault(r->c->context, "IR702", path, NULL, "cannot make the folder: %s", strerror(errno)));
  }
  return worst;
}

irrun_status cli_write_outputs(cli_run *r) {
  bool made;
  irrun_status worst = make_folders(r, &made);
  /* a path through a new folder can be resolved only after the folder exists */
  if (worst == IRRUN_OK && made)
    worst = cli_plan_files(r);
  if (worst != IRRUN_OK)
    return worst;
  for (int64_t i = 0; i < r->n_out_files; i++) {
    cli_file *file = &r->out_files[i];
    if (file->option == CLI_OPTION_SAVE_ALL)
      continue;
    irrun_status status = file->output < 0 ? write_archive(r, file->path) : write_tensor(r, file->output, file->path);
    file->written = status == IRRUN_OK;
    worst = irrun_status_worse(worst, status);
  }
  if (worst == IRRUN_OK && r->n_out_files > 0)
    cli_choose_oom_report(r->c, true);
  return worst;
}

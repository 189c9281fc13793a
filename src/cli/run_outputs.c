/* --output. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_BYTES 200 /* of a file made of a name; a number and ".npy" follow, and a name holds 255 */

static bool is_stdout(const char *path) {
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(path, names[i]) == 0)
      return true;
  return false;
}

static bool find_form(cli_target *target) {
  struct stat found;
  const char *path = target->path;
  irrun_form form = irrun_output_form(path);
  if (is_stdout(path)) {
    target->form = CLI_FORM_STDOUT;
    target->path = "-";
  } else if (path[0] != '\0' && (path[strlen(path) - 1] == '/' || (stat(path, &found) == 0 && S_ISDIR(found.st_mode))))
    target->form = CLI_FORM_FOLDER;
  else if (form == IRRUN_FORM_NPZ)
    target->form = CLI_FORM_ARCHIVE;
  else if (form != IRRUN_FORM_NONE)
    target->form = CLI_FORM_TENSOR;
  else
    return false;
  return true;
}

static irrun_status claim_stdout(cli_run *r) {
  if (r->c->json != NULL)
    return cli_fault(r->c->context, "IR801", NULL, "write the tensor to a file",
                     "'--output -' and '--json' both write to stdout");
  if (r->c->results == stderr)
    return cli_fault(r->c->context, "IR801", NULL, "write one of them to a file", "'--output -' is given twice");
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
    return cli_fault(r->c->context, "IR801", NULL, "use .npy, .npz, .raw or .bin, DIR/ or -",
                     "'--output %s': the name does not say which form to write", target.path);
  if (target.form == CLI_FORM_STDOUT)
    status = claim_stdout(r);
  for (int i = 0; i < r->n_targets && target.form != CLI_FORM_STDOUT; i++)
    if (strcmp(r->targets[i].path, target.path) == 0 && (target.form != CLI_FORM_FOLDER || target.output < 0))
      status = cli_fault(r->c->context, "IR801", NULL, "an .npz or DIR/ takes several outputs",
                         "'--output %s' is given twice", target.path);
  if (status != IRRUN_OK)
    return status;
  bool takes_all = target.form == CLI_FORM_ARCHIVE || target.form == CLI_FORM_FOLDER;
  if (target.output < 0 && !takes_all) {
    if (r->n_outputs != 1)
      return cli_needs_name(r, IRRUN_OUTPUTS, CLI_OPTION_OUTPUT, target.path);
    target.output = 0;
  }
  for (int64_t i = 0; i < r->n_outputs && status == IRRUN_OK; i++)
    if (target.output < 0 || target.output == i)
      status = irrun_run_want(r->run, i);
  r->targets[r->n_targets++] = target;
  return status;
}

irrun_status cli_bind_outputs(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  r->targets = cli_allocate((size_t)r->c->options.n_given, sizeof *r->targets);
  r->written = cli_allocate((size_t)r->n_outputs, sizeof *r->written);
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_OUTPUT, &at)) != NULL;)
    worst = irrun_worse(worst, add_target(r, text));
  return worst;
}

static void note_written(cli_run *r, int64_t output, const char *path) {
  cli_written **last = &r->written[output];
  cli_string copy = {0};
  while (*last != NULL)
    last = &(*last)->next;
  cli_add(&copy, "%s", path);
  *last = cli_allocate(1, sizeof **last);
  (*last)->path = copy.text;
}

void cli_free_outputs(cli_run *r) {
  for (int64_t i = 0; i < r->n_outputs && r->written != NULL; i++) {
    while (r->written[i] != NULL) {
      cli_written *first = r->written[i];
      r->written[i] = first->next;
      free(first->path);
      free(first);
    }
  }
  free(r->written);
  free(r->targets);
}

static irrun_status write_tensor(cli_run *r, int64_t output, const char *path) {
  irrun_io io;
  irrun_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  irrun_status status = irrun_tensor_write(r->c->context, irrun_run_output(r->run, output), io.name, path);
  if (status == IRRUN_OK)
    note_written(r, output, path);
  return status;
}

static irrun_status write_archive(cli_run *r, const char *path) {
  const irrun_tensor **tensors = cli_allocate((size_t)r->n_outputs, sizeof *tensors);
  const char **names = cli_allocate((size_t)r->n_outputs, sizeof *names);
  for (int64_t i = 0; i < r->n_outputs; i++) {
    irrun_io io;
    irrun_get_io(r->model, IRRUN_OUTPUTS, i, &io);
    tensors[i] = irrun_run_output(r->run, i);
    names[i] = io.name;
  }
  irrun_status status = irrun_archive_write(r->c->context, r->n_outputs, tensors, names, path);
  for (int64_t i = 0; i < r->n_outputs && status == IRRUN_OK; i++)
    note_written(r, i, path);
  free(tensors);
  free(names);
  return status;
}

/* The files that this run writes, so that none is written twice. */
typedef struct path_list {
  char **paths;
  int64_t n_paths;
} path_list;

static bool is_taken(const path_list *list, const char *path) {
  for (int64_t i = 0; i < list->n_paths; i++)
    if (strcmp(list->paths[i], path) == 0)
      return true;
  return false;
}

/* "DIR/name.npy", with a number when another output has that file. */
static const char *folder_path(const cli_run *r, const char *folder, int64_t output, path_list *list) {
  char name[NAME_BYTES];
  irrun_io io;
  cli_string path = {0};
  irrun_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  irrun_file_name(io.name, name, sizeof name);
  for (int number = 1; number == 1 || is_taken(list, path.text); number++) {
    cli_clear(&path);
    cli_add(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    if (number > 1)
      cli_add(&path, "_%d", number);
    cli_add(&path, ".npy");
  }
  list->paths[list->n_paths] = path.text;
  return list->paths[list->n_paths++];
}

static irrun_status write_folder(cli_run *r, const cli_target *target, path_list *list) {
  irrun_status worst = IRRUN_OK;
  if (mkdir(target->path, 0777) != 0 && errno != EEXIST)
    return cli_fault(r->c->context, "IR702", target->path, NULL, "cannot make the folder: %s", strerror(errno));
  for (int64_t i = 0; i < r->n_outputs; i++)
    if (target->output < 0 || target->output == i)
      worst = irrun_worse(worst, write_tensor(r, i, folder_path(r, target->path, i, list)));
  return worst;
}

static path_list list_paths(const cli_run *r) {
  path_list list = {0};
  size_t n_paths = 0;
  for (int i = 0; i < r->n_targets; i++)
    n_paths += r->targets[i].form == CLI_FORM_FOLDER && r->targets[i].output < 0 ? (size_t)r->n_outputs : 1;
  list.paths = cli_allocate(n_paths, sizeof *list.paths);
  for (int i = 0; i < r->n_targets; i++) {
    cli_string path = {0};
    if (r->targets[i].form == CLI_FORM_FOLDER)
      continue;
    cli_add(&path, "%s", r->targets[i].path);
    list.paths[list.n_paths++] = path.text;
  }
  return list;
}

irrun_status cli_write_outputs(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  path_list list = list_paths(r);
  for (int i = 0; i < r->n_targets; i++) {
    const cli_target *target = &r->targets[i];
    irrun_status status;
    if (target->form == CLI_FORM_FOLDER)
      status = write_folder(r, target, &list);
    else if (target->form == CLI_FORM_ARCHIVE && target->output < 0)
      status = write_archive(r, target->path);
    else
      status = write_tensor(r, target->output, target->path);
    worst = irrun_worse(worst, status);
  }
  while (list.n_paths > 0)
    free(list.paths[--list.n_paths]);
  free(list.paths);
  return worst;
}

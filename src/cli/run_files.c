/* Before the run, lists the files that --output and --save-all write, and checks that they are distinct. */
#include "links.h"
#include "run.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 200 /* maximum bytes of an output's name in a file name; leaves room for "_2.npy" */

static int compare_places(const void *a, const void *b) {
  const cli_file *x = a, *y = b;
  return strcmp(x->place, y->place);
}

static cli_file *find_own(const cli_run *r, const char *place) {
  const cli_file key = {.place = (char *)place};
  cli_file *const *found = tfind(&key, &r->files_by_place, compare_places);
  return found != NULL ? *found : NULL;
}

/* Finds the file at this place that this step or an earlier one writes. */
static const cli_file *find_place(const cli_run *r, const char *place) {
  const cli_file *file = NULL;
  for (; r != NULL && file == NULL; r = r->before)
    file = find_own(r, place);
  return file;
}

void cli_add_file_of_run(cli_run *r, int64_t output, char *path, const char *place) {
  cli_string copy = {0};
  cli_add(&copy, "%s", place);
  cli_file *file = &r->out_files[r->n_out_files++];
  *file = (cli_file){.option = CLI_OPTION_OUTPUT, .output = output, .path = path, .place = copy.text, .last_number = 1};
  cli_add_to_tree(&r->files_by_place, file, compare_places);
}

static irrun_status same_place(cli_run *r, const char *path, const char *other) {
  const char *hint = "an .npz or DIR/ takes several outputs";
  if (strcmp(path, other) == 0)
    return cli_fault(r->c->context, "IR801", NULL, hint, "'--output %s' is given twice", path);
  return cli_fault(r->c->context, "IR801", NULL, hint, "'--output %s' and '--output %s' lead to one place", other,
                   path);
}

static irrun_status plan_file(cli_run *r, const cli_target *target) {
  char place[IRRUN_PLACE_TEXT];
  cli_string path = {0};
  irrun_output_place(target->path, place, sizeof place);
  const cli_file *other = find_place(r, place);
  if (other != NULL)
    return same_place(r, target->path, other->path);
  cli_add(&path, "%s", target->path);
  cli_add_file_of_run(r, target->output, path.text, place);
  /* report a missing folder before the run; if some --output is DIR/, the folder can still be made after the run */
  for (int i = 0; i < r->n_targets; i++)
    if (r->targets[i].form == CLI_FORM_FOLDER)
      return IRRUN_OK;
  return irrun_output_check(r->c->context, target->path);
}

/* Adds the file "DIR/name.npy" of an output, with a number if another output has that file. Each file knows the last
 * number that was added to its name, so that many outputs of one name do not try all numbers. Reports IR702 for a link
 * that leads out of the folder: the model chose its name, and links can come with models. */
static irrun_status plan_in_folder(cli_run *r, const char *folder, int64_t output) {
  cli_file *first = NULL;
  char name[NAME_BYTES], place[IRRUN_PLACE_TEXT], leads_to[PATH_MAX];
  irrun_io io = {.size = sizeof io};
  cli_string path = {0};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  irrun_file_name(io.name, name, sizeof name);
  for (int64_t number = 1; number == 1 || find_place(r, place) != NULL; number++) {
    if (number == 2 && (first = find_own(r, place)) != NULL)
      number = first->last_number + 1;
    cli_clear(&path);
    cli_add(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    if (number > 1)
      cli_add(&path, "_%lld", (long long)number);
    if (first != NULL)
      first->last_number = number;
    cli_add(&path, ".npy");
    irrun_output_place(path.text, place, sizeof place);
  }
  cli_add_file_of_run(r, output, path.text, place);
  if (cli_is_link(path.text) && !cli_leads_below(path.text, folder, leads_to))
    return cli_report_link(r->c->context, path.text, leads_to, "remove the link, or name the file: --output FILE");
  return IRRUN_OK;
}

/* Finds a folder among the first `n` targets that gets an output of `target` too. */
static const cli_target *find_folder(const cli_run *r, int n, const cli_target *target) {
  char place[IRRUN_PLACE_TEXT], other_place[IRRUN_PLACE_TEXT];
  irrun_output_place(target->path, place, sizeof place);
  for (int i = 0; i < n; i++) {
    const cli_target *other = &r->targets[i];
    bool shares = other->output < 0 || target->output < 0 || other->output == target->output;
    if (other->form == CLI_FORM_FOLDER && shares &&
        strcmp(irrun_output_place(other->path, other_place, sizeof other_place), place) == 0)
      return other;
  }
  return NULL;
}

/* Adds the files of target `number`, a folder. Reports IR801 if an earlier target, also of an earlier step, writes the
 * same output to the same folder. */
static irrun_status plan_folder(cli_run *r, int number) {
  const cli_target *target = &r->targets[number], *other = find_folder(r, number, target);
  for (const cli_run *before = r->before; before != NULL && other == NULL; before = before->before)
    other = find_folder(before, before->n_targets, target);
  if (other != NULL)
    return same_place(r, target->path, other->path);
  irrun_status worst = IRRUN_OK;
  for (int64_t i = 0; i < r->n_outputs; i++)
    if (target->output < 0 || target->output == i)
      worst = irrun_status_worse(worst, plan_in_folder(r, target->path, i));
  return worst;
}

/* Adds the file of --save-all. Reports IR801 if --output writes the same file. */
static irrun_status plan_save_all(cli_run *r) {
  char place[IRRUN_PLACE_TEXT];
  cli_string path = {0};
  const cli_file *other = find_place(r, irrun_output_place(r->save_all, place, sizeof place));
  if (other != NULL)
    return cli_fault(r->c->context, "IR801", NULL, "write to another file",
                     "'--output %s' and '--save-all %s' lead to one place", other->path, r->save_all);
  cli_add(&path, "%s", r->save_all);
  cli_add_file_of_run(r, -1, path.text, place);
  r->out_files[r->n_out_files - 1].option = CLI_OPTION_SAVE_ALL;
  return irrun_output_check(r->c->context, r->save_all);
}

irrun_status cli_plan_files(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  size_t n_files = 0;
  n_files += r->save_all != NULL;
  for (int i = 0; i < r->n_targets; i++)
    n_files += r->targets[i].form == CLI_FORM_FOLDER && r->targets[i].output < 0 ? (size_t)r->n_outputs : 1;
  cli_free_files(r);
  r->out_files = cli_allocate(n_files, sizeof *r->out_files);
  for (int i = 0; i < r->n_targets; i++)
    if (r->targets[i].form != CLI_FORM_FOLDER)
      worst = irrun_status_worse(worst, plan_file(r, &r->targets[i]));
  for (int i = 0; i < r->n_targets; i++)
    if (r->targets[i].form == CLI_FORM_FOLDER)
      worst = irrun_status_worse(worst, plan_folder(r, i));
  if (r->save_all != NULL)
    worst = irrun_status_worse(worst, plan_save_all(r));
  for (int64_t i = 0; i < r->n_out_files; i++)
    worst = irrun_status_worse(worst, cli_check_kept(r->c, r->out_files[i].option, r->step, r->out_files[i].path));
  return worst;
}

static bool is_at(const char *path, const char *place) {
  char other[IRRUN_PLACE_TEXT];
  return path != NULL && strcmp(irrun_output_place(path, other, sizeof other), place) == 0;
}

/* Returns the file that the step writes at this place, or NULL: an output or a picture. */
static const char *find_file_of_step(const cli_run *r, const char *place) {
  for (int64_t i = 0; i < r->n_outputs && r->expected != NULL; i++)
    if (is_at(r->expected[i].heatmap.path, place))
      return r->expected[i].heatmap.path;
  for (int64_t i = 0; i < r->n_inner; i++)
    if (is_at(r->inner[i].heatmap.path, place))
      return r->inner[i].heatmap.path;
  const cli_file *file = find_own(r, place);
  return file != NULL ? file->path : NULL;
}

static const char *find_file_of_run(const cli_run *r, const char *place) {
  const char *path = NULL;
  for (; r != NULL && path == NULL; r = r->before)
    path = find_file_of_step(r, place);
  return path;
}

irrun_status cli_plan_side_file(cli_run *r, cli_option option, const char *path) {
  const char *what = option == CLI_OPTION_PROFILE      ? "trace"
                     : option == CLI_OPTION_SAVE_STATE ? "state"
                     : option == CLI_OPTION_REPORT     ? "page"
                     : option == CLI_OPTION_OUTPUT     ? "tensor"
                                                       : "picture";
  char place[IRRUN_PLACE_TEXT], name[40];
  cli_string hint = {0};
  irrun_status status = IRRUN_OK;
  cli_option_name(option, name, sizeof name);
  const char *other = find_file_of_run(r, irrun_output_place(path, place, sizeof place));
  if (irrun_output_descriptor(path) >= 0) {
    cli_add(&hint, "write the %s to a file of its own", what);
    status = cli_fault(r->c->context, "IR801", NULL, hint.text, "'%s=%s' leads to an open stream", name, path);
  } else if (other != NULL) {
    cli_add(&hint, "write the %s to another file", what);
    status = cli_fault(r->c->context, "IR801", NULL, hint.text, "'%s=%s' would overwrite '%s'", name, path, other);
  }
  cli_reset(&hint);
  if (status == IRRUN_OK)
    status = cli_check_kept(r->c, option, r->step, path);
  return status == IRRUN_OK ? irrun_output_check(r->c->context, path) : status;
}

irrun_status cli_plan_trace(cli_run *r) {
  int at = 0;
  const char *path = cli_options_next(&r->c->options, CLI_OPTION_PROFILE, &at);
  return path != NULL ? cli_plan_side_file(r, CLI_OPTION_PROFILE, path) : IRRUN_OK;
}

void cli_free_files(cli_run *r) {
  cli_free_tree(r->files_by_place);
  r->files_by_place = NULL;
  for (int64_t i = 0; i < r->n_out_files; i++) {
    free(r->out_files[i].path);
    free(r->out_files[i].place);
  }
  free(r->out_files);
  r->out_files = NULL;
  r->n_out_files = 0;
}

/* Finds the cases of --test. */
#include "test.h"

#include <errno.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LAYOUT_HINT "docs/regression.md tells where inputs and what is expected of them lie"

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Whether the path is a folder, and no symbolic link: links could lead in circles. */
static bool is_own_folder(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* The contents of a folder. */
typedef struct folder {
  const char *path;
  char **names;
  int n;
  bool *is_model; /* one item per name */
  int n_models;
  bool has_data; /* the folder has files of a data set */
} folder;

static irrun_status open_folder(cli *c, const char *path, folder *out) {
  cli_data_file file;
  int error;
  *out = (folder){.path = path};
  if (!cli_list_folder(path, &out->names, &out->n))
    return cli_fault(c->context, "IR701", path, NULL, "cannot read the folder: %s", strerror(errno));
  irrun_status worst = IRRUN_OK;
  out->is_model = cli_allocate((size_t)out->n, sizeof *out->is_model);
  for (int i = 0; i < out->n; i++) {
    char *inside = cli_join(path, out->names[i]);
    out->is_model[i] = cli_is_model_file(inside, &error);
    if (error != 0)
      worst =
          irrun_status_worse(worst, cli_fault(c->context, "IR701", inside, NULL, "cannot read: %s", strerror(error)));
    out->n_models += out->is_model[i];
    out->has_data = out->has_data || cli_read_data_file(path, out->names[i], &file) || cli_is_step(path, out->names[i]);
    free(inside);
  }
  return worst;
}

static void close_folder(folder *f) {
  free(f->is_model);
  cli_free_names(f->names, f->n);
}

/* ---- cases ---- */

/* Reads the settings in the folder `path`. If the folder has none, `*out_settings` is `outer`, the settings of the
 * folder around it. */
static irrun_status find_settings(cli *c, cli_cases *cases, const char *path, cli_settings *outer,
                                  cli_settings **out_settings) {
  cli_settings *own;
  irrun_status status = cli_settings_read(c, path, &own);
  *out_settings = own != NULL ? own : outer;
  if (own == NULL)
    return status;
  cli_settings **more = cli_allocate((size_t)cases->n_settings + 1, sizeof *more);
  if (cases->n_settings > 0)
    memcpy(more, cases->settings, (size_t)cases->n_settings * sizeof *more);
  free(cases->settings);
  cases->settings = more;
  cases->settings[cases->n_settings++] = own;
  return status;
}

static bool is_wanted(const cli *c, const char *name) {
  int at = 0;
  const char *glob = cli_options_next(&c->options, CLI_OPTION_FILTER, &at);
  for (bool any = glob == NULL; !any; glob = cli_options_next(&c->options, CLI_OPTION_FILTER, &at)) {
    if (glob == NULL)
      return false;
    any = fnmatch(glob, name, 0) == 0;
  }
  return true;
}

/* Notes the case. Returns false if an earlier operand has added the same case. */
static bool note_case(cli_cases *cases, const char *model, const char *set_folder) {
  cli_string key = {0};
  cli_add(&key, "%s\n%s", cli_plain_path(model), cli_plain_path(set_folder));
  const bool is_new = cli_add_to_tree(&cases->keys, key.text, cli_compare_texts) == key.text;
  if (!is_new)
    cli_reset(&key);
  return is_new;
}

/* Adds a case that --filter accepts. `stem` is the model's path without suffix, `set` the name of the data set's
 * folder; NULL: the data set has no folder of its own. */
static void add_case(cli *c, cli_cases *cases, const char *model, const char *stem, const char *set,
                     const char *set_folder, cli_settings *settings) {
  cli_string name = {0}, path = {0}, place = {0};
  cli_add(&name, set != NULL ? "%s/%s" : "%s", stem, set);
  cases->n_met++;
  if (settings != NULL)
    cli_settings_meet(settings, cli_text(&name));
  if (!is_wanted(c, cli_text(&name)) || !note_case(cases, model, set_folder)) {
    cli_reset(&name);
    return;
  }
  cases->items = cli_with_room(cases->items, (size_t)cases->n, &cases->capacity, sizeof *cases->items);
  cli_add(&path, "%s", model);
  cli_add(&place, "%s", set_folder);
  cases->items[cases->n++] =
      (cli_case){.name = name.text, .model = path.text, .folder = place.text, .settings = settings};
}

/* Adds the cases of a model for the data set in the folder `f` itself, and for those in its subfolders test_data_set_*.
 * `*out_n` is the number of data sets, also of those that --filter drops. */
static irrun_status add_sets(cli *c, cli_cases *cases, const folder *f, const char *model, const char *stem,
                             cli_settings *settings, int *out_n) {
  irrun_status worst = IRRUN_OK;
  *out_n = 0;
  if (f->has_data) {
    add_case(c, cases, model, stem, NULL, f->path, settings);
    ++*out_n;
  }
  for (int i = 0; i < f->n; i++) {
    folder set = {.names = NULL};
    char *path = cli_join(f->path, f->names[i]);
    if (cli_is_onnx_set(f->names[i]) && is_folder(path)) {
      cli_settings *own = settings;
      irrun_status status = open_folder(c, path, &set);
      if (set.has_data)
        status = irrun_status_worse(status, find_settings(c, cases, path, settings, &own));
      if (set.has_data)
        add_case(c, cases, model, stem, f->names[i], path, own);
      *out_n += set.has_data;
      worst = irrun_status_worse(worst, status);
      close_folder(&set);
    }
    free(path);
  }
  return worst;
}

/* Lists a model, which no output may replace. */
static void note_model(cli *c, cli_cases *cases, const char *model) {
  cli_options *options = &c->options;
  cli_string copy = {0};
  cli_add(&copy, "%s", model);
  options->found =
      cli_with_room(options->found, (size_t)options->n_found, &cases->found_capacity, sizeof *options->found);
  options->found[options->n_found++] = copy.text;
}

/* Adds a model's cases. The data sets are in the folder with the model's name. If that folder has no data set and no
 * other model is beside the model, the data sets are beside the model. */
static irrun_status add_model(cli *c, cli_cases *cases, const folder *f, const char *model, cli_settings *settings) {
  cli_string stem = {0};
  folder own = {.names = NULL};
  irrun_status status = IRRUN_OK;
  int n = 0;
  const char *slash = strrchr(model, '/'), *dot = strrchr(model, '.');
  cli_add(&stem, "%.*s", (int)(dot != NULL && dot > slash ? dot - model : (long)strlen(model)), model);
  if (is_folder(cli_text(&stem)))
    status = open_folder(c, cli_text(&stem), &own);
  if (own.names != NULL && own.n_models == 0) {
    cli_settings *inner;
    status = irrun_status_worse(status, find_settings(c, cases, cli_text(&stem), settings, &inner));
    status = irrun_status_worse(status, add_sets(c, cases, &own, model, cli_text(&stem), inner, &n));
  }
  if (n == 0 && f->n_models <= 1)
    status = irrun_status_worse(status, add_sets(c, cases, f, model, cli_text(&stem), settings, &n));
  cases->n_idle += n == 0;
  note_model(c, cases, model);
  close_folder(&own);
  cli_reset(&stem);
  return status;
}

/* Adds the cases of the models in a folder, then those of its subfolders. */
static irrun_status add_folder(cli *c, cli_cases *cases, const char *path) {
  folder f;
  cli_settings *settings = NULL;
  irrun_status worst = open_folder(c, path, &f);
  if (f.n_models > 0)
    worst = irrun_status_worse(worst, find_settings(c, cases, path, NULL, &settings));
  for (int i = 0; i < f.n; i++) {
    char *inside = cli_join(path, f.names[i]);
    if (f.is_model[i])
      worst = irrun_status_worse(worst, add_model(c, cases, &f, inside, settings));
    free(inside);
  }
  for (int i = 0; i < f.n; i++) {
    char *inside = cli_join(path, f.names[i]);
    if (is_own_folder(inside) && !cli_is_onnx_set(inside))
      worst = irrun_status_worse(worst, add_folder(c, cases, inside));
    free(inside);
  }
  close_folder(&f);
  return worst;
}

/* The folder of the last operand that was a file. The next operand is often a file of the same folder. */
typedef struct last_folder {
  char *path; /* NULL: none */
  folder contents;
  cli_settings *settings;
} last_folder;

static void close_last(last_folder *last) {
  if (last->path != NULL)
    close_folder(&last->contents);
  free(last->path);
  *last = (last_folder){.path = NULL};
}

/* Adds the cases of a model that is an operand. Takes `path`, that of its folder. */
static irrun_status add_file(cli *c, cli_cases *cases, const char *operand, char *path, last_folder *last) {
  irrun_status status = IRRUN_OK;
  if (last->path == NULL || strcmp(last->path, path) != 0) {
    close_last(last);
    last->path = path;
    status = open_folder(c, path, &last->contents);
    status = irrun_status_worse(status, find_settings(c, cases, path, NULL, &last->settings));
  } else {
    free(path);
  }
  return irrun_status_worse(status, add_model(c, cases, &last->contents, operand, last->settings));
}

static irrun_status add_operand(cli *c, cli_cases *cases, const char *operand, last_folder *last) {
  struct stat found;
  cli_string path = {0};
  if (stat(operand, &found) != 0)
    return cli_fault(c->context, "IR701", operand, NULL, "cannot read: %s", strerror(errno));
  if (S_ISDIR(found.st_mode)) {
    cli_add(&path, "%s", operand);
    while (path.length > 1 && path.text[path.length - 1] == '/')
      path.text[--path.length] = '\0';
  } else {
    cli_add_folder(&path, operand);
  }
  if (!S_ISDIR(found.st_mode))
    return add_file(c, cases, operand, path.text, last);
  const irrun_status status = add_folder(c, cases, cli_text(&path));
  cli_reset(&path);
  return status;
}

irrun_status cli_find_cases(cli *c, cli_cases *out_cases) {
  irrun_status worst = IRRUN_OK;
  last_folder last = {.path = NULL};
  *out_cases = (cli_cases){.items = NULL};
  for (int i = 0; i < c->options.n_models; i++) {
    const int64_t n_settings = out_cases->n_settings;
    out_cases->n_met = 0;
    irrun_status status = add_operand(c, out_cases, c->options.models[i], &last);
    if (status == IRRUN_OK && out_cases->n_met == 0)
      status =
          cli_fault(c->context, "IR801", NULL, LAYOUT_HINT, "'%s' has no data set to test with", c->options.models[i]);
    /* the settings beside a model that an operand names can be for other models, too */
    const bool is_whole = status == IRRUN_OK && is_folder(c->options.models[i]);
    for (int64_t k = n_settings; k < out_cases->n_settings && is_whole; k++)
      status = irrun_status_worse(status, cli_settings_check(c, out_cases->settings[k]));
    worst = irrun_status_worse(worst, status);
  }
  close_last(&last);
  if (worst == IRRUN_OK && out_cases->n == 0)
    worst = cli_fault(c->context, "IR801", NULL, "--list-cases without --filter shows all names",
                      "no case has a name that '--filter' lets through");
  return worst;
}

void cli_free_cases(cli_cases *cases) {
  for (int64_t i = 0; i < cases->n; i++) {
    cli_case *test = &cases->items[i];
    free(test->name);
    free(test->model);
    free(test->folder);
    cli_reset(&test->report);
    cli_reset(&test->fault);
  }
  for (int64_t i = 0; i < cases->n_settings; i++)
    cli_settings_free(cases->settings[i]);
  tdestroy(cases->keys, free);
  free(cases->items);
  free(cases->settings);
}

#include "model_folder.h"
#include "folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct path_list {
  char **paths;
  size_t n, capacity;
  void *tree;      /* of tsearch: the paths of all models */
  size_t n_before; /* number of models before the current operand */
  size_t n_met;    /* models in the current operand, including duplicates */
} path_list;

static int compare_plain(const void *a, const void *b) {
  return strcmp(cli_plain_path(a), cli_plain_path(b));
}

/* If an earlier operand named the model, frees `path`. Otherwise adds the model. */
static void add_path(path_list *list, char *path) {
  list->n_met++;
  if (cli_add_to_tree(&list->tree, path, compare_plain) != path) {
    free(path);
    return;
  }
  list->paths = cli_with_room(list->paths, list->n, &list->capacity, sizeof *list->paths);
  list->paths[list->n++] = path;
}

static irrun_status walk(cli *c, const char *folder, path_list *list) {
  char **names;
  int n, error;
  if (!cli_list_folder(folder, &names, &n))
    return cli_fault(c->context, "IR701", folder, NULL, "cannot read the folder: %s", strerror(errno));
  irrun_status worst = IRRUN_OK;
  for (int i = 0; i < n; i++) {
    struct stat self;
    char *path = cli_join(folder, names[i]);
    if (lstat(path, &self) == 0 && S_ISDIR(self.st_mode)) {
      worst = irrun_status_worse(worst, walk(c, path, list));
    } else if (cli_is_model_file(path, &error) || (error != 0 && error != ENOENT)) {
      add_path(list, path); /* the check reports why the file cannot be read */
      continue;
    }
    free(path);
  }
  cli_free_names(names, n);
  return worst;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static irrun_status add_folder(cli *c, const char *folder, path_list *list) {
  if (cli_options_have(&c->options, CLI_OPTION_WEIGHTS))
    return cli_fault(c->context, "IR801", NULL, "check them one by one",
                     "'--weights' belongs to one MODEL, and '%s' is a folder", folder);
  irrun_status status = walk(c, folder, list);
  if (status == IRRUN_OK && list->n_met == 0)
    return cli_fault(c->context, "IR801", NULL, NULL,
                     "the folder '%s' has no model: no .xml file whose root is <net>, no .json file of nGraph", folder);
  if (list->n > list->n_before)
    qsort(list->paths + list->n_before, list->n - list->n_before, sizeof *list->paths, compare_paths);
  return status;
}

irrun_status cli_expand_folders(cli *c) {
  cli_options *options = &c->options;
  path_list list = {0};
  irrun_status worst = IRRUN_OK;
  struct stat target;
  for (int i = 0; i < options->n_models; i++) {
    const char *path = options->models[i];
    list.n_before = list.n;
    list.n_met = 0;
    if (strcmp(path, "-") != 0 && stat(path, &target) == 0 && S_ISDIR(target.st_mode)) {
      worst = irrun_status_worse(worst, add_folder(c, path, &list));
    } else {
      cli_string copy = {0};
      cli_add(&copy, "%s", path);
      add_path(&list, copy.text);
    }
  }
  cli_free_tree(list.tree);
  options->found = list.paths;
  options->n_found = (int)list.n;
  options->operands = options->models;
  options->n_operands = options->n_models;
  options->models = cli_allocate(list.n + 1, sizeof *options->models);
  for (size_t i = 0; i < list.n; i++)
    options->models[i] = list.paths[i];
  options->n_models = (int)list.n;
  return worst;
}

#include "model_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD_BYTES 65536 /* of a file, in which its root is looked for */

typedef struct path_list {
  char **paths;
  size_t n, capacity;
} path_list;

static void add_path(path_list *list, char *path) {
  if (list->n == list->capacity) {
    list->capacity = 2 * list->capacity + 16;
    char **paths = cli_allocate(list->capacity, sizeof *paths);
    for (size_t i = 0; i < list->n; i++)
      paths[i] = list->paths[i];
    free(list->paths);
    list->paths = paths;
  }
  list->paths[list->n++] = path;
}

/* Behind byte order mark, blanks, declarations and comments. */
static const char *find_root(const char *text) {
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  for (;;) {
    const char *end;
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "<!--", 4) == 0)
      end = strstr(text, "-->");
    else if (strncmp(text, "<?", 2) == 0 || strncmp(text, "<!", 2) == 0)
      end = strchr(text, '>');
    else
      return text;
    if (end == NULL)
      return "";
    text = end + (*end == '-' ? 3 : 1);
  }
}

static bool is_net(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return true; /* so that the check says why it cannot be read */
  char *head = cli_allocate(HEAD_BYTES + 1, 1);
  head[fread(head, 1, HEAD_BYTES, file)] = '\0';
  fclose(file);
  const char *root = find_root(head);
  const bool net = strncmp(root, "<net", 4) == 0 && root[4] != '\0' && strchr(" \t\r\n/>", root[4]) != NULL;
  free(head);
  return net;
}

static bool ends_in_xml(const char *name) {
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".xml") == 0;
}

static irrun_status walk(cli *c, const char *folder, path_list *list) {
  DIR *entries = opendir(folder);
  if (entries == NULL)
    return cli_fault(c->context, "IR701", folder, NULL, "cannot read the folder: %s", strerror(errno));
  const bool here = strcmp(folder, ".") == 0; /* "./" before a name says nothing */
  const char *slash = here || folder[strlen(folder) - 1] == '/' ? "" : "/";
  irrun_status worst = IRRUN_OK;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    struct stat self, target;
    cli_string path = {0};
    if (entry->d_name[0] == '.')
      continue;
    cli_add(&path, "%s%s%s", here ? "" : folder, slash, entry->d_name);
    if (lstat(path.text, &self) == 0 && S_ISDIR(self.st_mode)) {
      worst = irrun_worse(worst, walk(c, path.text, list));
    } else if (ends_in_xml(entry->d_name) && stat(path.text, &target) == 0 && S_ISREG(target.st_mode) &&
               is_net(path.text)) {
      add_path(list, path.text);
      continue;
    }
    cli_reset(&path);
  }
  closedir(entries);
  return worst;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static irrun_status add_folder(cli *c, const char *folder, path_list *list) {
  const size_t n_before = list->n;
  if (cli_options_have(&c->options, CLI_OPTION_WEIGHTS))
    return cli_fault(c->context, "IR801", NULL, "check them one by one",
                     "'--weights' belongs to one MODEL, and '%s' is a folder", folder);
  irrun_status status = walk(c, folder, list);
  if (status == IRRUN_OK && list->n == n_before)
    return cli_fault(c->context, "IR801", NULL, NULL, "the folder '%s' has no .xml file whose root is <net>", folder);
  if (list->n > n_before)
    qsort(list->paths + n_before, list->n - n_before, sizeof *list->paths, compare_paths);
  return status;
}

irrun_status cli_expand_folders(cli *c) {
  cli_options *options = &c->options;
  path_list list = {0};
  irrun_status worst = IRRUN_OK;
  struct stat target;
  for (int i = 0; i < options->n_models; i++) {
    const char *path = options->models[i];
    if (strcmp(path, "-") != 0 && stat(path, &target) == 0 && S_ISDIR(target.st_mode)) {
      worst = irrun_worse(worst, add_folder(c, path, &list));
    } else {
      cli_string copy = {0};
      cli_add(&copy, "%s", path);
      add_path(&list, copy.text);
    }
  }
  options->found = list.paths;
  options->n_found = (int)list.n;
  free(options->models);
  options->models = cli_allocate(list.n + 1, sizeof *options->models);
  for (size_t i = 0; i < list.n; i++)
    options->models[i] = list.paths[i];
  options->n_models = (int)list.n;
  return worst;
}

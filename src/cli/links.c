#include "links.h"
#include "folder.h"

#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_is_link(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

/* Sets `place` to the folder of the path once links are followed; "": unknown. */
static void find_folder(const char *path, char *place) {
  cli_string folder = {0};
  cli_add_folder(&folder, path);
  if (realpath(cli_text(&folder), place) == NULL)
    *place = '\0';
  cli_reset(&folder);
}

static void find_place(const char *path, char *place) {
  struct stat info;
  if (lstat(path, &info) != 0 && errno == ENOENT)
    find_folder(path, place);
  else if (realpath(path, place) == NULL)
    *place = '\0';
}

static bool is_below(const char *place, const char *folder) {
  const size_t n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
  return *place != '\0' && *folder != '\0' && strncmp(place, folder, n) == 0 && (place[n] == '/' || place[n] == '\0');
}

bool cli_leads_below(const char *path, const char *folder, char *place) {
  char named[PATH_MAX];
  find_place(path, place);
  find_place(folder, named);
  return is_below(place, named);
}

bool cli_leads_beside(const char *beside, const char *path, char *place) {
  char folder[PATH_MAX], target[PATH_MAX];
  find_place(beside, place);
  find_folder(path, folder);
  if (is_below(place, folder))
    return true;
  if (!cli_is_link(path) || realpath(path, target) == NULL || !cli_ends_in(target, ".xml"))
    return false;
  cli_string beside_target = {0};
  cli_add(&beside_target, "%.*s%s", (int)(strlen(target) - strlen(".xml")), target, strrchr(beside, '.'));
  const bool is_beside = strcmp(place, cli_text(&beside_target)) == 0;
  cli_reset(&beside_target);
  return is_beside;
}

void cli_find_named_places(cli_options *options) {
  for (int i = 0; i < options->n_models; i++) {
    char named[PATH_MAX];
    cli_string folder = {0}, kept = {0};
    cli_add_named_folder(&folder, options->models[i]);
    cli_add(&kept, "%s", realpath(cli_text(&folder), named) != NULL ? named : "");
    cli_reset(&folder);
    if (kept.length == 0 || cli_add_to_tree(&options->named_places, kept.text, cli_compare_texts) != kept.text)
      cli_reset(&kept);
  }
}

bool cli_is_named_place(const cli_options *options, const char *path, char *place) {
  char above[PATH_MAX];
  find_place(path, place);
  memcpy(above, place, strlen(place) + 1);
  while (*above != '\0' && tfind(above, &options->named_places, cli_compare_texts) == NULL) {
    char *last = strrchr(above, '/');
    last[last == above && above[1] != '\0'] = '\0'; /* "/" is above "/a", and nothing above "/" */
  }
  return *above != '\0';
}

irrun_status cli_report_link(irrun_context *context, const char *path, const char *place, const char *hint) {
  if (*place == '\0')
    return cli_fault(context, "IR702", path, hint, "cannot write: the link leads to no file");
  return cli_fault(context, "IR702", path, hint,
                   "cannot write: a link leads to '%s', outside of the folders that the command line names", place);
}

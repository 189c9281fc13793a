/* Names of files and folders of data sets. */
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define ONNX_SET "test_data_set_"

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool cli_is_onnx_set(const char *folder) {
  return strncmp(last_part(folder), ONNX_SET, strlen(ONNX_SET)) == 0;
}

bool cli_read_data_file(const char *folder, const char *file, cli_data_file *out) {
  static const struct {
    const char *word;
    irrun_side side;
    bool only_onnx; /* elsewhere it is what some run has written */
  } kinds[] = {{"input", IRRUN_INPUTS, false}, {"expected", IRRUN_OUTPUTS, false}, {"output", IRRUN_OUTPUTS, true}};
  static const char suffix[] = ".npy";
  *out = (cli_data_file){.is_archive = strcmp(file, "io.npz") == 0};
  if (out->is_archive)
    return true;
  const size_t length = strlen(file);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const size_t n = strlen(kinds[i].word);
    if (length < n + strlen(suffix) || strncmp(file, kinds[i].word, n) != 0 ||
        strcmp(file + length - strlen(suffix), suffix) != 0 || (kinds[i].only_onnx && !cli_is_onnx_set(folder)))
      continue;
    out->side = kinds[i].side;
    out->name = file + n;
    out->name_length = (int)(length - n - strlen(suffix));
    if (out->name_length > 1 && strchr("_-.", *out->name) != NULL) {
      out->name++;
      out->name_length--;
    }
    return true;
  }
  return false;
}

char *cli_join(const char *folder, const char *file) {
  cli_string path = {0};
  const size_t length = strlen(folder);
  if (strcmp(folder, ".") != 0)
    cli_add(&path, "%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/");
  cli_add(&path, "%s", file);
  return path.text;
}

static int is_visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

bool cli_list_folder(const char *folder, char ***out_names, int *out_n) {
  struct dirent **entries;
  const int n = scandir(folder, &entries, is_visible, versionsort);
  *out_names = NULL;
  *out_n = 0;
  if (n < 0)
    return false;
  *out_names = cli_allocate((size_t)n, sizeof **out_names);
  for (int i = 0; i < n; i++) {
    cli_string name = {0};
    cli_add(&name, "%s", entries[i]->d_name);
    (*out_names)[(*out_n)++] = name.text;
    free(entries[i]);
  }
  free(entries);
  return true;
}

void cli_free_names(char **names, int n) {
  for (int i = 0; i < n; i++)
    free(names[i]);
  free(names);
}

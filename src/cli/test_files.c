/* Recognizes the names of files and folders of data sets. */
#include "test.h"

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
    bool only_onnx; /* only in ONNX's folders; elsewhere such a file is the result of a run */
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

bool cli_is_step(const char *folder, const char *name) {
  static const char begin[] = "step_";
  char **names;
  int n;
  bool found = false;
  if (strncmp(name, begin, strlen(begin)) != 0)
    return false;
  char *path = cli_join(folder, name);
  if (cli_list_folder(path, &names, &n)) {
    cli_data_file file;
    for (int i = 0; i < n && !found; i++)
      found = cli_read_data_file(path, names[i], &file);
    cli_free_names(names, n);
  }
  free(path);
  return found;
}

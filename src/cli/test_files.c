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

/* Finds the only input or output whose name irrun_file_name writes like this; -1 if there is none, or more than one. */
static int64_t find_as_file(irrun_model *model, irrun_side side, const char *name) {
  char as_file[256];
  irrun_io io = {.size = sizeof io};
  int64_t index = -1, n_found = 0;
  for (int64_t i = 0; irrun_model_get_io(model, side, i, &io); i++) {
    if (strcmp(irrun_file_name(io.name, as_file, sizeof as_file), name) != 0)
      continue;
    index = i;
    n_found++;
  }
  return n_found == 1 ? index : -1;
}

/* Finds the input or output of this name or number. Without a `path` that a report could name, reports nothing if there
 * is none. */
static irrun_status find_by_name(irrun_model *model, irrun_side side, const char *name, const char *path,
                                 int64_t *out_index) {
  if (path != NULL)
    return irrun_model_find_name(model, side, name, path, out_index);
  cli_string text = {0};
  const char *rest;
  cli_add(&text, "%s=", name);
  irrun_status status = irrun_model_match_name(model, side, cli_text(&text), out_index, &rest);
  if (status == IRRUN_OK && *rest != '\0') /* the name before another '=' */
    *out_index = -1;
  cli_reset(&text);
  return status;
}

irrun_status cli_find_named(irrun_model *model, const char *folder, const cli_data_file *file, const char *path,
                            int64_t *out_index) {
  const irrun_model_info info = cli_model_info(model);
  const int64_t n = file->side == IRRUN_INPUTS ? info.n_inputs : info.n_outputs;
  *out_index = 0;
  if (file->name_length == 0 && n == 1)
    return IRRUN_OK;
  cli_string name = {0};
  cli_add(&name, "%.*s", file->name_length, file->name);
  const char *text = cli_text(&name);
  const bool is_number = strspn(text, "0123456789") == name.length && name.length > 0 && name.length < 10;
  if (cli_is_onnx_set(folder) && is_number && atoll(text) < n)
    *out_index = atoll(text);
  else
    *out_index = find_as_file(model, file->side, text);
  irrun_status status = *out_index >= 0 ? IRRUN_OK : find_by_name(model, file->side, text, path, out_index);
  cli_reset(&name);
  return status;
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

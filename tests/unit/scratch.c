#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

scratch_folder scratch_folder_make(void) {
  scratch_folder folder;
  const char *parent = getenv("TMPDIR");
  int n = snprintf(folder.path, sizeof folder.path, "%s/irrun-unit-XXXXXX", parent == NULL ? P_tmpdir : parent);
  assert_in_range(n, 0, sizeof folder.path - 1);
  assert_non_null(mkdtemp(folder.path));
  return folder;
}

void scratch_folder_remove(const scratch_folder *folder) {
  assert_int_equal(rmdir(folder->path), 0);
}

static void join(const scratch_folder *folder, const char *name, char path[SCRATCH_PATH]) {
  assert_in_range(snprintf(path, SCRATCH_PATH, "%s/%s", folder->path, name), 0, SCRATCH_PATH - 1);
}

const char *scratch_path(const scratch_folder *folder, const char *name) {
  static char paths[4][SCRATCH_PATH];
  static int next;
  char *path = paths[next++ % 4];
  join(folder, name, path);
  return path;
}

void scratch_write(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

scratch_file scratch_file_make(const char *name, const void *bytes, size_t n) {
  scratch_file file = {.folder = scratch_folder_make()};
  join(&file.folder, name, file.path);
  scratch_write(file.path, bytes, n);
  return file;
}

void scratch_file_remove(const scratch_file *file) {
  unlink(file->path);
  scratch_folder_remove(&file->folder);
}

scratch_model scratch_model_make(void) {
  scratch_model model = {.folder = scratch_folder_make()};
  join(&model.folder, "m.xml", model.xml);
  join(&model.folder, "m.bin", model.bin);
  return model;
}

void scratch_model_remove(const scratch_model *model) {
  unlink(model->xml);
  unlink(model->bin);
  scratch_folder_remove(&model->folder);
}

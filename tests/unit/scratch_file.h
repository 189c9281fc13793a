/* Files in a folder of their own that goes away with the test. */
#ifndef SCRATCH_FILE_H
#define SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct scratch_file {
  char folder[64], path[96];
} scratch_file;

/* An empty path when it cannot be made. `name` has no '/'. */
static inline scratch_file scratch_file_make(const char *name, const void *bytes, size_t n) {
  scratch_file file;
  strcpy(file.folder, "/tmp/irrun-unit-XXXXXX");
  file.path[0] = '\0';
  if (mkdtemp(file.folder) == NULL)
    return file;
  snprintf(file.path, sizeof file.path, "%s/%s", file.folder, name);
  FILE *out = fopen(file.path, "wb");
  bool ok = out != NULL && fwrite(bytes, 1, n, out) == n;
  if (out == NULL || fclose(out) != 0 || !ok)
    file.path[0] = '\0';
  return file;
}

static inline void scratch_file_remove(const scratch_file *file) {
  unlink(file->path);
  rmdir(file->folder);
}

#endif

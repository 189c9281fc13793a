/* Makes a fake /proc and /sys in a temporary folder, for tests. */
#ifndef SYSTEM_ROOT_H
#define SYSTEM_ROOT_H

#include "scratch.h"

typedef struct system_file {
  const char *path, *text;
} system_file;

enum { MOST_SYSTEM_FILES = 12 };

/* Makes a root folder with the files. The list ends at the first file without a path. */
scratch_folder system_root_make(const system_file files[MOST_SYSTEM_FILES]);
void system_root_remove(const scratch_folder *root);

#endif

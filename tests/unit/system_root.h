/* A fake /proc and /sys. */
#ifndef SYSTEM_ROOT_H
#define SYSTEM_ROOT_H

#include "scratch.h"

typedef struct system_file {
  const char *path, *text;
} system_file;

enum { MOST_SYSTEM_FILES = 12 };

/* Writes the files, up to the first without a path, in a new root folder. */
scratch_folder system_root_make(const system_file files[MOST_SYSTEM_FILES]);
void system_root_remove(const scratch_folder *root);

#endif

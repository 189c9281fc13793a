/* Files in a folder of their own that goes away with the test. What cannot be made fails the test. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATH = 640 };

typedef struct scratch_folder {
  char path[256];
} scratch_folder;

scratch_folder scratch_folder_make(void);
/* Nothing may be left in it. */
void scratch_folder_remove(const scratch_folder *folder);
/* The path of `name` in the folder; holds until the fourth call after this one. */
const char *scratch_path(const scratch_folder *folder, const char *name);

/* Writes a whole file, or over the one that is there. */
void scratch_write(const char *path, const void *bytes, size_t n);

/* A folder with one file. */
typedef struct scratch_file {
  scratch_folder folder;
  char path[SCRATCH_PATH];
} scratch_file;

/* `name` has no '/'. */
scratch_file scratch_file_make(const char *name, const void *bytes, size_t n);
void scratch_file_remove(const scratch_file *file);

/* A folder and the paths of a model in it, of which nothing is written yet. */
typedef struct scratch_model {
  scratch_folder folder;
  char xml[SCRATCH_PATH], bin[SCRATCH_PATH];
} scratch_model;

scratch_model scratch_model_make(void);
void scratch_model_remove(const scratch_model *model);

#endif

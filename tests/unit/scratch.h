/* Temporary folders and files for a test. A failure to make them fails the test. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATH = 640 };

typedef struct scratch_folder {
  char path[256];
} scratch_folder;

scratch_folder scratch_folder_make(void);
/* Removes the folder, which must be empty. */
void scratch_folder_remove(const scratch_folder *folder);
/* The path of `name` in the folder; valid until the fourth later call. */
const char *scratch_path(const scratch_folder *folder, const char *name);

/* Writes a whole file, replacing an existing one. */
void scratch_write(const char *path, const void *bytes, size_t n);

/* A folder with one file. */
typedef struct scratch_file {
  scratch_folder folder;
  char path[SCRATCH_PATH];
} scratch_file;

/* `name` has no '/'. */
scratch_file scratch_file_make(const char *name, const void *bytes, size_t n);
void scratch_file_remove(const scratch_file *file);

/* A folder and the paths of a model's files in it; the files are not written yet. */
typedef struct scratch_model {
  scratch_folder folder;
  char xml[SCRATCH_PATH], bin[SCRATCH_PATH];
} scratch_model;

scratch_model scratch_model_make(void);
void scratch_model_remove(const scratch_model *model);

#endif

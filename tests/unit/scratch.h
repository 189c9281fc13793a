/* Makes temporary folders and files for a test. If a folder or file cannot be made, the test fails. */
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
/* Returns the path of `name` in the folder. The text is valid until the fourth later call. */
const char *scratch_path(const scratch_folder *folder, const char *name);

/* Writes a whole file. An existing file is replaced. */
void scratch_write(const char *path, const void *bytes, size_t n);

/* A folder that contains one file. */
typedef struct scratch_file {
  scratch_folder folder;
  char path[SCRATCH_PATH];
} scratch_file;

/* Makes a folder and the file `name` in it. `name` must not contain '/'. */
scratch_file scratch_file_make(const char *name, const void *bytes, size_t n);
void scratch_file_remove(const scratch_file *file);

/* A folder and the paths of a model's files in it. scratch_model_make does not write the files. */
typedef struct scratch_model {
  scratch_folder folder;
  char xml[SCRATCH_PATH], bin[SCRATCH_PATH];
} scratch_model;

scratch_model scratch_model_make(void);
void scratch_model_remove(const scratch_model *model);

#endif

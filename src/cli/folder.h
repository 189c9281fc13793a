/* Lists folders, and recognizes model files. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "text.h"

/* Returns "DIR/file", or for the folder "." just "file". The caller frees the text. */
char *cli_join(const char *folder, const char *file);
/* Adds the folder of a path: "a/b" for "a/b/c", "/" for "/c", "." for "c". */
void cli_add_folder(cli_string *string, const char *path);
/* Adds the folder that an operand names: itself, or the folder of a file. */
void cli_add_named_folder(cli_string *string, const char *operand);
/* Lists the names of files and folders in a folder, in natural order ("set_2" before "set_10"). Leaves out hidden ones,
 * and FIFOs, sockets and devices: nobody named them, and reading one can wait for ever. The caller frees the list by
 * cli_free_names. Returns false, with errno set, if the folder cannot be read. */
bool cli_list_folder(const char *folder, char ***out_names, int *out_n);
void cli_free_names(char **names, int n);
/* Whether the file is a model: an .xml file with the root <net>, or a .json file that begins like nGraph's JSON. Sets
 * `*out_error` to errno if the file cannot be read, else to 0. */
bool cli_is_model_file(const char *path, int *out_error);
/* Returns the folder for temporary files: TMPDIR, else /tmp. */
const char *cli_temporary_folder(void);

#endif

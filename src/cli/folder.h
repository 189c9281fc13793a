/* Lists folders, and recognizes model files. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "text.h"

/* Joins "DIR" and "file" to "DIR/file"; gives "file" for folder ".". The caller frees it. */
char *cli_join(const char *folder, const char *file);
/* Lists the names in a folder without hidden ones, always in the same order. The caller frees each name and the list.
 * False, with errno, if the folder cannot be read. */
bool cli_list_folder(const char *folder, char ***out_names, int *out_n);
void cli_free_names(char **names, int n);
/* Whether it is an .xml file with root <net> (after byte order mark, declarations and comments) or a .json file that
 * begins as nGraph's models do. `*out_error` is 0, or the errno if the file cannot be read. */
bool cli_is_model_file(const char *path, int *out_error);

#endif

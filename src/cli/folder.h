/* What is in folders, and which files there are models. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "text.h"

/* "DIR/file", "file" in "."; the caller frees it. */
char *cli_join(const char *folder, const char *file);
/* Names of what is in a folder, without hidden ones; in the same order each time. Each of them and the list is the
 * caller's to free. False, with errno, when it cannot be read. */
bool cli_list_folder(const char *folder, char ***out_names, int *out_n);
void cli_free_names(char **names, int n);
/* Whether it is an .xml file whose root, behind byte order mark, declarations and comments, is <net>, or a .json file
 * that begins as nGraph's models do. `*out_error` is 0, or why the file cannot be read: an errno. */
bool cli_is_model_file(const char *path, int *out_error);

#endif

/* Resolves paths: symbolic links, and files that are already open. */
#ifndef IR_OUT_LINK_H
#define IR_OUT_LINK_H

#include <stddef.h>
#include <sys/stat.h>

#define IR_MAX_PATH 4096 /* Linux's limit in bytes, with the NUL */

/* The descriptor that a path such as /dev/fd/N or /dev/stdout leads to (stdout's for "-"), or -1. Write to that
 * descriptor: opening the path again would overwrite from the start. */
int ir_path_descriptor(const char *path);

/* Length of the folder in a path, including its '/'. */
size_t ir_folder_length(const char *path);

/* Follows symbolic links in place until `path` (room for IR_MAX_PATH bytes) is no link, or links to an open file.
 * `out_info->st_mode` is 0 if nothing exists there. Returns 0 or an errno. */
int ir_follow_links(char *path, struct stat *out_info);

#endif

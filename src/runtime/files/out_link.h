/* Resolves paths that are symbolic links or lead to open file descriptors. */
#ifndef IR_OUT_LINK_H
#define IR_OUT_LINK_H

#include <stddef.h>
#include <sys/stat.h>

#define IR_MAX_PATH 4096 /* PATH_MAX of Linux: bytes, with the NUL */

/* The file descriptor N of a path such as /dev/fd/N, stdout's for "-", else -1. Write to this descriptor: if the path
 * were opened again, writing would start at offset 0. */
int ir_path_descriptor(const char *path);

/* Length of the path up to its last '/', inclusive; 0 if there is none. */
size_t ir_folder_length(const char *path);

/* Replaces `path`, a buffer of IR_MAX_PATH bytes, by the target of its symbolic links. Stops at /dev/fd/N and the like,
 * without following that link. `out_info->st_mode` is 0 if nothing exists at the target. Returns 0 or an errno. */
int ir_follow_links(char *path, struct stat *out_info);

#endif

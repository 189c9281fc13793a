/* Where a path leads: symbolic links, and files that are open already. */
#ifndef IR_OUT_LINK_H
#define IR_OUT_LINK_H

#include <stddef.h>
#include <sys/stat.h>

#define IR_MAX_PATH 4096 /* bytes of a path with its NUL, as Linux has it */

/* The number in /dev/fd/N or what /dev/stdout leads to, stdout's for "-", or -1: a file of that kind is an open one,
 * which opening it anew would write from its start. */
int ir_path_descriptor(const char *path);

/* Length of the folder's part of a path, with its '/'. */
size_t ir_folder_length(const char *path);

/* Replaces `path`, which has room for IR_MAX_PATH bytes, by what it leads to, while it is a symbolic link to anything
 * but an open file. `out_info->st_mode` is 0 for what does not exist. 0 or an errno. */
int ir_follow_links(char *path, struct stat *out_info);

#endif

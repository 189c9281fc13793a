/* The control groups of this process, and other small files of /proc and /sys. `root` stands before their paths: "", or
 * a folder of a test's. */
#ifndef IR_CGROUP_H
#define IR_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

enum { IR_SYSTEM_PATH = 4500, IR_SYSTEM_TEXT = 4096 };

/* The beginning of the file, as a text; false when there is none. */
bool ir_system_text(const char *root, const char *path, char text[IR_SYSTEM_TEXT]);

/* A group, as a folder. */
typedef struct ir_cgroup {
  char path[IR_SYSTEM_PATH + IR_SYSTEM_TEXT];
  size_t top; /* length of the path of the group around all */
} ir_cgroup;

/* This process's own: of a controller of version 1 ("cpu"), or for "" of version 2. Where /proc does not tell, the one
 * around all. */
ir_cgroup ir_cgroup_own(const char *root, const char *controller);
/* The beginning of one of its files; false when there is none, as in a container that sees its own group as the one
 * around all. */
bool ir_cgroup_text(const ir_cgroup *group, const char *file, char text[IR_SYSTEM_TEXT]);
/* Goes to the next one around it; false when there is none. */
bool ir_cgroup_leave(ir_cgroup *group);

#endif

/* Reads control groups of this process, and other small files in /proc and /sys. `root` is prefixed to their paths: "",
 * or a test's folder. */
#ifndef IR_CGROUP_H
#define IR_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

enum { IR_SYSTEM_PATH = 4500, IR_SYSTEM_TEXT = 4096 };

/* Reads the beginning of the file as text; false if it does not exist. */
bool ir_system_text(const char *root, const char *path, char text[IR_SYSTEM_TEXT]);

/* A control group; its path is a folder. */
typedef struct ir_cgroup {
  char path[IR_SYSTEM_PATH + IR_SYSTEM_TEXT];
  size_t top; /* length of the root group's path */
} ir_cgroup;

/* The process's own group: for a controller of version 1 ("cpu"), or "" for version 2. The root group if /proc does not
 * say. */
ir_cgroup ir_cgroup_own(const char *root, const char *controller);
/* Reads the beginning of one of the group's files; false if it does not exist, as in a container that sees its own
 * group as the root. */
bool ir_cgroup_text(const ir_cgroup *group, const char *file, char text[IR_SYSTEM_TEXT]);
/* Moves to the parent group; false if there is none. */
bool ir_cgroup_leave(ir_cgroup *group);

#endif

/* Reads the control groups of this process and other small files in /proc and /sys. `root` is put before all paths:
 * "", or a folder in tests. */
#ifndef IR_CGROUP_H
#define IR_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

enum { IR_SYSTEM_PATH = 4500, IR_SYSTEM_TEXT = 4096 };

/* Reads the first IR_SYSTEM_TEXT - 1 bytes of a file. False if it does not exist or is empty. */
bool ir_system_text(const char *root, const char *path, char text[IR_SYSTEM_TEXT]);

/* A control group: the path of its folder. */
typedef struct ir_cgroup {
  char path[IR_SYSTEM_PATH + IR_SYSTEM_TEXT];
  size_t top; /* length of the path of the root group */
} ir_cgroup;

/* The control group of this process. `controller` is a controller of version 1, such as "cpu", or "" for version 2.
 * If /proc names no group, the root group. */
ir_cgroup ir_cgroup_own(const char *root, const char *controller);
/* Reads the first IR_SYSTEM_TEXT - 1 bytes of a file of the group. False if it does not exist, for example in a
 * container where /sys has only the process's own group, as the root. */
bool ir_cgroup_text(const ir_cgroup *group, const char *file, char text[IR_SYSTEM_TEXT]);
/* Changes `group` to its parent. False if it is the root group. */
bool ir_cgroup_leave(ir_cgroup *group);

#endif

#include "base/cgroup.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool read_text(const char *path, char text[IR_SYSTEM_TEXT]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, text, IR_SYSTEM_TEXT - 1);
  close(fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

bool ir_system_text(const char *root, const char *path, char text[IR_SYSTEM_TEXT]) {
  char whole[IR_SYSTEM_PATH];
  snprintf(whole, sizeof whole, "%s%s", root, path);
  return read_text(whole, text);
}

/* Whether the controller is in the list that begins at `list`, such as "cpu,cpuacct:". */
static bool has_controller(const char *list, const char *controller) {
  const size_t wanted = strlen(controller);
  for (;;) {
    const size_t length = strcspn(list, ",:");
    if (length == wanted && strncmp(list, controller, wanted) == 0)
      return true;
    if (list[length] != ',')
      return false;
    list += length + 1;
  }
}

/* Finds the path of the controller's group in the text of /proc/self/cgroup; NULL if there is none. A line is
 * "4:cpu,cpuacct:/a/b", or "0::/a/b" for version 2. Changes the text. */
static const char *find_group(char *text, const char *controller) {
  const bool is_v2 = *controller == '\0';
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
    const char *list = strchr(line, ':'), *group = list == NULL ? NULL : strchr(list + 1, ':');
    if (group == NULL)
      continue;
    if (is_v2 ? strncmp(line, "0::", 3) == 0 : has_controller(list + 1, controller))
      return group + 1;
  }
  return NULL;
}

ir_cgroup ir_cgroup_own(const char *root, const char *controller) {
  ir_cgroup group;
  char text[IR_SYSTEM_TEXT];
  const char *own = ir_system_text(root, "/proc/self/cgroup", text) ? find_group(text, controller) : NULL;
  const char *slash = *controller != '\0' ? "/" : "";
  const int top = snprintf(group.path, IR_SYSTEM_PATH, "%s/sys/fs/cgroup%s%s", root, slash, controller);
  group.top = top < IR_SYSTEM_PATH ? (size_t)top : IR_SYSTEM_PATH - 1;
  if (own != NULL && strcmp(own, "/") != 0)
    snprintf(group.path + group.top, sizeof group.path - group.top, "%s", own);
  return group;
}

bool ir_cgroup_text(const ir_cgroup *group, const char *file, char text[IR_SYSTEM_TEXT]) {
  char path[sizeof group->path + 64];
  snprintf(path, sizeof path, "%s/%s", group->path, file);
  return read_text(path, text);
}

bool ir_cgroup_leave(ir_cgroup *group) {
  char *slash = strrchr(group->path + group->top, '/');
  if (slash != NULL)
    *slash = '\0';
  return slash != NULL;
}

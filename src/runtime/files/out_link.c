#include "runtime/files/out_link.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINKS = 40 }; /* limit of the Linux kernel */

int ir_path_descriptor(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    size_t length = strlen(folders[i]);
    const char *number = path + length;
    if (strncmp(path, folders[i], length) == 0 && *number != '\0' && strlen(number) < 8 &&
        number[strspn(number, "0123456789")] == '\0')
      return atoi(number);
  }
  return strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;
}

size_t ir_folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash + 1 - path);
}

int ir_follow_links(char *path, struct stat *out_info) {
  char target[IR_MAX_PATH];
  for (int i = 0; i < MAX_LINKS; i++) {
    *out_info = (struct stat){.st_mode = 0};
    if (ir_path_descriptor(path) >= 0)
      return 0;
    if (lstat(path, out_info) != 0)
      return errno == ENOENT ? 0 : errno;
    if (!S_ISLNK(out_info->st_mode))
      return 0;
    ssize_t n = readlink(path, target, sizeof target);
    if (n < 0)
      return errno;
    size_t folder = target[0] == '/' ? 0 : ir_folder_length(path);
    if (folder + (size_t)n >= IR_MAX_PATH)
      return ENAMETOOLONG;
    memcpy(path + folder, target, (size_t)n);
    path[folder + (size_t)n] = '\0';
  }
  return ELOOP;
}

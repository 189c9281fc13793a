/* Where the path of an output leads, so that two spellings of one place are seen as one. */
#include "irrun.h"
#include "runtime/out_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40 }; /* the kernel's own limit */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* The N of /dev/fd/N or /proc/self/fd/N, else -1. */
static int number_in(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    size_t length = strlen(folders[i]);
    const char *number = path + length;
    if (strncmp(path, folders[i], length) == 0 && *number != '\0' && strlen(number) < 8 &&
        number[strspn(number, "0123456789")] == '\0')
      return atoi(number);
  }
  return -1;
}

/* Follows links from the last part of `path` on, also to what does not exist yet; stops at an open descriptor, whose
 * number it returns, else -1. A path that is too long stays as it is: nothing can be written to it. */
static int follow(char *path) {
  char target[IR_MAX_PATH];
  struct stat info;
  for (int i = 0; i < MAX_LINKS && number_in(path) < 0; i++) {
    ssize_t n = lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? readlink(path, target, sizeof target) : -1;
    size_t folder = n > 0 && target[0] != '/' ? (size_t)(base_name(path) - path) : 0;
    if (n <= 0 || folder + (size_t)n >= IR_MAX_PATH)
      break;
    memcpy(path + folder, target, (size_t)n);
    path[folder + (size_t)n] = '\0';
  }
  return number_in(path);
}

/* /dev/null and its like hold nothing, so that writing there disturbs nobody. */
static bool is_stream(int descriptor, const struct stat *info) {
  struct stat stream;
  return fstat(descriptor, &stream) == 0 && stream.st_dev == info->st_dev && stream.st_ino == info->st_ino &&
         (!S_ISCHR(info->st_mode) || isatty(descriptor) == 1);
}

int irrun_output_descriptor(const char *path) {
  char place[IR_MAX_PATH];
  struct stat info;
  if (strcmp(path, "-") == 0)
    return STDOUT_FILENO;
  snprintf(place, sizeof place, "%s", path);
  int descriptor = follow(place);
  if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO || stat(path, &info) != 0)
    return descriptor;
  return is_stream(STDOUT_FILENO, &info) ? STDOUT_FILENO : is_stream(STDERR_FILENO, &info) ? STDERR_FILENO : descriptor;
}

static const char *print_place(const struct stat *info, const char *name, char *buffer, size_t size) {
  snprintf(buffer, size, "%jx:%jx/%s", (uintmax_t)info->st_dev, (uintmax_t)info->st_ino, name);
  return buffer;
}

const char *irrun_output_place(const char *path, char *buffer, size_t size) {
  char place[IR_MAX_PATH], folder[IR_MAX_PATH];
  struct stat info;
  int descriptor = irrun_output_descriptor(path);
  snprintf(buffer, size, "fd %d", descriptor);
  if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO)
    return buffer;
  /* Another name of a file with hard links is another place: a file is replaced, not written over. */
  if (stat(path, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_nlink == 1))
    return print_place(&info, "", buffer, size);
  snprintf(place, sizeof place, "%s", path);
  for (size_t length = strlen(place); length > 1 && place[length - 1] == '/'; length--)
    place[length - 1] = '\0';
  follow(place);
  const char *name = base_name(place);
  snprintf(folder, sizeof folder, "%.*s", (int)(name - place), place);
  if (stat(folder[0] == '\0' ? "." : folder, &info) == 0)
    return print_place(&info, name, buffer, size);
  snprintf(buffer, size, "%s", path);
  return buffer;
}

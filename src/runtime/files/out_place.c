/* Identifies the file that an output path leads to, so that two paths to one file are recognized. */
#include "irrun_program.h"
#include "runtime/files/out_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `descriptor` is open and refers to the file of `info`. A device that is no terminal, such as /dev/null, does
 * not count, because writing there overwrites nothing. */
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
  ir_follow_links(place, &info);
  int descriptor = ir_path_descriptor(place);
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
  /* a file with several hard links is identified by folder and name, because writing replaces only one link */
  if (stat(path, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_nlink == 1))
    return print_place(&info, "", buffer, size);
  snprintf(place, sizeof place, "%s", path);
  for (size_t length = strlen(place); length > 1 && place[length - 1] == '/'; length--)
    place[length - 1] = '\0';
  ir_follow_links(place, &info);
  const char *name = place + ir_folder_length(place);
  snprintf(folder, sizeof folder, "%.*s", (int)(name - place), place);
  if (stat(folder[0] == '\0' ? "." : folder, &info) == 0)
    return print_place(&info, name, buffer, size);
  snprintf(buffer, size, "%s", path);
  return buffer;
}

#include "runtime/files/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 100 }; /* number of attempts to find an unused name */

/* ---- opening ---- */

/* Makes a temporary name in the destination folder, with a random number. Returns 0 or an errno. */
static int make_name(const ir_out_file *file, char name[IR_MAX_PATH]) {
  uint64_t number;
  if (getentropy(&number, sizeof number) != 0)
    return errno;
  int n =
      snprintf(name, IR_MAX_PATH, "%.*s.irrun-%016" PRIx64, (int)ir_folder_length(file->place), file->place, number);
  return n < 0 || n >= IR_MAX_PATH ? ENAMETOOLONG : 0;
}

/* Makes the path /proc/self/fd/N of an open file, which linkat needs to name an unnamed file. */
static void name_descriptor(int fd, char *path, size_t size) {
  snprintf(path, size, "/proc/self/fd/%d", fd);
}

/* Opens an unnamed file in the destination folder. False if the file system lacks O_TMPFILE, or if /proc, which
 * give_name needs, is missing. */
static bool open_nameless(ir_out_file *file, mode_t mode) {
  char folder[IR_MAX_PATH], path[40];
  const size_t length = ir_folder_length(file->place);
  if (length + sizeof "." > sizeof folder)
    return false;
  memcpy(folder, file->place, length);
  strcpy(folder + length, ".");
  file->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (file->fd < 0)
    return false;
  name_descriptor(file->fd, path, sizeof path);
  file->unnamed = access(path, F_OK) == 0;
  if (!file->unnamed) {
    close(file->fd);
    file->fd = -1;
  }
  return file->unnamed;
}

static int open_named(ir_out_file *file, mode_t mode) {
  char name[IR_MAX_PATH];
  for (int i = 0; i < MAX_TRIES; i++) {
    int error = make_name(file, name);
    if (error != 0)
      return error;
    file->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file->fd >= 0) {
      strcpy(file->temporary, name);
      return 0;
    }
    if (errno != EEXIST)
      return errno;
  }
  return EEXIST;
}

static int open_temporary(ir_out_file *file, mode_t mode) {
  return open_nameless(file, mode) ? 0 : open_named(file, mode);
}

static int open_beside(ir_out_file *file, const struct stat *old) {
  if (old->st_mode == 0)
    return open_temporary(file, 0666);
  if (faccessat(AT_FDCWD, file->place, W_OK, AT_EACCESS) != 0)
    return errno;
  int error = open_temporary(file, 0600);
  return error != 0 ? error : fchmod(file->fd, old->st_mode & 0777) != 0 ? errno : 0;
}

static int open_in_place(ir_out_file *file) {
  int descriptor = ir_path_descriptor(file->place);
  file->fd =
      descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : open(file->place, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return file->fd < 0 ? errno : 0;
}

static int open_place(ir_out_file *file, const char *path) {
  struct stat info;
  if (strlen(path) >= sizeof file->place)
    return ENAMETOOLONG;
  strcpy(file->place, path);
  int error = ir_follow_links(file->place, &info);
  if (error != 0)
    return error;
  if (S_ISDIR(info.st_mode))
    return EISDIR;
  bool in_place = ir_path_descriptor(file->place) >= 0 || (info.st_mode != 0 && !S_ISREG(info.st_mode));
  return in_place ? open_in_place(file) : open_beside(file, &info);
}

/* Reports why no file can be made in the destination folder: a part of the path is a file, the folder accepts no new
 * files, or the folder does not exist. */
static ir_code report_folder(const ir_out_file *file, ir_where where) {
  char folder[IR_MAX_PATH];
  struct stat info;
  for (size_t length = 1; length <= ir_folder_length(file->place); length++) {
    if (file->place[length] != '/' && length != ir_folder_length(file->place))
      continue;
    memcpy(folder, file->place, length);
    folder[length] = '\0';
    if (folder[length - 1] == '/' && length > 1)
      folder[length - 1] = '\0';
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
      return ir_report(file->diags, IR702_FILE_NOT_WRITABLE, where, "cannot write: '%s' is a file, not a folder",
                       folder);
  }
  int length = (int)ir_folder_length(file->place);
  length -= length > 1; /* leave out the final slash */
  if (stat(folder, &info) == 0)
    return ir_report(file->diags, IR702_FILE_NOT_WRITABLE, where, "cannot write: '%s' takes no new files", folder);
  ir_code code = ir_report(file->diags, IR702_FILE_NOT_WRITABLE, where, "cannot write: there is no folder '%.*s'",
                           length, file->place);
  ir_hint(file->diags, "make the folder first");
  return code;
}

static ir_code report(const ir_out_file *file) {
  ir_where where = {.source = file->source, .at = IR_NOWHERE};
  if (file->error == ENOMEM)
    return ir_out_of_memory(file->diags);
  if ((file->error == ENOENT || file->error == ENOTDIR) && ir_folder_length(file->place) > 0)
    return report_folder(file, where);
  if (file->error == EPIPE)
    return ir_report(file->diags, IR702_FILE_NOT_WRITABLE, where, "cannot write: whoever reads it has closed it");
  return ir_report(file->diags, IR702_FILE_NOT_WRITABLE, where, "cannot write: %s", strerror(file->error));
}

ir_code ir_out_file_open(ir_out_file *file, ir_diags *diags, const ir_memory *memory, const char *path) {
  *file = (ir_out_file){.diags = diags, .fd = -1};
  file->source = ir_source_create(memory, IR_SOURCE_NAME, strcmp(path, "-") == 0 ? "<stdout>" : path);
  if (file->source == NULL)
    return ir_out_of_memory(diags);
  file->error = open_place(file, path);
  if (file->error == 0)
    return IR_OK;
  ir_code code = report(file);
  ir_out_file_discard(file);
  return code;
}

/* ---- writing ---- */

void ir_out_file_fail(ir_out_file *file, int error) {
  if (file->error == 0)
    file->error = error;
}

bool ir_out_file_write(ir_out_file *file, const void *data, size_t bytes) {
  if (file->error == 0 && !ir_write_all(file->fd, data, bytes))
    ir_out_file_fail(file, errno);
  return file->error == 0;
}

/* ---- committing ---- */

/* Closes the file. Some file systems report a failed write only when the file is closed. */
static void close_file(ir_out_file *file) {
  if (file->fd >= 0 && close(file->fd) != 0)
    ir_out_file_fail(file, errno);
  file->fd = -1;
}

/* Gives an unnamed file a temporary name, because rename, which replaces the old file, needs a named file. */
static void give_name(ir_out_file *file) {
  char path[40], name[IR_MAX_PATH];
  name_descriptor(file->fd, path, sizeof path);
  int error = EEXIST;
  for (int i = 0; i < MAX_TRIES && error == EEXIST; i++) {
    error = make_name(file, name);
    if (error == 0 && linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0)
      error = errno;
  }
  if (error == 0)
    strcpy(file->temporary, name);
  else
    ir_out_file_fail(file, error);
}

/* Gives the file a temporary name if it is unnamed, and closes the file. put_in_place renames it later. */
static void complete(ir_out_file *file) {
  if (file->error == 0 && file->unnamed)
    give_name(file);
  close_file(file);
}

static void put_in_place(ir_out_file *file) {
  if (file->temporary[0] == '\0')
    return;
  if (rename(file->temporary, file->place) == 0)
    file->temporary[0] = '\0';
  else
    ir_out_file_fail(file, errno);
}

ir_code ir_out_files_commit(ir_out_file *const *files, size_t n) {
  ir_out_file *failed = NULL;
  for (size_t i = 0; i < n && failed == NULL; i++) {
    complete(files[i]);
    failed = files[i]->error != 0 ? files[i] : NULL;
  }
  for (size_t i = 0; i < n && failed == NULL; i++) {
    put_in_place(files[i]);
    failed = files[i]->error != 0 ? files[i] : NULL;
  }
  ir_code code = failed == NULL ? IR_OK : report(failed);
  for (size_t i = 0; i < n; i++)
    ir_out_file_discard(files[i]);
  return code;
}

ir_code ir_out_file_commit(ir_out_file *file) {
  return ir_out_files_commit(&file, 1);
}

void ir_out_file_discard(ir_out_file *file) {
  close_file(file);
  if (file->temporary[0] != '\0')
    unlink(file->temporary);
  file->temporary[0] = '\0';
  ir_source_free(file->source);
  file->source = NULL;
}

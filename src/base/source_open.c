/* Makes and opens sources. Streams are copied to an unnamed file, which vanishes when it is closed. */
#include "base/source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ir_source *ir_source_create(const ir_memory *memory, ir_source_kind kind, const char *name) {
  ir_source *source = ir_alloc_zero(memory, 1, sizeof *source);
  if (source == NULL)
    return NULL;
  source->kind = kind;
  source->fd = source->stream = -1;
  source->memory = memory;
  pthread_mutex_init(&source->lock, NULL);
  source->name = ir_alloc(memory, strlen(name) + 1);
  if (source->name == NULL) {
    ir_source_free(source);
    return NULL;
  }
  strcpy(source->name, name);
  return source;
}

void ir_source_free(ir_source *source) {
  if (source == NULL)
    return;
  if (source->fd >= 0)
    close(source->fd);
  if (source->stream >= 0)
    close(source->stream);
  ir_free(source->memory, source->path_state);
  ir_free(source->memory, source->marks);
  ir_free(source->memory, source->name);
  pthread_mutex_destroy(&source->lock);
  ir_free(source->memory, source);
}

ir_source *ir_source_of_bytes(const ir_memory *memory, ir_source_kind kind, const char *name, const void *bytes,
                              size_t size) {
  ir_source *source = ir_source_create(memory, kind, name);
  if (source != NULL) {
    source->bytes = size > 0 ? bytes : (const void *)"";
    source->size = (int64_t)size;
  }
  return source;
}

static const char *temporary_folder(void) {
  const char *folder = getenv("TMPDIR");
  return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

/* Opens an unnamed file in TMPDIR or /tmp. If the folder's file system has no unnamed files, the file is in memory.
 * Returns -1 and sets errno on failure. */
static int open_unnamed(void) {
  int fd = open(temporary_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return fd >= 0 ? fd : memfd_create("irrun", MFD_CLOEXEC);
}

bool ir_write_all(int fd, const void *data, size_t n) {
  const char *bytes = data;
  while (n > 0) {
    ssize_t written = write(fd, bytes, n);
    if (written < 0 && errno == EINTR)
      continue;
    if (written == 0)
      errno = EIO;
    if (written <= 0)
      return false;
    bytes += written;
    n -= (size_t)written;
  }
  return true;
}

/* Copies `from` to its end, or `max_bytes` of it. Returns 0 or an errno. */
static int copy_stream(int from, int to, int64_t max_bytes, int64_t *out_size) {
  char bytes[16 * 1024];
  *out_size = 0;
  while (*out_size < max_bytes) {
    const int64_t left = max_bytes - *out_size;
    ssize_t n = read(from, bytes, left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : 0;
    if (!ir_write_all(to, bytes, (size_t)n))
      return errno;
    *out_size += n;
  }
  return 0;
}

/* Opens the source for reading at any offset: source->fd. A file with size 0 counts as a stream, because files in
 * /proc have size 0. */
static int make_seekable(ir_source *source, bool is_stdin) {
  struct stat info;
  if (fstat(source->fd, &info) != 0)
    return errno;
  if (S_ISDIR(info.st_mode))
    return EISDIR;
  bool at_start = !is_stdin || lseek(source->fd, 0, SEEK_CUR) == 0;
  if (S_ISREG(info.st_mode) && info.st_size > 0 && at_start) {
    source->size = info.st_size;
    return 0;
  }
  source->stream = source->fd;
  source->fd = open_unnamed();
  return source->fd < 0 ? errno : 0;
}

int ir_source_fetch(ir_source *source, int64_t bytes) {
  int64_t n;
  const int64_t more = bytes - source->size;
  if (source->stream < 0 || more <= 0)
    return 0;
  int error = copy_stream(source->stream, source->fd, more, &n);
  source->size += n;
  if (error == 0 && n < more) {
    close(source->stream);
    source->stream = -1;
  }
  return error == EFBIG ? ENOSPC : error; /* the shell's file limit; callers take EFBIG for irrun's own limit */
}

const char *ir_source_error_text(int error, char *buffer, size_t size) {
  if (error == ENOSPC || error == EDQUOT)
    snprintf(buffer, size,
             "it has to be copied, and %s, the folder for temporary files, has no room; TMPDIR names another",
             temporary_folder());
  else
    snprintf(buffer, size, "%s", strerror(error));
  return buffer;
}

ir_source *ir_source_open(const ir_memory *memory, ir_source_kind kind, const char *path, int *out_errno) {
  *out_errno = 0;
  bool is_stdin = strcmp(path, "-") == 0;
  ir_source *source = ir_source_create(memory, kind, is_stdin ? "<stdin>" : path);
  if (source == NULL) {
    *out_errno = ENOMEM;
    return NULL;
  }
  source->fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  *out_errno = source->fd < 0 ? errno : make_seekable(source, is_stdin);
  if (*out_errno == 0)
    return source;
  ir_source_free(source);
  return NULL;
}

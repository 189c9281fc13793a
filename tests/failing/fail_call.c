/* A shared library for LD_PRELOAD. It makes the n-th call of one kind fail. Environment variables:
 *   IRRUN_FAIL        the kind: alloc, read, write, mmap, open or rename
 *   IRRUN_FAIL_AT     n, counted from 1; 0: no call fails
 *   IRRUN_FAIL_ERRNO  the errno of the failing call
 *   IRRUN_FAIL_COUNT  a descriptor to which the library writes the number of calls when the program ends, or unset
 * Calls inside the C library, such as stdio's write, are neither counted nor failed. */
#undef _FORTIFY_SOURCE /* with _FORTIFY_SOURCE, the headers define inline functions of these names */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum call_kind { NONE, ALLOC, READ, WRITE, MAP, OPEN, RENAME, N_KINDS } call_kind;
static const char *const kind_names[N_KINDS] = {"", "alloc", "read", "write", "mmap", "open", "rename"};

static call_kind failing;
static long fail_at;
static int fail_errno;
static atomic_long n_calls;

static long number_of(const char *variable) {
  const char *text = getenv(variable);
  return text == NULL ? 0 : strtol(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("IRRUN_FAIL");
  fail_at = number_of("IRRUN_FAIL_AT");
  fail_errno = (int)number_of("IRRUN_FAIL_ERRNO");
  for (call_kind kind = ALLOC; name != NULL && kind < N_KINDS; kind++)
    if (strcmp(name, kind_names[kind]) == 0)
      failing = kind;
}

__attribute__((destructor)) static void end(void) {
  char text[32];
  const int n = snprintf(text, sizeof text, "%ld", atomic_load(&n_calls));
  const long fd = number_of("IRRUN_FAIL_COUNT");
  if (fd > 0)
    syscall(SYS_write, fd, text, n);
}

static bool fails(call_kind kind) {
  if (kind != failing || atomic_fetch_add(&n_calls, 1) + 1 != fail_at)
    return false;
  errno = fail_errno;
  return true;
}

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
  return fails(ALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails(ALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  return fails(ALLOC) ? NULL : __libc_realloc(block, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  /* syscall() returns an address, or -1, which is MAP_FAILED. */
  return fails(MAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

/* ---- files ---- */

ssize_t read(int fd, void *buffer, size_t size) {
  return fails(READ) ? -1 : syscall(SYS_read, fd, buffer, size);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  return fails(READ) ? -1 : syscall(SYS_pread64, fd, buffer, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) {
  return fails(WRITE) ? -1 : syscall(SYS_write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
  return fails(WRITE) ? -1 : syscall(SYS_pwrite64, fd, data, size, offset);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
  va_end(args);
  return fails(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
  va_end(args);
  return openat(AT_FDCWD, path, flags, mode);
}

/* With _FORTIFY_SOURCE, a compiler turns open() without a mode into a call of __open_2(). */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
  return openat(AT_FDCWD, path, flags);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return fails(RENAME) ? -1 : (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

int rename(const char *from, const char *to) {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  return fails(RENAME) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

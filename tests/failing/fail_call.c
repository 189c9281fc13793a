/* A shared library for LD_PRELOAD. It makes chosen calls of the C library fail. Before main() begins, it reads a
 * request (fail_call.h), forks a child that runs main() with these failures, and answers how the child ended; then it
 * reads the next request. So the program is loaded and linked only once. Calls inside the C library, such as stdio's
 * write, are neither counted nor failed. */
#undef _FORTIFY_SOURCE /* with _FORTIFY_SOURCE, the headers define inline functions of these names */
#include "fail_call.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_SECONDS = 60 }; /* time limit of a run; most take some milliseconds */

static fail_request request;
static fail_answer *answer; /* shared with the child; NULL before the first request */
static bool counts;         /* in the child */

/* Whether one of the calling functions belongs to the library, and has this name, if it is not NULL. */
static bool is_inside(const char *library, const char *function) {
  enum { MOST = 64 };
  void *callers[MOST];
  Dl_info caller;
  const int n = backtrace(callers, MOST);
  for (int i = 0; i < n; i++)
    if (dladdr(callers[i], &caller) != 0 && strstr(caller.dli_fname, library) != NULL &&
        (function == NULL || (caller.dli_sname != NULL && strcmp(caller.dli_sname, function) == 0)))
      return true;
  return false;
}

/* libxml2 2.9 crashes if this allocation fails. irrun frees a block of that size just before, which glibc gives to the
 * same thread again (src/parser/xml_error.h). */
static bool is_reserved(call_kind kind) {
  return kind == CALL_ALLOC && is_inside("libxml2", "xmlGetGlobalState");
}

static bool fails(call_kind kind) {
  if (!counts)
    return false;
  const long at = __atomic_add_fetch(&answer->n_calls[kind], 1, __ATOMIC_RELAXED);
  if (kind != request.kind || at < request.first || at > request.last || is_reserved(kind))
    return false;
  answer->in_onednn |= is_inside("libdnnl", NULL);
  errno = request.error;
  return true;
}

/* Returns in each child; the server itself ends here. */
__attribute__((constructor)) static void serve(void) {
  answer = (void *)syscall(SYS_mmap, NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  is_inside("", "");      /* the first backtrace() allocates memory */
  unsetenv("LD_PRELOAD"); /* for the programs that irrun starts */
  while (syscall(SYS_read, FAIL_REQUESTS, &request, sizeof request) == sizeof request) {
    *answer = (fail_answer){0};
    const pid_t child = fork();
    if (child == 0) {
      syscall(SYS_close, FAIL_REQUESTS);
      syscall(SYS_close, FAIL_ANSWERS);
      alarm(MAX_SECONDS);
      counts = true;
      return;
    }
    waitpid(child, &answer->status, 0);
    syscall(SYS_write, FAIL_ANSWERS, answer, sizeof *answer);
  }
  _exit(0);
}

/* Calls the function that the C library has for `name`. */
#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  return fails(CALL_ALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails(CALL_ALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  return fails(CALL_ALLOC) ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  return fails(CALL_ALLOC) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block == NULL)
    return ENOMEM;
  *out = block;
  return 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  /* syscall() returns an address, or -1, which is MAP_FAILED. */
  return fails(CALL_MAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int madvise(void *address, size_t size, int advice) {
  return fails(CALL_MAP) ? -1 : (int)syscall(SYS_madvise, address, size, advice);
}

/* ---- contents of files ---- */

ssize_t read(int fd, void *buffer, size_t size) {
  return fails(CALL_READ) ? -1 : syscall(SYS_read, fd, buffer, size);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  return fails(CALL_READ) ? -1 : syscall(SYS_pread64, fd, buffer, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) {
  return fails(CALL_WRITE) ? -1 : syscall(SYS_write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
  return fails(CALL_WRITE) ? -1 : syscall(SYS_pwrite64, fd, data, size, offset);
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags) {
  return fails(CALL_WRITE) ? -1 : syscall(SYS_copy_file_range, from, from_at, to, to_at, size, flags);
}

/* ---- descriptors ---- */

int openat(int folder, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
  va_end(args);
  return fails(CALL_OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
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

/* Only copies of descriptors can fail. */
int fcntl(int fd, int command, ...) {
  va_list args;
  va_start(args, command);
  const long argument = va_arg(args, long);
  va_end(args);
  return command == F_DUPFD_CLOEXEC && fails(CALL_OPEN) ? -1 : (int)syscall(SYS_fcntl, fd, command, argument);
}

int memfd_create(const char *name, unsigned flags) {
  return fails(CALL_OPEN) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int pipe(int ends[2]) {
  return fails(CALL_OPEN) ? -1 : (int)syscall(SYS_pipe2, ends, 0);
}

int inotify_init1(int flags) {
  return fails(CALL_OPEN) ? -1 : (int)syscall(SYS_inotify_init1, flags);
}

FILE *fopen(const char *path, const char *mode) {
  return fails(CALL_OPEN) ? NULL : NEXT(fopen)(path, mode);
}

FILE *tmpfile(void) {
  return fails(CALL_OPEN) ? NULL : NEXT(tmpfile)();
}

int scandir(const char *path, struct dirent ***out, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  return fails(CALL_OPEN) ? -1 : NEXT(scandir)(path, out, filter, compare);
}

/* Linux closes the descriptor even if it reports an error. */
int close(int fd) {
  const int result = (int)syscall(SYS_close, fd);
  return fails(CALL_CLOSE) ? -1 : result;
}

int fclose(FILE *file) {
  const int result = NEXT(fclose)(file);
  return fails(CALL_CLOSE) ? EOF : result;
}

/* ---- what files are ---- */

/* stat() and access() do not fail here: irrun calls them to ask whether something exists. */

int lstat(const char *path, struct stat *out) {
  return fails(CALL_STAT) ? -1 : fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *out) {
  return fails(CALL_STAT) ? -1 : fstatat(fd, "", out, AT_EMPTY_PATH);
}

off_t lseek(int fd, off_t offset, int whence) {
  return fails(CALL_STAT) ? -1 : syscall(SYS_lseek, fd, offset, whence);
}

ssize_t readlink(const char *path, char *buffer, size_t size) {
  return fails(CALL_STAT) ? -1 : syscall(SYS_readlinkat, AT_FDCWD, path, buffer, size);
}

char *realpath(const char *path, char *resolved) {
  return fails(CALL_STAT) ? NULL : NEXT(realpath)(path, resolved);
}

/* ---- names ---- */

int fchmod(int fd, mode_t mode) {
  return fails(CALL_FOLDER) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int mkdir(const char *path, mode_t mode) {
  return fails(CALL_FOLDER) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

char *mkdtemp(char *name) {
  return fails(CALL_FOLDER) ? NULL : NEXT(mkdtemp)(name);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return fails(CALL_RENAME) ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to) {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  return fails(CALL_RENAME) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

/* ---- threads, programs, libraries ---- */

int pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*start)(void *), void *user) {
  return fails(CALL_THREAD) ? request.error : NEXT(pthread_create)(out, attributes, start, user);
}

int posix_spawnp(pid_t *out, const char *program, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
  return fails(CALL_SPAWN) ? request.error : NEXT(posix_spawnp)(out, program, actions, attributes, words, environment);
}

void *dlopen(const char *path, int mode) {
  return fails(CALL_DLOPEN) ? NULL : NEXT(dlopen)(path, mode);
}

int getentropy(void *out, size_t size) {
  return fails(CALL_RANDOM) ? -1 : syscall(SYS_getrandom, out, size, 0) == (long)size ? 0 : -1;
}

/* --watch waits for changes until a signal ends it. No file changes here, so the signal comes with the first wait. */
int poll(struct pollfd *items, nfds_t n, int timeout) {
  if (timeout > 0)
    raise(SIGTERM);
  return timeout > 0 ? 0 : NEXT(poll)(items, n, timeout);
}

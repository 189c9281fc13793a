/* A shared library for LD_PRELOAD: a reader that a model has taken over. In the program's first read of a file .xml it
 * tries what an attacker would try, there and in a new thread, and prints "WHO: WHAT: done" or "WHO: WHAT: ERROR" to
 * stderr. When it opens an irrun-test.json, it tries the same, and WHO is "settings". The calls go to the kernel
 * directly, so only the kernel can refuse them. Environment variables: IRRUN_SECRET  a file that the command does not
 * name IRRUN_FOLDER  a folder that the command does not name IRRUN_NEWER   set: the kernel has calls of Linux 6.13,
 * which the sandbox refuses like an older kernel */
#undef _FORTIFY_SOURCE /* with _FORTIFY_SOURCE, the headers define inline functions of these names */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *who, const char *what, long result) {
  dprintf(STDERR_FILENO, "%s: %s: %s\n", who, what, result >= 0 ? "done" : strerror(errno));
}

static long open_file(const char *path, int flags) {
  return syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

/* Connects to a port of this machine on which nobody listens. A process without a network cannot reach it. */
static long connect_to_nobody(void) {
  const struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(1), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  const long fd = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
  if (fd < 0)
    return -1;
  const long result = syscall(SYS_connect, fd, &address, sizeof address);
  return result < 0 && (errno == ECONNREFUSED || errno == ENETUNREACH) ? 0 : result;
}

/* Reads the environment of the process that started the command. */
static long read_environment(void) {
  char path[40], byte;
  snprintf(path, sizeof path, "/proc/%d/environ", getppid());
  const long fd = open_file(path, O_RDONLY), n = fd < 0 ? -1 : syscall(SYS_read, fd, &byte, 1);
  const int error = errno;
  if (fd >= 0)
    syscall(SYS_close, fd);
  errno = error;
  return n;
}

/* Starts a program in a child process. The child's exit status is its errno. */
static long execute(void) {
  static char name[] = "true";
  char *arguments[] = {name, NULL}, *variables[] = {NULL};
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_execve, "/bin/true", arguments, variables);
    _exit(errno);
  }
  if (child < 0 || waitpid(child, &status, 0) != child)
    return -1;
  errno = WEXITSTATUS(status);
  return errno == 0 ? 0 : -1;
}

/* Asks to be another process's owner of a pipe, to whom signals about it go. */
static long own_pipe(void) {
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  const long result = syscall(SYS_fcntl, ends[0], F_SETOWN, getppid());
  const int error = errno;
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return result;
}

/* Types a character into stdin, which is no terminal in the tests. */
static long type(void) {
  const long result = syscall(SYS_ioctl, STDIN_FILENO, TIOCSTI, "x");
  return result < 0 && (errno == ENOTTY || errno == EIO) ? 0 : result;
}

/* 0 if the kernel took up the call, which then failed with `expected`; else -1. */
static long judged(long result, int expected) {
  return result < 0 && errno == expected ? 0 : -1;
}

/* Asks for an attribute of a file; what says that there is none has been judged. */
static long read_attribute(const char *path) {
  char value[16];
  const long n = syscall(SYS_getxattr, path, "user.irrun", value, sizeof value);
  return n < 0 && (errno == ENODATA || errno == EOPNOTSUPP) ? 0 : n;
}

/* Asks to be told which files a folder gets. */
static long watch_folder(const char *path) {
  const long fd = syscall(SYS_inotify_init1, 0);
  return fd < 0 ? -1 : syscall(SYS_inotify_add_watch, fd, path, IN_CREATE);
}

static void try_all(const char *who) {
  const char *secret = getenv("IRRUN_SECRET"), *folder = getenv("IRRUN_FOLDER");
  char made[4096];
  if (secret == NULL || folder == NULL)
    return;
  snprintf(made, sizeof made, "%s/made", folder);
  report(who, "read a file", open_file(secret, O_RDONLY));
  report(who, "read /etc/passwd", open_file("/etc/passwd", O_RDONLY));
  report(who, "read a process's environment", read_environment());
  report(who, "list a folder", open_file(folder, O_RDONLY | O_DIRECTORY));
  report(who, "write a file", open_file(secret, O_WRONLY));
  report(who, "empty a file that is only read", open_file(secret, O_RDONLY | O_TRUNC));
  report(who, "open a file for nothing", open_file(secret, O_ACCMODE));
  report(who, "make a file", open_file(made, O_WRONLY | O_CREAT));
  report(who, "read an attribute", read_attribute(secret));
  report(who, "watch a folder", watch_folder(folder));
  report(who, "rename a file", syscall(SYS_renameat2, AT_FDCWD, secret, AT_FDCWD, secret, 0));
  report(who, "change a mode", syscall(SYS_fchmodat, AT_FDCWD, secret, 0600));
  report(who, "open a socket", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
  report(who, "connect", connect_to_nobody());
  report(who, "send a signal", syscall(SYS_kill, getppid(), 0));
  report(who, "send a signal to a thread", syscall(SYS_tgkill, getppid(), getppid(), 0));
  report(who, "join a group of processes", judged(syscall(SYS_setpgid, 0, -1), EINVAL));
  report(who, "limit a process", syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, &(struct rlimit){0}));
  report(who, "slow down a process",
         syscall(SYS_setpriority, PRIO_PROCESS, getppid(), getpriority(PRIO_PROCESS, (id_t)getppid())));
  report(who, "let a process get signals", own_pipe());
  report(who, "share memory", judged(syscall(SYS_shmget, IPC_PRIVATE, 0, 0600), EINVAL));
  report(who, "take a message of a queue", judged(syscall(SYS_msgrcv, -1, "", 0, 0, 0), EINVAL));
  report(who, "change a semaphore", judged(syscall(SYS_semop, -1, NULL, 0), EINVAL));
  report(who, "make a pair of sockets", judged(syscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, NULL), EFAULT));
  report(who, "send to a socket", judged(syscall(SYS_sendto, -1, "", 0, 0, NULL, 0), EBADF));
  report(who, "be root in a namespace", judged(syscall(SYS_clone, CLONE_NEWUSER | CLONE_FS, 0, 0, 0, 0), EINVAL));
  report(who, "command a device", judged(syscall(SYS_ioctl, -1, TIOCSPGRP, NULL), EBADF));
  report(who, "type into the terminal", type());
  if (getenv("IRRUN_NEWER") != NULL)
    report(who, "list attributes by a newer call", syscall(465 /* listxattrat */, AT_FDCWD, ".", 0, NULL, 0));
  report(who, "start a program", execute());
}

static void *try_in_thread(void *user) {
  (void)user;
  try_all("thread");
  return NULL;
}

static bool ends_in(const char *text, const char *end) {
  const size_t n = strlen(text), of_end = strlen(end);
  return n >= of_end && strcmp(text + n - of_end, end) == 0;
}

static bool is_model(int fd) {
  char link[40], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  return ends_in(path, ".xml");
}

FILE *fopen(const char *path, const char *mode) {
  if (ends_in(path, "/irrun-test.json"))
    try_all("settings");
  const bool reads = mode[0] == 'r';
  const long fd = open_file(path, reads ? O_RDONLY : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC));
  return fd < 0 ? NULL : fdopen((int)fd, mode);
}

ssize_t pread(int fd, void *data, size_t bytes, off_t offset) {
  static bool is_taken_over;
  pthread_t thread;
  if (!is_taken_over && is_model(fd)) {
    is_taken_over = true;
    try_all("reader");
    if (pthread_create(&thread, NULL, try_in_thread, NULL) == 0)
      pthread_join(thread, NULL);
  }
  return syscall(SYS_pread64, fd, data, bytes, offset);
}

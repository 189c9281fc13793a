/* The C library has no functions for Landlock, and the headers of older kernels lack its later versions. So its calls
 * and bits are here, from https://docs.kernel.org/userspace-api/landlock.html. */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls have these numbers on all processors. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { GET_VERSION = 1, PATH_BENEATH = 1 };

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  REMOVE_DIR = 1 << 4,
  REMOVE_FILE = 1 << 5,
  MAKE_DIR = 1 << 7,
  MAKE_REG = 1 << 8,
  TRUNCATE = 1 << 14,
  OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
};
/* The rights to files that versions 1, 2 and 3 know. Version 5 can take away ioctl on devices, which no rule needs. */
enum { ALL_1 = (1 << 13) - 1, ALL_2 = (1 << 14) - 1, ALL_3 = (1 << 15) - 1 };
enum { TCP = 3, TCP_SINCE = 4 };     /* bind and connect */
enum { SCOPE = 3, SCOPE_SINCE = 6 }; /* signals and abstract Unix sockets to processes outside */

typedef struct ruleset_attr {
  uint64_t files, net, scope;
} ruleset_attr;

typedef struct __attribute__((packed)) path_beneath_attr {
  uint64_t rights;
  int32_t folder;
} path_beneath_attr;

int cli_landlock_version(void) {
  const long version = syscall(CREATE_RULESET, NULL, 0, GET_VERSION);
  return version > 0 ? (int)version : 0;
}

cli_landlock cli_landlock_begin(void) {
  const int version = cli_landlock_version();
  cli_landlock set = {.fd = -1, .rights = version >= 3 ? ALL_3 : version == 2 ? ALL_2 : ALL_1};
  const ruleset_attr attr = {set.rights, version >= TCP_SINCE ? TCP : 0, version >= SCOPE_SINCE ? SCOPE : 0};
  if (version > 0) /* older versions accept a longer struct whose rest is 0 */
    set.fd = (int)syscall(CREATE_RULESET, &attr, sizeof attr, 0);
  return set;
}

static uint64_t bits_of(unsigned rights) {
  return ((rights & CLI_MAY_READ) != 0 ? READ_FILE | READ_DIR : 0u) |
         ((rights & CLI_MAY_WRITE) != 0 ? WRITE_FILE | TRUNCATE : 0u) |
         ((rights & CLI_MAY_REPLACE) != 0 ? WRITE_FILE | TRUNCATE | REMOVE_FILE | MAKE_DIR | MAKE_REG : 0u) |
         ((rights & CLI_MAY_REMOVE_DIR) != 0 ? REMOVE_DIR : 0u) | ((rights & CLI_MAY_EXECUTE) != 0 ? EXECUTE : 0u) |
         ((rights & CLI_MAY_LIST) != 0 ? READ_DIR : 0u);
}

void cli_landlock_allow(cli_landlock *set, const char *path, unsigned rights) {
  struct stat info;
  if (set->fd < 0)
    return;
  path_beneath_attr rule = {.rights = bits_of(rights) & set->rights, .folder = open(path, O_PATH | O_CLOEXEC)};
  if (rule.folder < 0) {
    /* other errors mean that the program cannot open the file later either */
    set->is_broken = set->is_broken || errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    return;
  }
  if (fstat(rule.folder, &info) == 0 && !S_ISDIR(info.st_mode))
    rule.rights &= OF_FILES;
  /* EBADFD: a pipe, or another file of no file system; Landlock lets the process open it */
  if (syscall(ADD_RULE, set->fd, PATH_BENEATH, &rule, 0) != 0 && errno != EBADFD)
    set->is_broken = true;
  close(rule.folder);
}

void cli_landlock_enter(cli_landlock *set) {
  if (set->fd < 0)
    return;
  if (!set->is_broken)
    syscall(RESTRICT_SELF, set->fd, 0);
  close(set->fd);
}

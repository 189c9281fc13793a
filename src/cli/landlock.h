/* Restricts which files the process can open, by Landlock, a part of the Linux kernel. */
#ifndef CLI_LANDLOCK_H
#define CLI_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Rights to a file, or to all files in a folder at any depth. */
typedef enum cli_right {
  CLI_MAY_READ = 1,       /* read files, list folders */
  CLI_MAY_WRITE = 2,      /* write to files that exist */
  CLI_MAY_REPLACE = 4,    /* make files and folders, remove files */
  CLI_MAY_REMOVE_DIR = 8, /* remove folders */
  CLI_MAY_EXECUTE = 16,
  CLI_MAY_LIST = 32 /* list folders */
} cli_right;

typedef struct cli_landlock {
  int fd;          /* the set of rules; -1: the kernel has no Landlock */
  uint64_t rights; /* rights that the set takes away, in Landlock's bits */
  bool is_broken;  /* a rule is missing: entering would take away too much */
} cli_landlock;

/* Returns the version of the kernel's Landlock; 0: it has none. */
int cli_landlock_version(void);
/* Begins a set of rules, which takes away all rights to files, TCP, and signals to other processes, as far as the
 * kernel's version has them. */
cli_landlock cli_landlock_begin(void);
/* Keeps rights: a sum of cli_right. Follows symbolic links. Does nothing if there is no such file. */
void cli_landlock_allow(cli_landlock *set, const char *path, unsigned rights);
/* Ends the set. Applies it to the calling thread and the threads that it starts later, unless it is broken. */
void cli_landlock_enter(cli_landlock *set);

#endif

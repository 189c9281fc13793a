/* Restricts which system calls the process can make, by seccomp, a part of the Linux kernel. */
#ifndef CLI_SECCOMP_H
#define CLI_SECCOMP_H

#include <stdbool.h>

bool cli_has_seccomp(void);
/* Forbids calls that no command needs and that Landlock does not restrict. They fail with EPERM from now on, in the
 * calling thread and those that it starts. `starts_program`: other programs can be started. */
void cli_seccomp_enter(bool starts_program);

#endif

/* How many threads of this process can compute at once. */
#ifndef IR_CORES_H
#define IR_CORES_H

#include <sched.h>
#include <stddef.h>

enum { IR_MOST_CPUS = 8192 }; /* of an affinity mask */

/* At least 1: the cores of the calling thread's affinity, or fewer when a quota of its control groups is less. */
int ir_usable_cores(void);

/* Its parts. `root` stands before the paths of /proc and /sys: "", or a folder of a test's. */

/* Cores of which `cpus` has a hardware thread. */
int ir_count_cores(const char *root, const cpu_set_t *cpus, size_t cpus_bytes);
/* Processors that the CPU quota is worth, rounded up; INT32_MAX without one. */
int ir_quota_cores(const char *root);

#endif

/* Counts the threads of this process that can compute at once. */
#ifndef IR_CORES_H
#define IR_CORES_H

#include <sched.h>
#include <stddef.h>

enum { IR_MOST_CPUS = 8192 }; /* size of an affinity mask */

/* Usable cores, at least 1: the cores in the calling thread's affinity, or fewer if a CPU quota of its control groups
 * is lower. */
int ir_usable_cores(void);

/* Parts of ir_usable_cores, for tests. `root` is prefixed to paths in /proc and /sys: "", or a test's folder. */

/* Number of cores with at least one hardware thread in `cpus`. */
int ir_count_cores(const char *root, const cpu_set_t *cpus, size_t cpus_bytes);
/* The CPU quota in processors, rounded up; INT32_MAX without a quota. */
int ir_quota_cores(const char *root);

#endif

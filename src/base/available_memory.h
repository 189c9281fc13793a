/* Finds how much memory this process can still use. */
#ifndef IR_AVAILABLE_MEMORY_H
#define IR_AVAILABLE_MEMORY_H

#include <stddef.h>

/* Bytes that this process can use before the kernel kills a process: what the kernel calls available, or less if a
 * control group limits the process. `root` as in cgroup.h. */
size_t ir_available_memory(const char *root);

#endif

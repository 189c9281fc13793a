/* Computes how much memory this process can still use. */
#ifndef IR_AVAILABLE_MEMORY_H
#define IR_AVAILABLE_MEMORY_H

#include <stddef.h>

/* Number of bytes that this process can still use: the memory that the system has available, or less if a control
 * group limits the process. `root` is explained in cgroup.h. */
size_t ir_available_memory(const char *root);

#endif

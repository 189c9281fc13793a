/* Computes how much memory this process can still use. */
#ifndef IR_AVAILABLE_MEMORY_H
#define IR_AVAILABLE_MEMORY_H

#include <stddef.h>

/* Number of bytes that this process can still use before the system runs out of memory, or before it exceeds the
 * limit of its control groups, whichever is less. `root` is explained in cgroup.h. */
size_t ir_available_memory(const char *root);

#endif

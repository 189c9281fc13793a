/* Memory that this process can still take. */
#ifndef IR_AVAILABLE_MEMORY_H
#define IR_AVAILABLE_MEMORY_H

#include <stddef.h>

/* Bytes that this process can still take without ending another's or its own: what the kernel calls available, or less
 * where a control group around the process leaves less. `root` as in cgroup.h. */
size_t ir_available_memory(const char *root);

#endif

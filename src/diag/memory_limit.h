/* Checks memory against the limit of a run: the caller's (--max-memory), or else half of the available memory. */
#ifndef IR_MEMORY_LIMIT_H
#define IR_MEMORY_LIMIT_H

#include "diag/diag.h"

/* The limit is determined when a check first needs it, so that small runs read no system files. A limit that is older
 * than a second is determined again. */
typedef struct ir_memory_limit {
  const ir_memory *memory;
  size_t held;     /* bytes that the run has allocated; the limit is (available + held) / 2 */
  size_t bytes;    /* limit of the run; 0 if it is not determined yet */
  int64_t read_ns; /* when the limit was determined, on the monotonic clock */
} ir_memory_limit;

/* Reports IR004 if `bytes` exceed the limit. The message begins with `what` and the number, as in "the tensor takes 9
 * bytes". */
ir_code ir_check_memory(ir_memory_limit *limit, size_t bytes, ir_diags *diags, ir_where where, const char *what);

#endif

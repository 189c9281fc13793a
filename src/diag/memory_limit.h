/* The memory limit of a run: the caller's, or half of the available memory. */
#ifndef IR_MEMORY_LIMIT_H
#define IR_MEMORY_LIMIT_H

#include "diag/diag.h"

/* Determined when first needed, so that small runs read no system files, and again when it is older than a second. */
typedef struct ir_memory_limit {
  const ir_memory *memory;
  size_t held;     /* bytes that the run holds already: they are not available, but part of its share */
  size_t bytes;    /* limit of the run; 0: not determined yet */
  int64_t read_ns; /* time at which it was determined */
} ir_memory_limit;

/* Reports IR004 if `bytes` exceed the limit; `what` is the message's subject and verb: "the tensor takes". */
ir_code ir_check_memory(ir_memory_limit *limit, size_t bytes, ir_diags *diags, ir_where where, const char *what);

#endif

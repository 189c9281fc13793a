/* How much memory a run may take: as much as the caller allows, or half of what is available. */
#ifndef IR_MEMORY_LIMIT_H
#define IR_MEMORY_LIMIT_H

#include "diag/diag.h"

/* Found when it is first needed: small runs look at no file. */
typedef struct ir_memory_limit {
  const ir_memory *memory;
  size_t held;  /* bytes that the run has taken already: they are no longer available, but are the run's */
  size_t bytes; /* that the run may take; 0: not found yet */
} ir_memory_limit;

/* IR004 when `bytes` are more than the run may take; `what` takes them: "the tensor takes". */
ir_code ir_check_memory(ir_memory_limit *limit, size_t bytes, ir_diags *diags, ir_where where, const char *what);

#endif

/* The account of a run and of its bodies: all memory that they take, against what they may take. */
#ifndef IR_ACCOUNT_H
#define IR_ACCOUNT_H

#include "diag/memory_limit.h"
#include <stdatomic.h>

typedef struct ir_account {
  ir_memory memory; /* what is asked for by it is counted, and refused beyond the limit */
  const ir_memory *from;
  ir_diags *diags;
  ir_memory_limit limit;
  ir_where where; /* what is planned or computed, for the report */
  size_t given;   /* bytes of the run's inputs */
  size_t mapped;  /* of these, what lies in files */
  /* Another account whose bytes count against the limit, too: of a run, that of the model's constants. Or NULL. */
  const struct ir_account *shared;
  _Atomic size_t taken; /* bytes, now */
  size_t most;          /* and at most so far, with those of `shared` */
} ir_account;

/* `diags` NULL: it counts, from several threads, and limits nothing. */
void ir_account_init(ir_account *account, const ir_memory *from, ir_diags *diags);
/* For another execution, of these inputs: the limit is found anew. */
void ir_account_begin(ir_account *account, size_t given, size_t mapped);
/* Bytes that count against the limit: the inputs, and all that was taken beyond the first MiB, which any plan may have.
 */
size_t ir_account_bytes(const ir_account *account);
/* IR004 when the run may not take `more` bytes; `what` takes them with all that counts. */
ir_code ir_account_check(ir_account *account, size_t more, ir_where where, const char *what);
/* Counts memory that somebody else takes for the run. False where it may not, which is reported. */
bool ir_account_take(ir_account *account, size_t bytes);
/* After something was taken from the shared account: updates `most`. */
void ir_account_note(ir_account *account);
void ir_account_give_back(ir_account *account, size_t bytes);

#endif

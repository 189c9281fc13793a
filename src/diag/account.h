/* An account counts the memory that a run and its bodies take, and refuses memory beyond a limit. */
#ifndef IR_ACCOUNT_H
#define IR_ACCOUNT_H

#include "diag/memory_limit.h"
#include <stdatomic.h>

typedef struct ir_account {
  ir_memory memory; /* an allocator that counts its blocks in this account and refuses blocks beyond the limit */
  const ir_memory *from;
  ir_diags *diags;
  ir_memory_limit limit;
  ir_where where; /* the layer that is being planned or computed, for reports */
  size_t given;   /* bytes of the run's inputs */
  size_t mapped;  /* the part of `given` that is mapped from files */
  /* Another account whose bytes count toward the same limit, or NULL. For a run, `shared` is the account of the model's
   * constants. */
  const struct ir_account *shared;
  _Atomic size_t taken; /* bytes that are allocated at present */
  size_t most;          /* peak of `taken` + `shared->taken` */
} ir_account;

/* If `diags` is NULL, the account only counts, without a limit. Several threads can use an account without `diags`. */
void ir_account_init(ir_account *account, const ir_memory *from, ir_diags *diags);
/* Begins an execution whose inputs have `given` bytes, of which `mapped` bytes are mapped from files. */
void ir_account_begin(ir_account *account, size_t given, size_t mapped);
/* Returns the bytes that count toward the limit: `given` + max(0, allocated bytes - 1 MiB). The first MiB is not
 * counted, so that every small plan fits. */
size_t ir_account_bytes(const ir_account *account);
/* Reports IR004 if the account's bytes plus `more` exceed the limit. The message begins with `what` and the sum, as in
 * "with constants, the run takes 9 bytes". */
ir_code ir_account_check(ir_account *account, size_t more, ir_where where, const char *what);
/* Counts memory that the caller allocates itself. If the limit is exceeded, reports IR004, counts nothing and returns
 * false. */
bool ir_account_take(ir_account *account, size_t bytes);
/* Updates `most` after the shared account has grown. */
void ir_account_note(ir_account *account);
void ir_account_give_back(ir_account *account, size_t bytes);

#endif

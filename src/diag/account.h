/* The account of a run and its bodies: all memory that they take, compared with a limit. */
#ifndef IR_ACCOUNT_H
#define IR_ACCOUNT_H

#include "diag/memory_limit.h"
#include <stdatomic.h>

typedef struct ir_account {
  ir_memory memory; /* the allocator that counts; it refuses memory beyond the limit */
  const ir_memory *from;
  ir_diags *diags;
  ir_memory_limit limit;
  ir_where where; /* the layer that is planned or computed, for reports */
  size_t given;   /* bytes of the run's inputs */
  size_t mapped;  /* the part of `given` that is mapped from files */
  /* Another account that counts toward the same limit, or NULL: a run's account shares that of the model's
   * constants. */
  const struct ir_account *shared;
  _Atomic size_t taken; /* bytes taken now */
  size_t most;          /* peak of `taken`, with that of `shared` */
} ir_account;

/* `diags` NULL: the account only counts, from several threads, and has no limit. */
void ir_account_init(ir_account *account, const ir_memory *from, ir_diags *diags);
/* Begins another execution with these inputs. */
void ir_account_begin(ir_account *account, size_t given, size_t mapped);
/* Bytes that count toward the limit: the inputs, and all memory beyond the first MiB, which is free for any plan. */
size_t ir_account_bytes(const ir_account *account);
/* Reports IR004 if `more` bytes exceed the limit; `what` is the message's subject and verb for the total. */
ir_code ir_account_check(ir_account *account, size_t more, ir_where where, const char *what);
/* Counts memory that is allocated elsewhere for the run. If it exceeds the limit, reports that and returns false. */
bool ir_account_take(ir_account *account, size_t bytes);
/* Updates `most` after the shared account has grown. */
void ir_account_note(ir_account *account);
void ir_account_give_back(ir_account *account, size_t bytes);

#endif

/* Whether an execution has to end before it is done: somebody cancelled it, or its time is over. Every thread that
 * computes for it looks, between pieces of work. */
#ifndef IR_STOP_H
#define IR_STOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ir_stop_why { IR_GO_ON, IR_CANCELLED, IR_LATE } ir_stop_why;

typedef struct ir_stop {
  _Atomic int why;                      /* ir_stop_why; a signal handler may set it */
  int64_t begin_ns, end_ns;             /* by the monotonic clock; end_ns 0: it may take any time */
  int64_t next_call_ns;                 /* when `meanwhile` is due */
  void (*meanwhile)(void *user), *user; /* called now and then by the thread that executes; NULL: nobody is */
} ir_stop;

/* An execution begins that may take `most_ns`, 0: any time. Whether it was cancelled before stays. */
void ir_stop_begin(ir_stop *stop, int64_t most_ns);
/* It ended: who cancelled it meant this one. */
void ir_stop_end(ir_stop *stop);
/* Looks at the clock. */
bool ir_stop_is_late(ir_stop *stop);
/* Calls `meanwhile` when that is due. */
void ir_stop_attend(ir_stop *stop);

/* Whether there is no use in going on; what is computed is thrown away then. `stop` NULL: nothing stops it. */
static inline bool ir_stop_asked(ir_stop *stop) {
  if (stop == NULL)
    return false;
  return atomic_load_explicit(&stop->why, memory_order_relaxed) != IR_GO_ON ||
         (stop->end_ns != 0 && ir_stop_is_late(stop));
}

/* The same in the thread that executes, which attends meanwhile: worker 0. */
static inline bool ir_stop_asked_of(ir_stop *stop, int worker) {
  if (worker == 0)
    ir_stop_attend(stop);
  return ir_stop_asked(stop);
}

#endif

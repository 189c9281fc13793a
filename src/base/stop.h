/* Asks an execution to end early: it was cancelled, or its time is over. Every computing thread checks this between
 * pieces of work. */
#ifndef IR_STOP_H
#define IR_STOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ir_stop_why { IR_GO_ON, IR_CANCELLED, IR_LATE } ir_stop_why;

typedef struct ir_stop {
  _Atomic int why;                      /* ir_stop_why; a signal handler may set it */
  int64_t begin_ns, end_ns;             /* on the monotonic clock; end_ns 0: no time limit */
  int64_t next_call_ns;                 /* time of the next call of `meanwhile` */
  void (*meanwhile)(void *user), *user; /* called regularly by the executing thread, if it is not NULL */
} ir_stop;

/* Begins an execution with time limit `most_ns`; 0: none. An earlier cancellation stays in force. */
void ir_stop_begin(ir_stop *stop, int64_t most_ns);
/* Ends the execution: clears its cancellation. */
void ir_stop_end(ir_stop *stop);
/* Checks the clock. */
bool ir_stop_is_late(ir_stop *stop);
/* Calls `meanwhile` if it is due. */
void ir_stop_attend(ir_stop *stop);

/* Whether to stop; partial results are discarded. `stop` NULL: nothing stops it. */
static inline bool ir_stop_asked(ir_stop *stop) {
  if (stop == NULL)
    return false;
  return atomic_load_explicit(&stop->why, memory_order_relaxed) != IR_GO_ON ||
         (stop->end_ns != 0 && ir_stop_is_late(stop));
}

/* The same for a given worker; worker 0, the executing thread, also attends. */
static inline bool ir_stop_asked_of(ir_stop *stop, int worker) {
  if (worker == 0)
    ir_stop_attend(stop);
  return ir_stop_asked(stop);
}

#endif

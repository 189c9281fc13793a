/* A request to end an execution early, because it was cancelled or its time is over. Each thread that computes
 * checks it between pieces of work. */
#ifndef IR_STOP_H
#define IR_STOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ir_stop_why { IR_GO_ON, IR_CANCELLED, IR_LATE } ir_stop_why;

typedef struct ir_stop {
  _Atomic int why;                      /* ir_stop_why; a signal handler may set it */
  int64_t begin_ns, end_ns;             /* on the monotonic clock; end_ns 0 means no time limit */
  int64_t next_call_ns;                 /* time of the next call of `meanwhile` */
  void (*meanwhile)(void *user), *user; /* callback of irrun_run_meanwhile, or NULL */
} ir_stop;

/* Begins an execution with a time limit of `most_ns`; 0 means none. If the run was cancelled before, the
 * cancellation ends this execution. */
void ir_stop_begin(ir_stop *stop, int64_t most_ns);
/* Ends an execution, and clears the request to stop. */
void ir_stop_end(ir_stop *stop);
/* If the time limit is over, requests the stop and returns true. */
bool ir_stop_is_late(ir_stop *stop);
/* Calls `meanwhile` if CALLS_APART has passed since the last call. Only for the executing thread. */
void ir_stop_attend(ir_stop *stop);

/* Whether to stop. Partial results are then discarded. False if `stop` is NULL. */
static inline bool ir_stop_asked(ir_stop *stop) {
  if (stop == NULL)
    return false;
  return atomic_load_explicit(&stop->why, memory_order_relaxed) != IR_GO_ON ||
         (stop->end_ns != 0 && ir_stop_is_late(stop));
}

/* Same as ir_stop_asked, for code that runs in any worker. In worker 0, the executing thread, it also calls
 * ir_stop_attend. */
static inline bool ir_stop_asked_of(ir_stop *stop, int worker) {
  if (worker == 0)
    ir_stop_attend(stop);
  return ir_stop_asked(stop);
}

/* Same, for a loop of short turns, each of which handles `n` elements. Looks only after many elements: `*since`, at
 * first 0, counts the elements since the last look. Once true, it stays true for the same `since`. */
static inline bool ir_stop_asked_after(ir_stop *stop, int worker, int64_t n, int64_t *since) {
  enum { BETWEEN_LOOKS = 1 << 14 };
  *since += n;
  if (*since < BETWEEN_LOOKS)
    return false;
  if (ir_stop_asked_of(stop, worker))
    return true;
  *since = 0;
  return false;
}

#endif

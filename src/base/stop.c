#include "base/stop.h"
#include "base/clock.h"

enum { CALLS_APART = 100 * 1000 * 1000 /* nanoseconds between calls of `meanwhile` */ };

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may set ir_stop.why");

void ir_stop_begin(ir_stop *stop, int64_t most_ns) {
  stop->begin_ns = most_ns > 0 || stop->meanwhile != NULL ? ir_now_ns() : 0;
  stop->next_call_ns = stop->begin_ns + CALLS_APART;
  if (most_ns == 0 || __builtin_add_overflow(stop->begin_ns, most_ns, &stop->end_ns))
    stop->end_ns = 0;
}

void ir_stop_end(ir_stop *stop) {
  if (atomic_load_explicit(&stop->why, memory_order_relaxed) != IR_GO_ON)
    atomic_store(&stop->why, IR_GO_ON);
}

bool ir_stop_is_late(ir_stop *stop) {
  int before = IR_GO_ON;
  if (ir_now_ns() < stop->end_ns)
    return false;
  atomic_compare_exchange_strong(&stop->why, &before, IR_LATE);
  return true;
}

void ir_stop_attend(ir_stop *stop) {
  if (stop == NULL || stop->meanwhile == NULL)
    return;
  const int64_t now = ir_now_ns();
  if (now < stop->next_call_ns)
    return;
  stop->meanwhile(stop->user);
  stop->next_call_ns = ir_now_ns() + CALLS_APART;
}

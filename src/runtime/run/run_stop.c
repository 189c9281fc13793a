/* Stops a run, by --max-time or irrun_run_cancel, and reports it. */
#include "base/clock.h"
#include "runtime/run/run_state.h"
#include <math.h>
#include <stdio.h>

void irrun_run_cancel(irrun_run *run) {
  atomic_store(&run->own_stop.why, IR_CANCELLED);
}

void irrun_run_meanwhile(irrun_run *run, void (*call)(void *user), void *user) {
  run->own_stop.meanwhile = call;
  run->own_stop.user = user;
}

void irrun_context_set_max_time(irrun_context *context, int64_t ns) {
  context->most_ns = ns > 0 ? ns : 0;
}

ir_code ir_run_report_stopped(irrun_run *run, const ir_layer *layer, const char *kernel, const char *place) {
  const ir_scope scope = ir_run_scope(run);
  const ir_stop *stop = run->stop;
  const ir_where where = ir_layer_where(scope.graph, layer, layer->at);
  if (atomic_load(&stop->why) == IR_CANCELLED)
    return ir_report(scope.diags, IR705_RUN_STOPPED, where, "the run was cancelled in %s%s", kernel, place);
  const double taken = 1e-9 * (double)(ir_now_ns() - stop->begin_ns);
  const double most = 1e-9 * (double)(stop->end_ns - stop->begin_ns);
  const ir_code code = ir_report(scope.diags, IR705_RUN_STOPPED, where,
                                 "the run is stopped after %.3f s, in %s%s: it may take %.9g s, as --max-time says",
                                 taken, kernel, place, most);
  ir_hint(scope.diags, "if it is meant to take longer: --max-time %.0f", ceil(10 * most));
  return code;
}

ir_code ir_run_report_plan_stopped(irrun_run *run, const ir_plan *plan) {
  const ir_step *step = plan->stopped_at;
  char place[64];
  snprintf(place, sizeof place, ", step %zu of %zu", (size_t)(step - plan->steps) + 1, plan->n_steps);
  return ir_run_report_stopped(run, step->layer, step->kernel->name, place);
}

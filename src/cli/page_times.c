#include "irrun_program.h"
#include "page_run.h"

#include <stdlib.h>

static bool has_sizes_of(const irrun_step *step, const irrun_step *other) {
  return step->read_bytes == other->read_bytes && step->written_bytes == other->written_bytes &&
         step->calls == other->calls;
}

/* Measures the floor of each step, once for steps with equal sizes. The bytes of a step in a body are those of all its
 * calls. */
static irrun_status measure_floors(cli_run *r, const cli_profile *profile, int64_t *out) {
  const int n_threads = irrun_context_get_threads(r->c->context);
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; i < profile->n_steps && status == IRRUN_OK; i++) {
    irrun_step step = profile->steps[i];
    int64_t same = 0;
    while (!has_sizes_of(&profile->steps[same], &step))
      same++;
    if (same < i) {
      out[i] = out[same];
      continue;
    }
    step.read_bytes /= step.calls;
    step.written_bytes /= step.calls;
    status = irrun_floor_measure(r->c->context, &step, 1, n_threads, 0, &out[i]);
    out[i] *= step.calls;
  }
  return status;
}

static void add_step(cli_node *list, const irrun_step *step, int64_t floor_ns) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_integer(node, "layer", step->layer);
  cli_node_text(node, "kernel", step->kernel);
  cli_node_text(node, "isa", step->isa);
  cli_node_integer(node, "depth", step->depth);
  cli_node_integer(node, "duration_ns", step->duration_ns);
  cli_node_integer(node, "calls", step->calls);
  cli_node_integer(node, "read_bytes", step->read_bytes);
  cli_node_integer(node, "written_bytes", step->written_bytes);
  cli_node_count(node, "floor_ns", step->read_bytes + step->written_bytes > 0 ? floor_ns : -1);
}

irrun_status cli_page_add_times(cli_run *r, cli_node *page, const cli_profile *profile) {
  int64_t *floors = cli_allocate((size_t)profile->n_steps + 1, sizeof *floors);
  const irrun_status status = measure_floors(r, profile, floors);
  cli_node *list = cli_node_array(page, "times");
  for (int64_t i = 0; i < profile->n_steps && status == IRRUN_OK; i++)
    add_step(list, &profile->steps[i], floors[i]);
  cli_node_tabulate(page, "times");
  cli_node_integer(page, "run_ns", profile->total_ns);
  free(floors);
  return status;
}

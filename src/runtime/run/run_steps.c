/* The steps of an execution, and the steps of bodies, which are summed over the iterations of a layer. */
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <string.h>

static int64_t bytes_of_slots(const ir_plan *plan, const int32_t *slots, int32_t n) {
  int64_t sum = 0;
  for (int32_t i = 0; i < n; i++) {
    size_t bytes;
    if (slots[i] >= 0 && ir_tensor_bytes(plan->slots[slots[i]].type, &plan->slots[slots[i]].shape, &bytes))
      sum += (int64_t)bytes;
  }
  return sum;
}

irrun_step ir_run_step(const ir_plan *plan, size_t index) {
  const ir_step *step = &plan->steps[index];
  return (irrun_step){.layer = step->layer_number,
                      .kernel = step->kernel->name,
                      .isa = step->kernel->isa,
                      .start_ns = step->start_ns,
                      .duration_ns = step->end_ns - step->start_ns,
                      .read_bytes = bytes_of_slots(plan, step->in, step->n_in),
                      .written_bytes = bytes_of_slots(plan, step->out, step->n_out),
                      .calls = 1};
}

ir_code ir_run_note_step(irrun_run *run, const ir_noted_step *step) {
  const ir_memory *memory = ir_run_memory(run);
  void *steps = run->steps;
  if (!ir_reserve(memory, &steps, run->n_steps, &run->steps_capacity, sizeof *run->steps))
    return ir_out_of_memory(&run->context->diags);
  run->steps = steps;
  ir_noted_step *noted = &run->steps[run->n_steps];
  *noted = *step;
  noted->step.kernel = ir_arena_text(&run->arena, step->step.kernel, strlen(step->step.kernel)); /* the plan can go */
  if (noted->step.kernel == NULL)
    return ir_out_of_memory(&run->context->diags);
  run->n_steps++;
  return IR_OK;
}

/* Returns step number `index` of the last execution; its layer is -1 if there is no such step. */
static ir_noted_step step_at(const irrun_run *run, int64_t index) {
  const size_t at = index < 0 ? SIZE_MAX : (size_t)index;
  if (at < run->n_steps)
    return run->steps[at];
  const ir_plan *plan = run->last != NULL ? &run->last->compiled.plan : NULL;
  if (plan != NULL && at - run->n_steps < plan->n_steps)
    return (ir_noted_step){ir_run_step(plan, at - run->n_steps), plan->steps[at - run->n_steps].macs, -1};
  return (ir_noted_step){.step.layer = -1};
}

bool irrun_run_get_step(const irrun_run *run, int64_t index, irrun_step *out) {
  const irrun_step found = step_at(run, index).step;
  return ir_give_struct(&run->context->diags, &found, sizeof found, out) == IR_OK && found.layer >= 0;
}

int64_t irrun_run_get_step_macs(const irrun_run *run, int64_t index) {
  return step_at(run, index).macs;
}

/* ---- bodies ---- */

static bool is_same(const irrun_step *a, const irrun_step *b) {
  return a->layer == b->layer && a->depth == b->depth && strcmp(a->kernel, b->kernel) == 0;
}

/* Finds the sum for a step of a body among the steps from `first` on, first at `*at`, where the sum of the preceding
 * step ends. Each sum gets one step of an iteration; `n_done` have theirs. NULL: there is none yet. */
static ir_noted_step *find_sum(irrun_run *run, size_t first, const irrun_step *step, int64_t round, int64_t n_done,
                               size_t *at) {
  const size_t n = run->n_steps - first;
  for (size_t i = 0; (size_t)n_done < n && i < n; i++) {
    const size_t index = first + (*at - first + i) % n;
    if (run->steps[index].round == round || !is_same(&run->steps[index].step, step))
      continue;
    *at = index + 1;
    return &run->steps[index];
  }
  return NULL;
}

ir_code ir_run_add_body_steps(irrun_run *run, size_t first, const irrun_run *body_run, int64_t round) {
  const int64_t first_layer = body_run->model->first_layer;
  size_t at = first;
  ir_code code = IR_OK;
  ir_noted_step step;
  for (int64_t i = 0; code == IR_OK && (step = step_at(body_run, i)).step.layer >= 0; i++) {
    step.step.layer += step.step.depth == 0 ? first_layer : 0;
    step.step.depth++;
    step.round = round;
    ir_noted_step *sum = find_sum(run, first, &step.step, round, i, &at);
    if (sum == NULL) {
      code = ir_run_note_step(run, &step);
      continue;
    }
    sum->round = round;
    sum->macs += step.macs;
    sum->step.calls += step.step.calls;
    sum->step.duration_ns += step.step.duration_ns;
    sum->step.read_bytes += step.step.read_bytes;
    sum->step.written_bytes += step.step.written_bytes;
  }
  return code;
}

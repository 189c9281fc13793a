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

ir_code ir_run_note_step(irrun_run *run, const irrun_step *step, int64_t round) {
  const ir_memory *memory = ir_run_memory(run);
  void *steps = run->steps;
  if (!ir_reserve(memory, &steps, run->n_steps, &run->steps_capacity, sizeof *run->steps))
    return ir_out_of_memory(&run->context->diags);
  run->steps = steps;
  ir_noted_step *noted = &run->steps[run->n_steps];
  *noted = (ir_noted_step){*step, round};
  noted->step.kernel = ir_arena_text(&run->arena, step->kernel, strlen(step->kernel)); /* the plan can be freed */
  if (noted->step.kernel == NULL)
    return ir_out_of_memory(&run->context->diags);
  run->n_steps++;
  return IR_OK;
}

/* Returns step number `index` of the last execution; its layer is -1 if there is no such step. */
static irrun_step step_at(const irrun_run *run, size_t index) {
  if (index < run->n_steps)
    return run->steps[index].step;
  if (run->last != NULL && index - run->n_steps < run->last->compiled.plan.n_steps)
    return ir_run_step(&run->last->compiled.plan, index - run->n_steps);
  return (irrun_step){.layer = -1};
}

bool irrun_run_get_step(const irrun_run *run, int64_t index, irrun_step *out) {
  const irrun_step found = index < 0 ? (irrun_step){.layer = -1} : step_at(run, (size_t)index);
  return ir_give_struct(&run->context->diags, &found, sizeof found, out) == IR_OK && found.layer >= 0;
}

/* ---- bodies ---- */

static bool is_same(const irrun_step *a, const irrun_step *b) {
  return a->layer == b->layer && a->depth == b->depth && strcmp(a->kernel, b->kernel) == 0;
}

/* Finds the sum for a step of a body among the steps from `first` on, first at `*at`, where the sum of the preceding
 * step ends. Each sum gets one step of an iteration. NULL: there is none yet. */
static ir_noted_step *find_sum(irrun_run *run, size_t first, const irrun_step *step, int64_t round, size_t *at) {
  const size_t n = run->n_steps - first;
  for (size_t i = 0; i < n; i++) {
    const size_t index = first + (*at - first + i) % n;
    if (run->steps[index].round == round || !is_same(&run->steps[index].step, step))
      continue;
    *at = index + 1;
    return &run->steps[index];
  }
  return NULL;
}

ir_code ir_run_add_body_steps(irrun_run *run, size_t first, const irrun_run *body_run, int64_t round) {
  const int64_t first_layer = ir_model_first_layer(body_run->model);
  size_t at = first;
  ir_code code = IR_OK;
  irrun_step step;
  for (size_t i = 0; code == IR_OK && (step = step_at(body_run, i)).layer >= 0; i++) {
    step.layer += step.depth == 0 ? first_layer : 0;
    step.depth++;
    ir_noted_step *sum = find_sum(run, first, &step, round, &at);
    if (sum == NULL) {
      code = ir_run_note_step(run, &step, round);
      continue;
    }
    sum->round = round;
    sum->step.calls += step.calls;
    sum->step.duration_ns += step.duration_ns;
    sum->step.read_bytes += step.read_bytes;
    sum->step.written_bytes += step.written_bytes;
  }
  return code;
}

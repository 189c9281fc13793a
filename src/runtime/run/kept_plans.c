/* The plans that a run keeps. A plan is used again if the values of its stage are equal. The plan of a whole run is
 * used again if the inputs are equal. */
#include "runtime/run/run_state.h"
#include <string.h>

/* ---- the list ---- */

void ir_run_free_plan(const irrun_run *run, ir_kept_plan *plan) {
  ir_compiled_reset(&plan->compiled);
  ir_arena_reset(&plan->arena);
  ir_free(ir_run_memory(run), plan);
}

void ir_run_use_plan(irrun_run *run, ir_kept_plan *plan) {
  ir_kept_plan **link = &run->plans;
  while (*link != NULL && *link != plan)
    link = &(*link)->next;
  if (*link != NULL)
    *link = plan->next;
  plan->next = run->plans;
  run->plans = plan;
}

void ir_run_drop_plan(irrun_run *run, ir_kept_plan *plan) {
  ir_run_use_plan(run, plan);
  run->plans = plan->next;
  if (run->last == plan)
    run->last = NULL;
  ir_run_free_plan(run, plan);
}

void ir_run_shorten_plans(irrun_run *run, size_t n) {
  ir_kept_plan **link = &run->plans;
  for (; n > 0 && *link != NULL; n--)
    link = &(*link)->next;
  for (ir_kept_plan *next, *plan = *link; plan != NULL; plan = next) {
    next = plan->next;
    ir_run_free_plan(run, plan);
  }
  *link = NULL;
}

/* ---- equal values ---- */

/* Whether the contents are those of `planned`, if it has any. */
static bool has_contents(const ir_value *planned, const ir_tensor *b) {
  const ir_tensor *a = planned->contents;
  return a == NULL || (b != NULL && a->bytes == b->bytes && (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0));
}

/* Whether the value has the type, the shape and, if `planned` has contents, the contents of `planned`. */
static bool is_same(const ir_value *planned, const ir_value *value) {
  return planned->type == value->type && ir_shapes_equal(&planned->shape, &value->shape) &&
         has_contents(planned, value->contents);
}

/* is_same for the value of an input. */
static bool is_same_input(const ir_value *planned, const irrun_run *run, int32_t input) {
  const ir_tensor *tensor = &run->inputs[input].tensor;
  if (!run->inputs[input].is_set)
    return is_same(planned, &run->model->nodes[run->model->inputs[input]].outputs[0]);
  return planned->type == tensor->type && ir_shape_known(&planned->shape) && ir_tensor_meets(tensor, &planned->shape) &&
         has_contents(planned, tensor);
}

static bool is_same_stage(const ir_stage *planned, const ir_stage *stage) {
  bool same = planned->n_layers == stage->n_layers && planned->n_values == stage->n_values &&
              memcmp(planned->layers, stage->layers, stage->n_layers * sizeof *stage->layers) == 0;
  for (size_t i = 0; i < stage->n_values && same; i++)
    same = is_same(planned->values[i], stage->values[i]);
  return same;
}

/* An open slot can have another last size. */
static bool fits_slot(const ir_shape *shape, const ir_slot *slot) {
  ir_shape planned = slot->shape;
  if (slot->is_open && planned.rank > 0 && planned.rank == shape->rank)
    planned.dims[planned.rank - 1] = shape->dims[shape->rank - 1];
  return ir_shapes_equal(shape, &planned);
}

/* Whether the plan works for the masks of this execution. */
static bool masks_fit(const irrun_run *run, const ir_kept_plan *plan) {
  const ir_states *states = &run->states;
  bool fit = true;
  for (size_t i = 0; i < plan->compiled.n_given && states->are_kept && fit; i++) {
    const ir_binding *given = &plan->compiled.given[i];
    const ir_slot *slot = &plan->compiled.plan.slots[given->slot];
    for (size_t m = 0; m < states->n_masks && fit; m++)
      fit = states->masks[m].layer != given->layer || fits_slot(&states->masks[m].value.shape, slot);
  }
  return fit;
}

ir_kept_plan *ir_run_find_stage(const irrun_run *run, const ir_stage *stage) {
  ir_kept_plan *plan = run->plans;
  while (plan != NULL && !(is_same_stage(&plan->stage, stage) && masks_fit(run, plan)))
    plan = plan->next;
  return plan;
}

void ir_run_check_settings(irrun_run *run) {
  const ir_plan_settings settings = {.n_threads = run->context->workers.n_asked,
                                     .kernels = run->context->kernels,
                                     .precision = run->context->precision,
                                     .skipped_passes = run->context->skipped_passes};
  const ir_plan_settings *before = &run->plan_settings;
  if (settings.n_threads != before->n_threads || settings.kernels != before->kernels ||
      settings.precision != before->precision || settings.skipped_passes != before->skipped_passes)
    ir_run_shorten_plans(run, 0);
  if (settings.precision != before->precision || settings.kernels != before->kernels)
    run->is_f32_said = false;
  run->plan_settings = settings;
}

static bool fits(const irrun_run *run, const ir_kept_plan *plan) {
  bool fits = plan->inputs != NULL;
  for (int32_t i = 0; i < run->model->n_inputs && fits; i++)
    fits = !run->planned[run->model->inputs[i]] || is_same_input(&plan->inputs[i], run, i);
  return fits;
}

ir_kept_plan *ir_run_find_plan(const irrun_run *run) {
  ir_kept_plan *plan = run->states.are_kept && run->states.rest_reads_shapes ? NULL : run->plans;
  while (plan != NULL && !(fits(run, plan) && masks_fit(run, plan)))
    plan = plan->next;
  return plan;
}

/* ---- noting values ---- */

/* Copies the value to the arena. The contents of a run end with its execution, or its caller can change them. */
static bool note(ir_arena *arena, const ir_value *value, bool has_contents, ir_value *out) {
  *out = *value;
  out->ranges = NULL;
  out->is_contents_copy = has_contents && value->contents != NULL;
  out->contents = out->is_contents_copy ? ir_tensor_copy_to_arena(arena, value->contents) : NULL;
  return !out->is_contents_copy || out->contents != NULL;
}

bool ir_run_note_values(ir_kept_plan *plan) {
  ir_stage *stage = &plan->stage;
  ir_value *values = ir_arena_array(&plan->arena, stage->n_values + 1, sizeof *values);
  bool done = values != NULL;
  for (size_t i = 0; i < stage->n_values && done; i++) {
    done = note(&plan->arena, stage->values[i], i >= stage->n_without_contents, &values[i]);
    stage->values[i] = &values[i];
  }
  return done;
}

bool ir_run_note_inputs(const irrun_run *run, ir_kept_plan *plan) {
  plan->inputs = ir_arena_array(&plan->arena, (size_t)run->model->n_inputs + 1, sizeof *plan->inputs);
  bool done = plan->inputs != NULL;
  for (int32_t i = 0; i < run->model->n_inputs && done; i++) {
    const int32_t layer = run->model->inputs[i];
    done = note(&plan->arena, &run->nodes.nodes[layer].outputs[0], run->nodes.states[layer].decides, &plan->inputs[i]);
  }
  return done;
}

/* The contents that inference has read, of an input whose contents the plan records; else NULL. */
static const ir_tensor *contents_to_record(const irrun_run *run, const ir_kept_plan *plan, int32_t input) {
  const int32_t layer = run->model->inputs[input];
  return plan->inputs[input].is_contents_copy && run->planned[layer] ? run->nodes.nodes[layer].outputs[0].contents
                                                                     : NULL;
}

bool ir_run_renew_inputs(const irrun_run *run, ir_kept_plan *plan) {
  bool same_sizes = plan->inputs != NULL;
  for (int32_t i = 0; i < run->model->n_inputs && same_sizes; i++) {
    const ir_tensor *contents = contents_to_record(run, plan, i);
    same_sizes = contents == NULL || contents->bytes == plan->inputs[i].contents->bytes;
  }
  if (!same_sizes)
    return ir_run_note_inputs(run, plan);
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    const ir_tensor *contents = contents_to_record(run, plan, i);
    if (contents != NULL)
      memcpy(plan->inputs[i].contents->data, contents->data, contents->bytes);
  }
  return true;
}

ir_tensor ir_run_input_tensor(const irrun_run *run, const ir_kept_plan *plan, int32_t input) {
  const ir_value *value = plan != NULL && plan->inputs != NULL
                              ? &plan->inputs[input]
                              : &run->nodes.nodes[run->model->inputs[input]].outputs[0];
  ir_tensor tensor = value->is_contents_copy ? *value->contents : run->inputs[input].tensor;
  tensor.release = NULL;
  return tensor;
}

/* Chooses the memory of a run's outputs: the plan's block, or the caller's memory. */
#include "runtime/model/names.h"
#include "runtime/run/run_state.h"
#include <string.h>

ir_slot *ir_run_output_slot(irrun_run *run, int32_t output) {
  return &run->last->compiled.plan.slots[run->last->output_slots[output]];
}

static bool has_place(const irrun_run *run, int32_t output) {
  return run->needed[run->model->outputs[output]] && run->outputs[output].place.data != NULL;
}

static bool overlap(ir_caller_place a, ir_caller_place b) {
  const uintptr_t at_a = (uintptr_t)a.data, at_b = (uintptr_t)b.data;
  return a.data != NULL && b.data != NULL && a.bytes > 0 && b.bytes > 0 &&
         (at_a < at_b ? at_b - at_a < a.bytes : at_a - at_b < b.bytes);
}

static ir_code report_overlap(irrun_run *run, int32_t output, irrun_side side, int32_t other, ir_caller_place with) {
  const ir_caller_place place = run->outputs[output].place;
  ir_diags *diags = &run->context->diags;
  const ir_code code = ir_report(diags, IR801_COMMAND_LINE, (ir_where){0},
                                 "the place for output '%s', %zu bytes at %p, overlaps %s '%s', %zu bytes at %p",
                                 ir_name_shown(run->model, IRRUN_OUTPUTS, output), place.bytes, place.data,
                                 side == IRRUN_INPUTS ? "input" : "the place for output",
                                 ir_name_shown(run->model, side, other), with.bytes, with.data);
  ir_hint(diags, "give each output memory of its own");
  return code;
}

ir_code ir_run_check_places(irrun_run *run) {
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    if (!has_place(run, i))
      continue;
    for (int32_t other = 0; other < i; other++)
      if (has_place(run, other) && overlap(run->outputs[i].place, run->outputs[other].place))
        return report_overlap(run, i, IRRUN_OUTPUTS, other, run->outputs[other].place);
    for (int32_t input = 0; input < run->model->n_inputs; input++) {
      const ir_caller_place taken = {run->inputs[input].tensor.data, run->inputs[input].tensor.bytes};
      if (run->inputs[input].is_set && overlap(run->outputs[i].place, taken))
        return report_overlap(run, i, IRRUN_INPUTS, input, taken);
    }
  }
  return IR_OK;
}

/* Steps write directly to the caller's memory if possible. An output is copied there afterwards if no step makes it, if
 * a step checks its contents before using them, or if two outputs share it. */
ir_code ir_run_bind_outputs(irrun_run *run) {
  ir_plan *plan = &run->last->compiled.plan;
  for (size_t i = 0; i < plan->n_slots; i++)
    plan->slots[i].given = NULL;
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    if (!has_place(run, i))
      continue;
    ir_slot *slot = ir_run_output_slot(run, i);
    size_t bytes;
    ir_tensor_bytes(slot->type, &slot->shape, &bytes);
    if (bytes != run->outputs[i].place.bytes ||
        (uintptr_t)run->outputs[i].place.data % ir_type_alignment(slot->type) != 0)
      return ir_report(&run->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                       "output '%s' has %zu bytes at multiples of %zu, and the place for it %zu at %p",
                       ir_name_shown(run->model, IRRUN_OUTPUTS, i), bytes, ir_type_alignment(slot->type),
                       run->outputs[i].place.bytes, run->outputs[i].place.data);
    if (slot->view_of >= 0)
      slot = &plan->slots[slot->view_of];
    if (slot->is_made && !slot->is_checked && slot->given == NULL)
      slot->given = run->outputs[i].place.data;
  }
  return IR_OK;
}

void ir_run_take_outputs(irrun_run *run) {
  run->has_results = true;
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    if (!run->needed[run->model->outputs[i]])
      continue;
    ir_tensor tensor = ir_run_output_slot(run, i)->tensor;
    tensor.release = NULL;
    if (has_place(run, i) && tensor.data != run->outputs[i].place.data) {
      memcpy(run->outputs[i].place.data, tensor.data, tensor.bytes);
      tensor.data = run->outputs[i].place.data;
    }
    run->outputs[i].tensor = (irrun_tensor){.context = run->context, .tensor = tensor};
    run->outputs[i].is_computed = true;
  }
}

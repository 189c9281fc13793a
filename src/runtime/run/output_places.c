/* Places of a run's outputs: in the plan's block, or in the caller's memory. */
#include "runtime/model/names.h"
#include "runtime/run/run_stages.h"
#include <string.h>

ir_slot *ir_run_output_slot(irrun_run *run, int32_t output) {
  const int32_t result = run->place[run->model->outputs[output]];
  return &run->plan.slots[ir_plan_outside_slot(&run->plan, run->plan.nodes[result].inputs[0])];
}

static bool has_place(const irrun_run *run, int32_t output) {
  return run->needed[run->model->outputs[output]] && run->places[output].data != NULL;
}

static bool overlap(ir_caller_place a, ir_caller_place b) {
  const uintptr_t at_a = (uintptr_t)a.data, at_b = (uintptr_t)b.data;
  return a.data != NULL && b.data != NULL && a.bytes > 0 && b.bytes > 0 &&
         (at_a < at_b ? at_b - at_a < a.bytes : at_a - at_b < b.bytes);
}

static ir_code report_overlap(irrun_run *run, int32_t output, irrun_side side, int32_t other, ir_caller_place with) {
  const ir_caller_place place = run->places[output];
  ir_diags *diags = &run->model->context->diags;
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
      if (has_place(run, other) && overlap(run->places[i], run->places[other]))
        return report_overlap(run, i, IRRUN_OUTPUTS, other, run->places[other]);
    for (int32_t input = 0; input < run->model->n_inputs; input++) {
      const ir_caller_place taken = {run->inputs[input].data, run->inputs[input].bytes};
      if (run->set[input] && overlap(run->places[i], taken))
        return report_overlap(run, i, IRRUN_INPUTS, input, taken);
    }
  }
  return IR_OK;
}

/* Steps write where the caller wants it. What no step makes, what the first execution makes for all, what a step checks
 * before it uses it, and what two outputs show, is copied there afterwards. */
ir_code ir_run_bind_outputs(irrun_run *run) {
  for (size_t i = 0; i < run->plan.n_slots; i++)
    run->plan.slots[i].given = NULL;
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    if (!has_place(run, i))
      continue;
    ir_slot *slot = ir_run_output_slot(run, i);
    size_t bytes;
    ir_tensor_bytes(slot->type, &slot->shape, &bytes);
    if (bytes != run->places[i].bytes || (uintptr_t)run->places[i].data % ir_type_alignment(slot->type) != 0)
      return ir_report(&run->model->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                       "output '%s' has %zu bytes at multiples of %zu, and the place for it %zu at %p",
                       ir_name_shown(run->model, IRRUN_OUTPUTS, i), bytes, ir_type_alignment(slot->type),
                       run->places[i].bytes, run->places[i].data);
    if (slot->view_of >= 0)
      slot = &run->plan.slots[slot->view_of];
    if (slot->is_made && !slot->is_fixed && !slot->is_checked && slot->given == NULL)
      slot->given = run->places[i].data;
  }
  return IR_OK;
}

void ir_run_take_outputs(irrun_run *run) {
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    if (!run->needed[run->model->outputs[i]])
      continue;
    ir_tensor tensor = ir_run_output_slot(run, i)->tensor;
    tensor.release = NULL;
    if (has_place(run, i) && tensor.data != run->places[i].data) {
      memcpy(run->places[i].data, tensor.data, tensor.bytes);
      tensor.data = run->places[i].data;
    }
    run->outputs[i] = (irrun_tensor){.context = run->model->context, .tensor = tensor};
    run->computed[i] = true;
  }
}

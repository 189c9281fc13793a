/* Records the inputs for which a plan was made, and finds the plan that fits a run's inputs. */
#include "runtime/run/run_state.h"
#include <string.h>

ir_tensor ir_run_input_tensor(const irrun_run *run, const ir_kept_plan *plan, int32_t input) {
  ir_tensor tensor = run->inputs[input].tensor;
  if (plan != NULL && plan->inputs != NULL) {
    if (plan->inputs[input].contents.data != NULL)
      tensor = plan->inputs[input].contents;
  } else {
    const ir_value *value = &run->nodes.nodes[run->model->inputs[input]].outputs[0];
    if (value->is_contents_copy)
      tensor = *value->contents;
  }
  tensor.release = NULL;
  return tensor;
}

static ir_type type_of(const irrun_run *run, int32_t input) {
  const ir_run_input *given = &run->inputs[input];
  return given->is_set ? given->tensor.type : run->model->nodes[run->model->inputs[input]].outputs[0].type;
}

static ir_shape shape_of(const irrun_run *run, int32_t input) {
  const ir_run_input *given = &run->inputs[input];
  return given->is_set ? ir_tensor_shape(&given->tensor)
                       : run->model->nodes[run->model->inputs[input]].outputs[0].shape;
}

bool ir_run_note_inputs(irrun_run *run, ir_kept_plan *plan) {
  ir_planned_input *inputs = ir_arena_array(&plan->arena, (size_t)run->model->n_inputs + 1, sizeof *inputs);
  bool done = inputs != NULL;
  for (int32_t i = 0; i < run->model->n_inputs && done; i++) {
    const ir_value *value = &run->nodes.nodes[run->model->inputs[i]].outputs[0];
    inputs[i] = (ir_planned_input){.type = type_of(run, i), .shape = shape_of(run, i)};
    if (!run->nodes.decides[run->model->inputs[i]] || value->contents == NULL)
      continue;
    void *data = ir_arena_alloc(&plan->arena, value->contents->bytes + 1);
    done = data != NULL;
    if (done && value->contents->bytes > 0)
      memcpy(data, value->contents->data, value->contents->bytes);
    inputs[i].contents = ir_tensor_borrow(inputs[i].type, &inputs[i].shape, data, value->contents->bytes);
  }
  if (!done) {
    ir_out_of_memory(&run->context->diags);
    return false;
  }
  plan->inputs = inputs;
  return true;
}

static bool fits(const irrun_run *run, const ir_planned_input *planned, int32_t input) {
  const ir_shape shape = shape_of(run, input);
  const ir_tensor *tensor = &run->inputs[input].tensor;
  if (planned->type != type_of(run, input) || !ir_shapes_equal(&planned->shape, &shape))
    return false;
  return planned->contents.data == NULL || planned->contents.bytes == 0 ||
         (tensor->bytes == planned->contents.bytes && memcmp(planned->contents.data, tensor->data, tensor->bytes) == 0);
}

ir_kept_plan *ir_run_find_plan(irrun_run *run) {
  const ir_plan_settings settings = {.n_threads = run->context->workers.n_asked,
                                     .kernels = run->context->kernels,
                                     .skipped_passes = run->context->skipped_passes,
                                     .visited = run->visitor.call != NULL};
  const ir_plan_settings *before = &run->plans.settings;
  if (settings.n_threads != before->n_threads || settings.kernels != before->kernels ||
      settings.skipped_passes != before->skipped_passes || settings.visited != before->visited)
    ir_kept_plans_shorten(&run->plans, 0, ir_run_memory(run));
  run->plans.settings = settings;
  for (ir_kept_plan *plan = run->plans.first; plan != NULL; plan = plan->next) {
    bool all = plan->inputs != NULL;
    for (int32_t i = 0; i < run->model->n_inputs && all; i++)
      all = !run->needed[run->model->inputs[i]] || fits(run, &plan->inputs[i], i);
    if (all)
      return plan;
  }
  return NULL;
}

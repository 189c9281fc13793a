/* The stages of a run. */
#include "runtime/run/run_stages.h"
#include "clock.h"
#include "memory_limit.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/execute.h"
#include "runtime/run/plan_build.h"
#include <string.h>

/* ---- one plan ---- */

size_t ir_run_held_bytes(const irrun_run *run) {
  size_t bytes = run->held_bytes;
  for (int32_t i = 0; i < run->model->n_inputs; i++)
    bytes += run->inputs[i].is_mapped ? 0 : run->inputs[i].bytes;
  return bytes;
}

/* The copy of it that decided shapes, else as it was set. */
static ir_tensor input_tensor(const irrun_run *run, int32_t input) {
  const ir_value *value = &run->nodes.nodes[run->model->inputs[input]].outputs[0];
  const bool is_planned_by_it = run->nodes.reads_contents || run->is_staged;
  ir_tensor tensor = is_planned_by_it && value->is_known_copy ? *value->known : run->inputs[input];
  tensor.release = NULL;
  return tensor;
}

bool ir_run_inputs_stay(const irrun_run *run) {
  for (int32_t i = 0; i < run->model->n_inputs && run->nodes.reads_contents; i++) {
    const ir_value *value = &run->nodes.nodes[run->model->inputs[i]].outputs[0];
    const ir_tensor *tensor = &run->inputs[i];
    if (value->is_known_copy && tensor->bytes > 0 && memcmp(value->known->data, tensor->data, tensor->bytes) != 0)
      return false;
  }
  return true;
}

void ir_run_bind(irrun_run *run, ir_plan *plan) {
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    int32_t slot = ir_plan_outside_slot(plan, (ir_link){run->model->inputs[i], 0});
    if (slot < 0)
      continue;
    plan->slots[slot].tensor = input_tensor(run, i);
  }
  for (size_t i = 0; run->is_staged && i < run->model->graph.n_layers; i++)
    for (int32_t p = 0; run->held[i] != NULL && p < plan->nodes[i].n_outputs; p++) {
      int32_t slot = ir_plan_outside_slot(plan, (ir_link){(int32_t)i, p});
      if (slot < 0)
        continue;
      plan->slots[slot].tensor = run->held[i][p];
      plan->slots[slot].tensor.release = NULL;
    }
}

ir_code ir_run_execute_plan(irrun_run *run, ir_plan *plan) {
  plan->timed = run->timed;
  plan->watched = run->watched;
  plan->on_step = run->on_step;
  plan->on_step_user = run->on_step_user;
  run->visitor.at = 0;
  plan->visitor = run->visitor.call != NULL ? &run->visitor : NULL;
  plan->stop = run->stop;
  const ir_code code = ir_plan_execute(plan);
  return plan->stopped_at != NULL ? ir_run_report_plan_stopped(run, plan) : code;
}

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
  return (irrun_step){.layer = step->node - plan->nodes,
                      .kernel = step->kernel->name,
                      .isa = step->kernel->isa,
                      .start_ns = step->start_ns,
                      .duration_ns = step->end_ns - step->start_ns,
                      .read_bytes = bytes_of_slots(plan, step->in, step->n_in),
                      .written_bytes = bytes_of_slots(plan, step->out, step->n_out)};
}

/* ---- what stages leave ---- */

static ir_code note_step(irrun_run *run, const irrun_step *step) {
  const ir_memory *memory = &run->model->context->memory;
  void *steps = run->steps;
  if (!ir_reserve(memory, &steps, run->n_steps, &run->steps_capacity, sizeof *run->steps))
    return ir_out_of_memory(&run->model->context->diags);
  run->steps = steps;
  run->steps[run->n_steps++] = *step;
  return IR_OK;
}

/* Room for what the node computed. */
static ir_tensor *hold(irrun_run *run, int32_t layer) {
  if (run->held[layer] == NULL)
    run->held[layer] =
        ir_arena_array(&run->arena, (size_t)run->model->nodes[layer].n_outputs + 1, sizeof *run->held[layer]);
  return run->held[layer];
}

/* What is held of the node is there for the stages that follow, whatever was told of it before. */
static ir_code settle(irrun_run *run, int32_t layer) {
  ir_node *node = &run->nodes.nodes[layer];
  ir_scope scope = ir_model_scope(run->model);
  run->nodes.done[layer] = true;
  if (run->held[layer] == NULL)
    return IR_OK;
  if (!ir_own_outputs(node, run->nodes.arena))
    return ir_out_of_memory(scope.diags);
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const ir_tensor *tensor = &run->held[layer][p];
    ir_value *value = &node->outputs[p];
    const ir_shape shape = ir_tensor_shape(tensor);
    char texts[2][IR_SHAPE_TEXT];
    if (tensor->data == NULL)
      continue;
    if (!value->unknown && (value->type != tensor->type || !ir_shapes_meet(&value->shape, &shape)) &&
        value->type != IR_DYNAMIC)
      return ir_report_firm(scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&scope, node),
                            "output %d was inferred as %s%s and computed as %s%s", p, ir_type_name(value->type),
                            ir_shape_text(&value->shape, texts[0], sizeof texts[0]), ir_type_name(tensor->type),
                            ir_shape_text(&shape, texts[1], sizeof texts[1]));
    *value = (ir_value){.type = tensor->type, .shape = shape, .known = tensor};
    run->held_bytes += tensor->bytes;
  }
  return IR_OK;
}

/* Copies what later stages read of the plan, and ends it. */
static ir_code end_plan(irrun_run *run, ir_plan *plan) {
  ir_diags *diags = &run->model->context->diags;
  ir_code code = IR_OK;
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    const irrun_step step = ir_run_step(plan, i);
    code = note_step(run, &step);
  }
  for (size_t i = 0; i < run->model->graph.n_layers && code == IR_OK; i++) {
    const ir_node *node = &run->nodes.nodes[i];
    if (!run->nodes.ready[i])
      continue;
    for (int32_t p = 0; p < node->n_outputs && node->op->role == IR_ROLE_COMPUTED && code == IR_OK; p++) {
      const int32_t slot = ir_plan_outside_slot(plan, (ir_link){(int32_t)i, p});
      if (slot < 0 || !plan->slots[slot].is_kept)
        continue;
      ir_tensor *to = hold(run, (int32_t)i);
      if (to == NULL || !ir_tensor_copy(plan->memory, &plan->slots[slot].tensor, &to[p]))
        code = ir_out_of_memory(diags);
    }
    if (code == IR_OK)
      code = settle(run, (int32_t)i);
  }
  run->counts.once += plan->counts.once;
  run->counts.fused += plan->counts.fused;
  run->counts.laid_last += plan->counts.laid_last;
  run->counts.widened += plan->counts.widened;
  ir_plan_reset(plan);
  return code;
}

/* ---- nodes between plans ---- */

/* A tensor that is there: an input of the run, a constant, or what was held. */
static ir_code find_tensor(irrun_run *run, ir_link from, ir_tensor *out) {
  const ir_node *node = &run->nodes.nodes[from.layer];
  ir_scope scope = ir_model_scope(run->model);
  if (run->held[from.layer] == NULL && node->op->role == IR_ROLE_INPUT)
    *out = input_tensor(run, ir_model_input_number(run->model, from.layer));
  else if (run->held[from.layer] == NULL && node->outputs[0].is_known_copy)
    *out = *node->outputs[0].known;
  else if (run->held[from.layer] == NULL && node->op->role == IR_ROLE_CONSTANT) {
    ir_tensor *held = hold(run, from.layer);
    if (held == NULL)
      return ir_out_of_memory(scope.diags);
    ir_code code = node->op->contents(node, &node->outputs[0], &scope, &held[0]);
    if (code != IR_OK)
      return code;
  }
  if (run->held[from.layer] != NULL)
    *out = run->held[from.layer][from.port];
  out->release = NULL;
  return IR_OK;
}

static ir_code visit_all(irrun_run *run, int32_t layer) {
  ir_code code = IR_OK;
  for (int32_t p = 0; run->visitor.call != NULL && p < run->nodes.nodes[layer].n_outputs && code == IR_OK; p++)
    code = ir_visit_tensor(&run->visitor, layer, p, &run->held[layer][p], true);
  return code;
}

/* For outputs whose shapes are known before they are computed. */
static ir_code check_room(const irrun_run *run, const ir_node *node) {
  const ir_scope scope = ir_model_scope(run->model);
  ir_memory_limit limit = {.memory = scope.memory, .held = ir_run_held_bytes(run)};
  size_t sum = limit.held, bytes;
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (ir_shape_known(&node->outputs[p].shape) &&
        ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes) &&
        __builtin_add_overflow(sum, bytes, &sum))
      sum = SIZE_MAX;
  return ir_check_memory(&limit, sum, scope.diags, ir_node_where(&scope, node),
                         "the outputs, with what the run holds, take");
}

static ir_code compute_alone(irrun_run *run, int32_t layer) {
  const ir_node *node = &run->nodes.nodes[layer];
  const ir_memory *memory = &run->model->context->memory;
  const size_t n = (size_t)node->n_inputs + 1;
  ir_tensor *tensors = ir_alloc_zero(memory, n, sizeof *tensors), *out = hold(run, layer);
  const ir_tensor **in = ir_alloc_zero(memory, n, sizeof *in);
  irrun_step step = {.layer = layer, .kernel = node->op->type, .isa = "any"};
  ir_code code = tensors == NULL || in == NULL || out == NULL ? ir_out_of_memory(&run->model->context->diags) : IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++) {
    in[i] = &tensors[i];
    code = find_tensor(run, node->inputs[i], &tensors[i]);
    step.read_bytes += (int64_t)tensors[i].bytes;
  }
  if (code == IR_OK && node->op->state == IR_STATE_NONE) /* a variable may have another shape than its first value */
    code = ir_infer_alone(run->model, &run->nodes, &run->nodes.nodes[layer]);
  if (code == IR_OK)
    code = check_room(run, node);
  if (run->on_step != NULL)
    run->on_step(run->on_step_user, 0, 1, node->layer->name);
  step.start_ns = run->timed ? ir_now_ns() : 0;
  ir_stop_attend(run->stop);
  if (code == IR_OK) {
    const ir_blame blame = ir_run_blame(run->model);
    code = ir_run_blame_inputs(run->model, &run->nodes, node, blame, ir_run_alone(run, node, in, out));
    if (code == IR_OK && ir_stop_asked(run->stop))
      code = ir_run_report_stopped(run, node, node->op->type, "");
  }
  step.duration_ns = run->timed ? ir_now_ns() - step.start_ns : 0;
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++)
    step.written_bytes += (int64_t)out[p].bytes;
  ir_free(memory, tensors);
  ir_free(memory, in);
  if (code == IR_OK)
    code = note_step(run, &step);
  if (code == IR_OK)
    code = visit_all(run, layer);
  return code == IR_OK ? settle(run, layer) : code;
}

/* Whether the node runs alone, and all that it reads is there. */
static bool may_be_computed(const irrun_run *run, int32_t layer) {
  const ir_run_nodes *nodes = &run->nodes;
  const ir_node *node = &nodes->nodes[layer];
  if (!run->needed[layer] || nodes->done[layer] || node->op == NULL || !ir_op_runs_alone(node->op))
    return false;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_node *from = node->inputs[i].layer < 0 ? NULL : &nodes->nodes[node->inputs[i].layer];
    if (from == NULL || from->op == NULL)
      return false;
    if (!nodes->done[node->inputs[i].layer] && from->op->role == IR_ROLE_COMPUTED)
      return false;
  }
  return true;
}

static ir_code compute_between(irrun_run *run, bool *any) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < run->model->graph.n_layers && code == IR_OK; i++) {
    const int32_t layer = run->model->order[i];
    if (!may_be_computed(run, layer))
      continue;
    *any = true;
    code = compute_alone(run, layer);
  }
  return code;
}

/* ---- stages ---- */

/* Whether all that is left can be planned. Results are of the last stage: they are not ready before. `*any`: something
 * is computed by this one. */
static bool is_last(irrun_run *run, bool *any) {
  const irrun_model *model = run->model;
  bool last = true;
  *any = false;
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    if (!run->needed[i] || run->nodes.done[i])
      continue;
    const bool is_result = model->nodes[i].op != NULL && model->nodes[i].op->role == IR_ROLE_OUTPUT;
    last = last && run->nodes.ready[i];
    *any = *any || (run->nodes.ready[i] && !is_result);
  }
  for (int32_t i = 0; !last && i < model->n_outputs; i++)
    run->nodes.ready[model->outputs[i]] = false;
  return last;
}

/* What is needed and neither done nor ready. */
static ir_code find_later(const irrun_run *run, bool **out) {
  const size_t n = run->model->graph.n_layers;
  *out = ir_arena_array(run->nodes.arena, n + 1, sizeof **out);
  for (size_t i = 0; *out != NULL && i < n; i++)
    (*out)[i] = run->needed[i] && !run->nodes.done[i] && !run->nodes.ready[i];
  return *out == NULL ? ir_out_of_memory(&run->model->context->diags) : IR_OK;
}

static ir_code build(irrun_run *run, const bool *later) {
  const ir_plan_request request = {.model = run->model,
                                   .nodes = run->nodes.nodes,
                                   .needed = run->nodes.ready,
                                   .later = later,
                                   .arena = &run->arena,
                                   .is_fast = run->model->context->kernels == IRRUN_KERNELS_FAST,
                                   .skipped_passes = run->model->context->skipped_passes,
                                   .visited = run->visitor.call != NULL,
                                   .held = ir_run_held_bytes(run)};
  return ir_plan_build(&request, &run->plan);
}

/* A plan whose tensors are kept for the stages that follow. */
static ir_code run_stage(irrun_run *run) {
  bool *later;
  ir_code code = find_later(run, &later);
  if (code == IR_OK)
    code = build(run, later);
  if (code != IR_OK)
    return code;
  ir_run_bind(run, &run->plan);
  code = ir_run_execute_plan(run, &run->plan);
  return code == IR_OK ? end_plan(run, &run->plan) : code;
}

/* A model without faults that cannot go on: shapes that no computation tells. */
static ir_code report_stuck(irrun_run *run) {
  for (size_t i = 0; i < run->model->graph.n_layers; i++) {
    const int32_t layer = run->model->order[i];
    const ir_node *node = &run->nodes.nodes[layer];
    if (!run->needed[layer] || run->nodes.done[layer] || run->nodes.ready[layer] || node->n_outputs == 0)
      continue;
    return ir_report_open_node(run->model, node);
  }
  return IR_BAD_DATA;
}

static ir_code begin(irrun_run *run) {
  irrun_model *model = run->model;
  ir_run_forget_plan(run);
  for (size_t i = 0; i < run->n_variables; i++)
    run->variables[i].is_assigned = false; /* by an execution that failed */
  run->held = ir_arena_array(&run->arena, model->graph.n_layers + 1, sizeof *run->held);
  if (run->held == NULL)
    return ir_out_of_memory(&model->context->diags);
  ir_code code = ir_plan_check_ops(model, run->needed, &run->arena);
  return code == IR_OK ? ir_run_nodes_begin(model, run->inputs, run->set, &run->nodes) : code;
}

ir_code ir_run_stages(irrun_run *run, bool may_execute) {
  ir_code code = begin(run);
  while (code == IR_OK) {
    bool any, any_alone = false;
    code = ir_infer_stage(run->model, run->needed, &run->nodes);
    if (code != IR_OK)
      return code;
    if (is_last(run, &any))
      break;
    if (!may_execute)
      return IR_OK;
    run->is_staged = true;
    if (any)
      code = run_stage(run);
    if (code == IR_OK)
      code = compute_between(run, &any_alone);
    if (code == IR_OK && !any && !any_alone)
      code = report_stuck(run);
  }
  if (code == IR_OK)
    code = build(run, NULL);
  run->is_planned = code == IR_OK;
  run->n_threads = run->model->context->workers.n_asked;
  return code;
}

/* Runs nodes with dynamic outputs between two stages. */
#include "base/clock.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <string.h>

/* ---- results of stages ---- */

ir_tensor *ir_run_hold(irrun_run *run, int32_t layer) {
  ir_run_layer *of = &run->layers[layer];
  if (of->held == NULL)
    of->held = ir_arena_array(&run->arena, (size_t)run->model->nodes[layer].n_outputs + 1, sizeof *of->held);
  return of->held;
}

/* Frees the held outputs of a node whose readers are all done, unless they are wanted. */
static void drop(irrun_run *run, int32_t layer) {
  if (run->nodes.wanted != NULL && run->nodes.wanted[layer])
    return;
  const ir_node *node = &run->nodes.nodes[layer];
  ir_tensor *held = run->layers[layer].held;
  for (int32_t p = 0; held != NULL && p < node->n_outputs; p++) {
    if (node->outputs[p].contents == &held[p])
      node->outputs[p].contents = NULL;
    ir_tensor_release(&held[p]);
  }
  run->layers[layer].held = NULL;
}

ir_code ir_run_settle(irrun_run *run, int32_t layer) {
  ir_node *node = &run->nodes.nodes[layer];
  const ir_scope scope = ir_run_scope(run);
  for (int32_t p = 0; p < node->n_inputs; p++)
    if (--run->nodes.states[node->inputs[p].layer].n_unread == 0)
      drop(run, node->inputs[p].layer);
  if (run->layers[layer].held == NULL)
    return IR_OK;
  if (!ir_own_outputs(node, &run->arena))
    return ir_out_of_memory(scope.diags);
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const ir_tensor *tensor = &run->layers[layer].held[p];
    ir_value *value = &node->outputs[p];
    const ir_shape shape = ir_tensor_shape(tensor);
    char texts[2][IR_SHAPE_TEXT];
    if (tensor->data == NULL)
      continue;
    if (!value->poisoned && (value->type != tensor->type || !ir_shapes_meet(&value->shape, &shape)) &&
        value->type != IR_DYNAMIC)
      return ir_report_firm(scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&scope, node),
                            "output %d was inferred as %s%s and computed as %s%s", p, ir_type_name(value->type),
                            ir_shape_text(&value->shape, texts[0], sizeof texts[0]), ir_type_name(tensor->type),
                            ir_shape_text(&shape, texts[1], sizeof texts[1]));
    *value = (ir_value){.type = tensor->type, .shape = shape, .contents = tensor, .reads_input = true};
  }
  return IR_OK;
}

/* ---- nodes between plans ---- */

/* Loads a constant into the held results of its layer. */
static ir_code hold_constant(irrun_run *run, int32_t layer) {
  const ir_node *node = &run->nodes.nodes[layer];
  ir_scope scope = ir_run_scope(run);
  ir_tensor *held = ir_run_hold(run, layer);
  if (held == NULL)
    return ir_out_of_memory(scope.diags);
  const ir_code code = node->op->run.contents(node, &node->outputs[0], &scope, &held[0]);
  if (code != IR_OK)
    return code;
  return ir_tensor_align(scope.memory, &held[0]) ? IR_OK : ir_out_of_memory(scope.diags);
}

/* Finds an existing tensor: a held result, an input of the run, or a constant. */
static ir_code find_tensor(irrun_run *run, ir_link from, ir_tensor *out) {
  const ir_node *node = &run->nodes.nodes[from.layer];
  const bool is_held = run->layers[from.layer].held != NULL;
  ir_code code = IR_OK;
  if (!is_held && ir_op_is(node->op, IR_RUN_INPUT)) {
    *out = ir_run_input_tensor(run, NULL, ir_model_input_number(run->model, from.layer));
  } else if (!is_held && node->outputs[0].is_contents_copy) {
    *out = *node->outputs[0].contents;
  } else {
    if (!is_held)
      code = hold_constant(run, from.layer);
    if (code == IR_OK)
      *out = run->layers[from.layer].held[from.port];
  }
  out->release = NULL;
  return code;
}

static ir_code visit_all(irrun_run *run, int32_t layer) {
  ir_code code = IR_OK;
  for (int32_t p = 0; run->visitor.call != NULL && p < run->nodes.nodes[layer].n_outputs && code == IR_OK; p++) {
    const ir_visit_point point = {.layer = layer, .port = p};
    code = ir_visit_output(&run->visitor, &point, &run->layers[layer].held[p], true);
  }
  return code;
}

/* Checks the memory limit for outputs whose shapes are known in advance. */
static ir_code check_room(const irrun_run *run, const ir_node *node) {
  size_t sum = 0, bytes;
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (ir_shape_known(&node->outputs[p].shape) &&
        ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes) &&
        __builtin_add_overflow(sum, bytes, &sum))
      sum = SIZE_MAX;
  return ir_account_check(run->account, sum, run->account->where, "the outputs, with what the run holds, take");
}

static ir_code compute(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out) {
  ir_scope scope = ir_run_scope(run);
  if (ir_op_is(node->op, IR_RUN_BODIES))
    return ir_run_bodies(run, node, in, out);
  if (ir_op_is(node->op, IR_RUN_DYNAMIC))
    return node->op->run.compute(node, in, out, &scope);
  return ir_run_variable(run, node, in, out) ? IR_OK : ir_out_of_memory(scope.diags);
}

static ir_code compute_alone(irrun_run *run, int32_t layer) {
  const ir_node *node = &run->nodes.nodes[layer];
  const ir_memory *memory = ir_run_memory(run);
  const ir_scope scope = ir_run_scope(run);
  const size_t n = (size_t)node->n_inputs + 1;
  ir_tensor *tensors = ir_alloc_zero(memory, n, sizeof *tensors), *out = ir_run_hold(run, layer);
  const ir_tensor **in = ir_alloc_zero(memory, n, sizeof *in);
  irrun_step step = {.layer = layer, .kernel = node->op->type, .isa = "any", .calls = 1};
  const size_t own = run->n_steps;
  run->account->where = ir_node_where(&scope, node);
  ir_code code = tensors == NULL || in == NULL || out == NULL ? ir_out_of_memory(&run->context->diags) : IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++) {
    in[i] = &tensors[i];
    code = find_tensor(run, node->inputs[i], &tensors[i]);
    step.read_bytes += (int64_t)tensors[i].bytes;
  }
  if (code == IR_OK && !ir_op_has_variable(node->op)) /* a variable can have another shape than its first value */
    code = ir_infer_alone(&run->nodes, &run->nodes.nodes[layer]);
  if (code == IR_OK)
    code = check_room(run, node);
  if (run->on_step != NULL)
    run->on_step(run->on_step_user, 0, 1, node->layer->name);
  if (code == IR_OK)
    code = ir_run_note_step(run, &(ir_noted_step){step, 0, -1}); /* steps of a body follow */
  const int64_t start_ns = run->timed ? ir_now_ns() : 0;
  ir_stop_attend(run->stop);
  if (code == IR_OK) {
    const ir_blame blame = ir_blame_begin(&run->context->diags);
    code = ir_blame_end(&run->nodes, node, blame, compute(run, node, in, out));
    if (code == IR_OK && ir_stop_asked(run->stop))
      code = ir_run_report_stopped(run, node->layer, node->op->type, "");
  }
  if (code == IR_OK) {
    irrun_step *noted = &run->steps[own].step;
    noted->start_ns = start_ns;
    noted->duration_ns = run->timed ? ir_now_ns() - start_ns : 0;
    for (int32_t p = 0; p < node->n_outputs; p++)
      noted->written_bytes += (int64_t)out[p].bytes;
  }
  ir_free(memory, tensors);
  ir_free(memory, in);
  if (code == IR_OK)
    code = visit_all(run, layer);
  return code == IR_OK ? ir_run_settle(run, layer) : code;
}

ir_code ir_run_between(irrun_run *run) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < run->nodes.alone.n && code == IR_OK; i++) {
    const int32_t layer = run->nodes.alone.layers[i];
    code = compute_alone(run, layer);
    run->nodes.states[layer].stage = run->nodes.n_stages;
    run->nodes.n_left--;
    ir_run_nodes_open_users(&run->nodes, layer);
  }
  return code;
}

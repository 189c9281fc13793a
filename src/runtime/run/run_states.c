/* The states of a run that attention keeps (states.h). */
#include "ops/attention/attention.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <string.h>

/* ---- which layers are needed ---- */

/* Whether the layer keeps something for the next execution: attention on states, or an Assign. */
static bool keeps_state(const irrun_run *run, size_t layer) {
  const ir_states *states = &run->states;
  if (states->are_kept && (states->is_attention[layer] || states->is_assign[layer]))
    return states->is_attention[layer]; /* in place of its Assigns */
  return ir_op_is(run->model->nodes[layer].op, IR_RUN_ASSIGNS);
}

int32_t ir_run_list_ends(const irrun_run *run, int32_t *layers) {
  const irrun_model *model = run->model;
  int32_t n = 0;
  for (int32_t i = 0; i < model->n_outputs; i++)
    if (!run->any_wanted || run->outputs[i].is_wanted)
      layers[n++] = model->outputs[i];
  for (size_t i = 0; i < model->graph.n_layers; i++)
    if (keeps_state(run, i))
      layers[n++] = (int32_t)i;
  return n;
}

/* Whether a layer of `needs` has a dynamic output, or is an attention on states. */
static bool has_late_layer(const irrun_run *run, const bool *needs) {
  bool has = false;
  for (size_t i = 0; i < run->model->graph.n_layers && !has; i++)
    has = needs[i] && !run->states.is_past[i] &&
          (run->states.is_attention[i] || ir_op_has_dynamic_output(run->model->nodes[i].op));
  return has;
}

/* Whether a layer of `needs` that is no attention on states reads a mask, or an attention reads it as another input. */
static bool reads_mask(const irrun_run *run, const bool *needs) {
  const ir_states *states = &run->states;
  for (size_t i = 0; i < run->model->graph.n_layers; i++) {
    const ir_node *node = &states->nodes[i];
    for (int32_t p = 0; needs[i] && !states->is_mask[i] && p < node->n_inputs; p++)
      if (states->is_mask[node->inputs[p].layer] && !(states->is_attention[i] && p == IR_MASK))
        return true;
  }
  return false;
}

bool ir_run_divide(irrun_run *run, int32_t *stack, int32_t n) {
  ir_states *states = &run->states;
  const size_t n_layers = run->model->graph.n_layers;
  memset(states->masks_need, 0, n_layers * sizeof *states->masks_need);
  memset(states->rest_needs, 0, n_layers * sizeof *states->rest_needs);
  ir_mark_needed(states->nodes, stack, n, states->is_given, states->rest_needs);
  n = 0;
  for (size_t i = 0; i < states->n_masks; i++)
    stack[n++] = states->masks[i].layer;
  ir_mark_needed(states->nodes, stack, n, states->is_past, states->masks_need);
  if (has_late_layer(run, states->masks_need) || reads_mask(run, states->rest_needs))
    return false;
  states->rest_reads_shapes = false;
  for (size_t i = 0; i < n_layers; i++) {
    run->needed[i] = states->masks_need[i] || states->rest_needs[i];
    states->rest_reads_shapes = states->rest_reads_shapes || (states->is_past[i] && states->rest_needs[i]);
  }
  for (size_t i = 0; i < states->n; i++)
    if (states->attentions[i].sources[0].beams >= 0)
      run->needed[states->attentions[i].sources[0].beams] = true;
  return true;
}

/* ---- values ---- */

/* The rows of earlier executions: only their shape is known before the attention has reordered them. */
static ir_value past_value(const irrun_run *run, ir_attention_of_states *attention, int kind) {
  const ir_state_source *source = &attention->sources[kind];
  const ir_state_rows *rows = ir_rows_of(attention, kind);
  ir_value value = run->model->nodes[source->past].outputs[0];
  value.shape.dims[2] = ir_dim_of(rows->length);
  if (source->beams >= 0) {
    const int32_t beams = ir_model_input_number(run->model, source->beams);
    value.shape.dims[0] = ir_run_input_value(run->model, run->inputs, beams).shape.dims[0];
  }
  value.contents = NULL;
  value.ranges = NULL;
  return value;
}

/* A given layer without data: a plan can refer to it, and no step reads it. */
static ir_code hold_outline(irrun_run *run, int32_t layer, const ir_value *value) {
  ir_tensor *held = ir_run_hold(run, layer);
  if (held == NULL)
    return ir_out_of_memory(&run->context->diags);
  if (held[0].data == NULL && ir_shape_known(&value->shape))
    held[0] = ir_tensor_outline(value->type, &value->shape);
  return IR_OK;
}

ir_code ir_run_give_values(irrun_run *run) {
  ir_states *states = &run->states;
  ir_code code = IR_OK;
  for (size_t i = 0; i < states->n && states->are_kept && code == IR_OK; i++)
    for (int k = 0; k < IR_STATE_KINDS && code == IR_OK; k++) {
      const int32_t past = states->attentions[i].sources[k].past;
      const ir_value value = past_value(run, &states->attentions[i], k);
      if (!run->planned[past])
        continue;
      code = hold_outline(run, past, &value);
      if (code == IR_OK)
        code = ir_run_nodes_give(&run->nodes, past, &value);
    }
  for (size_t i = 0; i < states->n_masks && states->are_kept && run->planned == states->rest_needs && code == IR_OK;
       i++)
    code = ir_run_nodes_give(&run->nodes, states->masks[i].layer, &states->masks[i].value);
  return code;
}

void ir_run_note_masks(irrun_run *run) {
  for (size_t i = 0; i < run->states.n_masks; i++) {
    ir_mask *mask = &run->states.masks[i];
    const ir_value *made = &run->nodes.nodes[mask->layer].outputs[0];
    mask->value = (ir_value){.type = made->type, .shape = made->shape, .reads_input = true};
  }
}

/* ---- rows ---- */

/* Finds the rows that are kept for the variable; NULL: the run keeps it as a tensor. */
static ir_state_rows *find_rows(const irrun_run *run, const char *id) {
  const ir_states *states = &run->states;
  for (size_t i = 0; i < states->n && states->are_kept; i++)
    for (int k = 0; k < IR_STATE_KINDS; k++)
      if (strcmp(states->attentions[i].sources[k].id, id) == 0)
        return ir_rows_of(&states->attentions[i], k);
  return NULL;
}

bool ir_run_move_rows(irrun_run *run, const char *id) {
  ir_state_rows *rows = find_rows(run, id);
  if (rows == NULL || rows->room.rank == 0)
    return true;
  ir_variable *variable = ir_run_find_variable(run, id);
  if (!ir_state_move(rows, ir_run_memory(run), &variable->value))
    return false;
  variable->is_set = true;
  return true;
}

void ir_run_drop_rows(irrun_run *run, const char *id) {
  ir_state_rows *rows = find_rows(run, id);
  if (rows != NULL)
    ir_state_release(rows);
}

bool ir_run_variable_outline(const irrun_run *run, const char *id, ir_tensor *out) {
  const ir_state_rows *rows = find_rows(run, id);
  const ir_tensor *value = rows != NULL && rows->room.rank > 0 ? &rows->room : NULL;
  const ir_variable *variable = ir_run_find_variable(run, id);
  if (value == NULL && variable != NULL && variable->is_set)
    value = &variable->value;
  if (value == NULL)
    return false;
  ir_shape shape = ir_tensor_shape(value);
  if (rows != NULL && value == &rows->room)
    shape.dims[2] = ir_dim_of(rows->length);
  *out = ir_tensor_outline(value->type, &shape);
  return true;
}

void ir_run_begin_rows(irrun_run *run) {
  ir_states *states = &run->states;
  for (size_t i = 0; i < states->n && states->are_kept; i++) {
    const int32_t beams = states->attentions[i].sources[0].beams;
    states->attentions[i].rows.beams = beams < 0 ? NULL : &run->inputs[ir_model_input_number(run->model, beams)].tensor;
  }
  for (size_t v = 0; v < run->n_variables && states->are_kept; v++) {
    ir_variable *variable = &run->variables[v];
    ir_state_rows *rows = variable->is_set ? find_rows(run, variable->id) : NULL;
    if (rows == NULL)
      continue;
    ir_state_take(rows, &variable->value);
    variable->is_set = false;
  }
}

void ir_run_end_rows(irrun_run *run) {
  for (size_t i = 0; i < run->states.n; i++)
    for (int k = 0; k < IR_STATE_KINDS; k++)
      ir_state_end(ir_rows_of(&run->states.attentions[i], k), true);
}

void ir_run_release_rows(irrun_run *run) {
  for (size_t i = 0; i < run->states.n; i++)
    for (int k = 0; k < IR_STATE_KINDS; k++)
      ir_state_release(ir_rows_of(&run->states.attentions[i], k));
}

bool ir_run_keep_states(irrun_run *run, bool are_kept) {
  ir_states *states = &run->states;
  bool done = true;
  for (size_t i = 0; i < states->n && states->are_kept && !are_kept && done; i++)
    for (int k = 0; k < IR_STATE_KINDS && done; k++)
      done = ir_run_move_rows(run, states->attentions[i].sources[k].id);
  if (!done)
    return false;
  states->are_kept = are_kept;
  run->view.nodes = are_kept ? states->nodes : states->plain_nodes;
  run->needed_found = false;
  return true;
}

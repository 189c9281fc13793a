/* The stages of a run: chooses the part of the model that is planned together, and executes it. */
#include "exec/execute.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <stdlib.h>
#include <string.h>

/* ---- executing a stage ---- */

static void bind_given(irrun_run *run, ir_kept_plan *plan) {
  for (size_t i = 0; i < plan->compiled.n_given; i++) {
    const ir_binding *given = &plan->compiled.given[i];
    ir_tensor *to = &plan->compiled.plan.slots[given->slot].tensor;
    if (ir_op_is(run->model->nodes[given->layer].op, IR_RUN_INPUT))
      *to = ir_run_input_tensor(run, plan, ir_model_input_number(run->model, given->layer));
    else
      *to = run->layers[given->layer].held[given->port];
    to->release = NULL;
  }
}

static ir_code execute_plan(irrun_run *run, ir_plan *plan) {
  plan->keeps_pages = plan->keeps_pages || run->was_executed;
  plan->timed = run->timed;
  plan->watched = run->watched;
  plan->on_step = run->on_step;
  plan->on_step_user = run->on_step_user;
  plan->visit = run->visitor.call != NULL ? ir_visit_output : NULL;
  plan->visit_user = &run->visitor;
  plan->stop = run->stop;
  const ir_code code = ir_plan_execute(plan);
  return plan->stopped_at != NULL ? ir_run_report_plan_stopped(run, plan) : code;
}

static ir_code note_steps(irrun_run *run, const ir_plan *plan) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    code = ir_run_note_step(run, &(ir_noted_step){ir_run_step(plan, i), plan->steps[i].macs, -1});
  }
  return code;
}

/* Makes the constants before the plan is first executed. */
static ir_code make_constants(irrun_run *run, ir_compiled *compiled) {
  ir_plan *plan = &compiled->setup.plan;
  if (compiled->has_constants)
    return IR_OK;
  ir_code code = compiled->setup.is_ready ? IR_OK : ir_setup_begin(compiled);  /* an earlier execution failed */
  if (code == IR_OK && (plan->n_steps > 0 || compiled->setup.n_missing > 0)) { /* without steps, it binds views */
    code = execute_plan(run, plan);
    if (code == IR_OK)
      code = note_steps(run, plan);
  }
  return ir_setup_end(compiled, code);
}

/* Copies the plan's outputs that later stages read. */
static ir_code hold_outputs(irrun_run *run, const ir_compiled *compiled) {
  ir_code code = note_steps(run, &compiled->plan);
  for (size_t k = 0; k < compiled->n_kept && code == IR_OK; k++) {
    const ir_binding *kept = &compiled->kept[k];
    ir_tensor *to = ir_run_hold(run, kept->layer);
    if (to == NULL || (to[kept->port].data == NULL &&
                       !ir_tensor_copy(ir_run_memory(run), &compiled->plan.slots[kept->slot].tensor, &to[kept->port])))
      code = ir_out_of_memory(&run->context->diags);
  }
  for (size_t i = 0; i < run->nodes.ready.n && code == IR_OK; i++)
    code = ir_run_settle(run, run->nodes.ready.layers[i]);
  for (int i = 0; i < IR_MOST_PASSES; i++)
    run->counts[i] += compiled->program.counts[i];
  return code;
}

/* Executes the plan of a stage. The model is valid, so a fault that a kernel finds is one of the data. */
static ir_code execute_stage(irrun_run *run, ir_plan *plan) {
  ir_diags *diags = &run->context->diags;
  const ir_code before = diags->status, code = execute_plan(run, plan);
  if (code != IR_INVALID)
    return code;
  diags->status = ir_code_worse(before, IR_BAD_DATA);
  return IR_BAD_DATA;
}

ir_code ir_run_stage(irrun_run *run, ir_kept_plan *plan, bool is_last) {
  ir_run_use_plan(run, plan);
  plan->n_executed++;
  ir_code code = make_constants(run, &plan->compiled);
  if (code != IR_OK)
    return code;
  bind_given(run, plan);
  if (is_last)
    code = ir_run_bind_outputs(run);
  if (code == IR_OK)
    code = execute_stage(run, &plan->compiled.plan);
  if (code != IR_OK || !is_last)
    return code == IR_OK ? hold_outputs(run, &plan->compiled) : code;
  ir_run_take_outputs(run);
  ir_run_keep_variables(run);
  ir_run_end_rows(run);
  run->was_executed = true;
  return IR_OK;
}

/* ---- the layers and values of a stage ---- */

static const ir_value *value_at(const ir_run_nodes *nodes, ir_link link) {
  return &nodes->nodes[link.layer].outputs[link.port];
}

/* Whether the stage that is being planned makes the layer's outputs. */
static bool is_own(const ir_run_nodes *nodes, int32_t layer) {
  return nodes->states[layer].stage == nodes->n_stages;
}

/* Whether one plan can serve other shapes of the layer's output too (masks_fit in kept_plans.c). */
static bool is_open(const ir_run_nodes *nodes, int32_t layer) {
  return nodes->is_open != NULL && nodes->is_open[layer];
}

/* Lists the inputs of the layer that each stage computes for itself, in `positions` of the model's order. */
static void add_weights(const ir_run_nodes *nodes, int32_t layer, int32_t *positions, size_t *io_n) {
  const ir_node *node = &nodes->nodes[layer];
  for (int32_t p = 0; p < node->n_inputs; p++) {
    ir_node_state *from = &nodes->states[node->inputs[p].layer];
    if (from->stage != IR_STAGE_EACH || from->listed == nodes->n_stages)
      continue;
    from->listed = nodes->n_stages;
    positions[(*io_n)++] = from->position;
  }
}

static int compare_positions(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Lists the layers in running order: the weights that they read come first. The last stage includes the Results. False
 * when memory is out. */
static bool list_layers(const ir_run_nodes *nodes, bool is_last, ir_arena *arena, ir_stage *stage) {
  const ir_layer_list *lists[] = {&nodes->ready, &nodes->results};
  int32_t *positions = nodes->stack;
  size_t n = 0;
  for (int l = 0; l < (is_last ? 2 : 1); l++)
    for (size_t i = 0; i < lists[l]->n; i++)
      add_weights(nodes, lists[l]->layers[i], positions, &n);
  for (size_t i = 0; i < n; i++)
    add_weights(nodes, nodes->model->order[positions[i]], positions, &n);
  qsort(positions, n, sizeof *positions, compare_positions);
  stage->layers = ir_arena_array(arena, n + nodes->ready.n + nodes->results.n + 1, sizeof *stage->layers);
  for (size_t i = 0; i < n && stage->layers != NULL; i++)
    stage->layers[stage->n_layers++] = nodes->model->order[positions[i]];
  for (int l = 0; l < (is_last ? 2 : 1) && stage->layers != NULL; l++)
    for (size_t i = 0; i < lists[l]->n; i++)
      stage->layers[stage->n_layers++] = lists[l]->layers[i];
  return stage->layers != NULL;
}

/* Lists the outputs of the node that other stages read. Inputs and constants of the model are not listed: all stages
 * can read them. */
static void list_kept(const ir_run_nodes *nodes, int32_t layer, ir_stage *stage) {
  const ir_node_state *state = &nodes->states[layer];
  const bool may_be_kept = ir_op_is_computed(nodes->nodes[layer].op) && state->stage != IR_STAGE_EACH;
  if (nodes->wanted != NULL && nodes->wanted[layer])
    stage->kept[stage->n_kept++] = (ir_link){layer, 0};
  for (int32_t u = state->first_use; u < state->end_use && may_be_kept; u++) {
    const ir_node_use *use = &nodes->uses[u];
    if (!is_own(nodes, use->layer))
      stage->kept[stage->n_kept++] = nodes->nodes[use->layer].inputs[use->input];
  }
}

/* Lists the node's outputs, and its inputs from other stages. */
static void list_values(const ir_run_nodes *nodes, const ir_node *node, ir_stage *stage) {
  for (int32_t p = 0; p < node->n_inputs; p++)
    if (!is_own(nodes, node->inputs[p].layer) && !is_open(nodes, node->inputs[p].layer))
      stage->values[stage->n_values++] = value_at(nodes, node->inputs[p]);
  for (int32_t p = 0; p < node->n_outputs; p++)
    stage->values[stage->n_values++] = &node->outputs[p];
}

/* Lists the inputs whose contents a kernel inspects in `prepare`. */
static void list_values_with_contents(const ir_run_nodes *nodes, const ir_node *node, ir_stage *stage) {
  for (int32_t p = 0; p < node->n_inputs && node->op != NULL; p++) {
    const ir_port_spec *spec = ir_op_input(node->op, p);
    if (spec != NULL && spec->contents)
      stage->values[stage->n_values++] = value_at(nodes, node->inputs[p]);
  }
}

/* Fills the stage with the nodes that were just inferred. False when memory is out. */
static bool choose_stage(const ir_run_nodes *nodes, bool is_last, ir_arena *arena, ir_stage *stage) {
  size_t n_uses = 0, n_ports = 0;
  if (!list_layers(nodes, is_last, arena, stage))
    return false;
  for (size_t i = 0; i < stage->n_layers; i++) {
    const ir_node *node = &nodes->nodes[stage->layers[i]];
    n_uses += 1 + (size_t)(nodes->states[stage->layers[i]].end_use - nodes->states[stage->layers[i]].first_use);
    n_ports += 2 * (size_t)node->n_inputs + (size_t)node->n_outputs;
  }
  stage->kept = ir_arena_array(arena, n_uses + 1, sizeof *stage->kept);
  stage->values = ir_arena_array(arena, n_ports + 1, sizeof *stage->values);
  if (stage->kept == NULL || stage->values == NULL)
    return false;
  for (size_t i = 0; i < stage->n_layers; i++) {
    list_kept(nodes, stage->layers[i], stage);
    list_values(nodes, &nodes->nodes[stage->layers[i]], stage);
  }
  stage->n_without_contents = stage->n_values;
  for (size_t i = 0; i < stage->n_layers; i++)
    list_values_with_contents(nodes, &nodes->nodes[stage->layers[i]], stage);
  return true;
}

/* ---- the plan of a stage ---- */

static int compare_bindings(const void *a, const void *b) {
  const ir_binding *x = a, *y = b;
  return x->layer != y->layer ? (x->layer > y->layer) - (x->layer < y->layer)
                              : (x->port > y->port) - (x->port < y->port);
}

/* Finds the slot of each output of the model. */
static bool find_outputs(const irrun_run *run, ir_kept_plan *plan) {
  const size_t n = plan->compiled.n_kept;
  ir_binding *kept = ir_arena_array(&plan->arena, n + 1, sizeof *kept);
  plan->output_slots = ir_arena_array(&plan->arena, (size_t)run->model->n_outputs + 1, sizeof *plan->output_slots);
  if (kept == NULL || plan->output_slots == NULL)
    return false;
  if (n > 0)
    memcpy(kept, plan->compiled.kept, n * sizeof *kept);
  qsort(kept, n, sizeof *kept, compare_bindings);
  for (int32_t i = 0; i < run->model->n_outputs; i++) {
    const ir_link from = run->model->nodes[run->model->outputs[i]].inputs[0];
    const ir_binding wanted = {.layer = from.layer, .port = from.port}, *found = NULL;
    if (run->needed[run->model->outputs[i]])
      found = bsearch(&wanted, kept, n, sizeof *kept, compare_bindings);
    plan->output_slots[i] = found != NULL ? found->slot : -1;
  }
  return true;
}

ir_program_request ir_run_request(irrun_run *run, ir_kept_plan *plan, bool is_frequent) {
  return (ir_program_request){.graph = &run->model->graph,
                              .diags = &run->context->diags,
                              .model_nodes = run->model->nodes,
                              .nodes = run->nodes.nodes,
                              .value_of = run->nodes.value_of,
                              .layers = plan->stage.layers,
                              .n_layers = plan->stage.n_layers,
                              .kept = plan->stage.kept,
                              .n_kept = plan->stage.n_kept,
                              .account = run->account,
                              .arena = &plan->arena,
                              .place = &run->place,
                              .constants = run->model->constants,
                              .workers = &run->context->workers,
                              .is_fast = run->context->kernels == IRRUN_KERNELS_FAST,
                              .is_frequent = is_frequent,
                              .precision = run->context->precision,
                              .is_f32_said = &run->is_f32_said,
                              .skipped_passes = run->context->skipped_passes,
                              .visited = run->visitor.call != NULL};
}

static ir_code make_plan(irrun_run *run, bool is_last, bool is_frequent, ir_kept_plan *plan) {
  const ir_program_request request = ir_run_request(run, plan, is_frequent);
  const ir_code code = ir_compile(&request, &plan->compiled);
  if (code != IR_OK)
    return code;
  const bool is_whole = is_last && !run->is_staged;
  return ir_run_note_values(plan) && (!is_last || find_outputs(run, plan)) &&
                 (!is_whole || ir_run_note_inputs(run, plan))
             ? IR_OK
             : ir_out_of_memory(&run->context->diags);
}

/* Finds or makes the plan of the inferred stage. A plan of a small model that was executed often is made again, now
 * with oneDNN. The number of executions decides, not the time, so each execution has the same bits whenever it runs. */
static ir_code plan_stage(irrun_run *run, bool is_last, ir_kept_plan **out) {
  ir_kept_plan *plan = ir_alloc_zero(ir_run_memory(run), 1, sizeof *plan);
  ir_code code = IR_OK;
  bool is_frequent = false;
  *out = NULL;
  if (plan == NULL)
    return ir_out_of_memory(&run->context->diags);
  ir_arena_init(&plan->arena, ir_run_memory(run), (size_t)IR_MAX_ARENA_BYTES);
  if (!choose_stage(&run->nodes, is_last, &plan->arena, &plan->stage))
    code = ir_out_of_memory(&run->context->diags);
  else
    *out = ir_run_find_stage(run, &plan->stage);
  if (*out != NULL && ir_run_is_frequent(*out)) {
    is_frequent = true;
    ir_run_drop_plan(run, *out);
    *out = NULL;
  }
  if (*out != NULL && is_last && !run->is_staged && !ir_run_renew_inputs(run, *out)) {
    *out = NULL;
    code = ir_out_of_memory(&run->context->diags);
  }
  if (code == IR_OK && *out == NULL) {
    code = make_plan(run, is_last, is_frequent, plan);
    run->n_plans_made += code == IR_OK;
    *out = code == IR_OK ? plan : NULL;
  }
  if (*out != plan)
    ir_run_free_plan(run, plan);
  if (*out != NULL)
    ir_run_use_plan(run, *out);
  return code;
}

/* ---- all stages ---- */

/* Reports a valid model that cannot continue: no computation determines its shapes. */
static ir_code report_stuck(irrun_run *run) {
  for (size_t i = 0; i < run->model->graph.n_layers; i++) {
    const int32_t layer = run->model->order[i];
    const ir_node *node = &run->nodes.nodes[layer];
    if (!run->planned[layer] || run->nodes.states[layer].stage != 0 || node->n_outputs == 0)
      continue;
    return ir_report_open_node(&run->nodes, node);
  }
  return IR_BAD_DATA;
}

/* Begins the account of an outermost run; bodies share it. */
static void begin_account(irrun_run *run) {
  size_t given = 0, mapped = 0, bytes;
  if (run->account != &run->own_account)
    return;
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    const ir_value value = ir_run_input_value(run->model, run->inputs, i);
    if (!run->needed[run->model->inputs[i]] || !ir_shape_known(&value.shape) || value.type == IR_DYNAMIC)
      continue;
    if (!ir_tensor_bytes(value.type, &value.shape, &bytes) || __builtin_add_overflow(given, bytes, &given))
      given = SIZE_MAX / 2; /* overflow: more bytes than can exist */
    mapped += run->inputs[i].tensor.is_mapped ? run->inputs[i].tensor.bytes : 0;
  }
  ir_account_begin(run->account, given, mapped);
}

static ir_code begin(irrun_run *run) {
  begin_account(run);
  for (size_t i = 0; i < run->n_variables; i++)
    run->variables[i].is_assigned = false; /* set by an execution that failed */
  const ir_code code = ir_run_check_ops(run);
  const ir_scope scope = ir_run_scope(run);
  if (code != IR_OK)
    return code;
  const ir_states *states = &run->states;
  const bool are_masks = states->are_kept && run->planned == states->masks_need;
  const bool *given = !states->are_kept ? NULL : are_masks ? states->is_past : states->is_given;
  const ir_code begun = ir_run_nodes_begin(run->model, &scope, run->inputs, run->planned, given, &run->nodes);
  run->nodes.is_visited = run->visitor.call != NULL;
  if (states->are_kept) {
    run->nodes.is_open = are_masks ? NULL : states->is_mask;
    run->nodes.wanted = are_masks ? states->is_mask : run->any_wanted ? states->is_attention : NULL;
  }
  return begun == IR_OK ? ir_run_give_values(run) : begun;
}

/* Plans of different shapes that a run keeps for each stage. */
enum { KEPT_SHAPES = 4 };

/* Plans and executes the inferred stage, which makes no outputs. */
static ir_code execute_inferred(irrun_run *run) {
  ir_kept_plan *plan;
  const ir_code code = plan_stage(run, false, &plan);
  return code == IR_OK ? ir_run_stage(run, plan, false) : code;
}

/* Executes the stages of the planned layers up to the last one, which is inferred: `*is_last`. */
static ir_code execute_stages(irrun_run *run, bool may_execute, size_t *n_stages, bool *is_last) {
  ir_code code = begin(run);
  *is_last = false;
  *n_stages = 1;
  while (code == IR_OK && !*is_last) {
    code = ir_infer_stage(&run->nodes);
    *is_last = code == IR_OK && run->nodes.n_left == 0;
    if (code != IR_OK || *is_last || !may_execute)
      break;
    run->is_staged = true;
    if (run->nodes.ready.n == 0 && run->nodes.alone.n == 0)
      code = report_stuck(run);
    if (code == IR_OK && run->nodes.ready.n > 0) {
      code = execute_inferred(run);
      ++*n_stages;
    }
    if (code == IR_OK)
      code = ir_run_between(run);
  }
  ir_run_nodes_end(&run->nodes);
  return code;
}

ir_code ir_run_stages(irrun_run *run, bool may_execute) {
  size_t n_stages;
  bool is_last;
  ir_code code = execute_stages(run, may_execute, &n_stages, &is_last);
  if (code == IR_OK && !is_last && run->shown.is_asked)
    code = plan_stage(run, false, &run->shown.stage);
  if (code == IR_OK && is_last)
    code = plan_stage(run, true, &run->last);
  if (code == IR_OK && is_last && may_execute)
    code = ir_run_stage(run, run->last, true);
  ir_run_shorten_plans(run, (n_stages + run->states.are_kept) * KEPT_SHAPES);
  return code;
}

ir_code ir_run_masks(irrun_run *run, bool may_execute, bool *out_known) {
  size_t n_stages;
  *out_known = true;
  if (!run->states.are_kept || run->states.n_masks == 0)
    return IR_OK;
  run->planned = run->states.masks_need;
  ir_code code = execute_stages(run, may_execute, &n_stages, out_known);
  if (code == IR_OK && *out_known)
    ir_run_note_masks(run);
  if (code == IR_OK && *out_known && may_execute && run->nodes.ready.n > 0) {
    code = execute_inferred(run);
    ir_run_shorten_plans(run, (n_stages + 1) * KEPT_SHAPES);
  }
  run->planned = run->states.rest_needs;
  run->is_staged = false;
  return code;
}

/* The stages of a run. */
#include "runtime/run/run_stages.h"
#include "base/clock.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/execute.h"
#include "runtime/run/plan_build.h"
#include <string.h>

/* ---- one plan ---- */

ir_scope ir_run_scope(irrun_run *run) {
  ir_scope scope = ir_model_scope(run->model);
  scope.arena = &run->arena;
  scope.memory = ir_run_memory(run);
  scope.running = true;
  scope.stop = run->stop;
  return scope;
}

static void give(ir_plan *plan, int32_t node, int32_t port, const ir_tensor *tensor) {
  const int32_t slot = ir_plan_outside_slot(plan, (ir_link){node, port});
  if (slot < 0)
    return;
  plan->slots[slot].tensor = *tensor;
  plan->slots[slot].tensor.release = NULL;
}

/* The copy of it that decided shapes, else as it was set. */
static ir_tensor input_tensor(const irrun_run *run, int32_t input) {
  const ir_value *value = &run->nodes.nodes[run->model->inputs[input]].outputs[0];
  const bool is_planned_by_it = run->nodes.reads_contents || run->is_staged;
  ir_tensor tensor = is_planned_by_it && value->is_contents_copy ? *value->contents : run->inputs[input];
  tensor.release = NULL;
  return tensor;
}

bool ir_run_inputs_stay(const irrun_run *run) {
  for (int32_t i = 0; i < run->model->n_inputs && run->nodes.reads_contents; i++) {
    const ir_value *value = &run->nodes.nodes[run->model->inputs[i]].outputs[0];
    const ir_tensor *tensor = &run->inputs[i];
    if (value->is_contents_copy && tensor->bytes > 0 && memcmp(value->contents->data, tensor->data, tensor->bytes) != 0)
      return false;
  }
  return true;
}

void ir_run_bind(irrun_run *run, ir_plan *plan) {
  for (int32_t i = 0; i < run->model->n_inputs && !run->is_staged; i++) {
    const ir_tensor input = input_tensor(run, i);
    if (run->place[run->model->inputs[i]] >= 0)
      give(plan, run->place[run->model->inputs[i]], 0, &input);
  }
  for (int32_t i = 0; i < (int32_t)plan->n_nodes && run->is_staged; i++) {
    const ir_node *node = &plan->nodes[i];
    const int32_t layer = plan->layers[i];
    if (node->op != NULL && node->op->role == IR_ROLE_INPUT) {
      const ir_tensor input = input_tensor(run, ir_model_input_number(run->model, layer));
      give(plan, i, 0, &input);
    }
    for (int32_t p = 0; !plan->planned[i] && run->held[layer] != NULL && p < node->n_outputs; p++)
      if (node->op->role == IR_ROLE_COMPUTED)
        give(plan, i, p, &run->held[layer][p]);
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
  return (irrun_step){.layer = plan->layers[step->node - plan->nodes],
                      .kernel = step->kernel->name,
                      .isa = step->kernel->isa,
                      .start_ns = step->start_ns,
                      .duration_ns = step->end_ns - step->start_ns,
                      .read_bytes = bytes_of_slots(plan, step->in, step->n_in),
                      .written_bytes = bytes_of_slots(plan, step->out, step->n_out)};
}

/* ---- what stages leave ---- */

static ir_code note_step(irrun_run *run, const irrun_step *step) {
  const ir_memory *memory = ir_run_memory(run);
  void *steps = run->steps;
  if (!ir_reserve(memory, &steps, run->n_steps, &run->steps_capacity, sizeof *run->steps))
    return ir_out_of_memory(&run->model->context->diags);
  run->steps = steps;
  run->steps[run->n_steps] = *step;
  run->steps[run->n_steps].kernel = ir_arena_text(&run->arena, step->kernel, strlen(step->kernel)); /* the plan's */
  return run->steps[run->n_steps++].kernel == NULL ? ir_out_of_memory(&run->model->context->diags) : IR_OK;
}

/* Room for what the node computed. */
static ir_tensor *hold(irrun_run *run, int32_t layer) {
  if (run->held[layer] == NULL)
    run->held[layer] =
        ir_arena_array(&run->arena, (size_t)run->model->nodes[layer].n_outputs + 1, sizeof *run->held[layer]);
  return run->held[layer];
}

/* Frees the outputs of a node that nobody will read any more. */
static void drop(irrun_run *run, int32_t layer) {
  const ir_node *node = &run->nodes.nodes[layer];
  ir_tensor *held = run->held[layer];
  for (int32_t p = 0; held != NULL && p < node->n_outputs; p++) {
    if (node->outputs[p].contents == &held[p])
      node->outputs[p].contents = NULL;
    ir_tensor_release(&held[p]);
  }
  run->held[layer] = NULL;
}

/* What is held of the node is there for the stages that follow, whatever was told of it before. */
static ir_code settle(irrun_run *run, int32_t layer) {
  ir_node *node = &run->nodes.nodes[layer];
  ir_scope scope = ir_model_scope(run->model);
  run->nodes.done[layer] = true;
  for (int32_t p = 0; p < node->n_inputs; p++)
    if (--run->nodes.n_unread[node->inputs[p].layer] == 0)
      drop(run, node->inputs[p].layer);
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
    if (!value->poisoned && (value->type != tensor->type || !ir_shapes_meet(&value->shape, &shape)) &&
        value->type != IR_DYNAMIC)
      return ir_report_firm(scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&scope, node),
                            "output %d was inferred as %s%s and computed as %s%s", p, ir_type_name(value->type),
                            ir_shape_text(&value->shape, texts[0], sizeof texts[0]), ir_type_name(tensor->type),
                            ir_shape_text(&shape, texts[1], sizeof texts[1]));
    *value = (ir_value){.type = tensor->type, .shape = shape, .contents = tensor};
  }
  return IR_OK;
}

/* Copies what later stages read of the plan, and ends it. */
static ir_code end_plan(irrun_run *run, ir_plan *plan, const ir_link *kept, size_t n_kept) {
  ir_diags *diags = &run->model->context->diags;
  ir_code code = IR_OK;
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    const irrun_step step = ir_run_step(plan, i);
    code = note_step(run, &step);
  }
  for (size_t k = 0; k < n_kept && code == IR_OK; k++) {
    const int32_t slot = ir_plan_outside_slot(plan, kept[k]), layer = plan->layers[kept[k].layer];
    ir_tensor *to = hold(run, layer);
    if (to == NULL ||
        (to[kept[k].port].data == NULL && !ir_tensor_copy(plan->memory, &plan->slots[slot].tensor, &to[kept[k].port])))
      code = ir_out_of_memory(diags);
  }
  for (size_t i = 0; i < run->nodes.ready.n && code == IR_OK; i++)
    code = settle(run, run->nodes.ready.layers[i]);
  run->counts.once += plan->counts.once;
  run->counts.fused += plan->counts.fused;
  run->counts.laid_last += plan->counts.laid_last;
  run->counts.widened += plan->counts.widened;
  for (size_t i = 0; i < plan->n_nodes; i++)
    run->place[plan->layers[i]] = -1;
  ir_plan_reset(plan);
  ir_arena_reset(&run->plan_arena);
  return code;
}

/* ---- nodes between plans ---- */

/* A tensor that is there: an input of the run, a constant, or what was held. */
static ir_code find_tensor(irrun_run *run, ir_link from, ir_tensor *out) {
  const ir_node *node = &run->nodes.nodes[from.layer];
  ir_scope scope = ir_run_scope(run);
  if (run->held[from.layer] == NULL && node->op->role == IR_ROLE_INPUT)
    *out = input_tensor(run, ir_model_input_number(run->model, from.layer));
  else if (run->held[from.layer] == NULL && node->outputs[0].is_contents_copy)
    *out = *node->outputs[0].contents;
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
  size_t sum = 0, bytes;
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (ir_shape_known(&node->outputs[p].shape) &&
        ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes) &&
        __builtin_add_overflow(sum, bytes, &sum))
      sum = SIZE_MAX;
  return ir_account_check(run->account, sum, run->account->where, "the outputs, with what the run holds, take");
}

static ir_code compute_alone(irrun_run *run, int32_t layer) {
  const ir_node *node = &run->nodes.nodes[layer];
  const ir_memory *memory = ir_run_memory(run);
  const ir_scope scope = ir_run_scope(run);
  const size_t n = (size_t)node->n_inputs + 1;
  ir_tensor *tensors = ir_alloc_zero(memory, n, sizeof *tensors), *out = hold(run, layer);
  const ir_tensor **in = ir_alloc_zero(memory, n, sizeof *in);
  irrun_step step = {.layer = layer, .kernel = node->op->type, .isa = "any"};
  run->account->where = ir_node_where(&scope, node);
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

static ir_code compute_between(irrun_run *run) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < run->nodes.alone.n && code == IR_OK; i++) {
    const int32_t layer = run->nodes.alone.layers[i];
    code = compute_alone(run, layer);
    run->nodes.n_left--;
    ir_run_nodes_open_users(&run->nodes, layer);
  }
  return code;
}

/* ---- stages ---- */

/* The nodes of a plan, whose links are among them. */
typedef struct stage {
  ir_node *nodes;
  int32_t *layers; /* one a node */
  bool *needed;    /* one a node: it is the plan's own, and not given */
  ir_link *kept;   /* that later stages read */
  size_t n_given, n_nodes, n_kept;
} stage;

/* The layers of a stage; the last one has the Results, too. */
static int32_t own_layer(const irrun_run *run, size_t i) {
  return i < run->nodes.ready.n ? run->nodes.ready.layers[i] : run->nodes.results.layers[i - run->nodes.ready.n];
}

/* Gives each node its place: first those outside of the stage that it reads. */
static void number_nodes(irrun_run *run, size_t n_own, stage *s) {
  size_t n = 0;
  for (size_t i = 0; i < n_own; i++)
    run->place[own_layer(run, i)] = INT32_MAX;
  for (size_t i = 0; i < n_own; i++) {
    const ir_node *node = &run->nodes.nodes[own_layer(run, i)];
    for (int32_t p = 0; p < node->n_inputs; p++)
      if (run->place[node->inputs[p].layer] < 0)
        run->place[node->inputs[p].layer] = (int32_t)n++;
  }
  s->n_given = n;
  for (size_t i = 0; i < n_own; i++)
    run->place[own_layer(run, i)] = (int32_t)n++;
  s->n_nodes = n;
}

static ir_node *put_node(const irrun_run *run, stage *s, int32_t layer) {
  ir_node *node = &s->nodes[run->place[layer]];
  *node = run->nodes.nodes[layer];
  s->layers[run->place[layer]] = layer;
  return node;
}

/* Copies the nodes to their places, with links to places. */
static bool link_nodes(irrun_run *run, size_t n_own, stage *s) {
  size_t n_links = 0;
  for (size_t i = 0; i < n_own; i++)
    n_links += (size_t)run->nodes.nodes[own_layer(run, i)].n_inputs;
  s->nodes = ir_arena_array(&run->plan_arena, s->n_nodes + 1, sizeof *s->nodes);
  s->layers = ir_arena_array(&run->plan_arena, s->n_nodes + 1, sizeof *s->layers);
  s->needed = ir_arena_array(&run->plan_arena, s->n_nodes + 1, sizeof *s->needed);
  ir_link *links = ir_arena_array(&run->plan_arena, n_links + 1, sizeof *links);
  if (s->nodes == NULL || s->layers == NULL || s->needed == NULL || links == NULL)
    return false;
  for (size_t i = 0; i < n_own; i++) {
    ir_node *node = put_node(run, s, own_layer(run, i));
    const ir_link *from = node->inputs;
    s->needed[s->n_given + i] = true;
    node->inputs = links;
    for (int32_t p = 0; p < node->n_inputs; p++) {
      const int32_t place = run->place[from[p].layer];
      if ((size_t)place < s->n_given && s->nodes[place].layer == NULL)
        put_node(run, s, from[p].layer)->n_inputs = 0;
      *links++ = (ir_link){place, from[p].port};
    }
  }
  return true;
}

/* Lists the outputs of the stage that nodes outside of it will read, once for each reader. Inputs and constants are
 * kept anyway. */
static bool find_kept(irrun_run *run, size_t n_own, stage *s) {
  const ir_run_nodes *nodes = &run->nodes;
  size_t n = 0;
  for (size_t i = 0; i < n_own; i++)
    n += (size_t)(nodes->first_use[own_layer(run, i) + 1] - nodes->first_use[own_layer(run, i)]);
  s->kept = ir_arena_array(&run->plan_arena, n + 1, sizeof *s->kept);
  for (size_t i = 0; i < n_own && s->kept != NULL; i++) {
    const int32_t layer = own_layer(run, i);
    const ir_op *op = nodes->nodes[layer].op;
    for (int32_t u = nodes->first_use[layer]; u < nodes->first_use[layer + 1]; u++) {
      const ir_use *use = &nodes->uses[u];
      if (run->place[use->layer] < 0 && op != NULL && op->role == IR_ROLE_COMPUTED)
        s->kept[s->n_kept++] = (ir_link){run->place[layer], nodes->nodes[use->layer].inputs[use->input].port};
    }
  }
  return s->kept != NULL;
}

static ir_code build(irrun_run *run, bool is_last, stage *s) {
  const size_t n_own = run->nodes.ready.n + (is_last ? run->nodes.results.n : 0);
  *s = (stage){.n_nodes = 0};
  number_nodes(run, n_own, s);
  if (!link_nodes(run, n_own, s) || !find_kept(run, n_own, s))
    return ir_out_of_memory(&run->model->context->diags);
  const ir_plan_request request = {.model = run->model,
                                   .nodes = s->nodes,
                                   .n_nodes = s->n_nodes,
                                   .layers = s->layers,
                                   .needed = s->needed,
                                   .kept = s->kept,
                                   .n_kept = s->n_kept,
                                   .arena = &run->plan_arena,
                                   .is_fast = run->model->context->kernels == IRRUN_KERNELS_FAST,
                                   .skipped_passes = run->model->context->skipped_passes,
                                   .visited = run->visitor.call != NULL,
                                   .account = run->account};
  return ir_plan_build(&request, &run->plan);
}

/* A plan whose tensors are kept for the stages that follow. */
static ir_code run_stage(irrun_run *run) {
  stage s;
  ir_code code = build(run, false, &s);
  if (code != IR_OK)
    return code;
  ir_run_bind(run, &run->plan);
  code = ir_run_execute_plan(run, &run->plan);
  return code == IR_OK ? end_plan(run, &run->plan, s.kept, s.n_kept) : code;
}

/* A model without faults that cannot go on: shapes that no computation tells. */
static ir_code report_stuck(irrun_run *run) {
  for (size_t i = 0; i < run->model->graph.n_layers; i++) {
    const int32_t layer = run->model->order[i];
    const ir_node *node = &run->nodes.nodes[layer];
    if (!run->needed[layer] || run->nodes.done[layer] || node->n_outputs == 0)
      continue;
    return ir_report_open_node(run->model, node);
  }
  return IR_BAD_DATA;
}

/* For a run that is no body's: those of bodies are of its account. */
static void begin_account(irrun_run *run) {
  size_t given = 0, mapped = 0, bytes;
  if (run->account != &run->own_account)
    return;
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    const ir_value *value = &run->model->nodes[run->model->inputs[i]].outputs[0];
    const ir_shape shape = run->set[i] ? ir_tensor_shape(&run->inputs[i]) : value->shape;
    const ir_type type = run->set[i] ? run->inputs[i].type : value->type;
    if (!run->needed[run->model->inputs[i]] || !ir_shape_known(&shape) || type == IR_DYNAMIC)
      continue;
    if (!ir_tensor_bytes(type, &shape, &bytes) || __builtin_add_overflow(given, bytes, &given))
      given = SIZE_MAX / 2; /* more than there can be */
    mapped += run->inputs[i].is_mapped ? run->inputs[i].bytes : 0;
  }
  ir_account_begin(run->account, given, mapped);
}

static ir_code begin(irrun_run *run) {
  irrun_model *model = run->model;
  ir_run_forget_plan(run);
  begin_account(run);
  for (size_t i = 0; i < run->n_variables; i++)
    run->variables[i].is_assigned = false; /* by an execution that failed */
  run->held = ir_arena_array(&run->arena, model->graph.n_layers + 1, sizeof *run->held);
  run->place = ir_arena_array(&run->arena, model->graph.n_layers + 1, sizeof *run->place);
  if (run->held == NULL || run->place == NULL)
    return ir_out_of_memory(&model->context->diags);
  for (size_t i = 0; i < model->graph.n_layers; i++)
    run->place[i] = -1;
  ir_code code = ir_plan_check_ops(model, run->needed, &run->arena);
  return code == IR_OK ? ir_run_nodes_begin(model, run->inputs, run->set, run->needed, &run->nodes) : code;
}

/* All stages but the last, as far as `may_execute` allows; `*out_last`: only that is left. */
static ir_code run_all(irrun_run *run, bool may_execute, bool *out_last) {
  ir_code code = IR_OK;
  *out_last = false;
  while (code == IR_OK) {
    code = ir_infer_stage(run->model, &run->nodes);
    *out_last = code == IR_OK && run->nodes.n_left == 0;
    if (code != IR_OK || *out_last || !may_execute)
      return code;
    run->is_staged = true;
    if (run->nodes.ready.n == 0 && run->nodes.alone.n == 0)
      return report_stuck(run);
    if (run->nodes.ready.n > 0)
      code = run_stage(run);
    if (code == IR_OK)
      code = compute_between(run);
  }
  return code;
}

ir_code ir_run_stages(irrun_run *run, bool may_execute) {
  bool is_last = false;
  stage s;
  ir_code code = begin(run);
  if (code == IR_OK)
    code = run_all(run, may_execute, &is_last);
  ir_run_nodes_end(&run->nodes);
  if (is_last)
    code = build(run, true, &s);
  run->is_planned = is_last && code == IR_OK;
  run->n_threads = run->model->context->workers.n_asked;
  return code;
}

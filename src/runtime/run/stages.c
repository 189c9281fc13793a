/* The stages of a run: chooses the part of the model that is planned together, and executes it. */
#include "exec/execute.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <string.h>

/* ---- executing one ---- */

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
  plan->timed = run->timed;
  plan->watched = run->watched;
  plan->on_step = run->on_step;
  plan->on_step_user = run->on_step_user;
  plan->visit = run->visitor.call != NULL ? ir_visit_point_of : NULL;
  plan->visit_user = &run->visitor;
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
  return (irrun_step){.layer = step->layer_number,
                      .kernel = step->kernel->name,
                      .isa = step->kernel->isa,
                      .start_ns = step->start_ns,
                      .duration_ns = step->end_ns - step->start_ns,
                      .read_bytes = bytes_of_slots(plan, step->in, step->n_in),
                      .written_bytes = bytes_of_slots(plan, step->out, step->n_out)};
}

static ir_code note_steps(irrun_run *run, const ir_plan *plan) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    const irrun_step step = ir_run_step(plan, i);
    code = ir_run_note_step(run, &step);
  }
  return code;
}

/* Makes the constants before the plan is first executed. */
static ir_code make_constants(irrun_run *run, ir_compiled *compiled) {
  ir_plan *plan = &compiled->setup.plan;
  if (compiled->has_constants)
    return IR_OK;
  ir_code code = compiled->setup.is_ready ? IR_OK : ir_setup_begin(compiled); /* an earlier execution failed */
  if (code == IR_OK && (plan->n_steps > 0 || compiled->setup.n_roots > 0)) {  /* without steps, it binds views */
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

/* ---- the nodes of one ---- */

typedef struct choosing {
  irrun_run *run;
  ir_arena *arena;
  ir_stage *stage;
  int32_t *place; /* one per layer: its index in the stage; -1: it is not in the stage */
  bool *asks;     /* one per node: a kernel inspects its contents in `prepare` */
  size_t n_own;
} choosing;

/* Enumerates the layers of a stage; the last stage includes the Results. */
static int32_t own_layer(const irrun_run *run, size_t i) {
  return i < run->nodes.ready.n ? run->nodes.ready.layers[i] : run->nodes.results.layers[i - run->nodes.ready.n];
}

/* Numbers the nodes of the stage; nodes outside of it whose outputs it reads come first. */
static void number_nodes(choosing *c) {
  const irrun_run *run = c->run;
  size_t n = 0;
  for (size_t i = 0; i < c->n_own; i++)
    c->place[own_layer(run, i)] = INT32_MAX;
  for (size_t i = 0; i < c->n_own; i++) {
    const ir_node *node = &run->nodes.nodes[own_layer(run, i)];
    for (int32_t p = 0; p < node->n_inputs; p++)
      if (c->place[node->inputs[p].layer] < 0)
        c->place[node->inputs[p].layer] = (int32_t)n++;
  }
  c->stage->n_given = n;
  for (size_t i = 0; i < c->n_own; i++)
    c->place[own_layer(run, i)] = (int32_t)n++;
  c->stage->n_nodes = n;
}

/* Copies contents that a plan depends on. Contents that may change between runs are copied only if a kernel inspects
 * them in `prepare`. */
static bool copy_contents(ir_arena *arena, ir_value *value, bool asks) {
  const ir_tensor *known = value->contents;
  value->contents = NULL;
  value->ranges = NULL;
  if (known == NULL || !(asks || (!value->reads_input && known->bytes <= (size_t)IR_MAX_KNOWN_BYTES)))
    return true;
  ir_tensor *copy = ir_arena_alloc(arena, sizeof *copy);
  void *data = ir_arena_alloc(arena, known->bytes + 1);
  if (copy == NULL || data == NULL)
    return false;
  if (known->bytes > 0)
    memcpy(data, known->data, known->bytes);
  *copy = ir_tensor_borrow(value->type, &value->shape, data, known->bytes);
  value->contents = copy;
  return true;
}

static ir_node *put_node(const choosing *c, int32_t layer) {
  ir_node *node = &c->stage->nodes[c->place[layer]];
  *node = c->run->nodes.nodes[layer];
  c->stage->layers[c->place[layer]] = layer;
  if (!ir_own_outputs(node, c->arena))
    return NULL;
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!copy_contents(c->arena, &node->outputs[p], c->asks[c->place[layer]]))
      return NULL;
  return node;
}

/* Copies the nodes into the stage, with links renumbered. */
static bool link_nodes(choosing *c) {
  const irrun_run *run = c->run;
  ir_stage *s = c->stage;
  size_t n_links = 0;
  for (size_t i = 0; i < c->n_own; i++)
    n_links += (size_t)run->nodes.nodes[own_layer(run, i)].n_inputs;
  s->nodes = ir_arena_array(c->arena, s->n_nodes + 1, sizeof *s->nodes);
  s->layers = ir_arena_array(c->arena, s->n_nodes + 1, sizeof *s->layers);
  s->needed = ir_arena_array(c->arena, s->n_nodes + 1, sizeof *s->needed);
  c->asks = ir_arena_array(c->arena, s->n_nodes + 1, sizeof *c->asks);
  ir_link *links = ir_arena_array(c->arena, n_links + 1, sizeof *links);
  if (s->nodes == NULL || s->layers == NULL || s->needed == NULL || c->asks == NULL || links == NULL)
    return false;
  for (size_t i = 0; i < c->n_own; i++) {
    const ir_node *node = &run->nodes.nodes[own_layer(run, i)];
    for (int32_t p = 0; p < node->n_inputs; p++)
      if (node->op != NULL && ir_contents_decide(node->op, ir_op_input(node->op, p)))
        c->asks[c->place[node->inputs[p].layer]] = true;
  }
  for (size_t i = 0; i < c->n_own; i++) {
    ir_node *node = put_node(c, own_layer(run, i));
    if (node == NULL)
      return false;
    const ir_link *from = node->inputs;
    s->needed[s->n_given + i] = true;
    node->inputs = links;
    for (int32_t p = 0; p < node->n_inputs; p++) {
      const int32_t place = c->place[from[p].layer];
      if ((size_t)place < s->n_given && s->nodes[place].layer == NULL) {
        ir_node *given = put_node(c, from[p].layer);
        if (given == NULL)
          return false;
        given->n_inputs = 0;
      }
      *links++ = (ir_link){place, from[p].port};
    }
  }
  return true;
}

/* Lists the outputs that nodes outside of the stage will read, once for each reader. Inputs and constants are kept in
 * any case. */
static bool find_kept(const choosing *c) {
  const ir_run_nodes *nodes = &c->run->nodes;
  size_t n = 0;
  for (size_t i = 0; i < c->n_own; i++)
    n += (size_t)(nodes->first_use[own_layer(c->run, i) + 1] - nodes->first_use[own_layer(c->run, i)]);
  c->stage->kept = ir_arena_array(c->arena, n + 1, sizeof *c->stage->kept);
  for (size_t i = 0; i < c->n_own && c->stage->kept != NULL; i++) {
    const int32_t layer = own_layer(c->run, i);
    const ir_op *op = nodes->nodes[layer].op;
    for (int32_t u = nodes->first_use[layer]; u < nodes->first_use[layer + 1]; u++) {
      const ir_node_use *use = &nodes->uses[u];
      if (c->place[use->layer] < 0 && ir_op_is_computed(op))
        c->stage->kept[c->stage->n_kept++] =
            (ir_link){c->place[layer], nodes->nodes[use->layer].inputs[use->input].port};
    }
  }
  return c->stage->kept != NULL;
}

static bool choose_nodes(irrun_run *run, bool is_last, ir_kept_plan *plan) {
  choosing c = {.run = run, .arena = &plan->arena, .stage = &plan->stage};
  c.n_own = run->nodes.ready.n + (is_last ? run->nodes.results.n : 0);
  c.place = run->nodes.place;
  number_nodes(&c);
  const bool done = link_nodes(&c) && find_kept(&c);
  for (size_t i = 0; done && i < c.stage->n_nodes; i++)
    c.place[c.stage->layers[i]] = -1;
  return done;
}

/* ---- its plan ---- */

/* Finds the slot of each output of the model. */
static bool find_outputs(const irrun_run *run, ir_kept_plan *plan) {
  const ir_compiled *compiled = &plan->compiled;
  plan->output_slots = ir_arena_array(&plan->arena, (size_t)run->model->n_outputs + 1, sizeof *plan->output_slots);
  for (int32_t i = 0; i < run->model->n_outputs && plan->output_slots != NULL; i++) {
    const ir_link from = run->model->nodes[run->model->outputs[i]].inputs[0];
    plan->output_slots[i] = -1;
    for (size_t k = 0; k < compiled->n_kept && run->needed[run->model->outputs[i]]; k++)
      if (compiled->kept[k].layer == from.layer && compiled->kept[k].port == from.port)
        plan->output_slots[i] = compiled->kept[k].slot;
  }
  return plan->output_slots != NULL;
}

static ir_code compile(irrun_run *run, ir_kept_plan *plan, bool is_frequent) {
  const ir_stage *s = &plan->stage;
  const ir_program_request request = {.graph = &run->model->graph,
                                      .diags = &run->context->diags,
                                      .nodes = s->nodes,
                                      .n_nodes = s->n_nodes,
                                      .layers = s->layers,
                                      .needed = s->needed,
                                      .kept = s->kept,
                                      .n_kept = s->n_kept,
                                      .account = run->account,
                                      .arena = &plan->arena,
                                      .place = &run->place,
                                      .constants = run->model->constants,
                                      .workers = &run->context->workers,
                                      .is_fast = run->context->kernels == IRRUN_KERNELS_FAST,
                                      .is_frequent = is_frequent,
                                      .skipped_passes = run->context->skipped_passes,
                                      .visited = run->visitor.call != NULL};
  return ir_compile(&request, &plan->compiled);
}

/* Finds or makes the plan of the inferred stage. */
static ir_code plan_stage(irrun_run *run, bool is_last, ir_kept_plan **out) {
  ir_kept_plans *plans = &run->plans;
  const ir_memory *memory = ir_run_memory(run);
  ir_kept_plan *plan = ir_kept_plans_add(plans, memory);
  *out = NULL;
  if (plan == NULL || !choose_nodes(run, is_last, plan)) {
    if (plan != NULL)
      ir_kept_plans_drop(plans, plan, memory);
    return ir_out_of_memory(&run->context->diags);
  }
  *out = ir_kept_plans_find(plans, &plan->stage);
  if (*out != NULL) {
    ir_kept_plans_drop(plans, plan, memory);
    plans->n_made--;
    return IR_OK;
  }
  ir_code code = compile(run, plan, false);
  if (code == IR_OK && is_last && !find_outputs(run, plan))
    code = ir_out_of_memory(&run->context->diags);
  if (code == IR_OK && is_last && !run->is_staged && !ir_run_note_inputs(run, plan))
    code = IR_NO_MEMORY;
  if (code != IR_OK)
    ir_kept_plans_drop(plans, plan, memory);
  else
    *out = plan;
  return code;
}

/* ---- executing a stage ---- */

/* Plans a stage again that is executed often, now with oneDNN. Whether it is frequent depends on the number of
 * executions and not on time, so each execution has the same bits whenever the program runs. */
static ir_code plan_frequent(irrun_run *run, ir_kept_plan *plan, bool is_last) {
  ir_compiled_reset(&plan->compiled);
  run->plans.n_made++;
  ir_code code = compile(run, plan, true);
  if (code == IR_OK && is_last && !find_outputs(run, plan))
    code = ir_out_of_memory(&run->context->diags);
  if (code == IR_OK)
    return IR_OK;
  ir_kept_plans_drop(&run->plans, plan, ir_run_memory(run));
  if (run->last == plan)
    run->last = NULL;
  return code;
}

ir_code ir_run_stage(irrun_run *run, ir_kept_plan *plan, bool is_last) {
  ir_kept_plans_use(&run->plans, plan);
  const int64_t n_plain = plan->compiled.program.n_plain;
  ir_code code = plan->n_executed++ == n_plain && n_plain > 0 ? plan_frequent(run, plan, is_last) : IR_OK;
  if (code == IR_OK)
    code = make_constants(run, &plan->compiled);
  if (code != IR_OK)
    return code;
  bind_given(run, plan);
  if (is_last)
    code = ir_run_bind_outputs(run);
  if (code == IR_OK)
    code = execute_plan(run, &plan->compiled.plan);
  if (code != IR_OK || !is_last)
    return code == IR_OK ? hold_outputs(run, &plan->compiled) : code;
  ir_run_take_outputs(run);
  ir_run_keep_variables(run);
  return IR_OK;
}

/* ---- all stages ---- */

/* Reports a valid model that cannot continue: no computation determines its shapes. */
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

/* Begins the account of an outermost run; bodies share it. */
static void begin_account(irrun_run *run) {
  size_t given = 0, mapped = 0, bytes;
  if (run->account != &run->own_account)
    return;
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    const ir_value *value = &run->model->nodes[run->model->inputs[i]].outputs[0];
    const ir_run_input *input = &run->inputs[i];
    const ir_shape shape = input->is_set ? ir_tensor_shape(&input->tensor) : value->shape;
    const ir_type type = input->is_set ? input->tensor.type : value->type;
    if (!run->needed[run->model->inputs[i]] || !ir_shape_known(&shape) || type == IR_DYNAMIC)
      continue;
    if (!ir_tensor_bytes(type, &shape, &bytes) || __builtin_add_overflow(given, bytes, &given))
      given = SIZE_MAX / 2; /* overflow: more bytes than can exist */
    mapped += input->tensor.is_mapped ? input->tensor.bytes : 0;
  }
  ir_account_begin(run->account, given, mapped);
}

static ir_code begin(irrun_run *run) {
  begin_account(run);
  for (size_t i = 0; i < run->n_variables; i++)
    run->variables[i].is_assigned = false; /* set by an execution that failed */
  const ir_code code = ir_run_check_ops(run);
  return code == IR_OK ? ir_run_nodes_begin(run->model, run->inputs, run->needed, &run->nodes) : code;
}

/* Plans of different shapes that a run keeps for each stage. */
enum { KEPT_SHAPES = 4 };

ir_code ir_run_stages(irrun_run *run, bool may_execute) {
  size_t n_stages = 1;
  ir_code code = begin(run);
  bool is_last = false;
  ir_kept_plan *plan = NULL;
  while (code == IR_OK && !is_last) {
    code = ir_infer_stage(run->model, &run->nodes);
    is_last = code == IR_OK && run->nodes.n_left == 0;
    if (code != IR_OK || is_last || !may_execute)
      break;
    run->is_staged = true;
    if (run->nodes.ready.n == 0 && run->nodes.alone.n == 0)
      code = report_stuck(run);
    if (code == IR_OK && run->nodes.ready.n > 0) {
      code = plan_stage(run, false, &plan);
      if (code == IR_OK)
        code = ir_run_stage(run, plan, false);
      n_stages++;
    }
    if (code == IR_OK)
      code = ir_run_between(run);
  }
  ir_run_nodes_end(&run->nodes);
  if (code == IR_OK && !is_last && run->shown.is_asked)
    code = plan_stage(run, false, &run->shown.stage);
  if (code == IR_OK && is_last)
    code = plan_stage(run, true, &run->last);
  if (code == IR_OK && is_last && may_execute)
    code = ir_run_stage(run, run->last, true);
  ir_kept_plans_shorten(&run->plans, n_stages * KEPT_SHAPES, ir_run_memory(run));
  return code;
}

/* Runs a model: inputs are set, outputs are requested, and an execution uses a plan that fits or makes one. */
#include "runtime/model/body_models.h"
#include "runtime/model/names.h"
#include "runtime/run/run_state.h"
#include "runtime/tensor/cast.h"
#include <string.h>

irrun_status irrun_run_create(irrun_model *model, irrun_run **out_run) {
  return irrun_run_create_in(model->context, model, out_run);
}

irrun_status irrun_run_create_in(irrun_context *context, irrun_model *model, irrun_run **out_run) {
  *out_run = NULL;
  return model->status != IRRUN_OK ? model->status : ir_status(ir_run_create(model, context, NULL, out_run));
}

/* Makes the names of inputs and outputs, which are otherwise made when they are first used. */
static ir_code make_names(irrun_model *model) {
  const ir_code code = ir_names_make(model, IRRUN_INPUTS);
  return code == IR_OK ? ir_names_make(model, IRRUN_OUTPUTS) : code;
}

/* Makes all names first, so that no thread changes the model later. The view has its own `declared`. */
static ir_code make_view(irrun_run *run, irrun_model *model) {
  pthread_mutex_lock(&model->constants->lock);
  ir_code code = make_names(model);
  for (size_t b = 0; model->bodies != NULL && b < model->graph.n_bodies && code == IR_OK; b++)
    code = make_names(model->bodies[b]);
  run->view = *model;
  pthread_mutex_unlock(&model->constants->lock);
  run->model = &run->view;
  run->view.context = run->context;
  ir_arena_init(&run->view.arena, ir_run_memory(run), (size_t)IR_MAX_ARENA_BYTES);
  run->view.declared = ir_arena_array(&run->view.arena, model->graph.n_layers + 1, sizeof *run->view.declared);
  if (code != IR_OK || run->view.declared == NULL || !ir_run_list_variables(run))
    return ir_out_of_memory(&run->context->diags);
  if (run->n_readers > 0 && model->outer == NULL && !ir_states_find(model, &run->view.arena, &run->states))
    return ir_out_of_memory(&run->context->diags);
  if (run->states.n > 0)
    run->view.nodes = run->states.plain_nodes;
  memcpy(run->view.declared, model->declared, model->graph.n_layers * sizeof *run->view.declared);
  return IR_OK;
}

ir_code ir_run_create(irrun_model *model, irrun_context *context, irrun_run *outer, irrun_run **out_run) {
  *out_run = NULL;
  irrun_run *run = ir_alloc_zero(outer == NULL ? &context->memory : ir_run_memory(outer), 1, sizeof *run);
  if (run == NULL)
    return ir_out_of_memory(&context->diags);
  run->context = context;
  run->stop = outer == NULL ? &run->own_stop : outer->stop;
  ir_account_init(&run->own_account, &context->memory, &context->diags);
  run->own_account.shared = model->constants->account;
  run->account = outer == NULL ? &run->own_account : outer->account;
  const ir_memory *memory = ir_run_memory(run);
  ir_arena_init(&run->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  const ir_code code = make_view(run, model);
  ir_arena_init(&run->shown.arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  run->inputs = ir_alloc_zero(memory, (size_t)model->n_inputs + 1, sizeof *run->inputs);
  run->outputs = ir_alloc_zero(memory, (size_t)model->n_outputs + 1, sizeof *run->outputs);
  run->layers = ir_alloc_zero(memory, model->graph.n_layers + 1, sizeof *run->layers);
  run->planned = run->needed = ir_alloc_zero(memory, model->graph.n_layers + 1, sizeof *run->needed);
  if (code != IR_OK || run->inputs == NULL || run->outputs == NULL || run->layers == NULL || run->needed == NULL) {
    irrun_run_free(run);
    return ir_out_of_memory(&context->diags);
  }
  if (outer != NULL && outer->visitor.in_bodies)
    run->visitor = outer->visitor;
  run->visitor.first_layer = model->first_layer;
  *out_run = run;
  return IR_OK;
}

static void forget_results(irrun_run *run) {
  for (int32_t i = 0; i < run->model->n_outputs && run->has_results; i++)
    run->outputs[i].is_computed = false;
  run->has_results = false;
}

/* Frees the results of the last execution's stages. */
static void forget_stages(irrun_run *run) {
  ir_run_forget_shown(run);
  for (size_t i = 0; run->layers != NULL && i < run->model->graph.n_layers; i++) {
    for (int32_t p = 0; run->layers[i].held != NULL && p < run->model->nodes[i].n_outputs; p++)
      ir_tensor_release(&run->layers[i].held[p]);
    run->layers[i].held = NULL;
  }
  run->is_staged = false;
  run->nodes = (ir_run_nodes){.nodes = NULL};
  ir_arena_reset(&run->arena);
  run->n_steps = 0;
  memset(run->counts, 0, sizeof run->counts);
  run->last = NULL;
}

static void forget_plans(irrun_run *run) {
  forget_stages(run);
  ir_run_shorten_plans(run, 0);
}

void irrun_run_free(irrun_run *run) {
  if (run == NULL)
    return;
  const ir_memory *memory = ir_run_memory(run);
  forget_plans(run);
  ir_plan_release_memory(&run->place);
  for (int32_t i = 0; run->inputs != NULL && i < run->model->n_inputs; i++)
    ir_tensor_release(&run->inputs[i].tensor);
  ir_run_reset_variables(run);
  ir_index_map_reset(&run->variables_by_id);
  ir_run_release_rows(run);
  ir_run_free_bodies(run);
  ir_free(memory, run->inputs);
  ir_free(memory, run->outputs);
  ir_free(memory, run->layers);
  ir_free(memory, run->needed);
  ir_free(memory, run->steps);
  ir_arena_reset(&run->view.arena);
  ir_free(run->account == &run->own_account ? run->account->from : memory, run);
}

/* ---- inputs ---- */

static const ir_value *input_value(const irrun_run *run, int64_t input) {
  return &run->model->nodes[run->model->inputs[input]].outputs[0];
}

static ir_code check_shape(irrun_run *run, int64_t input, const ir_tensor *tensor, ir_where where) {
  const ir_value *value = input_value(run, input);
  ir_shape given = ir_tensor_shape(tensor);
  ir_diags *diags = &run->context->diags;
  if (ir_shapes_meet(&given, &value->shape))
    return !ir_tensor_is_outline(tensor)
               ? IR_OK
               : ir_report(diags, IR801_COMMAND_LINE, where,
                           "the tensor for input '%s' was read as another shape, so that it has no elements",
                           ir_name_shown(run->model, IRRUN_INPUTS, input));
  char found[IR_SHAPE_TEXT], expected[IR_SHAPE_TEXT];
  ir_code code =
      ir_report(diags, IR503_INPUT_SHAPE_DIFFERS, where, "the tensor for input '%s' has shape %s, expected %s",
                ir_name_shown(run->model, IRRUN_INPUTS, input), ir_shape_text(&given, found, sizeof found),
                ir_shape_text(&value->shape, expected, sizeof expected));
  const ir_layer *layer = run->model->nodes[run->model->inputs[input]].layer;
  ir_note(diags, ir_layer_where(&run->model->graph, layer, layer->at), "the input is layer '%s'", layer->name);
  return code;
}

static ir_code check_type(irrun_run *run, int64_t input, ir_tensor *tensor, bool cast, ir_where where) {
  const ir_value *value = input_value(run, input);
  ir_diags *diags = &run->context->diags;
  if (tensor->type == value->type || value->type == IR_DYNAMIC)
    return IR_OK;
  if (!cast) {
    ir_code code = ir_report(diags, IR504_INPUT_TYPE_DIFFERS, where, "the tensor for input '%s' is %s, expected %s",
                             ir_name_shown(run->model, IRRUN_INPUTS, input), ir_type_name(tensor->type),
                             ir_type_name(value->type));
    ir_hint(diags, "convert it, or let --cast do it");
    return code;
  }
  ir_tensor converted;
  ir_code code =
      ir_tensor_cast(diags, &run->context->memory, IR504_INPUT_TYPE_DIFFERS, tensor, value->type, where, &converted);
  if (code != IR_OK)
    return code;
  ir_tensor_release(tensor);
  *tensor = converted;
  return IR_OK;
}

/* Returns IRRUN_OK if an input or output has that number. */
static irrun_status check_number(irrun_run *run, int64_t number, int32_t n, const char *what) {
  if (number >= 0 && number < n)
    return IRRUN_OK;
  return (irrun_status)ir_report(&run->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                                 "there is no %s number %lld: the model has %d", what, (long long)number, n);
}

void ir_run_give(irrun_run *run, int32_t input, const ir_tensor *tensor) {
  forget_results(run); /* an output can share the tensor of an input */
  ir_tensor_release(&run->inputs[input].tensor);
  run->inputs[input] = (ir_run_input){.tensor = *tensor, .is_set = true};
}

void ir_run_take_away(irrun_run *run, int32_t input) {
  ir_tensor_release(&run->inputs[input].tensor);
  run->inputs[input] = (ir_run_input){.is_set = false};
}

irrun_status irrun_run_set_input(irrun_run *run, int64_t input, irrun_tensor *tensor, bool cast, const char *file) {
  irrun_status known = check_number(run, input, run->model->n_inputs, "input");
  if (known != IRRUN_OK) {
    irrun_tensor_free(tensor);
    return known;
  }
  forget_results(run); /* an output can share the tensor of an input */
  if (tensor == NULL) {
    ir_run_take_away(run, (int32_t)input);
    return IRRUN_OK;
  }
  ir_source *source;
  ir_code named = ir_name_file(&run->context->diags, file, &source);
  ir_where where = {.source = source};
  ir_code shape = named != IR_OK ? named : check_shape(run, input, &tensor->tensor, where);
  ir_code type = named != IR_OK ? named : check_type(run, input, &tensor->tensor, cast, where);
  ir_source_free(source);
  bool fits = shape == IR_OK && type == IR_OK;
  if (fits) {
    ir_run_give(run, (int32_t)input, &tensor->tensor);
    tensor->tensor = (ir_tensor){.data = NULL};
  } else {
    ir_run_take_away(run, (int32_t)input);
  }
  irrun_tensor_free(tensor);
  return ir_status(ir_code_worse(shape, type));
}

irrun_status irrun_run_request_output(irrun_run *run, int64_t output) {
  irrun_status known = check_number(run, output, run->model->n_outputs, "output");
  if (known != IRRUN_OK)
    return known;
  if (run->needed_found) /* without it there are no plans */
    forget_plans(run);
  run->outputs[output].is_wanted = run->any_wanted = true;
  run->needed_found = false;
  return IRRUN_OK;
}

void irrun_run_request_all(irrun_run *run) {
  forget_plans(run);
  for (int32_t i = 0; i < run->model->n_outputs; i++)
    run->outputs[i].is_wanted = false;
  run->any_wanted = run->needed_found = false;
}

irrun_status irrun_run_set_output(irrun_run *run, int64_t output, void *data, size_t bytes) {
  irrun_status known = check_number(run, output, run->model->n_outputs, "output");
  if (known != IRRUN_OK)
    return known;
  run->outputs[output].place = (ir_caller_place){data, bytes};
  return IRRUN_OK;
}

/* Whether attention may keep its states: a visitor sees every layer, and some passes can be skipped. */
static bool may_keep_states(const irrun_run *run) {
  const unsigned skipped = run->context->skipped_passes;
  return run->states.n > 0 && run->visitor.call == NULL && (skipped & (IRRUN_PASS_FOLD | IRRUN_PASS_FUSE)) == 0;
}

static ir_code keep_states(irrun_run *run, bool are_kept) {
  if (run->states.are_kept == are_kept)
    return IR_OK;
  irrun_run_forget_plans(run);
  return ir_run_keep_states(run, are_kept) ? IR_OK : ir_out_of_memory(&run->context->diags);
}

/* Finds the needed layers, and whether attention keeps its states. */
static ir_code find_needed(irrun_run *run) {
  const irrun_model *model = run->model;
  const bool are_kept = may_keep_states(run) && !run->states.are_refused;
  ir_code code = keep_states(run, are_kept);
  if (run->needed_found || code != IR_OK)
    return code;
  int32_t *stack = ir_alloc_zero(ir_run_memory(run), model->graph.n_layers + 1, sizeof *stack);
  if (stack == NULL)
    return ir_out_of_memory(&run->context->diags);
  memset(run->needed, 0, model->graph.n_layers * sizeof *run->needed);
  run->states.are_refused = are_kept && !ir_run_divide(run, stack, ir_run_list_ends(run, stack));
  if (run->states.are_refused)
    code = keep_states(run, false);
  run->planned = run->states.are_kept ? run->states.rest_needs : run->needed;
  if (!run->states.are_kept)
    ir_mark_needed(model->nodes, stack, ir_run_list_ends(run, stack), NULL, run->needed);
  ir_free(ir_run_memory(run), stack);
  run->needed_found = code == IR_OK;
  return code;
}

bool irrun_run_needs(irrun_run *run, int64_t input) {
  if (input < 0 || input >= run->model->n_inputs)
    return false;
  return find_needed(run) == IR_OK && run->needed[run->model->inputs[input]];
}

static ir_code check_inputs_set(irrun_run *run) {
  ir_code code = IR_OK;
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    if (run->inputs[i].is_set || !run->needed[run->model->inputs[i]])
      continue;
    const ir_layer *layer = run->model->nodes[run->model->inputs[i]].layer;
    char shape[IR_SHAPE_TEXT];
    const ir_value *value = input_value(run, i);
    const char *name = ir_name_shown(run->model, IRRUN_INPUTS, i);
    code = ir_report(&run->context->diags, IR501_INPUT_MISSING, ir_layer_where(&run->model->graph, layer, layer->at),
                     "no tensor for input '%s', %s%s", name, ir_type_name(value->type),
                     ir_shape_text(&value->shape, shape, sizeof shape));
    ir_hint(&run->context->diags, "add --input '%s=FILE' or --fill '%s=random'", name, name);
  }
  return code;
}

/* ---- executing ---- */

/* Whether the plan is independent of inputs that are not set: all types, shapes and contents that decide shapes are
 * known. */
static bool may_be_planned(const irrun_run *run) {
  const irrun_model *model = run->model;
  bool all_set = true;
  for (int32_t i = 0; i < model->n_inputs; i++) {
    if (!run->needed[model->inputs[i]] || run->inputs[i].is_set)
      continue;
    if (!ir_shape_known(&input_value(run, i)->shape) || input_value(run, i)->type == IR_DYNAMIC)
      return false;
    all_set = false;
  }
  if (all_set)
    return true;
  for (size_t n = 0; n < model->graph.n_layers; n++) {
    const ir_node *node = &model->nodes[n];
    for (int32_t i = 0; run->needed[n] && node->op != NULL && i < node->n_inputs; i++) {
      const ir_value *value = &model->nodes[node->inputs[i].layer].outputs[node->inputs[i].port];
      if (ir_op_input(node->op, i)->contents && value->contents == NULL)
        return false;
    }
  }
  return true;
}

/* Begins a public call that plans or executes. Returns the number of reports so far. */
static int64_t begin_call(irrun_run *run) {
  run->context->diags.is_for_run = true;
  return run->context->diags.n_raised;
}

/* Ends the account of the call: later out-of-memory reports do not blame its limit. A failure without a report since
 * `n_raised` is a fault of irrun. */
static irrun_status end_call(irrun_run *run, ir_code code, int64_t n_raised) {
  ir_diags *diags = &run->context->diags;
  if (run->account == &run->own_account)
    run->account->diags->is_refused = false;
  if (code != IR_OK && diags->n_raised == n_raised && !diags->memory_is_out)
    code = ir_report(diags, IR901_INTERNAL_ERROR, (ir_where){.source = run->model->graph.source, .at = IR_NOWHERE},
                     "the run failed without a report");
  return ir_status(code);
}

/* Ends the last execution, and finds a plan that fits the inputs and the context's settings. `*out_known`: the shapes
 * are known on which the plan depends. */
static ir_code begin_execution(irrun_run *run, bool may_execute, bool *out_known) {
  forget_results(run);
  forget_stages(run);
  ir_run_check_settings(run);
  ir_run_begin_rows(run);
  const ir_code code = ir_run_masks(run, may_execute, out_known);
  if (code == IR_OK && *out_known)
    run->last = ir_run_find_plan(run);
  return code;
}

static ir_code plan(irrun_run *run) {
  ir_code code = find_needed(run);
  if (code != IR_OK)
    return code;
  bool are_known = false;
  const bool is_planned = run->shown.is_asked || may_be_planned(run);
  if (is_planned)
    code = begin_execution(run, false, &are_known);
  if (run->last != NULL && !run->shown.is_asked)
    return IR_OK;
  if (code == IR_OK && (are_known || !is_planned))
    code = is_planned ? ir_run_stages(run, false) : ir_run_check_open_inputs(run);
  return code;
}

irrun_status irrun_run_plan(irrun_run *run) {
  const int64_t n_raised = begin_call(run);
  return end_call(run, plan(run), n_raised);
}

ir_code ir_run_execute(irrun_run *run) {
  forget_results(run);
  ir_code code = find_needed(run);
  if (code == IR_OK)
    code = check_inputs_set(run);
  if (code == IR_OK)
    code = ir_run_check_places(run);
  if (code != IR_OK)
    return code;
  bool are_known;
  code = begin_execution(run, true, &are_known);
  if (code != IR_OK)
    return code;
  const bool has_plan = run->last != NULL && !ir_run_is_frequent(run->last);
  return has_plan ? ir_run_stage(run, run->last, true) : ir_run_stages(run, true);
}

irrun_status irrun_run_execute(irrun_run *run) {
  const int64_t n_raised = begin_call(run);
  ir_stop_begin(run->stop, run->context->most_ns);
  const ir_code code = ir_run_execute(run);
  ir_stop_end(run->stop);
  return end_call(run, code, n_raised);
}

/* Looks for the plan again: an input can have been set since the last execution. */
bool irrun_run_output_info(irrun_run *run, int64_t output, irrun_tensor_info *out) {
  *out = (irrun_tensor_info){.type = IRRUN_DYNAMIC};
  if (output < 0 || output >= run->model->n_outputs || find_needed(run) != IR_OK ||
      !run->needed[run->model->outputs[output]])
    return false;
  const ir_kept_plan *plan = ir_run_find_plan(run);
  if (plan == NULL)
    return false;
  const ir_slot *slot = &plan->compiled.plan.slots[plan->output_slots[output]];
  const ir_tensor outline = ir_tensor_outline(slot->type, &slot->shape);
  *out = irrun_tensor_get_info(&(irrun_tensor){.tensor = outline});
  return ir_tensor_bytes(slot->type, &slot->shape, &out->bytes);
}

const irrun_tensor *irrun_run_output(const irrun_run *run, int64_t output) {
  return output >= 0 && output < run->model->n_outputs && run->outputs[output].is_computed
             ? &run->outputs[output].tensor
             : NULL;
}

static void set_visitor(irrun_run *run, ir_visitor visitor) {
  run->visitor = visitor;
  run->visitor.first_layer = run->model->first_layer;
  irrun_run_forget_plans(run);
  for (size_t i = 0; i < run->model->graph.n_layers; i++)
    for (int b = 0; b < IR_MOST_BODIES; b++)
      if (run->layers[i].bodies[b] != NULL)
        set_visitor(run->layers[i].bodies[b], visitor.in_bodies ? visitor : (ir_visitor){.call = NULL});
}

void irrun_run_visit(irrun_run *run, irrun_visit *visit, void *user) {
  set_visitor(run, (ir_visitor){.call = visit, .user = user, .context = run->context});
}

void irrun_run_visit_bodies(irrun_run *run, irrun_visit *visit, void *user) {
  set_visitor(run, (ir_visitor){.call = visit, .user = user, .context = run->context, .in_bodies = true});
}

const irrun_tensor *irrun_run_input(irrun_run *run, int64_t input) {
  if (input < 0 || input >= run->model->n_inputs || !run->inputs[input].is_set)
    return NULL;
  run->inputs[input].shown = (irrun_tensor){.context = run->context, .tensor = run->inputs[input].tensor};
  return &run->inputs[input].shown;
}

void irrun_run_forget_plans(irrun_run *run) {
  forget_results(run);
  forget_plans(run);
}

/* ---- profiling ---- */

void irrun_run_profile(irrun_run *run, bool on) {
  run->timed = on;
}

void irrun_run_watch(irrun_run *run, bool on) {
  run->watched = on;
}

void irrun_run_follow(irrun_run *run, irrun_on_step *call, void *user) {
  run->on_step = call;
  run->on_step_user = user;
}

int64_t irrun_run_pass_count(const irrun_run *run, irrun_pass pass) {
  int64_t n = 0;
  for (int i = 0; i < IR_MOST_PASSES; i++)
    if ((unsigned)pass == 1U << i)
      n = run->counts[i] + (run->last == NULL ? 0 : run->last->compiled.program.counts[i]);
  return n;
}

int64_t irrun_run_plans_made(const irrun_run *run) {
  int64_t n = run->n_plans_made;
  for (size_t i = 0; i < run->model->graph.n_layers; i++)
    for (int b = 0; b < IR_MOST_BODIES; b++)
      n += run->layers[i].bodies[b] == NULL ? 0 : irrun_run_plans_made(run->layers[i].bodies[b]);
  return n;
}

void irrun_run_reset_state(irrun_run *run) {
  ir_run_reset_variables(run);
  ir_run_release_rows(run);
  ir_run_reset_bodies(run);
}

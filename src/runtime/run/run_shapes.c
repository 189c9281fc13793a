#include "runtime/run/run_shapes.h"
#include "runtime/infer/declared.h"
#include "runtime/infer/infer.h"
#include "runtime/model/names.h"
#include <string.h>

ir_value ir_run_input_value(const irrun_model *model, const ir_run_input *inputs, int32_t input) {
  ir_value value = model->nodes[model->inputs[input]].outputs[0];
  const ir_tensor *tensor = &inputs[input].tensor;
  if (!inputs[input].is_set)
    return value;
  value.type = tensor->type;
  value.shape = ir_tensor_shape(tensor);
  value.contents = tensor->bytes <= (size_t)IR_MAX_KNOWN_BYTES ? tensor : NULL;
  value.reads_input = value.contents != NULL;
  value.is_contents_copy = false;
  return value;
}

/* ---- blame of the run's inputs ---- */

static void note_inputs(const ir_run_nodes *nodes, const bool *needed) {
  irrun_model *model = nodes->model;
  ir_diags *diags = nodes->scope.diags;
  ir_note(diags, (ir_where){0}, "the model has no fault; what this run was given has:");
  for (int32_t i = 0; i < model->n_inputs; i++) {
    const ir_node *node = &model->nodes[model->inputs[i]];
    const ir_value *given = &nodes->nodes[model->inputs[i]].outputs[0], *open = &node->outputs[0];
    char shape[IR_SHAPE_TEXT], open_shape[IR_SHAPE_TEXT];
    if (needed[model->inputs[i]])
      ir_note(diags, ir_layer_where(&model->graph, node->layer, node->layer->at),
              "input '%s' is %s%s; the model takes %s%s", ir_name_shown(model, IRRUN_INPUTS, i),
              ir_type_name(given->type), ir_shape_text(&given->shape, shape, sizeof shape), ir_type_name(open->type),
              ir_shape_text(&open->shape, open_shape, sizeof open_shape));
  }
}

/* Notes the inputs that the node needs at each error after `last`. */
static ir_code blame_inputs(const ir_run_nodes *nodes, const ir_node *node, const ir_diag *last) {
  ir_diags *diags = nodes->scope.diags;
  const size_t n = nodes->model->graph.n_layers + 1;
  int32_t *stack = ir_arena_array(nodes->scope.arena, n, sizeof *stack);
  bool *needed = ir_arena_array(nodes->scope.arena, n, sizeof *needed);
  if (stack == NULL || needed == NULL)
    return ir_out_of_memory(diags);
  stack[0] = (int32_t)(node - nodes->nodes);
  ir_mark_needed(nodes->nodes, stack, 1, NULL, needed);
  for (ir_diag *diag = last == NULL ? diags->first : last->next; diag != NULL; diag = diag->next) {
    diags->open = diag;
    if (diag->severity == IR_ERROR)
      note_inputs(nodes, needed);
  }
  return IR_BAD_DATA;
}

ir_blame ir_blame_begin(ir_diags *diags) {
  const ir_blame blame = {diags->last, diags->status};
  diags->status = IR_OK;
  return blame;
}

ir_code ir_blame_end(ir_run_nodes *nodes, const ir_node *node, ir_blame blame, ir_code code) {
  ir_diags *diags = nodes->scope.diags;
  code = ir_code_worse(code, diags->status);
  if (code == IR_INVALID)
    code = blame_inputs(nodes, node, blame.last);
  diags->status = ir_code_worse(blame.before, code);
  return code;
}

/* ---- nodes to visit ---- */

static void open_node(ir_run_nodes *nodes, int32_t layer) {
  const size_t position = (size_t)nodes->states[layer].position, word = position / 64;
  nodes->open[word] |= UINT64_C(1) << position % 64;
  nodes->first_open = word < nodes->first_open ? word : nodes->first_open;
}

/* Takes the first open node in running order; -1: there is none. */
static int32_t next_open(ir_run_nodes *nodes) {
  const size_t n_words = nodes->model->graph.n_layers / 64 + 1;
  while (nodes->first_open < n_words && nodes->open[nodes->first_open] == 0)
    nodes->first_open++;
  if (nodes->first_open == n_words)
    return -1;
  uint64_t *word = &nodes->open[nodes->first_open];
  const size_t position = nodes->first_open * 64 + (size_t)__builtin_ctzll(*word);
  *word &= *word - 1;
  return nodes->model->order[position];
}

void ir_run_nodes_open_users(ir_run_nodes *nodes, int32_t layer) {
  for (int32_t u = nodes->states[layer].first_use; u < nodes->states[layer].end_use; u++)
    if (--nodes->states[nodes->uses[u].layer].n_waited == 0)
      open_node(nodes, nodes->uses[u].layer);
}

static void append(ir_layer_list *list, int32_t layer) {
  list->layers[list->n++] = layer;
}

/* ---- beginning ---- */

static bool make_lists(ir_run_nodes *nodes, size_t n) {
  ir_layer_list *const lists[] = {&nodes->ready, &nodes->alone, &nodes->later, &nodes->results};
  bool done = true;
  for (int i = 0; i < 4 && done; i++) {
    lists[i]->layers = ir_arena_array(nodes->scope.arena, n + 1, sizeof *lists[i]->layers);
    done = lists[i]->layers != NULL;
  }
  return done;
}

static bool make_room_for_values(ir_run_nodes *nodes, size_t n) {
  size_t n_outputs = 0;
  for (size_t i = 0; i < n; i++)
    n_outputs += (size_t)nodes->model->nodes[i].n_outputs;
  int32_t *values = ir_arena_array(nodes->scope.arena, n_outputs + 1, sizeof *values);
  nodes->value_of = ir_arena_array(nodes->scope.arena, n + 1, sizeof *nodes->value_of);
  if (values == NULL || nodes->value_of == NULL)
    return false;
  for (size_t i = 0; i < n_outputs; i++)
    values[i] = -1;
  for (size_t i = 0; i < n; i++) {
    nodes->value_of[i] = values;
    values += nodes->model->nodes[i].n_outputs;
  }
  return true;
}

static bool make_arrays(ir_run_nodes *nodes, size_t n) {
  ir_arena *arena = nodes->scope.arena;
  const size_t most = ir_most_inputs(nodes->model->nodes, n) + 1;
  nodes->nodes = ir_arena_array(arena, n + 1, sizeof *nodes->nodes);
  nodes->states = ir_arena_array(arena, n + 1, sizeof *nodes->states);
  nodes->stack = ir_arena_array(arena, n + 1, sizeof *nodes->stack);
  nodes->open = ir_arena_array(arena, n / 64 + 1, sizeof *nodes->open);
  nodes->in = ir_arena_array(arena, most, sizeof *nodes->in);
  nodes->checked = ir_arena_array(arena, most, sizeof *nodes->checked);
  return nodes->nodes != NULL && nodes->states != NULL && nodes->stack != NULL && nodes->open != NULL &&
         nodes->in != NULL && nodes->checked != NULL && make_lists(nodes, n) && make_room_for_values(nodes, n);
}

/* Finds the readers of each node. */
static bool find_uses(ir_run_nodes *nodes, const bool *needed) {
  const irrun_model *model = nodes->model;
  ir_node_state *states = nodes->states;
  int32_t n_uses = 0;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    for (int32_t p = 0; needed[i] && p < model->nodes[i].n_inputs; p++)
      if (model->nodes[i].inputs[p].layer >= 0)
        states[model->nodes[i].inputs[p].layer].n_unread++;
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    states[i].first_use = states[i].end_use = n_uses;
    n_uses += states[i].n_unread;
  }
  nodes->uses = ir_arena_array(nodes->scope.arena, (size_t)n_uses + 1, sizeof *nodes->uses);
  for (size_t at = 0; at < model->graph.n_layers && nodes->uses != NULL; at++) {
    const int32_t layer = model->order[at];
    for (int32_t p = 0; needed[layer] && p < model->nodes[layer].n_inputs; p++) {
      const int32_t from = model->nodes[layer].inputs[p].layer;
      if (from >= 0)
        nodes->uses[states[from].end_use++] = (ir_node_use){layer, p};
    }
  }
  return nodes->uses != NULL;
}

/* Opens the needed nodes without inputs. Given nodes are never opened. */
static void open_sources(ir_run_nodes *nodes, const bool *needed) {
  for (size_t at = 0; at < nodes->model->graph.n_layers; at++) {
    const int32_t layer = nodes->model->order[at];
    nodes->states[layer].position = (int32_t)at;
    const bool is_given = nodes->given != NULL && nodes->given[layer];
    nodes->states[layer].n_waited = is_given ? INT32_MAX : nodes->nodes[layer].n_inputs;
    nodes->n_left += needed[layer] && !is_given;
    if (needed[layer] && !is_given && nodes->nodes[layer].n_inputs == 0)
      open_node(nodes, layer);
  }
}

/* Sets the inputs' own shapes and, if they are small, contents. */
static ir_code bind_inputs(ir_run_nodes *nodes, const ir_run_input *inputs) {
  for (int32_t i = 0; i < nodes->model->n_inputs; i++) {
    ir_node *node = &nodes->nodes[nodes->model->inputs[i]];
    if (!inputs[i].is_set)
      continue;
    if (!ir_own_outputs(node, nodes->scope.arena))
      return ir_out_of_memory(nodes->scope.diags);
    node->outputs[0] = ir_run_input_value(nodes->model, inputs, i);
  }
  return IR_OK;
}

ir_code ir_run_nodes_begin(irrun_model *model, const ir_scope *scope, const ir_run_input *inputs, const bool *needed,
                           const bool *given, ir_run_nodes *nodes) {
  const size_t n = model->graph.n_layers;
  *nodes = (ir_run_nodes){.model = model, .scope = *scope, .given = given};
  if (!make_arrays(nodes, n) || !find_uses(nodes, needed))
    return ir_out_of_memory(scope->diags);
  memcpy(nodes->nodes, model->nodes, n * sizeof *nodes->nodes);
  open_sources(nodes, needed);
  nodes->contents = ir_contents_begin(nodes->nodes, n, scope);
  return bind_inputs(nodes, inputs);
}

ir_code ir_run_nodes_give(ir_run_nodes *nodes, int32_t layer, const ir_value *value) {
  ir_node *node = &nodes->nodes[layer];
  if (!ir_own_outputs(node, nodes->scope.arena))
    return ir_out_of_memory(nodes->scope.diags);
  node->outputs[0] = *value;
  ir_run_nodes_open_users(nodes, layer);
  return IR_OK;
}

void ir_run_nodes_end(ir_run_nodes *nodes) {
  if (nodes->contents.visits != NULL)
    ir_contents_end(&nodes->contents);
}

/* ---- contents that decide ---- */

/* Whether the contents of the output come from an input of the run, and no trace has reached the output's node. */
static bool is_untraced(const ir_run_nodes *nodes, ir_link link) {
  return nodes->nodes[link.layer].outputs[link.port].reads_input && !nodes->states[link.layer].decides;
}

/* Marks the inputs of the run on which the contents of input `i` depend. Each node is marked once, so all traces of a
 * run take one walk of the model. */
static void trace(ir_run_nodes *nodes, const ir_node *node, int32_t i) {
  size_t n = 0;
  if (is_untraced(nodes, node->inputs[i]))
    nodes->stack[n++] = node->inputs[i].layer;
  while (n > 0) {
    const int32_t at = nodes->stack[--n];
    const ir_node *from = &nodes->nodes[at];
    nodes->states[at].decides = true;
    for (int32_t p = 0; p < from->n_inputs; p++) {
      const ir_port_spec *spec = ir_op_input(from->op, p);
      if (is_untraced(nodes, from->inputs[p]) && !(spec != NULL && spec->shape_only)) {
        nodes->states[from->inputs[p].layer].decides = true;
        nodes->stack[n++] = from->inputs[p].layer;
      }
    }
  }
}

/* ---- inferring ---- */

/* Whether the check of the model already determined all outputs of the node. */
static bool were_known(const irrun_model *model, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    ir_link link = node->inputs[i];
    const ir_value *value = link.layer >= 0 ? &model->nodes[link.layer].outputs[link.port] : NULL;
    if (value != NULL && (value->type == IR_DYNAMIC || !ir_shape_known(&value->shape)))
      return false;
    if (value != NULL && value->contents == NULL && ir_op_input(node->op, i)->contents)
      return false;
  }
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return false;
  return true;
}

/* Whether contents are missing that a kernel inspects in `prepare`. */
static bool lacks_contents(const ir_run_nodes *nodes, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (ir_op_input(node->op, i)->contents && nodes->in[i]->contents == NULL)
      return true;
  return false;
}

static bool has_open_output(const ir_node *node) {
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return true;
  return false;
}

/* Infers one node with the run's values; the result code depends only on its own faults. */
static ir_code infer_again(ir_run_nodes *nodes, ir_node *node) {
  ir_scope scope = nodes->scope;
  if (!ir_own_outputs(node, scope.arena))
    return ir_out_of_memory(scope.diags);
  const ir_blame blame = ir_blame_begin(scope.diags);
  const bool reads_input = ir_reads_input(nodes->nodes, node);
  ir_gather_inputs(nodes->model->nodes, node, nodes->checked);
  scope.checked = nodes->checked;
  ir_code code = ir_infer_node(node, nodes->in, &scope);
  for (int32_t p = 0; p < node->n_outputs; p++)
    node->outputs[p].reads_input = reads_input;
  /* Dynamic outputs, also those of bodies, can differ in another run from their declaration. */
  if (code == IR_OK && !ir_op_has_dynamic_output(node->op))
    ir_check_declared_outputs(nodes->model, node, nodes->in);
  return ir_blame_end(nodes, node, blame, code);
}

/* Infers a node whose inputs are computed or planned. If its output shape depends on a value that this stage computes,
 * leaves it to a later stage. */
static ir_code infer_ready(ir_run_nodes *nodes, ir_node *node, bool *out_ready) {
  *out_ready = true;
  if (!ir_op_is_computed(node->op) || were_known(nodes->model, node))
    return IR_OK;
  ir_code code = ir_contents_want(&nodes->contents, node);
  ir_gather_inputs(nodes->nodes, node, nodes->in);
  *out_ready = code == IR_OK && !lacks_contents(nodes, node);
  if (!*out_ready)
    return code;
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (ir_contents_decide(node->op, ir_op_input(node->op, i)))
      trace(nodes, node, i);
  code = infer_again(nodes, node);
  *out_ready = code == IR_OK && !has_open_output(node);
  return code;
}

/* Whether only plans read the outputs, and none of them inspects the elements before it runs. */
static bool is_read_by_steps(const ir_run_nodes *nodes, int32_t layer) {
  bool all = true;
  for (int32_t u = nodes->states[layer].first_use; u < nodes->states[layer].end_use && all; u++) {
    const ir_op *op = nodes->nodes[nodes->uses[u].layer].op;
    const ir_port_spec *port = op == NULL ? NULL : ir_op_input(op, nodes->uses[u].input);
    all =
        op != NULL && !ir_op_has_dynamic_output(op) && port != NULL && !port->contents && !ir_contents_decide(op, port);
  }
  return all;
}

/* Whether the node computes floats from constants alone, for steps of plans. */
static bool makes_weights(const ir_run_nodes *nodes, int32_t layer) {
  const ir_node *node = &nodes->nodes[layer];
  bool makes = !nodes->is_visited && node->n_inputs > 0 && node->n_outputs == 1 && ir_op_folds(node->op) &&
               ir_type_in(node->outputs[0].type, IR_SET_FLOATS);
  for (int32_t p = 0; p < node->n_inputs && makes; p++) {
    const int32_t from = node->inputs[p].layer;
    makes = ir_op_is(nodes->nodes[from].op, IR_RUN_CONSTANT) || nodes->states[from].stage == IR_STAGE_EACH;
  }
  return makes && is_read_by_steps(nodes, layer);
}

static ir_code look_at(ir_run_nodes *nodes, int32_t layer) {
  ir_node *node = &nodes->nodes[layer];
  bool is_ready;
  if (ir_op_has_dynamic_output(node->op)) {
    append(&nodes->alone, layer);
    return IR_OK;
  }
  const ir_code code = infer_ready(nodes, node, &is_ready);
  if (!is_ready) {
    append(&nodes->later, layer);
    return code;
  }
  if (ir_op_is(node->op, IR_RUN_OUTPUT)) {
    append(&nodes->results, layer);
  } else if (makes_weights(nodes, layer)) {
    nodes->states[layer].stage = IR_STAGE_EACH;
  } else {
    append(&nodes->ready, layer);
    nodes->states[layer].stage = nodes->n_stages;
  }
  nodes->n_left--;
  ir_run_nodes_open_users(nodes, layer);
  return code;
}

ir_code ir_infer_stage(ir_run_nodes *nodes) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < nodes->later.n; i++)
    open_node(nodes, nodes->later.layers[i]);
  nodes->ready.n = nodes->alone.n = nodes->later.n = 0;
  nodes->n_stages++;
  ir_contents_again(&nodes->contents);
  for (int32_t layer = next_open(nodes); layer >= 0 && code == IR_OK; layer = next_open(nodes))
    code = look_at(nodes, layer);
  return code;
}

ir_code ir_infer_alone(ir_run_nodes *nodes, ir_node *node) {
  const ir_code code = ir_contents_hold(&nodes->contents, node);
  if (code != IR_OK)
    return code;
  ir_gather_inputs(nodes->nodes, node, nodes->in);
  return infer_again(nodes, node);
}

ir_code ir_report_open_node(const ir_run_nodes *nodes, const ir_node *node) {
  char shape[IR_SHAPE_TEXT];
  return ir_report(nodes->scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&nodes->scope, node),
                   "the output shape %s cannot be told, for all that is known of a run",
                   ir_shape_text(&node->outputs[0].shape, shape, sizeof shape));
}

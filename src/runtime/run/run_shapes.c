#include "runtime/run/run_shapes.h"
#include "runtime/infer/declared.h"
#include "runtime/infer/infer.h"
#include "runtime/model/names.h"
#include <string.h>

typedef struct run_shapes {
  irrun_model *model;
  ir_scope scope;
  ir_node *nodes;
  const ir_value **in, **checked;
} run_shapes;

/* Whether checking the model already determined everything about these values. */
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

/* Sets the inputs' own shapes and, if they are small, contents. */
static ir_code bind_inputs(run_shapes *run, const ir_run_input *inputs) {
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    ir_node *node = &run->nodes[run->model->inputs[i]];
    const ir_tensor *tensor = &inputs[i].tensor;
    if (!inputs[i].is_set)
      continue;
    if (!ir_own_outputs(node, run->scope.arena))
      return ir_out_of_memory(run->scope.diags);
    node->outputs[0].type = tensor->type;
    node->outputs[0].shape = ir_tensor_shape(tensor);
    node->outputs[0].contents = tensor->bytes <= (size_t)IR_MAX_KNOWN_BYTES ? tensor : NULL;
    node->outputs[0].reads_input = node->outputs[0].contents != NULL;
    node->outputs[0].is_contents_copy = false;
  }
  return IR_OK;
}

/* Whether contents are missing that a kernel inspects in `prepare`. */
static bool lacks_contents(const run_shapes *run, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (ir_op_input(node->op, i)->contents && run->in[i]->contents == NULL)
      return true;
  return false;
}

static void note_inputs(run_shapes *run, const bool *needed) {
  irrun_model *model = run->model;
  ir_diags *diags = run->scope.diags;
  ir_note(diags, (ir_where){0}, "the model has no fault; what this run was given has:");
  for (int32_t i = 0; i < model->n_inputs; i++) {
    const ir_node *node = &model->nodes[model->inputs[i]];
    const ir_value *given = &run->nodes[model->inputs[i]].outputs[0], *open = &node->outputs[0];
    char shape[IR_SHAPE_TEXT], open_shape[IR_SHAPE_TEXT];
    if (needed[model->inputs[i]])
      ir_note(diags, ir_layer_where(&model->graph, node->layer, node->layer->at),
              "input '%s' is %s%s; the model takes %s%s", ir_name_shown(model, IRRUN_INPUTS, i),
              ir_type_name(given->type), ir_shape_text(&given->shape, shape, sizeof shape), ir_type_name(open->type),
              ir_shape_text(&open->shape, open_shape, sizeof open_shape));
  }
}

/* The model is valid, so faults of the node that were reported after `last` come from the inputs that it needs. */
static ir_code blame_inputs(run_shapes *run, const ir_node *node, ir_diag *last) {
  ir_diags *diags = run->scope.diags;
  const size_t n = run->model->graph.n_layers + 1;
  int32_t *stack = ir_arena_array(run->scope.arena, n, sizeof *stack);
  bool *needed = ir_arena_array(run->scope.arena, n, sizeof *needed);
  if (stack == NULL || needed == NULL)
    return ir_out_of_memory(diags);
  stack[0] = (int32_t)(node - run->nodes);
  ir_mark_needed(run->nodes, stack, 1, needed);
  for (ir_diag *diag = last == NULL ? diags->first : last->next; diag != NULL; diag = diag->next) {
    diags->open = diag;
    if (diag->severity == IR_ERROR)
      note_inputs(run, needed);
  }
  return IR_BAD_DATA;
}

static ir_blame begin_blame(ir_diags *diags) {
  const ir_blame blame = {diags->last, diags->status};
  diags->status = IR_OK;
  return blame;
}

static ir_code end_blame(run_shapes *run, const ir_node *node, ir_blame blame, ir_code code) {
  ir_diags *diags = run->scope.diags;
  code = ir_code_worse(code, diags->status);
  if (code == IR_INVALID)
    code = blame_inputs(run, node, blame.last);
  diags->status = ir_code_worse(blame.before, code);
  return code;
}

ir_blame ir_run_blame(irrun_model *model) {
  return begin_blame(&model->context->diags);
}

ir_code ir_run_blame_inputs(irrun_model *model, ir_run_nodes *nodes, const ir_node *node, ir_blame blame,
                            ir_code code) {
  run_shapes run = {.model = model, .scope = ir_model_scope(model), .nodes = nodes->nodes};
  run.scope.arena = nodes->arena;
  return end_blame(&run, node, blame, code);
}

/* Infers one node with the run's values; the result code depends only on its own faults. */
static ir_code infer_again(run_shapes *run, ir_node *node) {
  ir_diags *diags = run->scope.diags;
  if (!ir_own_outputs(node, run->scope.arena))
    return ir_out_of_memory(diags);
  const ir_blame blame = begin_blame(diags);
  const bool reads_input = ir_reads_input(run->nodes, node);
  ir_gather_inputs(run->model->nodes, node, run->checked);
  run->scope.checked = run->checked;
  ir_code code = ir_infer_node(node, run->in, &run->scope);
  for (int32_t p = 0; p < node->n_outputs; p++)
    node->outputs[p].reads_input = reads_input;
  /* outputs of bodies and dynamic outputs may differ in another run from their declaration */
  if (code == IR_OK && !ir_op_has_dynamic_output(node->op))
    ir_check_declared_outputs(run->model, node, run->in);
  return end_blame(run, node, blame, code);
}

static bool has_open_output(const ir_node *node) {
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return true;
  return false;
}

/* ---- nodes to visit ---- */

static void open_node(ir_run_nodes *nodes, int32_t layer) {
  const size_t position = (size_t)nodes->position[layer], word = position / 64;
  nodes->open[word] |= UINT64_C(1) << position % 64;
  nodes->first_open = word < nodes->first_open ? word : nodes->first_open;
}

/* Takes the first open node in running order; -1: there is none. */
static int32_t next_open(const irrun_model *model, ir_run_nodes *nodes) {
  const size_t n_words = model->graph.n_layers / 64 + 1;
  while (nodes->first_open < n_words && nodes->open[nodes->first_open] == 0)
    nodes->first_open++;
  if (nodes->first_open == n_words)
    return -1;
  uint64_t *word = &nodes->open[nodes->first_open];
  const size_t position = nodes->first_open * 64 + (size_t)__builtin_ctzll(*word);
  *word &= *word - 1;
  return model->order[position];
}

void ir_run_nodes_open_users(ir_run_nodes *nodes, int32_t layer) {
  for (int32_t u = nodes->first_use[layer]; u < nodes->first_use[layer + 1]; u++)
    if (--nodes->n_waited[nodes->uses[u].layer] == 0)
      open_node(nodes, nodes->uses[u].layer);
}

static void append(ir_layer_list *list, int32_t layer) {
  list->layers[list->n++] = layer;
}

static bool make_list(ir_run_nodes *nodes, size_t n, ir_layer_list *list) {
  *list = (ir_layer_list){.layers = ir_arena_array(nodes->arena, n + 1, sizeof *list->layers)};
  return list->layers != NULL;
}

static bool make_arrays(ir_run_nodes *nodes, size_t n) {
  nodes->nodes = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->nodes);
  nodes->done = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->done);
  nodes->decides = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->decides);
  nodes->place = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->place);
  nodes->stack = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->stack);
  nodes->first_use = ir_arena_array(nodes->arena, n + 2, sizeof *nodes->first_use);
  nodes->n_waited = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->n_waited);
  nodes->n_unread = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->n_unread);
  nodes->position = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->position);
  nodes->open = ir_arena_array(nodes->arena, n / 64 + 1, sizeof *nodes->open);
  return nodes->nodes != NULL && nodes->done != NULL && nodes->decides != NULL && nodes->place != NULL &&
         nodes->stack != NULL && nodes->first_use != NULL && nodes->n_waited != NULL && nodes->n_unread != NULL &&
         nodes->position != NULL && nodes->open != NULL && make_list(nodes, n, &nodes->ready) &&
         make_list(nodes, n, &nodes->alone) && make_list(nodes, n, &nodes->later) &&
         make_list(nodes, n, &nodes->results);
}

/* Finds the readers of each node, and opens nodes without inputs. */
static bool find_uses(const irrun_model *model, const bool *needed, ir_run_nodes *nodes) {
  const size_t n = model->graph.n_layers;
  for (size_t i = 0; i < n; i++) {
    const ir_node *node = &model->nodes[i];
    for (int32_t p = 0; needed[i] && p < node->n_inputs; p++)
      if (node->inputs[p].layer >= 0)
        nodes->n_unread[node->inputs[p].layer]++;
  }
  for (size_t i = 0; i < n; i++)
    nodes->first_use[i + 1] = nodes->first_use[i] + nodes->n_unread[i];
  nodes->uses = ir_arena_array(nodes->arena, (size_t)nodes->first_use[n] + 1, sizeof *nodes->uses);
  for (size_t at = 0; at < n && nodes->uses != NULL; at++) {
    const int32_t layer = model->order[at];
    const ir_node *node = &model->nodes[layer];
    nodes->position[layer] = (int32_t)at;
    if (!needed[layer])
      continue;
    nodes->n_left++;
    nodes->n_waited[layer] = node->n_inputs;
    for (int32_t p = 0; p < node->n_inputs; p++) {
      const int32_t from = node->inputs[p].layer;
      if (from >= 0) /* filled from the end */
        nodes->uses[nodes->first_use[from] + --nodes->n_unread[from]] = (ir_node_use){layer, p};
    }
    if (node->n_inputs == 0)
      open_node(nodes, layer);
  }
  for (size_t i = 0; i < n; i++)
    nodes->n_unread[i] = nodes->first_use[i + 1] - nodes->first_use[i];
  return nodes->uses != NULL;
}

/* ---- stages ---- */

static run_shapes shapes_of(irrun_model *model, ir_run_nodes *nodes) {
  run_shapes run = {.model = model,
                    .scope = ir_model_scope(model),
                    .nodes = nodes->nodes,
                    .in = nodes->in,
                    .checked = nodes->checked};
  run.scope.arena = nodes->arena;
  run.scope.memory = nodes->arena->memory;
  run.scope.running = true;
  return run;
}

ir_code ir_run_nodes_begin(irrun_model *model, const ir_run_input *inputs, const bool *needed, ir_run_nodes *nodes) {
  const size_t n = model->graph.n_layers, most = ir_most_inputs(model->nodes, n) + 1;
  *nodes = (ir_run_nodes){.arena = nodes->arena};
  nodes->in = ir_arena_array(nodes->arena, most, sizeof *nodes->in);
  nodes->checked = ir_arena_array(nodes->arena, most, sizeof *nodes->checked);
  if (nodes->in == NULL || nodes->checked == NULL || !make_arrays(nodes, n) || !find_uses(model, needed, nodes))
    return ir_out_of_memory(&model->context->diags);
  for (size_t i = 0; i < n; i++)
    nodes->place[i] = -1;
  memcpy(nodes->nodes, model->nodes, n * sizeof *nodes->nodes);
  run_shapes run = shapes_of(model, nodes);
  nodes->contents = ir_contents_begin(nodes->nodes, n, &run.scope);
  return bind_inputs(&run, inputs);
}

void ir_run_nodes_end(ir_run_nodes *nodes) {
  if (nodes->contents.visits != NULL)
    ir_contents_end(&nodes->contents);
}

/* Marks the inputs of the run on which the contents of input `i` depend. Each node is marked once, so all traces of a
 * run take one walk of the model. */
static void trace(ir_run_nodes *nodes, const ir_node *node, int32_t i) {
  size_t n = 0;
  if (nodes->nodes[node->inputs[i].layer].outputs[node->inputs[i].port].reads_input &&
      !nodes->decides[node->inputs[i].layer])
    nodes->stack[n++] = node->inputs[i].layer;
  while (n > 0) {
    const int32_t at = nodes->stack[--n];
    const ir_node *from = &nodes->nodes[at];
    nodes->decides[at] = true;
    for (int32_t p = 0; p < from->n_inputs; p++) {
      const ir_link link = from->inputs[p];
      const ir_port_spec *spec = ir_op_input(from->op, p);
      if (nodes->nodes[link.layer].outputs[link.port].reads_input && !nodes->decides[link.layer] &&
          !(spec != NULL && spec->shape_only)) {
        nodes->decides[link.layer] = true;
        nodes->stack[n++] = link.layer;
      }
    }
  }
}

static void trace_all(ir_run_nodes *nodes, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    if (ir_contents_decide(node->op, ir_op_input(node->op, i)))
      trace(nodes, node, i);
  }
}

/* Infers a node whose inputs are computed or planned. If its output shape depends on a value that this stage computes,
 * leaves it to a later stage. */
static ir_code infer_ready(run_shapes *run, ir_run_nodes *nodes, ir_node *node, bool *out_ready) {
  *out_ready = true;
  if (!ir_op_is_computed(node->op) || were_known(run->model, node))
    return IR_OK;
  ir_code code = ir_contents_want(&nodes->contents, node);
  ir_gather_inputs(nodes->nodes, node, run->in);
  *out_ready = code == IR_OK && !lacks_contents(run, node);
  if (!*out_ready)
    return code;
  trace_all(nodes, node);
  code = infer_again(run, node);
  *out_ready = code == IR_OK && !has_open_output(node);
  return code;
}

static ir_code look_at(run_shapes *run, ir_run_nodes *nodes, int32_t layer) {
  ir_node *node = &nodes->nodes[layer];
  bool is_ready;
  if (ir_op_has_dynamic_output(node->op)) {
    append(&nodes->alone, layer);
    return IR_OK;
  }
  const ir_code code = infer_ready(run, nodes, node, &is_ready);
  if (!is_ready) {
    append(&nodes->later, layer);
    return code;
  }
  append(ir_op_is(node->op, IR_RUN_OUTPUT) ? &nodes->results : &nodes->ready, layer);
  nodes->n_left--;
  ir_run_nodes_open_users(nodes, layer);
  return code;
}

ir_code ir_infer_stage(irrun_model *model, ir_run_nodes *nodes) {
  run_shapes run = shapes_of(model, nodes);
  ir_code code = IR_OK;
  for (size_t i = 0; i < nodes->later.n; i++)
    open_node(nodes, nodes->later.layers[i]);
  nodes->ready.n = nodes->alone.n = nodes->later.n = 0;
  ir_contents_again(&nodes->contents);
  for (int32_t layer = next_open(model, nodes); layer >= 0 && code == IR_OK; layer = next_open(model, nodes))
    code = look_at(&run, nodes, layer);
  return code;
}

ir_code ir_infer_alone(irrun_model *model, ir_run_nodes *nodes, ir_node *node) {
  run_shapes run = shapes_of(model, nodes);
  const ir_code code = ir_contents_hold(&nodes->contents, node);
  if (code != IR_OK)
    return code;
  ir_gather_inputs(nodes->nodes, node, run.in);
  return infer_again(&run, node);
}

ir_code ir_report_open_node(irrun_model *model, const ir_node *node) {
  const ir_scope scope = ir_model_scope(model);
  char shape[IR_SHAPE_TEXT];
  return ir_report(scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&scope, node),
                   "the output shape %s cannot be told, for all that is known of a run",
                   ir_shape_text(&node->outputs[0].shape, shape, sizeof shape));
}

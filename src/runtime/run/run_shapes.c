#include "runtime/run/run_shapes.h"
#include "runtime/infer/contents.h"
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

/* Everything about these values was known when the model was checked. */
static bool were_known(const irrun_model *model, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    ir_link link = node->inputs[i];
    const ir_value *value = link.layer >= 0 ? &model->nodes[link.layer].outputs[link.port] : NULL;
    if (value != NULL && (value->type == IR_DYNAMIC || !ir_shape_known(&value->shape)))
      return false;
    if (value != NULL && value->known == NULL && ir_op_input(node->op, i)->contents)
      return false;
  }
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return false;
  return true;
}

/* The inputs' own shapes and, where they are small, contents. */
static ir_code bind_inputs(run_shapes *run, const ir_tensor *inputs, const bool *set) {
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    ir_node *node = &run->nodes[run->model->inputs[i]];
    if (!set[i])
      continue;
    if (!ir_own_outputs(node, run->scope.arena))
      return ir_out_of_memory(run->scope.diags);
    node->outputs[0].type = inputs[i].type;
    node->outputs[0].shape = ir_tensor_shape(&inputs[i]);
    node->outputs[0].known = inputs[i].bytes <= (size_t)IR_MAX_KNOWN_BYTES ? &inputs[i] : NULL;
    node->outputs[0].is_known_copy = false;
  }
  return IR_OK;
}

/* A kernel reads these contents when it is prepared. */
static bool lacks_contents(const run_shapes *run, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (ir_op_input(node->op, i)->contents && run->in[i]->known == NULL)
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

/* The model was checked and has no fault: that of the node, reported behind `last`, comes from the inputs that it
 * needs. */
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

/* Infers one node with the run's values; its faults alone decide what comes back. */
static ir_code infer_again(run_shapes *run, ir_node *node) {
  ir_diags *diags = run->scope.diags;
  if (!ir_own_outputs(node, run->scope.arena))
    return ir_out_of_memory(diags);
  const ir_blame blame = begin_blame(diags);
  ir_gather_inputs(run->model->nodes, node, run->checked);
  run->scope.checked = run->checked;
  ir_code code = ir_infer_node(node, run->in, &run->scope);
  /* Of bodies and of what runs alone the file may declare what another run would give. */
  if (code == IR_OK && !ir_op_runs_alone(node->op))
    ir_check_declared_outputs(run->model, node, run->in);
  return end_blame(run, node, blame, code);
}

static bool has_open_output(const ir_node *node) {
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return true;
  return false;
}

/* Whether all that the node reads is there, or is computed by the stage. */
static bool has_inputs(const ir_run_nodes *nodes, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const int32_t from = node->inputs[i].layer;
    if (from < 0 || (!nodes->ready[from] && !nodes->done[from]))
      return false;
  }
  return true;
}

/* Of a node whose inputs are there. It is left for a later stage when its output shape depends on what the stage
 * computes. */
static ir_code infer_ready(run_shapes *run, ir_run_nodes *nodes, ir_node *node, ir_contents *contents) {
  const irrun_model *model = run->model;
  const int32_t at = (int32_t)(node - nodes->nodes);
  if (node->op != NULL && ir_op_runs_alone(node->op))
    return IR_OK;
  nodes->ready[at] = true;
  if (node->op == NULL || node->op->role != IR_ROLE_COMPUTED || were_known(model, node))
    return IR_OK;
  nodes->reads_contents = nodes->reads_contents || ir_contents_shape(node->op);
  ir_code code = ir_contents_want(contents, node);
  ir_gather_inputs(nodes->nodes, node, run->in);
  if (code != IR_OK || lacks_contents(run, node)) {
    nodes->ready[at] = false;
    return code;
  }
  code = infer_again(run, node);
  nodes->ready[at] = code == IR_OK && !has_open_output(node);
  return code;
}

static ir_code make_shapes(irrun_model *model, ir_run_nodes *nodes, run_shapes *run) {
  const size_t most = ir_most_inputs(model->nodes, model->graph.n_layers) + 1;
  *run = (run_shapes){.model = model, .scope = ir_model_scope(model), .nodes = nodes->nodes};
  run->scope.arena = nodes->arena;
  run->scope.running = true;
  run->in = ir_arena_array(nodes->arena, most, sizeof *run->in);
  run->checked = ir_arena_array(nodes->arena, most, sizeof *run->checked);
  return run->in == NULL || run->checked == NULL ? ir_out_of_memory(run->scope.diags) : IR_OK;
}

ir_code ir_run_nodes_begin(irrun_model *model, const ir_tensor *inputs, const bool *set, ir_run_nodes *nodes) {
  const size_t n = model->graph.n_layers;
  run_shapes run;
  nodes->reads_contents = false;
  nodes->nodes = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->nodes);
  nodes->ready = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->ready);
  nodes->done = ir_arena_array(nodes->arena, n + 1, sizeof *nodes->done);
  if (nodes->nodes == NULL || nodes->ready == NULL || nodes->done == NULL)
    return ir_out_of_memory(&model->context->diags);
  memcpy(nodes->nodes, model->nodes, n * sizeof *nodes->nodes);
  ir_code code = make_shapes(model, nodes, &run);
  return code == IR_OK ? bind_inputs(&run, inputs, set) : code;
}

ir_code ir_infer_stage(irrun_model *model, const bool *needed, ir_run_nodes *nodes) {
  const size_t n = model->graph.n_layers;
  run_shapes run;
  ir_code code = make_shapes(model, nodes, &run);
  if (code != IR_OK)
    return code;
  memset(nodes->ready, 0, n * sizeof *nodes->ready);
  ir_contents contents = ir_contents_begin(run.nodes, n, &run.scope);
  for (size_t i = 0; i < n && code == IR_OK; i++) {
    const int32_t at = model->order[i];
    if (needed[at] && !nodes->done[at] && has_inputs(nodes, &nodes->nodes[at]))
      code = infer_ready(&run, nodes, &nodes->nodes[at], &contents);
  }
  ir_contents_end(&contents);
  return code;
}

ir_code ir_infer_alone(irrun_model *model, ir_run_nodes *nodes, ir_node *node) {
  run_shapes run;
  ir_code code = make_shapes(model, nodes, &run);
  ir_contents contents = ir_contents_begin(run.nodes, model->graph.n_layers, &run.scope);
  if (code == IR_OK)
    code = ir_contents_hold(&contents, node);
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

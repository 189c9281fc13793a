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
    if (value != NULL && !ir_shape_known(&value->shape))
      return false;
    if (value != NULL && value->known == NULL && ir_op_input(node->op, i)->contents)
      return false;
  }
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      return false;
  return true;
}

static bool take_outputs(run_shapes *run, ir_node *node) {
  const ir_value *before = node->outputs;
  node->outputs = ir_arena_array(run->scope.arena, (size_t)node->n_outputs, sizeof *node->outputs);
  if (node->outputs != NULL)
    memcpy(node->outputs, before, (size_t)node->n_outputs * sizeof *before);
  return node->outputs != NULL;
}

/* The inputs' own shapes and, where they are small, contents. */
static ir_code bind_inputs(run_shapes *run, const ir_tensor *inputs, const bool *set) {
  for (int32_t i = 0; i < run->model->n_inputs; i++) {
    ir_node *node = &run->nodes[run->model->inputs[i]];
    if (!set[i])
      continue;
    if (!take_outputs(run, node))
      return ir_out_of_memory(run->scope.diags);
    node->outputs[0].shape = ir_tensor_shape(&inputs[i]);
    node->outputs[0].known = inputs[i].bytes <= (size_t)IR_MAX_KNOWN_BYTES ? &inputs[i] : NULL;
  }
  return IR_OK;
}

static ir_code report_open_shape(run_shapes *run, const ir_node *node) {
  char shape[IR_SHAPE_TEXT];
  return ir_report(run->scope.diags, IR309_SHAPE_UNKNOWN, ir_node_where(&run->scope, node),
                   "the output shape %s cannot be told before this layer runs",
                   ir_shape_text(&node->outputs[0].shape, shape, sizeof shape));
}

/* A kernel reads these contents when it is prepared. A run has all it takes to compute them, but for the limits. */
static ir_code check_contents(run_shapes *run, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    if (!ir_op_input(node->op, i)->contents || run->in[i]->known != NULL)
      continue;
    return ir_report(run->scope.diags, IR004_LIMIT_EXCEEDED, ir_node_where(&run->scope, node),
                     "what input %d ('%s') holds decides shapes, and takes more to find out than irrun spends on it: "
                     "%lld bytes a tensor, %lld additions in all",
                     i, ir_op_input(node->op, i)->name, (long long)IR_MAX_KNOWN_BYTES, (long long)IR_MAX_KNOWN_WORK);
  }
  return IR_OK;
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

/* Infers one node with the run's values; its faults alone decide what comes back. */
static ir_code infer_again(run_shapes *run, ir_node *node) {
  ir_diags *diags = run->scope.diags;
  ir_diag *last = diags->last;
  ir_code before = diags->status;
  if (!take_outputs(run, node))
    return ir_out_of_memory(diags);
  diags->status = IR_OK;
  ir_gather_inputs(run->nodes, node, run->in);
  ir_gather_inputs(run->model->nodes, node, run->checked);
  run->scope.checked = run->checked;
  ir_code code = ir_infer_node(node, run->in, &run->scope);
  if (code == IR_OK)
    ir_check_declared_outputs(run->model, node, run->in);
  code = ir_code_worse(code, diags->status);
  if (code == IR_INVALID)
    code = blame_inputs(run, node, last);
  diags->status = ir_code_worse(before, code);
  if (code == IR_OK)
    code = check_contents(run, node);
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++)
    if (!ir_shape_known(&node->outputs[p].shape))
      code = report_open_shape(run, node);
  return code;
}

ir_code ir_infer_run(irrun_model *model, const ir_tensor *inputs, const bool *set, const bool *needed, ir_arena *arena,
                     ir_node **out_nodes, bool *out_by_contents) {
  size_t n = model->graph.n_layers;
  run_shapes run = {.model = model, .scope = ir_model_scope(model)};
  run.scope.arena = arena;
  run.scope.running = true;
  *out_by_contents = false;
  run.nodes = *out_nodes = ir_arena_array(arena, n + 1, sizeof *run.nodes);
  size_t most = ir_most_inputs(model->nodes, n) + 1;
  run.in = ir_arena_array(arena, most, sizeof *run.in);
  run.checked = ir_arena_array(arena, most, sizeof *run.checked);
  if (run.nodes == NULL || run.in == NULL || run.checked == NULL)
    return ir_out_of_memory(run.scope.diags);
  memcpy(run.nodes, model->nodes, n * sizeof *run.nodes);
  ir_code code = bind_inputs(&run, inputs, set);
  ir_contents contents = ir_contents_begin(run.nodes, n, &run.scope);
  for (size_t i = 0; i < n && code == IR_OK; i++) {
    ir_node *node = &run.nodes[model->order[i]];
    bool computed = node->op != NULL && node->op->role == IR_ROLE_COMPUTED;
    if (!needed[model->order[i]] || !computed || were_known(model, node))
      continue;
    *out_by_contents = *out_by_contents || ir_contents_shape(node->op);
    code = ir_contents_want(&contents, node);
    if (code == IR_OK)
      code = infer_again(&run, node);
  }
  ir_contents_end(&contents);
  return code;
}

/* Lowers the inferred nodes of a model to a program. */
#include "program/program.h"

typedef struct lowering {
  ir_program *program;
  const ir_program_request *request;
  const ir_value **in; /* room for the inputs of any node */
} lowering;

/* The value of an output; -1: none. */
static int32_t *place_of(const lowering *l, ir_link from) {
  return &l->request->value_of[from.layer][from.port];
}

static const ir_value *inferred(const lowering *l, ir_link from) {
  return &l->request->nodes[from.layer].outputs[from.port];
}

/* ---- values ---- */

/* Makes a value without contents, unless the output has a value. */
static bool make_value(const lowering *l, ir_link from) {
  int32_t *place = place_of(l, from);
  if (*place >= 0)
    return true;
  const ir_node *node = &l->request->model_nodes[from.layer];
  ir_program_value made = {.value = *inferred(l, from),
                           .producer = -1,
                           .layer = from.layer,
                           .port = from.port,
                           .node = node,
                           .key = {.layer = from.layer, .port = from.port, .type = inferred(l, from)->type}};
  made.value.is_constant = ir_op_is(node->op, IR_RUN_CONSTANT);
  made.value.ranges = NULL;
  made.value.contents = NULL;
  *place = ir_program_add_value(l->program, &made);
  return *place >= 0;
}

/* Copies the contents of an output to its value. The run's own contents do not outlive the program. */
static bool keep_contents(const lowering *l, ir_link from) {
  ir_value *value = ir_program_value_of(l->program, *place_of(l, from));
  const ir_tensor *contents = inferred(l, from)->contents;
  if (contents == NULL || value->contents != NULL)
    return true;
  value->contents = ir_tensor_copy_to_arena(l->program->arena, contents);
  if (value->contents == NULL)
    ir_out_of_memory(l->program->diags);
  return value->contents != NULL;
}

static bool keep_output(const lowering *l, ir_link from) {
  if (!make_value(l, from))
    return false;
  l->program->values[*place_of(l, from)].is_kept = true;
  return true;
}

/* Makes the values that the node reads, with the contents that its kernel inspects in `prepare`. If outputs are
 * visited, also makes the values of the node's outputs. */
static bool make_values_of(const lowering *l, int32_t layer) {
  const ir_node *node = &l->request->nodes[layer];
  bool done = true;
  for (int32_t p = 0; p < node->n_inputs && done; p++) {
    const ir_port_spec *spec = node->op == NULL ? NULL : ir_op_input(node->op, p);
    done = make_value(l, node->inputs[p]);
    if (done && spec != NULL && spec->contents)
      done = keep_contents(l, node->inputs[p]);
    if (done && ir_op_is(node->op, IR_RUN_OUTPUT))
      done = keep_output(l, node->inputs[p]);
  }
  for (int32_t p = 0; l->request->visited && ir_is_visited(node) && p < node->n_outputs && done; p++)
    done = make_value(l, (ir_link){layer, p});
  return done;
}

static bool make_values(const lowering *l) {
  bool done = true;
  for (size_t i = 0; i < l->request->n_layers && done; i++)
    done = make_values_of(l, l->request->layers[i]);
  for (size_t k = 0; k < l->request->n_kept && done; k++)
    done = keep_output(l, l->request->kept[k]);
  return done;
}

/* ---- operations ---- */

static ir_code check_outputs(const lowering *l, int32_t layer) {
  const ir_node *node = &l->request->nodes[layer];
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++) {
    size_t bytes;
    if (*place_of(l, (ir_link){layer, p}) < 0)
      continue;
    if (!ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes))
      bytes = SIZE_MAX;
    code = ir_check_memory(&l->request->account->limit, bytes, l->program->diags, l->request->account->where,
                           "an output of this layer takes");
  }
  return code;
}

/* Whether inference already knows all outputs for any inputs of a run: they are not computed again. */
static bool is_known(const lowering *l, const ir_node *node) {
  bool known = node->n_outputs > 0 && !l->request->visited && ir_op_folds(node->op) &&
               (l->request->skipped_passes & IRRUN_PASS_FOLD) == 0;
  for (int32_t p = 0; p < node->n_outputs && known; p++)
    known = node->outputs[p].contents != NULL && !node->outputs[p].reads_input;
  return known;
}

/* The outputs become constants of this program alone. */
static ir_code lower_known(const lowering *l, int32_t layer) {
  for (int32_t p = 0; p < l->request->nodes[layer].n_outputs; p++) {
    const ir_link output = {layer, p};
    const int32_t value = *place_of(l, output);
    if (value < 0)
      continue;
    l->program->values[value].value.is_constant = true;
    l->program->values[value].is_local = true;
    if (!keep_contents(l, output))
      return IR_NO_MEMORY;
  }
  return IR_OK;
}

static ir_code lower_node(const lowering *l, int32_t layer) {
  const ir_node *node = &l->request->nodes[layer];
  ir_scope scope = ir_program_scope(l->program);
  ir_type type;
  l->request->account->where = ir_node_where(&scope, node);
  if (node->op == NULL)
    return ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                          "an output that is asked for needs this layer, and irrun does not have %s-%d",
                          node->layer->type, node->layer->op_version);
  for (int32_t p = 0; p < node->n_inputs; p++)
    l->in[p] = inferred(l, node->inputs[p]);
  /* Some types reach this check: --allow accepts them, and an open type becomes known only in a run. */
  if (ir_lacks_kernel(node, l->in, &type))
    return ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  if (!ir_op_is_computed(node->op))
    return IR_OK;
  const ir_code code = check_outputs(l, layer);
  if (code != IR_OK)
    return code;
  if (is_known(l, node))
    return lower_known(l, layer);
  int32_t *in = ir_arena_array(l->program->arena, (size_t)node->n_inputs + 1, sizeof *in);
  if (in == NULL)
    return ir_out_of_memory(l->program->diags);
  for (int32_t p = 0; p < node->n_inputs; p++)
    in[p] = *place_of(l, node->inputs[p]);
  const int32_t added = ir_program_add(l->program, -1, node->op, node->params, node, layer, in, node->n_inputs,
                                       l->request->value_of[layer], node->n_outputs);
  return added < 0 ? IR_NO_MEMORY : IR_OK;
}

static bool make_room(lowering *l) {
  int32_t most = 0;
  for (size_t i = 0; i < l->request->n_layers; i++) {
    const int32_t n = l->request->nodes[l->request->layers[i]].n_inputs;
    most = n > most ? n : most;
  }
  l->in = ir_arena_array(l->program->arena, (size_t)most + 1, sizeof *l->in);
  if (l->in == NULL)
    ir_out_of_memory(l->program->diags);
  return l->in != NULL;
}

ir_code ir_program_lower(const ir_program_request *request, ir_program *program) {
  *program = (ir_program){.request = request,
                          .arena = request->arena,
                          .diags = request->diags,
                          .first = -1,
                          .last = -1,
                          .mode = IR_MODE_PLAIN};
  lowering l = {.program = program, .request = request};
  ir_code code = make_room(&l) && make_values(&l) ? IR_OK : IR_NO_MEMORY;
  for (size_t i = 0; i < request->n_layers && code == IR_OK; i++)
    code = lower_node(&l, request->layers[i]);
  for (size_t i = 0; i < program->n_values; i++) {
    ir_program_value *value = &program->values[i];
    value->is_given = value->producer < 0 && !value->value.is_constant;
    request->value_of[value->layer][value->port] = -1;
  }
  return code == IR_OK && !request->visited && !ir_program_prune(program) ? IR_NO_MEMORY : code;
}

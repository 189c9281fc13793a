/* Lowers the inferred nodes of a model to a program. */
#include "program/program.h"
#include "program/wide_weights.h"

/* The value of an output while the program is lowered; -1: the output has none. */
static int32_t *place_of(const ir_program *program, ir_link from) {
  return &program->request->value_of[from.layer][from.port];
}

static const ir_value *inferred(const ir_program *program, ir_link from) {
  return &program->request->nodes[from.layer].outputs[from.port];
}

/* ---- values ---- */

/* Makes a value without contents if the output has no value yet. */
static bool make_value(ir_program *program, ir_link from) {
  int32_t *place = place_of(program, from);
  if (*place >= 0)
    return true;
  const ir_node *node = &program->request->model_nodes[from.layer];
  ir_program_value made = {.value = *inferred(program, from),
                           .producer = -1,
                           .layer = from.layer,
                           .port = from.port,
                           .node = node,
                           .key = {.layer = from.layer, .port = from.port, .type = inferred(program, from)->type}};
  made.value.is_constant = made.is_foldable = ir_op_is(node->op, IR_RUN_CONSTANT);
  made.value.ranges = NULL;
  made.value.contents = NULL;
  *place = ir_program_add_value(program, &made);
  return *place >= 0;
}

/* Copies the contents of an output to its value. The run's own contents do not outlive the program. */
static bool keep_contents(const ir_program *program, ir_link from) {
  ir_value *value = ir_program_value_of(program, *place_of(program, from));
  const ir_tensor *contents = inferred(program, from)->contents;
  if (contents == NULL || value->contents != NULL)
    return true;
  value->contents = ir_tensor_copy_to_arena(program->arena, contents);
  if (value->contents == NULL)
    ir_out_of_memory(program->diags);
  return value->contents != NULL;
}

static bool keep_output(ir_program *program, ir_link from) {
  if (!make_value(program, from))
    return false;
  program->values[*place_of(program, from)].is_kept = true;
  return true;
}

/* Makes the values that the node reads, with the contents that its kernel inspects in `prepare`. If outputs are
 * visited, also makes the values of the node's outputs. */
static bool make_values_of(ir_program *program, int32_t layer) {
  const ir_node *node = &program->request->nodes[layer];
  bool done = true;
  for (int32_t p = 0; p < node->n_inputs && done; p++) {
    const ir_port_spec *spec = node->op == NULL ? NULL : ir_op_input(node->op, p);
    done = make_value(program, node->inputs[p]);
    if (done && spec != NULL && spec->contents)
      done = keep_contents(program, node->inputs[p]);
    if (done && ir_op_is(node->op, IR_RUN_OUTPUT))
      done = keep_output(program, node->inputs[p]);
  }
  for (int32_t p = 0; program->request->visited && ir_is_visited(node) && p < node->n_outputs && done; p++)
    done = make_value(program, (ir_link){layer, p});
  return done;
}

static bool make_values(ir_program *program) {
  bool done = true;
  for (size_t i = 0; i < program->request->n_layers && done; i++)
    done = make_values_of(program, program->request->layers[i]);
  for (size_t k = 0; k < program->request->n_kept && done; k++)
    done = keep_output(program, program->request->kept[k]);
  return done;
}

/* ---- operations ---- */

static ir_code check_outputs(const ir_program *program, int32_t layer) {
  const ir_node *node = &program->request->nodes[layer];
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++) {
    size_t bytes;
    if (*place_of(program, (ir_link){layer, p}) < 0)
      continue;
    if (!ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes))
      bytes = SIZE_MAX;
    code = ir_check_memory(&program->request->account->limit, bytes, program->diags, program->request->account->where,
                           "an output of this layer takes");
  }
  return code;
}

/* Whether inference already knows all outputs for any inputs of a run: they are not computed again. */
static bool is_known(const ir_program *program, const ir_node *node) {
  bool known = node->n_outputs > 0 && !program->request->visited && ir_op_folds(node->op) &&
               (program->request->skipped_passes & IRRUN_PASS_FOLD) == 0;
  for (int32_t p = 0; p < node->n_outputs && known; p++)
    known = node->outputs[p].contents != NULL && !node->outputs[p].reads_input;
  return known;
}

static bool is_foldable(const ir_program *program, const ir_node *node, const int32_t *in) {
  bool all = ir_op_folds(node->op);
  for (int32_t p = 0; p < node->n_inputs && all; p++)
    all = program->values[in[p]].is_foldable;
  return all;
}

/* Whether an operation on stored constants makes a float that the node reads: weights are unpacked as the program does
 * it, not as inference has done it. */
static bool reads_weights(const ir_program *program, const ir_node *node, const int32_t *in) {
  bool any = false;
  for (int32_t p = 0; p < node->n_inputs && !any; p++) {
    const ir_program_value *value = &program->values[in[p]];
    any = value->is_foldable && value->producer >= 0 && ir_type_in(value->value.type, IR_SET_FLOATS);
  }
  return any;
}

/* Makes the known outputs constants of this program alone. */
static ir_code lower_known(const ir_program *program, int32_t layer) {
  for (int32_t p = 0; p < program->request->nodes[layer].n_outputs; p++) {
    const ir_link output = {layer, p};
    const int32_t value = *place_of(program, output);
    if (value < 0)
      continue;
    program->values[value].value.is_constant = true;
    program->values[value].is_local = true;
    if (!keep_contents(program, output))
      return IR_NO_MEMORY;
  }
  return IR_OK;
}

static ir_code lower_node(ir_program *program, int32_t layer) {
  const ir_node *node = &program->request->nodes[layer];
  ir_scope scope = ir_program_scope(program);
  ir_type type;
  program->request->account->where = ir_node_where(&scope, node);
  if (node->op == NULL)
    return ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                          "an output that is asked for needs this layer, and irrun does not have %s-%d",
                          node->layer->type, node->layer->op_version);
  int32_t *in = ir_arena_array(program->arena, (size_t)node->n_inputs + 1, sizeof *in);
  const ir_value **in_values = ir_arena_array(program->arena, (size_t)node->n_inputs + 1, sizeof *in_values);
  if (in == NULL || in_values == NULL)
    return ir_out_of_memory(program->diags);
  for (int32_t p = 0; p < node->n_inputs; p++) {
    in[p] = *place_of(program, node->inputs[p]);
    in_values[p] = inferred(program, node->inputs[p]);
  }
  /* Some types reach this check: --allow accepts them, and an open type becomes known only in a run. */
  if (ir_lacks_kernel(node, in_values, &type))
    return ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  if (!ir_op_is_computed(node->op))
    return IR_OK;
  const ir_code code = check_outputs(program, layer);
  if (code != IR_OK)
    return code;
  /* Pass "fold" computes constants of the model once for all its programs, and pass "pack" sees how they are made. */
  const bool folds = is_foldable(program, node, in);
  if (!folds && !reads_weights(program, node, in) && is_known(program, node))
    return lower_known(program, layer);
  const int32_t *out = program->request->value_of[layer];
  for (int32_t p = 0; p < node->n_outputs; p++)
    if (out[p] >= 0)
      program->values[out[p]].is_foldable = folds;
  const int32_t added =
      ir_program_add(program, -1, node->op, node->params, node, layer, in, node->n_inputs, out, node->n_outputs);
  if (added < 0)
    return IR_NO_MEMORY;
  const int64_t cost = node->op->multiplies ? node->op->cost(node, in_values) : 0;
  program->operations[added].macs = cost > 0 ? cost : 0;
  return IR_OK;
}

ir_code ir_program_lower(const ir_program_request *request, ir_program *program) {
  *program = (ir_program){.request = request,
                          .arena = request->arena,
                          .diags = request->diags,
                          .first = -1,
                          .last = -1,
                          .precision = IR_F32,
                          .mode = IR_MODE_PLAIN};
  ir_code code = make_values(program) ? IR_OK : IR_NO_MEMORY;
  for (size_t i = 0; i < request->n_layers && code == IR_OK; i++)
    code = lower_node(program, request->layers[i]);
  for (size_t i = 0; i < program->n_values; i++) {
    ir_program_value *value = &program->values[i];
    value->is_given = value->producer < 0 && !value->value.is_constant;
    request->value_of[value->layer][value->port] = -1;
  }
  if (code == IR_OK && !request->visited && !ir_program_prune(program))
    code = IR_NO_MEMORY;
  return code == IR_OK && !request->visited ? ir_program_widen_weights(program) : code;
}

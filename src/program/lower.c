/* Lowers the inferred nodes of a model to a program. */
#include "program/program.h"
#include <string.h>

typedef struct lowering {
  ir_program *program;
  const ir_program_request *request;
  int32_t *first;      /* one per node: index of its output 0 in `value_of` */
  int32_t *value_of;   /* one per output: its value; -1: nobody reads it */
  bool *asks;          /* one per output: its reader inspects the contents in `prepare` */
  const ir_value **in; /* room for the inputs of any node */
} lowering;

static int32_t *place_of(const lowering *l, ir_link from) {
  return &l->value_of[l->first[from.layer] + from.port];
}

/* ---- values ---- */

/* A value gets contents only if a kernel inspects them in `prepare`. */
static bool make_value(const lowering *l, int32_t i, int32_t port) {
  const ir_node *node = &l->request->nodes[i];
  int32_t *place = place_of(l, (ir_link){i, port});
  if (*place >= 0)
    return true;
  const int32_t layer = l->request->layers[i];
  const bool is_constant = ir_op_is(node->op, IR_RUN_CONSTANT), is_given = !is_constant && !l->request->needed[i];
  ir_program_value made = {.value = node->outputs[port],
                           .producer = -1,
                           .layer = layer,
                           .port = port,
                           .node = node,
                           .is_given = is_given || ir_op_is(node->op, IR_RUN_INPUT),
                           .key = {.layer = layer, .port = port, .type = node->outputs[port].type}};
  made.value.is_constant = is_constant;
  made.value.ranges = NULL;
  if (!l->asks[place - l->value_of])
    made.value.contents = NULL;
  *place = ir_program_add_value(l->program, &made);
  return *place >= 0;
}

/* Makes a value for every output that a node of the program or a later plan reads, or that is visited. */
static bool make_values(const lowering *l) {
  const ir_program_request *request = l->request;
  for (size_t i = 0; i < request->n_nodes; i++) {
    const ir_node *node = &request->nodes[i];
    for (int32_t p = 0; p < node->n_inputs; p++) {
      const ir_port_spec *spec = node->op == NULL ? NULL : ir_op_input(node->op, p);
      if (spec != NULL && spec->contents)
        l->asks[place_of(l, node->inputs[p]) - l->value_of] = true;
    }
  }
  for (size_t i = 0; i < request->n_nodes; i++) {
    const ir_node *node = &request->nodes[i];
    for (int32_t p = 0; p < node->n_inputs; p++)
      if (!make_value(l, node->inputs[p].layer, node->inputs[p].port))
        return false;
    for (int32_t p = 0; request->visited && request->needed[i] && p < node->n_outputs; p++)
      if (ir_is_visited(node) && !make_value(l, (int32_t)i, p))
        return false;
    for (int32_t p = 0; ir_op_is(node->op, IR_RUN_OUTPUT) && request->needed[i] && p < node->n_inputs; p++)
      l->program->values[*place_of(l, node->inputs[p])].is_kept = true;
  }
  for (size_t k = 0; k < request->n_kept; k++) {
    if (!make_value(l, request->kept[k].layer, request->kept[k].port))
      return false;
    l->program->values[*place_of(l, request->kept[k])].is_kept = true;
  }
  return true;
}

/* ---- operations ---- */

static ir_where where_of(const lowering *l, const ir_node *node) {
  return ir_layer_where(l->request->graph, node->layer, node->layer->at);
}

static ir_code check_outputs(const lowering *l, const ir_node *node) {
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++) {
    size_t bytes;
    if (*place_of(l, (ir_link){(int32_t)(node - l->request->nodes), p}) < 0)
      continue;
    if (!ir_tensor_bytes(node->outputs[p].type, &node->outputs[p].shape, &bytes))
      bytes = SIZE_MAX;
    code = ir_check_memory(&l->request->account->limit, bytes, l->program->diags, where_of(l, node),
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

static ir_code lower_node(const lowering *l, int32_t i) {
  ir_node *node = &l->request->nodes[i];
  ir_scope scope = ir_program_scope(l->program);
  ir_type type;
  l->request->account->where = where_of(l, node);
  if (node->op == NULL)
    return ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                          "an output that is asked for needs this layer, and irrun does not have %s-%d",
                          node->layer->type, node->layer->op_version);
  for (int32_t p = 0; p < node->n_inputs; p++)
    l->in[p] = &l->request->nodes[node->inputs[p].layer].outputs[node->inputs[p].port];
  /* --allow accepted the type when the model was checked, or the type was not known then */
  if (ir_lacks_kernel(node, l->in, &type))
    return ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  if (!ir_op_is_computed(node->op))
    return IR_OK;
  const ir_code code = check_outputs(l, node);
  if (code != IR_OK)
    return code;
  const bool known = is_known(l, node);
  for (int32_t p = 0; p < node->n_outputs && known; p++) {
    const int32_t value = l->value_of[l->first[i] + p];
    if (value < 0)
      continue;
    l->program->values[value].value.is_constant = true;
    l->program->values[value].is_local = true;
    l->program->values[value].value.contents = node->outputs[p].contents;
  }
  if (known)
    return IR_OK;
  int32_t *in = ir_arena_array(l->program->arena, (size_t)node->n_inputs + 1, sizeof *in);
  if (in == NULL)
    return ir_out_of_memory(l->program->diags);
  for (int32_t p = 0; p < node->n_inputs; p++)
    in[p] = *place_of(l, node->inputs[p]);
  return ir_program_add(l->program, -1, node->op, node->params, node, l->request->layers[i], in, node->n_inputs,
                        l->value_of + l->first[i], node->n_outputs) < 0
             ? IR_NO_MEMORY
             : IR_OK;
}

static bool begin(lowering *l) {
  const ir_program_request *request = l->request;
  ir_arena *arena = request->arena;
  size_t n_outputs = 0, most = 0;
  for (size_t i = 0; i < request->n_nodes; i++) {
    n_outputs += (size_t)request->nodes[i].n_outputs;
    most = (size_t)request->nodes[i].n_inputs > most ? (size_t)request->nodes[i].n_inputs : most;
  }
  l->first = ir_arena_array(arena, request->n_nodes + 1, sizeof *l->first);
  l->value_of = ir_arena_array(arena, n_outputs + 1, sizeof *l->value_of);
  l->asks = ir_arena_array(arena, n_outputs + 1, sizeof *l->asks);
  l->in = ir_arena_array(arena, most + 1, sizeof *l->in);
  if (l->first == NULL || l->value_of == NULL || l->asks == NULL || l->in == NULL || n_outputs > INT32_MAX)
    return false;
  n_outputs = 0;
  for (size_t i = 0; i < request->n_nodes; i++) {
    l->first[i] = (int32_t)n_outputs;
    n_outputs += (size_t)request->nodes[i].n_outputs;
  }
  for (size_t i = 0; i < n_outputs; i++)
    l->value_of[i] = -1;
  return true;
}

ir_code ir_program_lower(const ir_program_request *request, ir_program *program) {
  *program = (ir_program){.request = request,
                          .arena = request->arena,
                          .diags = request->diags,
                          .first = -1,
                          .last = -1,
                          .mode = IR_MODE_PLAIN};

  lowering l = {.program = program, .request = request};
  if (!begin(&l))
    return ir_out_of_memory(request->diags);
  ir_code code = make_values(&l) ? IR_OK : IR_NO_MEMORY;
  for (size_t i = 0; i < request->n_nodes && code == IR_OK; i++)
    if (request->needed[i])
      code = lower_node(&l, (int32_t)i);
  return code == IR_OK && !request->visited && !ir_program_prune(program) ? IR_NO_MEMORY : code;
}

/* Checks before a run is planned: ops that irrun can check and cannot run, and inputs that are too large. */
#include "ops/registry.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"

/* Whether the op's kernels lack an input type, as far as types are known. */
static bool lacks_type(const irrun_model *model, const ir_node *node, ir_type *out_type) {
  const ir_value *few[IR_MAX_OP_PORTS] = {NULL}, **in = few;
  if (node->n_inputs > IR_MAX_OP_PORTS)
    in = ir_alloc_zero(&model->context->memory, (size_t)node->n_inputs, sizeof *in);
  if (in == NULL)
    return false; /* memory is out: planning will report that */
  ir_gather_inputs(model->nodes, node, in);
  const bool lacks = ir_lacks_kernel(node, in, out_type);
  if (in != few)
    ir_free(&model->context->memory, in);
  return lacks;
}

static bool is_among(const ir_op *op, const ir_op *const *ops, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (ops[i] == op)
      return true;
  return false;
}

/* The ops reported so far. */
typedef struct named_ops {
  const ir_op **ops;
  size_t n;
} named_ops;

static void name_op(irrun_run *run, irrun_model *model, const ir_node *node, named_ops *named) {
  ir_scope scope = ir_model_scope(model);
  scope.diags = &run->context->diags;
  ir_type type = IR_DYNAMIC;
  if (node->op == NULL || is_among(node->op, named->ops, named->n))
    return;
  if (!ir_op_is(node->op, IR_RUN_NONE) && !(lacks_type(model, node, &type) && type != IR_DYNAMIC))
    return;
  named->ops[named->n++] = node->op;
  if (!ir_op_is(node->op, IR_RUN_NONE))
    ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  else
    ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                   "irrun checks %s-%d and does not run it; an output that is asked for needs it", node->op->type,
                   node->op->version);
}

/* Reports all ops in bodies of the node. The recursion is at most IR_MAX_BODY_DEPTH deep. */
static void name_ops_of_bodies(irrun_run *run, irrun_model *model, const ir_node *node, named_ops *named) {
  for (int b = 0; ir_op_is(node->op, IR_RUN_BODIES) && b < node->op->run.bodies->n_bodies; b++) {
    irrun_model *body = ir_body_model(model, node, b);
    for (size_t i = 0; i < body->graph.n_layers; i++) {
      const ir_node *inner = &body->nodes[body->order[i]];
      if (!inner->live)
        continue;
      name_op(run, body, inner, named);
      name_ops_of_bodies(run, body, inner, named);
    }
  }
}

ir_code ir_run_check_ops(irrun_run *run) {
  irrun_model *model = run->model;
  size_t n_rows = 0;
  while (ir_op_at(n_rows) != NULL)
    n_rows++;
  named_ops named = {.ops = ir_arena_array(&run->arena, n_rows + 1, sizeof *named.ops)};
  if (named.ops == NULL)
    return ir_out_of_memory(&run->context->diags);
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[model->order[i]];
    if (!run->needed[model->order[i]])
      continue;
    name_op(run, model, node, &named);
    name_ops_of_bodies(run, model, node, &named);
  }
  return named.n > 0 ? IR_UNSUPPORTED : IR_OK;
}

ir_code ir_run_check_open_inputs(irrun_run *run) {
  const irrun_model *model = run->model;
  ir_account_begin(run->account, 0, 0);
  ir_code code = ir_run_check_ops(run);
  size_t sum = 0;
  for (int32_t i = 0; i < model->n_inputs && code == IR_OK; i++) {
    if (!run->needed[model->inputs[i]])
      continue;
    const ir_layer *layer = model->nodes[model->inputs[i]].layer;
    const ir_value value = ir_run_input_value(model, run->inputs, i);
    ir_shape least = value.shape;
    size_t bytes;
    for (int axis = 0; axis < least.rank; axis++)
      least.dims[axis].hi = least.dims[axis].lo;
    if (least.rank == IR_RANK_UNKNOWN || value.type == IR_DYNAMIC)
      continue;
    if (!ir_tensor_bytes(value.type, &least, &bytes) || __builtin_add_overflow(sum, bytes, &sum))
      sum = SIZE_MAX;
    code = ir_account_check(run->account, sum, ir_layer_where(&model->graph, layer, layer->at),
                            "the inputs as far as this one take at least");
  }
  return code;
}

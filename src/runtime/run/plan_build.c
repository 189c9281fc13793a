#include "runtime/run/plan_build.h"
#include "ops/const.h"
#include "ops/registry.h"
#include "runtime/infer/infer.h"
#include "runtime/model/body_models.h"
#include "runtime/run/passes.h"
#include "runtime/run/plan_memory.h"
#include "runtime/run/visit.h"
#include "runtime/run/widen.h"
#include <stdio.h>
#include <string.h>

void ir_plan_reset(ir_plan *plan) {
  ir_plan_end_owned(plan);
  for (size_t i = 0; i < plan->n_slots; i++)
    ir_tensor_release(&plan->slots[i].tensor);
  ir_plan_release_memory(plan);
  if (plan->account != NULL)
    ir_account_give_back(plan->account, plan->product_bytes);
  if (plan->memory != NULL) {
    ir_free(plan->memory, plan->slots);
    ir_free(plan->memory, plan->steps);
  }
  *plan = (ir_plan){.slots = NULL};
}

/* ---- slots ---- */

static bool make_slot(const ir_plan_request *request, ir_plan *plan, int32_t layer, int32_t port) {
  int32_t *slot = &plan->slot_of[plan->first_slot[layer] + port];
  const ir_value *value = &request->nodes[layer].outputs[port];
  if (*slot >= 0)
    return true;
  *slot = ir_plan_temporary(plan, value->type, &value->shape);
  if (*slot >= 0)
    plan->slots[*slot].node = &request->nodes[layer];
  return *slot >= 0;
}

/* One slot for every output that a needed node or a later plan reads, or that is looked at. */
static ir_code make_slots(const ir_plan_request *request, ir_plan *plan) {
  size_t n = request->n_nodes, n_outputs = 0;
  plan->first_slot = ir_arena_array(plan->arena, n + 1, sizeof *plan->first_slot);
  if (plan->first_slot == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t i = 0; i < n; i++) {
    plan->first_slot[i] = (int32_t)n_outputs;
    n_outputs += (size_t)request->nodes[i].n_outputs;
  }
  plan->n_outputs = n_outputs;
  plan->slot_of = ir_arena_array(plan->arena, n_outputs + 1, sizeof *plan->slot_of);
  if (plan->slot_of == NULL || n_outputs > INT32_MAX)
    return ir_out_of_memory(plan->diags);
  for (size_t i = 0; i < n_outputs; i++)
    plan->slot_of[i] = -1;
  for (size_t i = 0; i < n; i++) {
    const ir_node *node = &request->nodes[i];
    for (int32_t p = 0; p < node->n_inputs; p++)
      if (!make_slot(request, plan, node->inputs[p].layer, node->inputs[p].port))
        return IR_IO;
    bool is_visited = request->visited && request->needed[i] && ir_is_visited(node);
    for (int32_t p = 0; is_visited && p < node->n_outputs; p++)
      if (!make_slot(request, plan, (int32_t)i, p))
        return IR_IO;
  }
  for (size_t k = 0; k < request->n_kept; k++)
    if (!make_slot(request, plan, request->kept[k].layer, request->kept[k].port))
      return IR_IO;
  return IR_OK;
}

static size_t slot_bytes(const ir_slot *slot) {
  size_t bytes;
  return ir_tensor_bytes(slot->type, &slot->shape, &bytes) ? bytes : SIZE_MAX;
}

static ir_where where_of(const ir_plan_request *request, const ir_node *node) {
  return ir_layer_where(&request->model->graph, node->layer, node->layer->at);
}

/* ---- constants ---- */

static ir_code bind_constant(const ir_plan_request *request, ir_slot *slot) {
  ir_scope scope = ir_model_scope(request->model);
  scope.memory = &request->account->memory;
  const ir_value *value = &slot->node->outputs[0];
  ir_code code = IR_OK;
  if (value->is_contents_copy) /* it decides shapes: a kernel has to see the same */
    slot->tensor = ir_tensor_borrow(value->type, &value->shape, value->contents->data, value->contents->bytes);
  else
    code = slot->node->op->contents(slot->node, value, &scope, &slot->tensor);
  if (code == IR_OK)
    ir_note_not_finite(slot->node, &slot->tensor, &scope);
  return code;
}

/* ---- steps ---- */

static ir_code prepare_node(const ir_plan_request *request, ir_node *node, ir_plan *plan, const ir_value **in) {
  ir_scope scope = ir_model_scope(request->model);
  scope.arena = request->arena;
  scope.memory = plan->memory;
  scope.running = true;
  plan->account->where = where_of(request, node);
  if (node->op == NULL)
    return ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                          "an output that is asked for needs this layer, and irrun does not have %s-%d",
                          node->layer->type, node->layer->op_version);
  ir_type type;
  /* Of a type that --allow let pass when the model was checked, or that was not known then. */
  if (ir_lacks_kernel(node, request->nodes, &type))
    return ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  ir_gather_inputs(request->nodes, node, in);
  if (node->op->role != IR_ROLE_COMPUTED)
    return IR_OK;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    int32_t slot = ir_plan_output_slot(plan, node, p);
    ir_code code = slot < 0 ? IR_OK
                            : ir_check_memory(&plan->account->limit, slot_bytes(&plan->slots[slot]), scope.diags,
                                              where_of(request, node), "an output of this layer takes");
    if (code != IR_OK)
      return code;
  }
  return node->op->prepare(node, in, plan, &scope);
}

static bool is_among(const ir_op *op, const ir_op *const *ops, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (ops[i] == op)
      return true;
  return false;
}

/* The ops that were named. */
typedef struct named_ops {
  const ir_op **ops;
  size_t n;
} named_ops;

static void name_op(irrun_model *model, const ir_node *node, named_ops *named) {
  ir_scope scope = ir_model_scope(model);
  ir_type type = IR_DYNAMIC;
  if (node->op == NULL || is_among(node->op, named->ops, named->n))
    return;
  const bool lacks_type = ir_lacks_kernel(node, model->nodes, &type) && type != IR_DYNAMIC;
  if (ir_op_is_run(node->op) && !lacks_type)
    return;
  named->ops[named->n++] = node->op;
  if (ir_op_is_run(node->op))
    ir_report_no_kernel(&scope, ir_node_where(&scope, node), type);
  else
    ir_report_firm(scope.diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(&scope, node),
                   "irrun checks %s-%d and does not run it; an output that is asked for needs it", node->op->type,
                   node->op->version);
}

/* Of all that a body may compute; it lies at most IR_MAX_BODY_DEPTH deep. */
static void name_ops_of_bodies(irrun_model *model, const ir_node *node, named_ops *named) {
  for (int b = 0; node->op != NULL && node->op->bodies != NULL && b < node->op->bodies->n_bodies; b++) {
    irrun_model *body = ir_body_model(model, node, b);
    for (size_t i = 0; i < body->graph.n_layers; i++) {
      const ir_node *inner = &body->nodes[body->order[i]];
      if (!inner->live)
        continue;
      name_op(body, inner, named);
      name_ops_of_bodies(body, inner, named);
    }
  }
}

ir_code ir_plan_check_ops(irrun_model *model, const bool *needed, ir_arena *arena) {
  size_t n_rows = 0;
  while (ir_op_at(n_rows) != NULL)
    n_rows++;
  named_ops named = {.ops = ir_arena_array(arena, n_rows + 1, sizeof *named.ops)};
  if (named.ops == NULL)
    return ir_out_of_memory(&model->context->diags);
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[model->order[i]];
    if (!needed[model->order[i]])
      continue;
    name_op(model, node, &named);
    name_ops_of_bodies(model, node, &named);
  }
  return named.n > 0 ? IR_UNSUPPORTED : IR_OK;
}

/* What the node computes is looked at when the steps that there are now are done. */
static void note_visit(ir_plan *plan, const ir_node *node) {
  for (int32_t p = 0; p < node->n_outputs; p++) {
    int32_t slot = ir_plan_output_slot(plan, node, p);
    if (slot >= 0)
      plan->slots[slot].visited = plan->n_steps;
  }
}

static ir_code prepare_all(const ir_plan_request *request, ir_plan *plan) {
  size_t most = ir_most_inputs(request->nodes, request->n_nodes);
  const ir_value **in = ir_arena_array(plan->arena, most + 1, sizeof *in);
  ir_chain **chain_of;
  ir_code code = in == NULL ? ir_out_of_memory(plan->diags) : ir_find_products(request, plan, &chain_of);
  for (size_t i = 0; i < request->n_nodes && code == IR_OK; i++) {
    ir_node *node = &request->nodes[i];
    if (!request->needed[i])
      continue;
    const ir_chain *chain = chain_of == NULL ? NULL : chain_of[i];
    if (chain == NULL)
      code = ir_make_plain(plan, node);
    else if (chain->last == node)
      code = ir_primitive_chain_step(plan, chain);
    if (chain == NULL && code == IR_OK)
      code = prepare_node(request, node, plan, in);
    plan->has_products = plan->has_products || chain != NULL;
    if (request->visited)
      note_visit(plan, node);
  }
  return code;
}

static ir_code keep_output(const ir_plan_request *request, ir_plan *plan, ir_link from) {
  const int32_t slot = ir_narrow_taken(request, plan, from);
  if (slot < 0)
    return IR_IO;
  plan->slots[slot].is_kept = true;
  return IR_OK;
}

/* What is asked for, and what a later plan reads, is kept. */
static ir_code keep_outputs(const ir_plan_request *request, ir_plan *plan) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < request->n_nodes; i++) {
    const ir_node *node = &request->nodes[i];
    const bool is_result = node->op != NULL && node->op->role == IR_ROLE_OUTPUT;
    for (int32_t p = 0; is_result && p < node->n_inputs && code == IR_OK; p++)
      code = keep_output(request, plan, node->inputs[p]);
  }
  for (size_t k = 0; k < request->n_kept && code == IR_OK; k++)
    code = keep_output(request, plan, request->kept[k]);
  return code;
}

/* ---- constants that are computed ---- */

static const ir_slot *owner_of(const ir_plan *plan, int32_t slot) {
  const int32_t of = plan->slots[slot].view_of;
  return &plan->slots[of >= 0 ? of : slot];
}

/* Steps of constants alone are done once: weights are unpacked, shapes computed. Where somebody looks at what layers
 * compute, all are done each time. */
static void find_once(const ir_plan_request *request, ir_plan *plan) {
  for (size_t i = 0; i < plan->n_slots; i++) {
    const ir_node *node = plan->slots[i].node;
    plan->slots[i].is_fixed = node != NULL && node->op != NULL && node->op->role == IR_ROLE_CONSTANT;
  }
  for (size_t s = 0; s < plan->n_steps && !request->visited && !ir_lacks_pass(request, IRRUN_PASS_ONCE); s++) {
    ir_step *step = &plan->steps[s];
    step->is_once = true;
    for (int32_t i = 0; i < step->n_in; i++)
      step->is_once = step->is_once && owner_of(plan, step->in[i])->is_fixed;
    plan->counts.once += step->is_once;
    for (int32_t i = 0; i < step->n_out && step->is_once; i++)
      if (step->out[i] >= 0)
        plan->slots[step->out[i]].is_fixed = true;
  }
}

/* ---- memory of the whole run ---- */

static size_t add_bytes(size_t a, size_t b) {
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* The most workers that a step may be worth. A kernel may count bytes as often as it reads them, as windows that
 * overlap do. */
static int workers_of(const ir_plan *plan) {
  enum { MOST_READS = 64 };
  if (plan->has_products)
    return ir_workers_most(plan->workers);
  size_t most = 0;
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    size_t bytes = 0;
    for (int32_t i = 0; i < step->n_in; i++)
      bytes = add_bytes(bytes, slot_bytes(&plan->slots[step->in[i]]));
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        bytes = add_bytes(bytes, slot_bytes(&plan->slots[step->out[i]]));
    most = bytes > most ? bytes : most;
  }
  int64_t read = most < INT64_MAX / MOST_READS ? (int64_t)most * MOST_READS : INT64_MAX;
  if (ir_workers_worth(IRRUN_MAX_THREADS, INT64_MAX, read) == 1)
    return 1; /* without counting cores */
  return ir_workers_worth(ir_workers_most(plan->workers), INT64_MAX, read);
}

/* Of each step, the bytes of made tensors that it is the last to need; NULL when memory is out. */
static size_t *bytes_that_end(const ir_plan *plan) {
  size_t *ending = ir_arena_array(plan->arena, plan->n_steps + 1, sizeof *ending);
  for (size_t i = 0; ending != NULL && i < plan->n_slots; i++)
    if (plan->slots[i].is_made)
      ending[plan->slots[i].last] = add_bytes(ending[plan->slots[i].last], slot_bytes(&plan->slots[i]));
  return ending;
}

/* Reports a run that takes too much, at the step where most tensors live at once. `*out_bytes` is what it is going to
 * take beside constants. */
static ir_code check_peak(const ir_plan_request *request, const ir_plan *plan, size_t *out_bytes) {
  size_t live = 0, most = 0, stride, *ending = bytes_that_end(plan);
  ir_where where = {.at = IR_NOWHERE};
  if (ending == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t s = 0; s < plan->n_steps; s++) {
    const ir_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->n_out; i++)
      if (step->out[i] >= 0)
        live += slot_bytes(&plan->slots[step->out[i]]);
    if (live > most)
      where = where_of(request, step->node);
    most = live > most ? live : most;
    live -= ending[s];
  }
  *out_bytes = add_bytes(ir_plan_scratch(plan, &stride), plan->block_bytes);
  return ir_account_check(plan->account, *out_bytes, where,
                          plan->n_steps > 0 ? "with what this layer needs, the run takes" : "the inputs take");
}

/* Binds constants. A constant that cannot be used as it lies in the mapped file is copied; the copy lives as long as
 * the plan and counts beside `bytes`. */
static ir_code bind_constants(const ir_plan_request *request, ir_plan *plan, size_t bytes) {
  const size_t before = ir_account_bytes(plan->account);
  ir_code code = IR_OK;
  for (size_t i = 0; i < plan->n_slots && code == IR_OK; i++) {
    ir_slot *slot = &plan->slots[i];
    if (slot->node == NULL || slot->node->op == NULL || slot->node->op->role != IR_ROLE_CONSTANT)
      continue;
    plan->account->where = where_of(request, slot->node);
    code = bind_constant(request, slot);
    if (code != IR_OK || slot->tensor.release == NULL)
      continue;
    bytes = add_bytes(bytes, slot_bytes(slot));
    const size_t counted = ir_account_bytes(plan->account) - before; /* of the copies */
    code = ir_account_check(plan->account, bytes - counted, where_of(request, slot->node),
                            "with this constant and those before it, the run takes");
  }
  return code;
}

ir_code ir_plan_build(const ir_plan_request *given, ir_plan *plan) {
  ir_plan_request own = *given;
  const ir_plan_request *request = &own;
  irrun_model *model = own.model;
  size_t bytes = 0;
  *plan = (ir_plan){.arena = request->arena,
                    .memory = &request->account->memory,
                    .account = request->account,
                    .diags = &model->context->diags,
                    .workers = &model->context->workers,
                    .n_nodes = request->n_nodes,
                    .layers = request->layers,
                    .planned = request->needed,
                    .is_fast = request->is_fast};
  ir_code code = ir_wants_products(given, plan, &own.is_fast);
  if (code == IR_OK)
    code = ir_widen_nodes(&own, plan);
  plan->nodes = own.nodes;
  if (code == IR_OK)
    code = make_slots(request, plan);
  if (code == IR_OK)
    code = ir_widen_given(request, plan);
  if (code == IR_OK)
    code = prepare_all(request, plan);
  if (code == IR_OK)
    code = keep_outputs(request, plan);
  if (code == IR_OK) {
    find_once(request, plan);
    plan->n_workers = workers_of(plan);
  }
  if (code == IR_OK)
    code = ir_plan_lay_out(plan);
  if (code == IR_OK)
    code = check_peak(request, plan, &bytes);
  return code == IR_OK ? bind_constants(request, plan, bytes) : code;
}

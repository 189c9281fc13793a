#include "diag/account.h"
#include "runtime/infer/infer.h"
#include "runtime/run/passes.h"
#include "runtime/run/workers.h"

/* Fewer products in all take a plain kernel a millisecond, less than it takes to load the module. */
#define IR_LEAST_FAST (INT64_C(4) << 20)

static void note_uses(ir_finder *f, int32_t layer) {
  const ir_node *node = ir_finder_node(f, layer);
  if (!f->request->needed[layer])
    return;
  f->is_fixed[layer] = node->op != NULL && node->op->role != IR_ROLE_INPUT && !ir_op_has_dynamic_output(node->op);
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link from = node->inputs[i];
    f->is_fixed[layer] = f->is_fixed[layer] && f->is_fixed[from.layer];
    if (node->op != NULL && node->op->role == IR_ROLE_OUTPUT)
      f->is_kept[from.layer] = true;
    if (from.port != 0)
      continue;
    int32_t *n = &f->n_uses[from.layer];
    if (*n < 2)
      f->users[from.layer][*n] = layer;
    (*n)++;
  }
}

static void end_primitive(void *primitive) {
  ir_fast()->free(primitive);
}

/* Takes the last node, or the two of a Swish, out of the chain. */
static void shorten(const ir_finder *f, ir_chain *chain) {
  const int n = (chain->desc.has_bias ? 1 : 0) + chain->desc.n_post_ops;
  ir_mark_chain(f, chain, NULL);
  chain->last = chain->first;
  chain->bias.layer = chain->add.layer = -1;
  chain->desc.has_bias = false;
  chain->desc.n_post_ops = 0;
  ir_fuse(f, chain, n - 1);
  ir_mark_chain(f, chain, chain);
}

/* Convolutions read and write tensors with channels last; where those lie plain they are copied. Where the module
 * cannot make a product with all that is behind it, it makes it with less; where it cannot make the product alone,
 * plain kernels serve. */
static ir_code make_product(ir_finder *f, ir_chain *chain) {
  const bool is_conv = chain->desc.kind != IR_FAST_MATMUL;
  chain->desc.in_channels_last = chain->desc.out_channels_last = is_conv;
  chain->desc.n_threads = ir_workers_most(f->plan->workers);
  bool has_memory = ir_fast()->create(&chain->desc, &chain->primitive);
  while (has_memory && chain->primitive == NULL && chain->last != chain->first) {
    shorten(f, chain);
    has_memory = ir_fast()->create(&chain->desc, &chain->primitive);
  }
  if (!has_memory)
    return ir_out_of_memory(f->plan->diags);
  if (chain->primitive == NULL) {
    ir_mark_chain(f, chain, NULL);
    return IR_OK;
  }
  const size_t bytes = ir_fast()->bytes(chain->primitive);
  if (!ir_plan_own(f->plan, chain->primitive, end_primitive) || !ir_account_take(f->plan->account, bytes))
    return IR_IO;
  f->plan->product_bytes += bytes;
  return IR_OK;
}

/* `*out_chain` is NULL where the node is no product that the module computes. */
static ir_code begin_chain(ir_finder *f, const ir_node *node, ir_scope *scope, ir_chain **out_chain) {
  ir_fast_desc desc;
  *out_chain = NULL;
  if (!f->request->needed[ir_finder_index(f, node)] || node->op == NULL || node->op->contraction == NULL)
    return IR_OK;
  ir_gather_inputs(f->request->nodes, node, f->in);
  if (!node->op->contraction(node, f->in, scope, &desc))
    return IR_OK;
  ir_chain *chain = ir_arena_alloc(f->plan->arena, sizeof *chain);
  if (chain == NULL)
    return ir_out_of_memory(f->plan->diags);
  const bool is_fixed = f->is_fixed[node->inputs[1].layer];
  desc.b_is_weights = desc.kind != IR_FAST_MATMUL || is_fixed;
  *chain = (ir_chain){.first = node,
                      .last = node,
                      .data = node->inputs[0],
                      .weights = node->inputs[1],
                      .bias = {-1, 0},
                      .add = {-1, 0},
                      .desc = desc,
                      .are_weights_fixed = is_fixed && !ir_lacks_pass(f->request, IRRUN_PASS_ONCE)};
  *out_chain = chain;
  return IR_OK;
}

ir_code ir_wants_products(const ir_plan_request *request, ir_plan *plan, bool *out_wanted) {
  const size_t n = request->n_nodes;
  int64_t sum = 0;
  *out_wanted = false;
  if (!request->is_fast || request->visited)
    return IR_OK;
  const ir_value **in = ir_arena_array(plan->arena, ir_most_inputs(request->nodes, n) + 1, sizeof *in);
  if (in == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t i = 0; i < n && sum < IR_LEAST_FAST; i++) {
    const ir_node *node = &request->nodes[i];
    if (!request->needed[i] || node->op == NULL || node->op->contraction == NULL || node->op->cost == NULL)
      continue;
    ir_gather_inputs(request->nodes, node, in);
    const int64_t cost = node->op->cost(node, in);
    if (cost < 0 || !ir_add(sum, cost, &sum))
      sum = INT64_MAX;
  }
  *out_wanted = sum >= IR_LEAST_FAST && ir_fast() != NULL;
  return IR_OK;
}

static ir_code begin(ir_finder *f) {
  const size_t n = f->request->n_nodes + 1, n_outputs = f->plan->n_outputs + 1;
  ir_arena *arena = f->plan->arena;
  f->chain_of = ir_arena_array(arena, n, sizeof *f->chain_of);
  f->n_uses = ir_arena_array(arena, n, sizeof *f->n_uses);
  f->users = ir_arena_array(arena, n, sizeof *f->users);
  f->is_fixed = ir_arena_array(arena, n, sizeof *f->is_fixed);
  f->is_kept = ir_arena_array(arena, n, sizeof *f->is_kept);
  f->in = ir_arena_array(arena, ir_most_inputs(f->request->nodes, n - 1) + 1, sizeof *f->in);
  f->plan->is_channels_last = ir_arena_array(arena, n, sizeof *f->plan->is_channels_last);
  f->plan->turned_of = ir_arena_array(arena, n_outputs, sizeof *f->plan->turned_of);
  if (f->chain_of == NULL || f->n_uses == NULL || f->users == NULL || f->is_fixed == NULL || f->is_kept == NULL ||
      f->in == NULL || f->plan->is_channels_last == NULL || f->plan->turned_of == NULL)
    return ir_out_of_memory(f->plan->diags);
  for (size_t i = 0; i < n_outputs; i++)
    f->plan->turned_of[i] = -1;
  return IR_OK;
}

static bool is_laid_last(const ir_finder *f, int32_t layer) {
  const ir_chain *chain = f->chain_of[layer];
  const ir_node *node = ir_finder_node(f, layer);
  if (chain == NULL)
    return ir_follows_layout(f, node);
  return chain->last == node && chain->desc.out_channels_last && !f->is_kept[layer];
}

static void count(const ir_finder *f, int32_t layer) {
  const ir_node *node = ir_finder_node(f, layer);
  f->plan->counts.fused += f->chain_of[layer] != NULL && f->chain_of[layer]->first != node;
  for (int32_t p = 0; p < node->n_outputs; p++)
    f->plan->counts.laid_last += ir_plan_lies_last(f->plan, (ir_link){layer, p});
}

static ir_code find_chains(ir_finder *f) {
  ir_code code = IR_OK;
  ir_scope scope = ir_model_scope(f->request->model);
  scope.arena = f->plan->arena;
  for (int32_t i = 0; i < (int32_t)f->request->n_nodes && code == IR_OK; i++) {
    ir_chain *chain = NULL;
    if (f->chain_of[i] == NULL)
      code = begin_chain(f, ir_finder_node(f, i), &scope, &chain);
    if (chain == NULL)
      continue;
    if (!ir_lacks_pass(f->request, IRRUN_PASS_FUSE))
      ir_fuse(f, chain, IR_FAST_MOST_POST_OPS + 1);
    ir_mark_chain(f, chain, chain);
  }
  return code;
}

static ir_code make_products(ir_finder *f) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < f->request->n_nodes && code == IR_OK; i++) {
    ir_chain *chain = f->chain_of[i];
    if (chain != NULL && chain->primitive == NULL)
      code = make_product(f, chain);
  }
  return code;
}

static void find_layouts(ir_finder *f) {
  for (int32_t i = 0; i < (int32_t)f->request->n_nodes && !ir_lacks_pass(f->request, IRRUN_PASS_LAYOUT); i++)
    f->plan->is_channels_last[i] = f->request->needed[i] && is_laid_last(f, i);
}

ir_code ir_find_products(const ir_plan_request *request, ir_plan *plan, ir_chain ***out_chain_of) {
  const int32_t n = (int32_t)request->n_nodes;
  ir_finder f = {.request = request, .plan = plan};
  *out_chain_of = NULL;
  if (!request->is_fast)
    return IR_OK;
  ir_code code = begin(&f);
  if (code != IR_OK)
    return code;
  *out_chain_of = f.chain_of;
  for (int32_t i = 0; i < n; i++)
    note_uses(&f, i);
  for (size_t k = 0; k < request->n_kept; k++)
    f.is_kept[request->kept[k].layer] = true;
  code = find_chains(&f);
  if (code == IR_OK)
    code = make_products(&f);
  if (code != IR_OK)
    return code;
  find_layouts(&f);
  for (int32_t i = 0; i < n; i++)
    count(&f, i);
  return IR_OK;
}

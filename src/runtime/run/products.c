#include "runtime/run/products.h"
#include "ops/kernels/rows.h"
#include "ops/kernels/strided_copy.h"
#include "ops/math/binary.h"
#include "ops/math/convert_values.h"
#include "runtime/infer/infer.h"
#include "runtime/run/workers.h"
#include <stdio.h>
#include <string.h>

/* Fewer products in all take a plain kernel a millisecond, less than it takes to load the module. */
#define IR_LEAST_FAST (INT64_C(4) << 20)

/* What is known of the nodes before any is prepared. One of each a node. */
typedef struct finder {
  const ir_plan_request *request;
  ir_plan *plan;
  ir_chain **chain_of;
  int32_t *n_uses;     /* ports that read its output 0 */
  int32_t (*users)[2]; /* the first two that read it */
  bool *is_fixed;      /* it is computed of constants alone */
  bool *is_kept;       /* a Result or a later plan reads it */
  const ir_value **in;
} finder;

static const ir_node *node_at(const finder *f, int32_t layer) {
  return &f->request->nodes[layer];
}

static int32_t index_of(const finder *f, const ir_node *node) {
  return (int32_t)(node - f->request->nodes);
}

static bool is_op(const ir_node *node, const char *type) {
  return node->op != NULL && node->op->dialect == IR_OPENVINO && strcmp(node->op->type, type) == 0;
}

static const ir_value *value_of(const finder *f, ir_link from) {
  return &f->request->nodes[from.layer].outputs[from.port];
}

/* ---- uses ---- */

static void note_uses(finder *f, int32_t layer) {
  const ir_node *node = node_at(f, layer);
  const bool is_planned = f->request->needed[layer];
  if (!is_planned && (f->request->later == NULL || !f->request->later[layer]))
    return;
  f->is_fixed[layer] = node->op != NULL && node->op->role != IR_ROLE_INPUT && !ir_op_runs_alone(node->op);
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link from = node->inputs[i];
    f->is_fixed[layer] = f->is_fixed[layer] && f->is_fixed[from.layer];
    if (from.port != 0)
      continue;
    int32_t *n = &f->n_uses[from.layer];
    if (*n < 2)
      f->users[from.layer][*n] = layer;
    (*n)++;
    if (!is_planned || (node->op != NULL && node->op->role == IR_ROLE_OUTPUT))
      f->is_kept[from.layer] = true;
  }
}

/* The one node that reads output 0; NULL: several do, or it is kept. */
static const ir_node *only_user(const finder *f, const ir_node *node) {
  const int32_t layer = index_of(f, node);
  if (node->n_outputs != 1 || f->is_kept[layer] || f->n_uses[layer] != 1)
    return NULL;
  return node_at(f, f->users[layer][0]);
}

/* ---- what is done behind a product ---- */

static bool have_one_shape(const finder *f, const ir_node *a, ir_link b) {
  return value_of(f, b)->type == a->outputs[0].type && ir_shapes_equal(&a->outputs[0].shape, &value_of(f, b)->shape);
}

/* One number for each channel of a convolution, or each column: all other axes have size 1. */
static bool is_bias(const finder *f, const ir_chain *chain, ir_link from) {
  const ir_value *value = value_of(f, from);
  const ir_shape *shape = &value->shape, *out = &chain->first->outputs[0].shape;
  const int channel = chain->what.kind == IR_FAST_MATMUL ? out->rank - 1 : 1;
  if (value->type != chain->first->outputs[0].type || shape->rank > out->rank || channel < out->rank - shape->rank)
    return false;
  for (int i = 0; i < shape->rank; i++) {
    const int axis = out->rank - shape->rank + i;
    if (shape->dims[i].lo != (axis == channel ? out->dims[axis].lo : 1))
      return false;
  }
  return true;
}

static bool append(ir_chain *chain, ir_fast_after after) {
  if (chain->what.n_after == IR_FAST_MOST_AFTER)
    return false;
  chain->what.after[chain->what.n_after++] = after;
  return true;
}

static bool take_add(const finder *f, ir_chain *chain, const ir_node *user) {
  const int other = user->inputs[0].layer == index_of(f, chain->last) ? 1 : 0;
  const ir_link from = user->inputs[other];
  const ir_binary_params *params = user->params;
  if (params->auto_broadcast == IR_BROADCAST_PDPD || !have_one_shape(f, user, (ir_link){index_of(f, chain->last), 0}))
    return false;
  if (chain->bias.layer < 0 && chain->what.n_after == 0 && is_bias(f, chain, from)) {
    chain->bias = from;
    chain->what.has_bias = true;
    return true;
  }
  if (chain->add.layer >= 0 || !have_one_shape(f, user, from) || !append(chain, (ir_fast_after){.kind = IR_AFTER_ADD}))
    return false;
  chain->add = from;
  return true;
}

/* x * Sigmoid(x), as two layers: the last of them, or NULL. */
static const ir_node *find_swish(const finder *f, const ir_node *node) {
  const int32_t layer = index_of(f, node);
  if (node->n_outputs != 1 || f->is_kept[layer] || f->n_uses[layer] != 2)
    return NULL;
  for (int i = 0; i < 2; i++) {
    const ir_node *sigmoid = node_at(f, f->users[layer][i]), *product = node_at(f, f->users[layer][1 - i]);
    if (is_op(sigmoid, "Sigmoid") && is_op(product, "Multiply") && only_user(f, sigmoid) == product)
      return product;
  }
  return NULL;
}

/* Takes one more node, or two, into the chain; false: nothing fits. */
static bool take_next(const finder *f, ir_chain *chain) {
  const ir_node *user = only_user(f, chain->last), *end = user;
  ir_fast_after after;
  bool taken = false;
  if (user != NULL && f->chain_of[index_of(f, user)] != NULL)
    return false; /* another product's */
  if (user == NULL) {
    end = find_swish(f, chain->last);
    taken = end != NULL && append(chain, (ir_fast_after){.kind = IR_AFTER_SWISH, .a = 1});
  } else if (is_op(user, "Add")) {
    taken = take_add(f, chain, user);
  } else if (user->op != NULL && user->op->after != NULL && user->inputs[0].layer == index_of(f, chain->last)) {
    taken = user->op->after(user, &after) && append(chain, after);
  }
  if (taken)
    chain->last = end;
  return taken;
}

static void mark(const finder *f, ir_chain *chain, ir_chain *as) {
  ir_chain **chain_of = f->chain_of;
  for (const ir_node *node = chain->first; node != chain->last;) {
    const int32_t layer = index_of(f, node);
    const int32_t first = f->users[layer][0], second = f->users[layer][1];
    chain_of[layer] = as;
    if (f->n_uses[layer] == 2) { /* Sigmoid and Multiply */
      chain_of[first] = chain_of[second] = as;
      node = node_at(f, is_op(node_at(f, first), "Multiply") ? first : second);
    } else {
      node = node_at(f, first);
    }
  }
  chain_of[index_of(f, chain->last)] = as;
}

/* ---- layouts ---- */

/* A tensor [N, C, D..] is the same bytes with its channels last. */
static bool lies_alike(const ir_shape *shape) {
  int64_t inner = 1;
  for (int i = 2; i < shape->rank && inner == 1; i++)
    inner = shape->dims[i].lo;
  return shape->rank < 3 || inner == 1 || shape->dims[1].lo == 1;
}

static bool is_channels_last(const finder *f, ir_link from) {
  return from.port == 0 && f->plan->is_channels_last[from.layer];
}

/* An input that a node of rank `rank` reads with channels last. */
static bool may_be_channels_last(const finder *f, ir_link from, int rank) {
  const ir_shape *shape = &value_of(f, from)->shape;
  ir_shape whole = ir_shape_of_rank(rank);
  if (is_channels_last(f, from))
    return shape->rank == rank;
  for (int i = 0; i < rank; i++)
    whole.dims[i] = i >= rank - shape->rank ? shape->dims[i - rank + shape->rank] : ir_dim_of(1);
  return shape->rank <= rank && lies_alike(&whole);
}

/* A node follows what it reads, where it can: then nothing is laid out anew. */
static bool follows(const finder *f, const ir_node *node) {
  const int rank = node->n_outputs > 0 ? node->outputs[0].shape.rank : 0;
  bool any = false;
  if (node->op == NULL || rank < 3 || (node->op->map == NULL && node->op->takes_channels_last == NULL) ||
      (node->op->takes_channels_last != NULL && !node->op->takes_channels_last(node)) ||
      lies_alike(&node->outputs[0].shape) || f->is_kept[index_of(f, node)])
    return false;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    if (!may_be_channels_last(f, node->inputs[i], rank))
      return false;
    any = any || is_channels_last(f, node->inputs[i]);
  }
  for (int32_t p = 1; p < node->n_outputs; p++)
    if (ir_plan_output_slot(f->plan, node, p) >= 0)
      return false;
  return any;
}

static void end_product(void *product) {
  ir_fast()->free(product);
}

/* Convolutions read and write tensors with channels last: what lies plain is copied before and behind. Where the module
 * cannot make the product the plain kernels do. */
static ir_code make_product(finder *f, ir_chain *chain) {
  const bool is_conv = chain->what.kind != IR_FAST_MATMUL;
  const int32_t last = index_of(f, chain->last);
  chain->what.in_channels_last = chain->what.out_channels_last = is_conv;
  chain->what.n_threads = ir_workers_most(f->plan->workers);
  chain->product = ir_fast()->create(&chain->what);
  if (chain->product == NULL) {
    mark(f, chain, NULL);
    return IR_OK;
  }
  f->plan->is_channels_last[last] = is_conv && !f->is_kept[last] && !lies_alike(&chain->last->outputs[0].shape);
  return ir_plan_own(f->plan, chain->product, end_product) ? IR_OK : IR_IO;
}

/* ---- finding ---- */

static ir_chain *begin_chain(finder *f, const ir_node *node, ir_scope *scope) {
  ir_fast_what what;
  const int32_t layer = index_of(f, node);
  if (!f->request->needed[layer] || node->op == NULL || node->op->product == NULL)
    return NULL;
  for (int32_t i = 0; i < node->n_inputs; i++)
    f->in[i] = value_of(f, node->inputs[i]);
  if (!node->op->product(node, f->in, scope, &what))
    return NULL;
  ir_chain *chain = ir_arena_alloc(f->plan->arena, sizeof *chain);
  if (chain == NULL)
    return NULL;
  const bool is_fixed = f->is_fixed[node->inputs[1].layer];
  what.b_is_weights = what.kind != IR_FAST_MATMUL || is_fixed;
  *chain = (ir_chain){.first = node,
                      .last = node,
                      .data = node->inputs[0],
                      .weights = node->inputs[1],
                      .bias = {-1, 0},
                      .add = {-1, 0},
                      .what = what,
                      .are_weights_fixed = is_fixed};
  return chain;
}

/* Products that the plan computes in all. */
static bool is_worth_it(finder *f) {
  int64_t sum = 0;
  for (size_t i = 0; i < f->request->model->graph.n_layers; i++) {
    const ir_node *node = &f->request->nodes[i];
    if (!f->request->needed[i] || node->op == NULL || node->op->product == NULL || node->op->cost == NULL)
      continue;
    for (int32_t p = 0; p < node->n_inputs; p++)
      f->in[p] = value_of(f, node->inputs[p]);
    const int64_t cost = node->op->cost(node, f->in);
    if (cost < 0 || !ir_add(sum, cost, &sum) || sum >= IR_LEAST_FAST)
      return true;
  }
  return false;
}

static ir_code begin(finder *f) {
  const size_t n = f->request->model->graph.n_layers + 1;
  ir_arena *arena = f->plan->arena;
  f->chain_of = ir_arena_array(arena, n, sizeof *f->chain_of);
  f->n_uses = ir_arena_array(arena, n, sizeof *f->n_uses);
  f->users = ir_arena_array(arena, n, sizeof *f->users);
  f->is_fixed = ir_arena_array(arena, n, sizeof *f->is_fixed);
  f->is_kept = ir_arena_array(arena, n, sizeof *f->is_kept);
  f->plan->is_channels_last = ir_arena_array(arena, n, sizeof *f->plan->is_channels_last);
  f->plan->plain_of = ir_arena_array(arena, n, sizeof *f->plan->plain_of);
  if (f->chain_of == NULL || f->n_uses == NULL || f->users == NULL || f->is_fixed == NULL || f->is_kept == NULL ||
      f->plan->is_channels_last == NULL || f->plan->plain_of == NULL)
    return ir_out_of_memory(f->plan->diags);
  for (size_t i = 0; i < n; i++)
    f->plan->plain_of[i] = -1;
  return IR_OK;
}

ir_code ir_find_products(const ir_plan_request *request, ir_plan *plan, ir_chain ***out_chain_of) {
  const irrun_model *model = request->model;
  const size_t n = model->graph.n_layers;
  ir_scope scope = ir_model_scope(request->model);
  finder f = {.request = request, .plan = plan};
  scope.arena = plan->arena;
  plan->is_fast = request->is_fast;
  *out_chain_of = NULL;
  f.in = ir_arena_array(plan->arena, ir_most_inputs(request->nodes, n) + 1, sizeof *f.in);
  if (f.in == NULL)
    return ir_out_of_memory(plan->diags);
  if (!request->is_fast || request->visited || !is_worth_it(&f) || ir_fast() == NULL)
    return IR_OK;
  ir_code code = begin(&f);
  *out_chain_of = f.chain_of;
  for (size_t i = 0; i < n && code == IR_OK; i++)
    note_uses(&f, model->order[i]);
  for (size_t i = 0; i < n && code == IR_OK; i++) {
    const ir_node *node = node_at(&f, model->order[i]);
    ir_chain *chain = f.chain_of[model->order[i]] == NULL ? begin_chain(&f, node, &scope) : NULL;
    if (chain == NULL)
      continue;
    while (take_next(&f, chain))
      ;
    mark(&f, chain, chain);
  }
  for (size_t i = 0; i < n && code == IR_OK; i++) {
    const ir_node *node = node_at(&f, model->order[i]);
    ir_chain *chain = f.chain_of[model->order[i]];
    if (chain != NULL && chain->last == node)
      code = make_product(&f, chain);
    if (f.chain_of[model->order[i]] == NULL && request->needed[model->order[i]])
      plan->is_channels_last[model->order[i]] = follows(&f, node);
  }
  return code;
}

/* ---- steps ---- */

typedef struct product_state {
  const ir_chain *chain;
  bool has_weights; /* they were laid out */
  ir_diags *diags;
} product_state;

static ir_code run_chain(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  product_state *state = *(product_state *const *)step->state;
  const ir_chain *chain = state->chain;
  const ir_fast_module *module = ir_fast();
  const float *b = in[1]->data, *bias = chain->bias.layer >= 0 ? in[2]->data : NULL;
  if (chain->what.b_is_weights && !(state->has_weights && chain->are_weights_fixed)) {
    if (!module->set_weights(chain->product, b, exec->n_workers))
      return ir_out_of_memory(state->diags);
    state->has_weights = true;
  }
  if (chain->add.layer >= 0)
    memcpy(out[0]->data, in[step->n_in - 1]->data, out[0]->bytes);
  if (!module->run(chain->product, in[0]->data, chain->what.b_is_weights ? NULL : b, bias, out[0]->data,
                   exec->n_workers))
    return ir_out_of_memory(state->diags);
  return IR_OK;
}

static int32_t slot_of(const ir_plan *plan, ir_link from) {
  return plan->slot_of[plan->first_slot[from.layer] + from.port];
}

/* Copies a tensor [N, C, D..] from one layout to the other. */
static ir_code copy_laid(ir_plan *plan, const ir_node *node, const ir_shape *shape, bool to_last, int32_t from,
                         int32_t to) {
  const ir_shape laid = ir_channels_last_shape(shape);
  int64_t dims[IR_MAX_RANK], plain[IR_MAX_RANK], laid_steps[IR_MAX_RANK], last[IR_MAX_RANK];
  ir_rows_steps(shape, 0, shape->rank, plain);
  ir_rows_steps(&laid, 0, shape->rank, laid_steps);
  for (int i = 0; i < shape->rank; i++) {
    dims[i] = shape->dims[i].lo;
    last[i] = laid_steps[i == 0 ? 0 : i == 1 ? shape->rank - 1 : i - 1];
  }
  const ir_strided_copy copy = ir_strided_copy_of(shape->rank, dims, to_last ? plain : last, to_last ? last : plain);
  return ir_strided_copy_step_on(plan, node, &copy, from, to);
}

static ir_code make_plain(ir_plan *plan, int32_t layer) {
  const ir_node *node = &plan->nodes[layer];
  if (plan->plain_of[layer] >= 0)
    return IR_OK;
  plan->plain_of[layer] = ir_plan_temporary(plan, node->outputs[0].type, &node->outputs[0].shape);
  return plan->plain_of[layer] < 0 ? IR_IO
                                   : copy_laid(plan, node, &node->outputs[0].shape, false,
                                               ir_plan_output_slot(plan, node, 0), plan->plain_of[layer]);
}

/* An input of the step; with channels last where the product reads it so. */
static ir_code add_input(ir_plan *plan, ir_link from, bool last, int32_t *slots, int32_t *n) {
  if (from.layer < 0)
    return IR_OK;
  const ir_node *node = &plan->nodes[from.layer];
  const ir_value *value = &node->outputs[from.port];
  const bool is_channels_last = from.port == 0 && plan->is_channels_last[from.layer];
  int32_t slot = slot_of(plan, from);
  ir_code code = IR_OK;
  if (is_channels_last && !last) {
    code = make_plain(plan, from.layer);
    slot = plan->plain_of[from.layer];
  } else if (last && !is_channels_last && !lies_alike(&value->shape)) {
    const int32_t copied = ir_plan_temporary(plan, value->type, &value->shape);
    code = copied < 0 ? IR_IO : copy_laid(plan, node, &value->shape, true, slot, copied);
    slot = copied;
  }
  if (code == IR_OK && value->type != IR_F32) {
    const int32_t wide = ir_plan_temporary(plan, IR_F32, &value->shape);
    code = wide < 0 ? IR_IO : ir_convert_step_on(plan, node, slot, wide);
    slot = wide;
  }
  slots[(*n)++] = slot;
  return code;
}

/* From the f32 that the product makes, in the layout that it makes, to the output's own. */
static ir_code add_output(ir_plan *plan, const ir_node *node, int32_t made, bool is_copied) {
  const ir_value *value = &node->outputs[0];
  const int32_t out = ir_plan_output_slot(plan, node, 0);
  int32_t narrow = made;
  ir_code code = IR_OK;
  if (value->type != IR_F32) {
    narrow = is_copied ? ir_plan_temporary(plan, value->type, &value->shape) : out;
    code = narrow < 0 ? IR_IO : ir_convert_step_on(plan, node, made, narrow);
  }
  return code == IR_OK && is_copied ? copy_laid(plan, node, &value->shape, false, narrow, out) : code;
}

/* "convolution+bias+add+relu". */
static const ir_kernel *make_kernel(const ir_chain *chain, ir_plan *plan) {
  static const char *const kinds[] = {
      [IR_FAST_CONVOLUTION] = "convolution", [IR_FAST_BACKPROP] = "convolution_backprop", [IR_FAST_MATMUL] = "mat_mul"};
  static const char *const afters[] = {
      [IR_AFTER_ADD] = "add",         [IR_AFTER_RELU] = "relu", [IR_AFTER_CLAMP] = "clamp",
      [IR_AFTER_SIGMOID] = "sigmoid", [IR_AFTER_TANH] = "tanh", [IR_AFTER_SWISH] = "swish",
      [IR_AFTER_HSWISH] = "hswish",   [IR_AFTER_ELU] = "elu",   [IR_AFTER_GELU_ERF] = "gelu"};
  enum { MOST = 96 };
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  char *text = ir_arena_alloc(plan->arena, MOST);
  if (kernel == NULL || text == NULL)
    return NULL;
  int used = snprintf(text, MOST, "%s%s", kinds[chain->what.kind], chain->what.has_bias ? "+bias" : "");
  for (int i = 0; i < chain->what.n_after; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "+%s", afters[chain->what.after[i].kind]);
  *kernel = (ir_kernel){.name = text, .isa = "onednn", .run = run_chain};
  return kernel;
}

ir_code ir_product_chain_step(const ir_chain *chain, ir_plan *plan) {
  const ir_kernel *kernel = make_kernel(chain, plan);
  int32_t slots[4], n = 0;
  const int32_t out = ir_plan_output_slot(plan, chain->last, 0);
  product_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  product_state **place = ir_arena_alloc(plan->arena, sizeof *place);
  if (state == NULL || place == NULL || kernel == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (product_state){.chain = chain, .diags = plan->diags};
  *place = state;
  ir_code code = add_input(plan, chain->data, chain->what.in_channels_last, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->weights, false, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->bias, false, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->add, chain->what.out_channels_last, slots, &n);
  const ir_value *value = &chain->last->outputs[0];
  const bool is_copied =
      chain->what.out_channels_last && !ir_plan_is_channels_last(plan, chain->last) && !lies_alike(&value->shape);
  const bool is_own = !is_copied && value->type == IR_F32;
  const int32_t made = is_own ? out : ir_plan_temporary(plan, IR_F32, &value->shape);
  if (code != IR_OK || made < 0)
    return IR_IO;
  code = ir_plan_step_on(plan, chain->first, kernel, place, 0, slots, n, &made, 1);
  return code == IR_OK ? add_output(plan, chain->last, made, is_copied) : code;
}

ir_code ir_make_plain(const ir_node *node, ir_plan *plan) {
  ir_code code = IR_OK;
  if (plan->is_channels_last == NULL || ir_plan_is_channels_last(plan, node))
    return IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++)
    if (node->inputs[i].port == 0 && plan->is_channels_last[node->inputs[i].layer])
      code = make_plain(plan, node->inputs[i].layer);
  return code;
}

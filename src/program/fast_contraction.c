#include "program/fast_contraction.h"
#include "exec/workers.h"
#include <stdio.h>

/* ---- primitives ---- */

/* A primitive; its memory counts as the run's. */
typedef struct owned_primitive {
  ir_fast_primitive *primitive;
  ir_account *account;
} owned_primitive;

static void end_primitive(void *user) {
  owned_primitive *owned = user;
  ir_account_give_back(owned->account, ir_fast()->bytes(owned->primitive));
  ir_fast()->free(owned->primitive);
}

ir_code ir_own_primitive(ir_program *program, ir_fast_primitive *primitive) {
  ir_account *account = program->request->account;
  owned_primitive *owned = ir_arena_alloc(program->arena, sizeof *owned);
  if (owned == NULL || !ir_account_take(account, ir_fast()->bytes(primitive))) {
    ir_fast()->free(primitive);
    return owned == NULL ? ir_out_of_memory(program->diags) : IR_NO_MEMORY;
  }
  *owned = (owned_primitive){primitive, account};
  return ir_plan_own(program->request->plan, owned, end_primitive) ? IR_OK : IR_NO_MEMORY;
}

/* ---- weights ---- */

typedef struct laying_out {
  ir_contraction *contraction;
  ir_constants *constants;
  ir_account *account;
  ir_plan *plan;
} laying_out;

/* Weights that belong to one plan; their memory counts as the run's. */
typedef struct local_weights {
  ir_fast_weights *weights;
  ir_account *account;
  size_t bytes;
} local_weights;

static void end_weights(void *user) {
  const local_weights *local = user;
  ir_account_give_back(local->account, local->bytes);
  ir_fast()->free_weights(local->weights);
}

static bool own_weights(const laying_out *l, ir_fast_weights *made) {
  local_weights *local = ir_arena_alloc(l->plan->arena, sizeof *local);
  if (local == NULL) {
    ir_fast()->free_weights(made);
    return false;
  }
  *local = (local_weights){made, l->account, ir_fast()->weights_bytes(l->contraction->primitive)};
  return ir_plan_own(l->plan, local, end_weights);
}

static ir_code run_lay_out(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)out;
  const laying_out *l = step->state;
  ir_contraction *c = l->contraction;
  /* Another contraction, or another thread, can have laid out the weights meanwhile. */
  if (!c->are_weights_local)
    c->weights = ir_constants_find_weights(l->constants, &c->weights_key, c->primitive);
  if (c->weights != NULL)
    return IR_OK;
  const size_t bytes = ir_fast()->weights_bytes(c->primitive);
  if (c->are_weights_local
          ? !ir_account_take(l->account, bytes)
          : ir_account_check(l->account, bytes, l->account->where, "with weights, the run takes") != IR_OK)
    return IR_NO_MEMORY;
  ir_fast_weights *made = NULL;
  if (!ir_fast()->lay_out(c->primitive, in[0]->data, exec->n_workers, &made))
    return ir_out_of_memory(l->plan->diags);
  if (c->are_weights_local ? !own_weights(l, made)
                           : !ir_constants_put_weights(l->constants, &c->weights_key, made, bytes))
    return ir_out_of_memory(l->plan->diags);
  c->weights = made;
  return IR_OK;
}

ir_code ir_lay_out_step(ir_plan *plan, const ir_operation *operation, int32_t slot, const ir_program_request *request) {
  static const ir_kernel kernel = {
      .name = "lay_out_weights", .isa = "any", .run = run_lay_out, .reads_unaligned = true};
  laying_out *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (laying_out){operation->node.params, request->constants, request->account, request->plan};
  plan->layer = operation->node.layer;
  plan->layer_number = operation->layer;
  return ir_plan_append(plan, &kernel, state, 0, &slot, 1, NULL, 0);
}

/* ---- running ---- */

typedef struct contraction_state {
  ir_contraction *contraction;
  ir_fast_weights *changing; /* laid-out weights of this execution, if the weights are not constant */
  ir_diags *diags;
} contraction_state;

static void end_changing(void *user) {
  contraction_state *state = user;
  if (state->changing != NULL)
    ir_fast()->free_weights(state->changing);
}

static ir_code run_contraction(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  contraction_state *state = *(contraction_state *const *)step->state;
  const ir_contraction *c = state->contraction;
  const ir_fast_module *module = ir_fast();
  const bool is_laid_out = c->weights != NULL;
  int32_t port = is_laid_out ? 1 : 2;
  ir_fast_tensors tensors = {.in = in[0]->data, .weights = c->weights, .out = out[0]->data};
  if (!is_laid_out)
    tensors.b = in[1]->data;
  if (c->desc.has_bias)
    tensors.bias = in[port++]->data;
  if (ir_fast_find(&c->desc, IR_POST_ADD) >= 0)
    tensors.added = in[port]->data;
  if (!is_laid_out && c->desc.b_is_weights && module->weights_bytes(c->primitive) > 0) {
    if (!module->lay_out(c->primitive, tensors.b, exec->n_workers, &state->changing))
      return ir_out_of_memory(state->diags);
    tensors.weights = state->changing;
  }
  return module->run(c->primitive, &tensors, c->desc.n_threads) ? IR_OK : ir_out_of_memory(state->diags);
}

/* Makes a kernel with a name such as "convolution+bias+add+relu". */
static const ir_kernel *make_kernel(const ir_contraction *c, ir_plan *plan) {
  static const char *const kinds[] = {
      [IR_FAST_CONVOLUTION] = "convolution", [IR_FAST_BACKPROP] = "convolution_backprop", [IR_FAST_MATMUL] = "mat_mul"};
  static const char *const post_op_names[] = {[IR_POST_ADD] = "add",       [IR_POST_RELU] = "relu",
                                              [IR_POST_CLAMP] = "clamp",   [IR_POST_SIGMOID] = "sigmoid",
                                              [IR_POST_TANH] = "tanh",     [IR_POST_SWISH] = "swish",
                                              [IR_POST_HSWISH] = "hswish", [IR_POST_ELU] = "elu",
                                              [IR_POST_GELU_ERF] = "gelu", [IR_POST_GELU_TANH] = "gelu_tanh",
                                              [IR_POST_LINEAR] = "linear"};
  static const char *const types[] = {
      [IR_FAST_F32] = "", [IR_FAST_BF16] = "_bf16", [IR_FAST_F16] = "_f16", [IR_FAST_U8] = "_i8", [IR_FAST_I8] = "_i8"};
  _Static_assert(sizeof post_op_names / sizeof post_op_names[0] == IR_POST_COUNT, "the last function has a name");
  enum { MOST = 96 };
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  char *text = ir_arena_alloc(plan->arena, MOST);
  if (kernel == NULL || text == NULL)
    return NULL;
  int used =
      snprintf(text, MOST, "%s%s%s", kinds[c->desc.kind], types[c->desc.in_type], c->desc.has_bias ? "+bias" : "");
  for (int i = 0; i < c->desc.n_post_ops; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "+%s", post_op_names[c->desc.post_ops[i].kind]);
  *kernel =
      (ir_kernel){.name = text, .isa = "onednn", .run = run_contraction, .flushes = true, .reads_unaligned = true};
  return kernel;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in, (void)scope;
  ir_contraction *c = node->params;
  const ir_kernel *kernel = make_kernel(c, plan);
  contraction_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  contraction_state **place = ir_arena_alloc(plan->arena, sizeof *place);
  if (state == NULL || place == NULL || kernel == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (contraction_state){.contraction = c, .diags = plan->diags};
  *place = state;
  if (!ir_plan_own(plan, state, end_changing))
    return IR_NO_MEMORY;
  if (c->desc.n_threads > 1)
    plan->omp_pool = ir_fast()->omp_pool;
  /* Constant weights that are (or will be) laid out are not an input of the step. */
  const bool are_laid_out = c->weights != NULL || ir_lacks_weights(c);
  int32_t slots[4], n = 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (i != 1 || !are_laid_out)
      slots[n++] = plan->in_slots[i];
  return ir_plan_append(plan, kernel, place, 0, slots, n, plan->out_slots, 1);
}

const ir_op ir_op_contraction = {
    .dialect = IR_OPENVINO, .type = "Contraction", .run = {IR_RUN_PREPARED, .prepare = prepare}};

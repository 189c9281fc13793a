/* The pass "fuse". Before: products, and behind them operations on each element. After: a product that the fast module
 * computes is a contraction, with what stands behind it as far as the module does that before it stores an element. */
#include "exec/workers.h"
#include "ops/math/binary.h"
#include "ops/math/convert_values.h"
#include "program/fast_contraction.h"
#include "program/passes.h"
#include "program/patterns.h"
#include <stdio.h>
#include <string.h>

enum { MOST_LINKS = IR_FAST_MOST_POST_OPS + 3 }; /* a scale, a bias, post-ops */

#define WHY_F32 "oneDNN computes in f32, and the tensor of the model has another type"

/* A product and what is computed with it so far. */
typedef struct chain {
  ir_fast_desc desc;
  int32_t product;                  /* the operation */
  int32_t data, weights, bias, add; /* values; -1: there is none */
  int32_t out;                      /* the value that it makes */
  int32_t taken[2 * MOST_LINKS];    /* the operations behind the product */
  int n_taken;
} chain;

typedef struct fusing {
  ir_program *program;
  const ir_value **in;
  bool *taken; /* one an operation of before: a chain has it */
} fusing;

/* ---- what may stand behind a product ---- */

static bool have_one_shape(const ir_program *program, int32_t a, int32_t b) {
  const ir_value *x = ir_program_value_of(program, a), *y = ir_program_value_of(program, b);
  return x->type == y->type && ir_shapes_equal(&x->shape, &y->shape);
}

/* One number for each channel of a convolution, or each column: all other axes have size 1. */
static bool is_per_channel(const ir_program *program, const chain *c, int32_t value) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  const ir_shape *out = &ir_program_value_of(program, c->out)->shape;
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  const int channel = is_matmul ? out->rank - 1 : 1;
  if (is_matmul && out->rank > 0 && out->dims[channel].lo != c->desc.n) /* b is a vector: the last axis is rows */
    return false;
  if (ir_program_value_of(program, value)->type != ir_program_value_of(program, c->out)->type ||
      shape->rank > out->rank || channel < out->rank - shape->rank)
    return false;
  for (int i = 0; i < shape->rank; i++) {
    const int axis = out->rank - shape->rank + i;
    if (shape->dims[i].lo != (axis == channel ? out->dims[axis].lo : 1))
      return false;
  }
  return true;
}

/* Behind a backprop oneDNN 2.6 makes 0 of NaN by a Sigmoid. */
static bool append(chain *c, ir_post_op post_op) {
  if (c->desc.n_post_ops == IR_FAST_MOST_POST_OPS ||
      (c->desc.kind == IR_FAST_BACKPROP && post_op.kind == IR_POST_SIGMOID))
    return false;
  c->desc.post_ops[c->desc.n_post_ops++] = post_op;
  return true;
}

static bool is_pdpd(const ir_program *program, const ir_match *m) {
  const ir_binary_params *params = program->operations[m->operations[m->n - 1]].node.params;
  return params->auto_broadcast == IR_BROADCAST_PDPD;
}

static bool take_bias(ir_program *program, chain *c, const ir_match *m) {
  if (is_pdpd(program, m) || c->bias >= 0 || c->desc.n_post_ops > 0 || !is_per_channel(program, c, m->y))
    return false;
  c->bias = m->y;
  return c->desc.has_bias = true;
}

static bool take_add(ir_program *program, chain *c, const ir_match *m) {
  if (is_pdpd(program, m) || c->add >= 0 || !have_one_shape(program, c->out, m->y) ||
      !append(c, (ir_post_op){.kind = IR_POST_ADD}))
    return false;
  c->add = m->y;
  return true;
}

static bool take_swish(ir_program *program, chain *c, const ir_match *m) {
  (void)program, (void)m;
  return append(c, (ir_post_op){.kind = IR_POST_SWISH, .a = 1});
}

static bool take_post_op(ir_program *program, chain *c, const ir_match *m) {
  const ir_node *node = &program->operations[m->operations[0]].node;
  ir_post_op post_op;
  return node->op->post_op(node, &post_op) && append(c, post_op);
}

/* ---- a scale, which goes into the weights ---- */

static ir_code prepare_view(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)node, (void)in, (void)scope;
  ir_plan_view(plan);
  return IR_OK;
}

static const ir_op view = {.dialect = IR_OPENVINO, .type = "View", .prepare = prepare_view};

/* The shape under which one number a channel, or one for all, meets the weights. */
static ir_shape scale_shape(const chain *c, const ir_shape *weights, bool is_one) {
  ir_shape shape = ir_shape_of_rank(weights->rank);
  for (int i = 0; i < weights->rank; i++)
    shape.dims[i] = ir_dim_of(1);
  if (is_one)
    return shape;
  if (c->desc.kind == IR_FAST_MATMUL) {
    shape.dims[weights->rank - (c->desc.b_transposed ? 2 : 1)] = ir_dim_of(c->desc.n);
    return shape;
  }
  const bool has_groups = weights->rank == c->desc.n_axes + 3, is_backprop = c->desc.kind == IR_FAST_BACKPROP;
  if (has_groups)
    shape.dims[0] = ir_dim_of(c->desc.groups);
  shape.dims[has_groups + is_backprop] = ir_dim_of(c->desc.channels_out);
  return shape;
}

/* `value` times `scale`, of constants, made for operation `of`; -1 when memory is out. */
static int32_t multiply(ir_program *program, int32_t before, const ir_operation *of, int32_t value, int32_t scale,
                        const ir_shape *shape) {
  static const ir_binary_params params = {.auto_broadcast = IR_BROADCAST_NUMPY, .axis = -1};
  ir_value flat = program->values[scale].value;
  flat.shape = *shape;
  const int32_t viewed = ir_program_convert(program, before, &view, scale, &flat);
  if (viewed >= 0)
    program->values[viewed].key.made = 2;
  ir_program_value made = program->values[value];
  made.is_kept = made.is_given = false;
  made.producer = -1;
  made.key = (ir_constant_key){.layer = of->layer, .type = made.value.type, .made = 1};
  const int32_t to = viewed < 0 ? -1 : ir_program_add_value(program, &made);
  const int32_t in[] = {value, viewed};
  return to < 0 || ir_program_add(program, before, &ir_op_multiply_1, &params, &of->node, of->layer, in, 2, &to, 1) < 0
             ? -1
             : to;
}

static bool take_scale(ir_program *program, chain *c, const ir_match *m) {
  const ir_value *weights = ir_program_value_of(program, c->weights), *scale = ir_program_value_of(program, m->y);
  int64_t elements;
  const bool is_one = ir_shape_elements(&scale->shape, &elements) && elements == 1 &&
                      scale->shape.rank <= ir_program_value_of(program, c->out)->shape.rank;
  if (is_pdpd(program, m) || !program->folds || c->bias >= 0 || c->desc.n_post_ops > 0 || !weights->is_constant ||
      !scale->is_constant || weights->type != IR_F32 || scale->type != IR_F32 || !c->desc.b_is_weights ||
      (!is_one && !is_per_channel(program, c, m->y)) || weights->shape.rank < 2)
    return false;
  const ir_shape shape = scale_shape(c, &weights->shape, is_one);
  const ir_operation scaling = program->operations[m->operations[0]];
  const int32_t scaled = multiply(program, c->product, &scaling, c->weights, m->y, &shape);
  if (scaled < 0)
    return false;
  c->weights = scaled;
  return true;
}

/* ---- the patterns ---- */

/* Tried in this order on what the chain makes, until none fits any more. */
static const struct {
  ir_pattern pattern;
  bool (*take)(ir_program *program, chain *c, const ir_match *m);
} patterns[] = {
    {{"scale", 1, {{IR_FUNCTION_MULTIPLY, {IR_X, IR_Y}}}}, take_scale},
    {{"bias", 1, {{IR_FUNCTION_ADD, {IR_X, IR_Y}}}}, take_bias},
    {{"add", 1, {{IR_FUNCTION_ADD, {IR_X, IR_Y}}}}, take_add},
    {{"swish", 2, {{IR_FUNCTION_SIGMOID, {IR_X, IR_NO_INPUT}}, {IR_FUNCTION_MULTIPLY, {IR_X, 0}}}}, take_swish},
    {{"post-op", 1, {{IR_FUNCTION_OTHER, {IR_X, IR_NO_INPUT}}}}, take_post_op},
};

/* The operations that may end a pattern: those that read the chain's output, and those that read what they make. */
static bool take_at(fusing *f, chain *c, int32_t last) {
  ir_match match;
  for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
    if (!ir_pattern_match(f->program, &patterns[p].pattern, c->out, last, &match))
      continue;
    bool is_free = true;
    for (int i = 0; i < match.n; i++)
      is_free = is_free && !f->taken[match.operations[i]];
    if (!is_free || !patterns[p].take(f->program, c, &match))
      continue;
    for (int i = 0; i < match.n; i++)
      c->taken[c->n_taken++] = match.operations[i];
    c->out = f->program->operations[last].out[0];
    return true;
  }
  return false;
}

static bool take_next(fusing *f, chain *c) {
  enum { MOST_USES = 2 };
  const ir_program_value *out = &f->program->values[c->out];
  const int32_t first = out->first_use, n_uses = out->n_uses;
  for (int32_t u = 0; u < n_uses && n_uses <= MOST_USES; u++)
    if (take_at(f, c, f->program->uses[first + u].operation))
      return true;
  return false;
}

/* ---- making contractions ---- */

/* A primitive, whose memory counts as the run's. */
typedef struct owned_primitive {
  ir_fast_primitive *primitive;
  ir_account *account;
} owned_primitive;

static void end_primitive(void *user) {
  owned_primitive *owned = user;
  ir_account_give_back(owned->account, ir_fast()->bytes(owned->primitive));
  ir_fast()->free(owned->primitive);
}

static ir_code own_primitive(ir_program *program, ir_fast_primitive *primitive) {
  ir_account *account = program->request->account;
  owned_primitive *owned = ir_arena_alloc(program->arena, sizeof *owned);
  if (owned == NULL || !ir_account_take(account, ir_fast()->bytes(primitive))) {
    ir_fast()->free(primitive);
    return owned == NULL ? ir_out_of_memory(program->diags) : IR_NO_MEMORY;
  }
  *owned = (owned_primitive){primitive, account};
  return ir_plan_own(program->request->plan, owned, end_primitive) ? IR_OK : IR_NO_MEMORY;
}

/* Makes the primitive of the longest of these chains that the module computes, and computes fast; `*io_n` is the number
 * of chains up to that one, 0: of none. */
static ir_code make_primitive(ir_program *program, chain *chains, int *io_n, ir_fast_primitive **out) {
  *out = NULL;
  for (; *io_n > 0; --*io_n) {
    if (!ir_fast()->create(&chains[*io_n - 1].desc, out))
      return ir_out_of_memory(program->diags);
    if (*out != NULL)
      return IR_OK;
  }
  return IR_OK;
}

/* The value in f32, made before the operation. */
static int32_t in_f32(ir_program *program, int32_t before, int32_t value) {
  ir_value wide = program->values[value].value;
  if (wide.type == IR_F32)
    return value;
  wide.type = IR_F32;
  const int32_t to = ir_program_convert(program, before, &ir_op_convert_1, value, &wide);
  if (to >= 0)
    ir_program_producer(program, to)->why = WHY_F32;
  return to;
}

/* "Add+Relu": the ops that the chain has beside its product. */
static const char *describe(const ir_program *program, const chain *c) {
  enum { MOST = 256 };
  char *text = ir_arena_alloc(program->arena, MOST);
  int used = 0;
  for (int i = 0; i < c->n_taken && text != NULL && used < MOST; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "%s%s", i > 0 ? "+" : "",
                     program->operations[c->taken[i]].node.op->type);
  return c->n_taken > 0 ? text : NULL;
}

/* Puts the contraction where the last operation of the chain stands. */
static ir_code replace_chain(ir_program *program, const chain *c, ir_fast_primitive *primitive) {
  ir_contraction *params = ir_arena_alloc(program->arena, sizeof *params);
  if (params == NULL)
    return ir_out_of_memory(program->diags);
  const int32_t at = c->n_taken > 0 ? c->taken[c->n_taken - 1] : c->product;
  const int32_t read[] = {c->data, c->weights, c->bias, c->add};
  int32_t in[4], n = 0, out = c->out;
  for (int i = 0; i < 4; i++)
    if (read[i] >= 0 && (in[n++] = in_f32(program, at, read[i])) < 0)
      return IR_NO_MEMORY;
  const ir_program_value *weights = &program->values[in[1]];
  *params =
      (ir_contraction){.desc = c->desc,
                       .primitive = primitive,
                       .has_constant_weights = c->desc.b_is_weights && weights->value.is_constant && program->folds,
                       .are_weights_local = weights->is_local};
  const ir_operation product = program->operations[c->product];
  const ir_program_value narrow = program->values[out];
  if (narrow.value.type != IR_F32) {
    ir_program_value wide = narrow;
    wide.value.type = IR_F32;
    wide.is_kept = false;
    out = ir_program_add_value(program, &wide);
    if (out < 0)
      return IR_NO_MEMORY;
  }
  const int32_t added =
      ir_program_add(program, at, &ir_op_contraction, params, &product.node, product.layer, in, n, &out, 1);
  if (added < 0)
    return IR_NO_MEMORY;
  program->operations[added].fused = describe(program, c);
  program->operations[added].why = params->has_constant_weights
                                       ? "oneDNN computes products; its weights are laid out once for the model"
                                       : "oneDNN computes products";
  if (out != c->out) {
    if (ir_program_add(program, at, &ir_op_convert_1, NULL, narrow.node, product.layer, &out, 1, &c->out, 1) < 0)
      return IR_NO_MEMORY;
    ir_program_producer(program, c->out)->why = WHY_F32;
  }
  if (c->desc.out_channels_last && !program->values[out].is_kept && !ir_program_skips(program->request, "layout"))
    ir_program_lay_last(program, out);
  program->operations[c->product].is_dead = true;
  for (int i = 0; i < c->n_taken; i++)
    program->operations[c->taken[i]].is_dead = true;
  return IR_OK;
}

/* Whether the operation is a product that the module may compute; fills what the chain begins with. */
static bool begin_chain(fusing *f, int32_t at, chain *c) {
  ir_operation *operation = &f->program->operations[at];
  ir_scope scope = ir_program_scope(f->program);
  *c = (chain){.product = at, .bias = -1, .add = -1};
  if (operation->is_dead || f->taken[at] || operation->node.op->contraction == NULL)
    return false;
  ir_program_gather(f->program, operation, f->in);
  if (!operation->node.op->contraction(&operation->node, f->in, &scope, &c->desc) || operation->out[0] < 0) {
    operation->why = "oneDNN does not compute this product: its type, or its shape, is not one that oneDNN takes";
    return false;
  }
  c->data = operation->in[0];
  c->weights = operation->in[1];
  c->out = operation->out[0];
  const bool is_conv = c->desc.kind != IR_FAST_MATMUL;
  c->desc.b_is_weights = is_conv || ir_program_value_of(f->program, c->weights)->is_constant;
  c->desc.in_channels_last = c->desc.out_channels_last = is_conv;
  c->desc.n_threads = ir_workers_most(f->program->request->workers);
  return !ir_program_value_of(f->program, c->out)->is_constant;
}

static ir_code fuse_at(fusing *f, int32_t at, int64_t *count) {
  chain chains[MOST_LINKS];
  ir_fast_primitive *primitive;
  int n = 1;
  if (!begin_chain(f, at, &chains[0]))
    return IR_OK;
  for (; n < MOST_LINKS; n++) {
    chains[n] = chains[n - 1];
    if (ir_program_skips(f->program->request, "fuse") || !take_next(f, &chains[n]))
      break;
  }
  const ir_code code = make_primitive(f->program, chains, &n, &primitive);
  if (code == IR_OK && n == 0)
    f->program->operations[at].why = "oneDNN lacks this product, or computes it slowly";
  if (code != IR_OK || n == 0)
    return code;
  const chain *c = &chains[n - 1];
  f->taken[c->product] = true;
  for (int i = 0; i < c->n_taken; i++)
    f->taken[c->taken[i]] = true;
  *count += c->n_taken;
  const ir_code owned = own_primitive(f->program, primitive);
  return owned == IR_OK ? replace_chain(f->program, c, primitive) : owned;
}

ir_code ir_pass_fuse(ir_program *program, int64_t *count) {
  const size_t n = program->n_operations;
  fusing f = {.program = program, .in = ir_program_room(program)};
  f.taken = ir_arena_array(program->arena, n + 1, sizeof *f.taken);
  if (f.in == NULL || f.taken == NULL)
    return ir_out_of_memory(program->diags);
  ir_code code = IR_OK;
  for (int32_t next, at = program->first; at >= 0 && code == IR_OK; at = next) {
    next = program->operations[at].next;
    if ((size_t)at < n)
      code = fuse_at(&f, at, count);
  }
  return code;
}

/* The pass "fuse". Before: convolutions and matrix products, followed by elementwise operations. After: each product
 * that the fast module supports is a contraction, with as many of the following operations as the module can apply
 * before it stores an element. A product here is a convolution or a matrix product. Attention that is written out is
 * one operation (fuse_attention.c). */
#include "exec/workers.h"
#include "ops/math/binary.h"
#include "ops/math/convert_values.h"
#include "program/fast_contraction.h"
#include "program/fuse_attention.h"
#include "program/passes.h"
#include "program/patterns.h"
#include <stdio.h>
#include <string.h>

enum { MOST_LINKS = IR_FAST_MOST_POST_OPS + 5 }; /* scales, a bias, post-ops */

#define WHY_F32 "oneDNN computes in f32, and the tensor of the model has another type"

/* A product and the operations that are fused with it so far. */
typedef struct chain {
  ir_fast_desc desc;
  int32_t product;                  /* the operation of the product */
  int32_t data, weights, bias, add; /* values; -1: there is none */
  int32_t out;                      /* the value that the chain computes */
  int32_t taken[2 * MOST_LINKS];    /* the fused operations that follow the product */
  int n_taken;
} chain;

typedef struct fusing {
  ir_program *program;
  const ir_value **in;
  int32_t n_original; /* operations that were there before the pass */
  bool *taken;        /* one per original operation: it belongs to a chain */
} fusing;

/* ---- operations that can follow a product ---- */

static bool have_one_shape(const ir_program *program, int32_t a, int32_t b) {
  const ir_value *x = ir_program_value_of(program, a), *y = ir_program_value_of(program, b);
  return x->type == y->type && ir_shapes_equal(&x->shape, &y->shape);
}

/* Whether a tensor of the first shape, broadcast to the shape `to`, has one number for each index of the axis: all
 * other axes have size 1. */
static bool is_along(const ir_shape *shape, const ir_shape *to, int axis) {
  const int skipped = to->rank - shape->rank;
  bool fits = skipped >= 0 && axis >= skipped;
  for (int i = 0; i < shape->rank && fits; i++)
    fits = shape->dims[i].lo == (skipped + i == axis ? to->dims[axis].lo : 1);
  return fits;
}

/* Whether the value has one number for each channel of a convolution's output, or for each column of a product. */
static bool is_per_channel(const ir_program *program, const chain *c, int32_t value) {
  const ir_value *numbers = ir_program_value_of(program, value), *out = ir_program_value_of(program, c->out);
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  const int channel = is_matmul ? out->shape.rank - 1 : 1;
  if (is_matmul && channel >= 0 && out->shape.dims[channel].lo != c->desc.n)
    return false; /* the second matrix is a vector: the last axis counts rows */
  return numbers->type == out->type && is_along(&numbers->shape, &out->shape, channel);
}

/* With oneDNN 2.6, a Sigmoid after a transposed convolution turns NaN into 0: do not fuse it. */
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

/* ---- scales that are folded into the weights ---- */

static ir_code prepare_view(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)node, (void)in, (void)scope;
  ir_plan_view(plan);
  return IR_OK;
}

static const ir_op view = {.dialect = IR_OPENVINO, .type = "View", .run = {IR_RUN_PREPARED, .prepare = prepare_view}};

/* A constant factor: one number for each channel of a product's output or of its data, or one number for all. */
typedef struct scaling {
  int32_t value;
  bool is_one, is_of_data;
} scaling;

/* The shape in which the factor is broadcast to the weights. */
static ir_shape scale_shape(const chain *c, const ir_shape *weights, const scaling *s) {
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  ir_shape shape = ir_shape_of_rank(weights->rank);
  for (int i = 0; i < weights->rank; i++)
    shape.dims[i] = ir_dim_of(1);
  if (s->is_one)
    return shape;
  if (is_matmul) { /* [k, n], or [n, k] */
    shape.dims[weights->rank - (c->desc.b_transposed != s->is_of_data ? 2 : 1)] =
        ir_dim_of(s->is_of_data ? c->desc.k : c->desc.n);
    return shape;
  }
  /* Weights are [out, in, ..], those of a backprop [in, out, ..]. Groups are one more axis in front. */
  const bool has_groups = weights->rank == c->desc.n_axes + 3, is_backprop = c->desc.kind == IR_FAST_BACKPROP;
  if (has_groups)
    shape.dims[0] = ir_dim_of(c->desc.groups);
  shape.dims[has_groups + (is_backprop != s->is_of_data)] =
      ir_dim_of(s->is_of_data ? c->desc.channels_in : c->desc.channels_out);
  return shape;
}

/* Adds the multiplication of the constants `value` and `scale` for operation `of`. Returns the product, or -1 when
 * memory is out. */
static int32_t multiply(ir_program *program, int32_t before, const ir_operation *of, int made_as, int32_t value,
                        int32_t scale, const ir_shape *shape) {
  static const ir_binary_params params = {.auto_broadcast = IR_BROADCAST_NUMPY, .axis = -1};
  ir_value flat = program->values[scale].value;
  flat.shape = *shape;
  const int32_t viewed = ir_program_convert(program, before, &view, scale, &flat);
  if (viewed < 0)
    return -1;
  program->values[viewed].key.made = IR_MADE_VIEW;
  ir_program_value made = program->values[value];
  made.is_kept = made.is_given = false;
  made.producer = -1;
  const ir_constant_key *source = &made.key;
  if (source->made != IR_MADE_ITSELF) /* the key tells a scaled `value` from one that an earlier scale has changed */
    made_as += IR_MADE_OF_MADE * (source->layer + 1);
  made.key = (ir_constant_key){.layer = of->layer, .type = made.value.type, .made = made_as};
  const int32_t to = ir_program_add_value(program, &made), in[] = {value, viewed};
  if (to < 0 || ir_program_add(program, before, &ir_op_multiply_1, &params, &of->node, of->layer, in, 2, &to, 1) < 0)
    return -1;
  return to;
}

/* Whether weights can be scaled by the value. */
static bool can_scale(const ir_program *program, const chain *c, int32_t value) {
  const ir_value *weights = ir_program_value_of(program, c->weights), *scale = ir_program_value_of(program, value);
  return program->folds && c->desc.n_post_ops == 0 && c->desc.b_is_weights && weights->is_constant &&
         scale->is_constant && weights->type == IR_F32 && scale->type == IR_F32 && weights->shape.rank >= 2;
}

static bool is_one_number(const ir_program *program, int32_t value, int most_rank) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  int64_t elements;
  return ir_shape_elements(shape, &elements) && elements == 1 && shape->rank <= most_rank;
}

/* Moves a scale of the output into the weights, and into a bias that is added before the scale. */
static bool take_scale(ir_program *program, chain *c, const ir_match *m) {
  scaling s = {.value = m->y};
  s.is_one = is_one_number(program, m->y, ir_program_value_of(program, c->out)->shape.rank);
  if (is_pdpd(program, m) || !can_scale(program, c, m->y) || (!s.is_one && !is_per_channel(program, c, m->y)) ||
      (c->bias >= 0 && !ir_program_value_of(program, c->bias)->is_constant))
    return false;
  const ir_operation of = program->operations[m->operations[0]];
  const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
  const int32_t weights = multiply(program, c->product, &of, IR_MADE_SCALED, c->weights, m->y, &shape);
  int32_t bias = c->bias;
  if (weights >= 0 && bias >= 0) {
    ir_shape own = ir_program_value_of(program, bias)->shape;
    for (int i = 0; s.is_one && i < own.rank; i++)
      own.dims[i] = ir_dim_of(1);
    bias = multiply(program, c->product, &of, IR_MADE_SCALED_BIAS, bias, m->y, &own);
  }
  if (weights < 0 || (c->bias >= 0 && bias < 0))
    return false;
  c->weights = weights;
  c->bias = bias;
  return true;
}

/* Whether the value has one number for each channel of the data of a convolution, or for each column of a product's
 * first matrix. */
static bool is_per_data_channel(const ir_program *program, const chain *c, int32_t value) {
  const ir_shape *data = &ir_program_value_of(program, c->data)->shape;
  const int channel = c->desc.kind == IR_FAST_MATMUL ? data->rank - 1 : 1;
  return data->rank > 1 && !c->desc.a_transposed &&
         is_along(&ir_program_value_of(program, value)->shape, data, channel);
}

/* Moves a scale of the data into the weights if nothing else reads the scaled data. Padding stays right: 0 times the
 * scale is 0. */
static bool take_data_scale(fusing *f, chain *c) {
  static const ir_pattern_node scale = {IR_FUNCTION_MULTIPLY, {IR_X, IR_Y}};
  ir_program *program = f->program;
  const ir_program_value *data = &program->values[c->data];
  const int32_t producer = data->producer;
  if (producer < 0 || producer >= f->n_original || data->n_uses != 1 || data->is_kept || f->taken[producer])
    return false;
  const ir_operation multiplication = program->operations[producer];
  const ir_binary_params *params = multiplication.node.params;
  if (multiplication.is_dead || !ir_pattern_is_of(&multiplication, &scale) ||
      params->auto_broadcast == IR_BROADCAST_PDPD)
    return false;
  for (int i = 0; i < 2; i++) {
    const int32_t from = multiplication.in[i], value = multiplication.in[1 - i];
    scaling s = {.value = value, .is_of_data = true};
    s.is_one = is_one_number(program, value, ir_program_value_of(program, c->data)->shape.rank);
    if (!can_scale(program, c, value) || !have_one_shape(program, from, c->data) ||
        (!s.is_one && !is_per_data_channel(program, c, value)))
      continue;
    const ir_operation of = program->operations[c->product];
    const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
    const int32_t weights = multiply(program, c->product, &of, IR_MADE_SCALED_IN, c->weights, value, &shape);
    if (weights < 0)
      return false;
    c->weights = weights;
    c->data = from;
    c->taken[c->n_taken++] = producer;
    return true;
  }
  return false;
}

/* ---- the patterns ---- */

/* The patterns are tried in this order on the chain's output until none matches. */
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

/* Extends the chain by the first pattern that ends with operation `last`. */
static bool take_at(fusing *f, chain *c, int32_t last) {
  ir_match match;
  for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
    if (!ir_pattern_match(f->program, &patterns[p].pattern, c->out, last, &match))
      continue;
    bool is_free = true;
    for (int i = 0; i < match.n; i++)
      is_free = is_free && match.operations[i] < f->n_original && !f->taken[match.operations[i]];
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

/* Tries `chains` from the last, which is the longest, to the first, and makes the primitive of the first one that the
 * fast module accepts. Sets `*io_n` to the number of chains up to that one; 0: the module accepts none. */
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

/* Converts the value to f32 ahead of the operation. */
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

/* Lists the ops fused into the product: "Add+Relu". */
static const char *describe(const ir_program *program, const chain *c) {
  enum { MOST = 256 };
  char *text = ir_arena_alloc(program->arena, MOST);
  int used = 0;
  for (int i = 0; i < c->n_taken && text != NULL && used < MOST; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "%s%s", i > 0 ? "+" : "",
                     program->operations[c->taken[i]].node.op->type);
  return c->n_taken > 0 ? text : NULL;
}

/* Replaces the chain by a contraction at the position of its last operation. */
static ir_code replace_chain(ir_program *program, const chain *c, ir_fast_primitive *primitive) {
  ir_contraction *params = ir_arena_alloc(program->arena, sizeof *params);
  if (params == NULL)
    return ir_out_of_memory(program->diags);
  const int32_t at = program->values[c->out].producer;
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
  if (c->desc.out_channels_last && !program->values[out].is_kept &&
      (program->request->skipped_passes & IRRUN_PASS_LAYOUT) == 0)
    ir_program_lay_last(program, out);
  program->operations[c->product].is_dead = true;
  for (int i = 0; i < c->n_taken; i++)
    program->operations[c->taken[i]].is_dead = true;
  return IR_OK;
}

/* Whether the module can compute the operation as a product. If so, begins the chain. */
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
  if ((f->program->request->skipped_passes & IRRUN_PASS_FUSE) == 0) {
    chains[1] = chains[0];
    n += take_data_scale(f, &chains[1]);
  }
  for (; n < MOST_LINKS; n++) {
    chains[n] = chains[n - 1];
    if ((f->program->request->skipped_passes & IRRUN_PASS_FUSE) != 0 || !take_next(f, &chains[n]))
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
  const bool is_skipped = (program->request->skipped_passes & IRRUN_PASS_FUSE) != 0;
  ir_code code = is_skipped ? IR_OK : ir_fuse_attention(program, count);
  if (code != IR_OK)
    return code;
  fusing f = {.program = program, .in = ir_program_room(program), .n_original = (int32_t)program->n_operations};
  f.taken = ir_arena_array(program->arena, program->n_operations + 1, sizeof *f.taken);
  if (f.in == NULL || f.taken == NULL)
    return ir_out_of_memory(program->diags);
  for (int32_t next, at = program->first; at >= 0 && code == IR_OK; at = next) {
    next = program->operations[at].next;
    if (at < f.n_original)
      code = fuse_at(&f, at, count);
  }
  return code;
}
